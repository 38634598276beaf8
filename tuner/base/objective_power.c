#include "base/objective.h"
#include "base/text.h"

static const struct objective_unit units[] = {{"mW", 1e-3}, {"W", 1}, {"kW", 1e3}, {NULL, 0}};

/* The mean power of the board while runs follow each other. */
const struct objective objective_row_power = {
    .name = "power",
    .aim = "power",
    .unit = "W",
    .least = 1e-6,
    .most = 1e9,
    .expected = "a power in watts, from 1e-6 to 1e9, or empty",
    .units = units,
    .print = format_power,
};
