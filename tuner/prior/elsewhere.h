/* What other devices know: their journals, and what those of the same search say of configurations that are tied on
 * this device. */
#ifndef CUTUNE_PRIOR_ELSEWHERE_H
#define CUTUNE_PRIOR_ELSEWHERE_H

#include <stddef.h>

#include "base/error.h"
#include "base/text.h"
#include "journal/journal.h"
#include "space/valid_set.h"

/* Reads the journals of a folder, in the order of their names. */
struct elsewhere_journals {
    const char *folder, *prefix; /* of the names; "": all */
    const char *own;             /* left out; NULL: none */
    /* Keeps nothing of the journal. An error ends the reading. */
    int (*visit)(void *context, const struct journal *journal, struct error *error);
    /* Called for a file that cannot be read, which is then left out. */
    void (*skipped)(void *context, const char *path, const char *reason);
    void *context; /* for `visit` and `skipped` */
};
int elsewhere_read(const struct elsewhere_journals *journals, struct error *error);

struct elsewhere_setup {
    const char *journal;                 /* this run's: the folder's other files KERNEL.*.csv are looked at */
    const struct journal_header *header; /* its header */
    struct text *devices; /* gets the names of the devices that know one of the configurations, once each:
                             "NVIDIA A100, NVIDIA H100" */
    /* Called for a file that cannot be read, which is then left out. */
    void (*skipped)(void *context, const char *path, const char *reason);
    void *context;
};

/* Finds, for each configuration, the least of its efficiencies (winner_efficiency) in the journals of other devices for
 * the same kernel, problem, source, space, data, options and objective; NaN: none knows it. Tools may differ. A
 * configuration is "TILE=64 PAD=1" in the order of the space. */
int elsewhere_find(const struct elsewhere_setup *setup, const char *const *configurations, size_t count,
                   double *efficiencies, struct error *error);

/* Finds the configuration of the least time so far in each of these journals, as far as it is in the set: at most
 * `room`, *count in all, each once. setup->devices is not used. */
int elsewhere_best(const struct elsewhere_setup *setup, const struct space *space, const struct valid_set *set,
                   uint64_t *indices, size_t room, size_t *count, struct error *error);

#endif
