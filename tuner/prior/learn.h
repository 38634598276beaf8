/* What the strategy learns from: landscapes of the same kernel on other devices, for other sizes and in other versions,
 * from their journals. */
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
    const char *from;   /* a journal, or a folder of journals */
    bool named;         /* the user named it, so that finding nothing in it is an error */
    const char *prefix; /* of the names of journals in the folder; "": any */
    /* Called for a journal that cannot be read or has other parameters, which is then left out of a folder. */
    void (*skipped)(void *context, const char *path, const char *reason);
    void *context;
};

/* Zeroed: empty. */
struct learned {
    struct arena arena;
    size_t count;                                          /* at most LANDSCAPES_MAX */
    struct landscape_elsewhere landscapes[LANDSCAPES_MAX]; /* the nearest first (tuner/prior/nearest.h) */
    struct provenance runs[LANDSCAPES_MAX]; /* of each: device, problem and the limits of the device alone */
    size_t left_out;                        /* configurations whose values the space does not list */
};

/* Reads the journals of the same kernel and objective, but not those of the same search: they give away the answer.
 * Landscapes without a configuration that worked teach nothing. If setup->named: ERROR_IO for a missing file or folder,
 * ERROR_DATA for a journal of another kernel or objective, for one that cannot be read, and if nothing is left. */
int learn_read(struct learned *learned, const struct learn_setup *setup, struct error *error);

void learned_free(struct learned *learned);

#endif
