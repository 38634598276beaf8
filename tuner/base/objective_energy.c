#include "base/objective.h"
#include "base/text.h"

static const struct objective_unit units[] = {{"nJ", 1e-9}, {"\xc2\xb5J", 1e-6}, {"mJ", 1e-3},
                                              {"J", 1},     {"kJ", 1e3},         {NULL, 0}};

/* The energy of the board during a run. */
const struct objective objective_row_energy = {
    .name = "energy",
    .aim = "energy",
    .unit = "J",
    .least = 1e-15,
    .most = 1e15,
    .expected = "an energy in joules, more than 0 and at most 1e15, or empty",
    .units = units,
    .print = format_energy,
};
