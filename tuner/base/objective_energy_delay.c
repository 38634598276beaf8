#include "base/objective.h"
#include "base/text.h"

static const struct objective_unit units[] = {{"aJ s", 1e-18},       {"fJ s", 1e-15}, {"pJ s", 1e-12}, {"nJ s", 1e-9},
                                              {"\xc2\xb5J s", 1e-6}, {"mJ s", 1e-3},  {"J s", 1},      {NULL, 0}};

/* The energy of the board during a run times the run's duration; per unit of work both, in a space with a `work`
 * statement. */
const struct objective objective_row_energy_delay = {
    .name = "energy_delay",
    .aim = "energy_delay",
    .unit = "J s",
    .least = 1e-30,
    .most = 1e30,
    .expected = "an energy times a time in joule seconds, from 1e-30 to 1e30, or empty",
    .units = units,
    .print = format_energy_delay,
};
