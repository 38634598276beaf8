/* Start configurations from the database: the winners of the same kernel on other devices and for other sizes, and the
 * incumbent, which is the winner of the run's own question. */
#ifndef CUTUNE_PRIOR_WARM_START_H
#define CUTUNE_PRIOR_WARM_START_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "database/database.h"
#include "set/valid_set.h"
#include "space/space.h"

enum { WARM_START_MAX = 64 };

struct warm_start_setup {
    const struct space *space;
    const struct valid_set *set;
    const struct provenance *now; /* kernel, problem, device and conditions of this run, and the device's limits */
    const char *objective;
    const struct provenance *known; /* prior runs of the strategy, which proposes their winners itself */
    size_t known_count;
    size_t most; /* maximum of distinct winners; at most WARM_START_MAX */
};

/* Zeroed: empty. */
struct warm_start {
    struct database *database; /* owns the rows */
    size_t count;
    uint64_t indices[WARM_START_MAX];        /* distinct; nearest device and sizes first */
    const struct best *rows[WARM_START_MAX]; /* the row of each */
    size_t left_out;                         /* rows whose winner is outside the set */
    const struct best *incumbent;            /* the database's row for the run's question; NULL: none in the set */
    uint64_t incumbent_index;
};

/* Reads the database at `path` (a missing one has no winners). Takes the nearest rows by the rules for devices without
 * a row (db/choose/choose.h), then those of other devices by their sizes. Skips rows measured under the conditions of
 * this run, whose winner is the search's goal, the incumbent, and those of setup->known. The incumbent is of this
 * kernel, device, problem, objective, source, space, data and options; its tools may be others. Errors are those of
 * database_open. */
int warm_start_find(struct warm_start *warm, const char *path, const struct warm_start_setup *setup,
                    struct error *error);

/* Returns the row of a configuration; NULL: none. */
const struct best *warm_start_row(const struct warm_start *warm, uint64_t index);

void warm_start_free(struct warm_start *warm);

#endif
