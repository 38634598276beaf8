/* Prior runs: landscapes of the same kernel on other devices, for other sizes and in other versions, from their
 * journals. The strategy learns from them. */
#ifndef CUTUNE_PRIOR_LEARN_H
#define CUTUNE_PRIOR_LEARN_H

#include "base/arena.h"
#include "base/error.h"
#include "base/objective.h"
#include "base/provenance.h"
#include "search/strategy.h"
#include "space/space.h"

struct learn_setup {
    const struct space *space;
    const struct provenance *now; /* of this run */
    const struct objective *objective;
    const char *from;   /* path of a journal or of a folder of journals */
    bool named;         /* by the user: finding nothing is then an error */
    const char *prefix; /* of the names of journals in the folder; "": all */
    /* Called for a journal of a folder that cannot be read or has other parameters; it is skipped. */
    void (*skipped)(void *context, const char *path, const char *reason);
    void *context;
};

/* Zeroed: empty. */
struct learned {
    struct arena arena;
    size_t count;                                /* at most PRIOR_RUNS_MAX */
    struct prior_run prior_runs[PRIOR_RUNS_MAX]; /* nearest first (tuner/prior/nearest.h) */
    struct provenance runs[PRIOR_RUNS_MAX];      /* of each: only device, problem and the device's limits */
    size_t left_out;                             /* configurations with values that the space does not list */
};

/* Reads the journals of the same kernel and objective, except those of the same search: they give away the answer.
 * Skips landscapes without a configuration that worked. If setup->named: ERROR_IO for a missing file or folder;
 * ERROR_DATA for a journal of another kernel or objective, for an unreadable one, and if no journal remains. */
int learn_read(struct learned *learned, const struct learn_setup *setup, struct error *error);

void learned_free(struct learned *learned);

#endif
