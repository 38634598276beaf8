#include "base/objective.h"
#include "base/text.h"

static const struct objective_unit units[] = {{"ns", 1}, {"\xc2\xb5s", 1e3}, {"ms", 1e6}, {"s", 1e9}, {NULL, 0}};

/* The median time of a launch. Less than the age of anything, and such that the ratio of two has a logarithm. */
const struct objective objective_row_time = {
    .name = "time",
    .aim = "time",
    .unit = "ns",
    .least = 1e-9,
    .most = 1e18,
    .reach = 100, /* neither a drift nor a launch that takes a little longer than the one before is in an interval */
    .seconds = 1e-9,
    .expected = "a time in nanoseconds, more than 0 and at most 1e18, or empty",
    .units = units,
    .print = format_time,
};
