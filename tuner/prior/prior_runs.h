/* Journals of other devices and sizes: the best configurations of other devices, and the efficiencies elsewhere of
 * configurations that are tied in a run. */
#ifndef CUTUNE_PRIOR_PRIOR_RUNS_H
#define CUTUNE_PRIOR_PRIOR_RUNS_H

#include <stddef.h>

#include "base/error.h"
#include "base/text.h"
#include "journal/journal.h"
#include "set/valid_set.h"

/* Describes how to read the journals of a folder, in the order of their names. */
struct prior_runs_folder {
    const char *folder, *prefix; /* prefix: of the file names; "": all */
    const char *own;             /* path to skip; NULL: none */
    /* Called for each journal, which is closed afterwards. An error ends the reading. */
    int (*visit)(void *context, const struct journal *journal, struct error *error);
    /* Called for a file that cannot be read; it is skipped. */
    void (*skipped)(void *context, const char *path, const char *reason);
    void *context; /* for `visit` and `skipped` */
};
int prior_runs_read(const struct prior_runs_folder *journals, struct error *error);

struct prior_runs_setup {
    const char *journal;                 /* of this run: the folder's other files KERNEL.*.csv are read */
    const struct journal_header *header; /* header of `journal` */
    struct text *devices; /* receives the names of the devices that have one of the configurations, once each: "NVIDIA
                             A100, NVIDIA H100". NULL: not needed */
    /* Called for a file that cannot be read; it is skipped. */
    void (*skipped)(void *context, const char *path, const char *reason);
    void *context;
};

/* Journals that differ from this run in one respect: its device or its problem sizes. */
enum prior_runs_of { PRIOR_RUNS_OTHER_DEVICES, PRIOR_RUNS_OTHER_SIZES };

/* Finds, for each configuration, its least efficiency (winner_efficiency) in the journals of other devices, or at other
 * sizes, for otherwise the same kernel, device, problem, source, space, data, options and objective; NaN: in no
 * journal. Tools may differ. A configuration is "TILE=64 PAD=1" in the order of the space. */
int prior_runs_efficiencies(const struct prior_runs_setup *setup, enum prior_runs_of of,
                            const char *const *configurations, size_t count, double *efficiencies, struct error *error);

/* Finds the configuration of the least time in each of these journals of other devices, if the set has it: at most
 * `room`, *count in all, without duplicates. Ignores setup->devices. */
int prior_runs_best(const struct prior_runs_setup *setup, const struct space *space, const struct valid_set *set,
                    uint64_t *indices, size_t room, size_t *count, struct error *error);

#endif
