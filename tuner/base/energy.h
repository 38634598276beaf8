/* The energy of a configuration's runs, measured in rounds in which several configurations take turns.
 *
 * A round has the energy and the time of a run. Everything else follows from the rounds: the quantities of a run (time,
 * energy, power, energy times delay), their intervals, and ratios to other configurations. A ratio compares within
 * rounds, so that a drift of the device's temperature affects both alike. */
#ifndef CUTUNE_BASE_ENERGY_H
#define CUTUNE_BASE_ENERGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/measurement.h"
#include "base/objective.h"
#include "base/pack.h"
#include "base/power.h"
#include "base/statistics.h"
#include "base/text.h"

enum { ENERGY_ROUNDS_LEAST = 3, ENERGY_ROUNDS_MAX = 8 };

struct energy {
    uint32_t round_count;
    double joules[ENERGY_ROUNDS_MAX];   /* of a run, by round; NaN: it did not play, or the device was throttled */
    double times_ns[ENERGY_ROUNDS_MAX]; /* of a run in the same windows */
    /* NaN: unknown. Meanings and units are in energy.def. */
#define ENERGY(name, unit, range, meaning) double name;
#include "base/energy.def"
#undef ENERGY
    char states[POWER_STATES_BYTES]; /* of the device, one reading for each round (base/power.h) */
};

extern const struct pack_table energy_table;

struct energy_row {
    const char *name, *unit, *meaning;
    size_t offset; /* of the double in struct energy */
};
extern const struct energy_row energy_rows[];
extern const size_t energy_count;

/* Without rounds, all numbers unknown. */
struct energy energy_unknown(void);

/* True if the objective is a quantity of these windows that is only known from them: all but times. */
bool energy_is_needed(const struct objective *objective);
/* Adds an objective that can be measured to a list with room for OBJECTIVE_COUNT: one of those above or the default
 * one, by the name of spaces without a `work` statement. Returns NULL or, of another or a repeated name, the fault: "is
 * not an objective". */
const char *energy_add_objective(const char *name, size_t length, const struct objective **list, size_t *count);
/* Adds the most similar name to the error, or all names. */
void energy_hint_objective(const char *name, size_t length, struct error *error);
/* Reads such a list, "time,energy". ERROR_USAGE for a wrong name. */
int energy_read_objectives(const char *text, const struct objective **list, size_t *count, struct error *error);
/* The objective that says the same of a space with a `work` statement, or without one. */
const struct objective *energy_objective(const struct objective *objective, bool per_work);

/* Returns the quantity in the objective's unit: the geometric mean over the rounds, and its interval
 * (statistics_geometric). Without rounds, all NaN. */
struct bounded energy_value(const struct energy *energy, const struct objective *objective, double confidence);
/* The same as a measurement. */
struct measurement energy_measurement(const struct energy *energy, const struct objective *objective,
                                      double confidence);
/* The quantity's ratio of `a` to `b`, from the rounds that both have. */
struct bounded energy_ratio(const struct energy *a, const struct energy *b, const struct objective *objective,
                            double confidence);
/* The energy of a run above that of the idle board, in joules; NaN: unknown. */
double energy_above_idle(const struct energy *energy);

/* True if `a` needs measurably less time or energy per unit of work than `b`, and not measurably more of the other. */
bool energy_dominates(const struct energy *a, const struct energy *b, double confidence);

/* Appends "J:NS/J:NS/-". */
void energy_append_rounds(struct text *text, const struct energy *energy);
/* Reads such a text behind the rounds that the energy has. ERROR_DATA for an impossible value. */
int energy_read_rounds(const char *text, struct energy *energy, struct error *error);
/* Appends "rounds=J:NS/J:NS/- name=value ...". */
void energy_append(struct text *text, const struct energy *energy);
/* Reads such a text. Skips unknown names: a later cutune may have written them. ERROR_DATA for an impossible value. */
int energy_parse(const char *text, struct energy *energy, struct error *error);

#endif
