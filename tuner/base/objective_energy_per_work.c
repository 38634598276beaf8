#include "base/objective.h"
#include "base/text.h"

static const struct objective_unit units[] = {{"fJ per work", 1e-15},
                                              {"pJ per work", 1e-12},
                                              {"nJ per work", 1e-9},
                                              {"\xc2\xb5J per work", 1e-6},
                                              {"mJ per work", 1e-3},
                                              {"J per work", 1},
                                              {NULL, 0}};

/* The energy of the board during a run divided by the run's work, for spaces with a `work` statement. */
const struct objective objective_row_energy_per_work = {
    .name = "energy_per_work",
    .aim = "energy",
    .unit = "J",
    .per_work = true,
    .least = 1e-15 / WORK_MOST,
    .most = 1e15 / WORK_LEAST,
    .expected = "an energy in joules per unit of work, more than 0, or empty",
    .units = units,
    .print = format_energy_per_work,
};
