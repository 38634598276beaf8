/* Measures a list of configurations, each to the end: no search, budget or early stopping. */
#ifndef CUTUNE_RUN_LIST_H
#define CUTUNE_RUN_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/measurement.h"
#include "journal/journal.h"
#include "run/run.h"

struct list_work {
    const char *const *configurations; /* "TILE=64 PAD=1", without duplicates */
    size_t count;
    struct measurement *measurements; /* results, by configuration */
    bool *done;                       /* evaluated; false after a stop */
    enum proposer proposer;           /* proposer recorded in the rows */
};

/* Measures the configurations. Uses space, set, evaluator, journal, stop and listener of the setup. The listener hears
 * outcomes and ticks, with the time left. An invalid configuration gets
 * the status `pruned_limit`. ERROR_DATA for one outside the space. Outcomes before an error are recorded. */
int list_measure(const struct run_setup *setup, const struct list_work *work, struct error *error);

/* Removes the configurations that already have a row by the work's proposer in the journal. Configurations have their
 * parameters in the order of the journal. The new list belongs to the arena. ERROR_MEMORY is the only error. */
int list_missing(const struct journal *journal, struct arena *arena, struct list_work *work, struct error *error);

/* Checks that new rows may be added to the journal. ERROR_DATA unless the fingerprints are equal. */
int list_check(const struct journal *journal, const char *now, struct error *error);

#endif
