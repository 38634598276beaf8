#include "base/objective.h"
#include "base/text.h"

static const struct objective_unit units[] = {
    {"as per work", 1e-9},       {"fs per work", 1e-6}, {"ps per work", 1e-3}, {"ns per work", 1},
    {"\xc2\xb5s per work", 1e3}, {"ms per work", 1e6},  {"s per work", 1e9},   {NULL, 0}};

/* The median time of a run divided by its work, for spaces with a `work` statement. */
const struct objective objective_row_time_per_work = {
    .name = "time_per_work",
    .aim = "time",
    .unit = "ns",
    .per_work = true,
    .least = 1e-9 / WORK_MOST,
    .most = 1e18 / WORK_LEAST,
    .reach = 100, /* per run, like that of `time` */
    .seconds = 1e-9,
    .expected = "a time in nanoseconds per unit of work, more than 0, or empty",
    .units = units,
    .print = format_time_per_work,
};
