/* The option --prefer of `emit`: an objective, or a weight of energy against time. */
#ifndef CUTUNE_COMMANDS_EMIT_PREFER_H
#define CUTUNE_COMMANDS_EMIT_PREFER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/objective.h"
#include "choose/timing_history.h"
#include "database/database.h"

struct emit_prefer {
    const struct objective *objective; /* of the rows to take; with a weight, the time */
    double weight;                     /* of energy, 0 to 1; NaN: none */
};

/* Reads "energy" or "weight=0.3". ERROR_USAGE for another text. */
int emit_prefer_read(const char *text, struct emit_prefer *prefer, struct error *error);
bool emit_prefer_is_weight(const struct emit_prefer *prefer);

/* Replaces rows of times by those of the configurations that a weight prefers on the fronts of their journals
 * (front_weighted), in memory of the arena. Their times are those of the windows of the energies. Drops rows without
 * energies, and fits. `rows` is sorted and writable; *count may become 0. */
int emit_prefer_weighted(const struct emit_prefer *prefer, const struct timing_history *history, struct arena *arena,
                         const struct best **rows, size_t *count, struct error *error);

#endif
