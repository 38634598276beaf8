#include "base/objective.h"
#include "base/text.h"

static const struct objective_unit units[] = {{"ns", 1}, {"\xc2\xb5s", 1e3}, {"ms", 1e6}, {"s", 1e9}, {NULL, 0}};

/* The median time of a launch: at most some 30 years, and positive, so that ratios have a logarithm. */
const struct objective objective_row_time = {
    .name = "time",
    .aim = "time",
    .unit = "ns",
    .least = 1e-9,
    .most = 1e18,
    .reach = 100, /* covers drift and the variation of successive launches, which intervals do not */
    .seconds = 1e-9,
    .expected = "a time in nanoseconds, more than 0 and at most 1e18, or empty",
    .units = units,
    .print = format_time,
};
