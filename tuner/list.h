/* A list of configurations, each measured to the end: no search, no budget, none stopped early. */
#ifndef CUTUNE_TUNER_LIST_H
#define CUTUNE_TUNER_LIST_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/measurement.h"
#include "db/journal.h"
#include "evaluate/evaluator.h"

struct list_setup {
    const struct space *space;
    const struct valid_set *set;
    struct evaluator *evaluator;
    struct journal *journal;           /* gets every outcome as it ends; NULL: nothing is recorded */
    const volatile sig_atomic_t *stop; /* not 0: nothing more is begun, what is in flight is finished; NULL: never */
};

struct list_work {
    const char *const *configurations; /* "TILE=64 PAD=1", different ones */
    size_t count;
    struct measurement *measurements; /* results, by configuration: what became of it */
    bool *done;                       /* evaluated; false after a stop */
};

/* A configuration that is not valid here is `pruned_limit`. ERROR_DATA for one that the space does not have; what ended
 * before an error is recorded. */
int list_measure(const struct list_setup *setup, const struct list_work *work, struct error *error);

/* Rows of what is measured now may stand beside those of the journal: the fingerprints are the same. Else ERROR_DATA.
 */
int list_check(const char *journal, const char *fingerprint, const char *now, struct error *error);

#endif
