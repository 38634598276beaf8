/* Where a search may begin: the winners of the same kernel on other devices and for other sizes, from the database. */
#ifndef CUTUNE_TUNER_WARM_START_H
#define CUTUNE_TUNER_WARM_START_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "db/database.h"
#include "space/space.h"
#include "space/valid_set.h"

enum { WARM_START_MAX = 64 };

struct warm_start_setup {
    const struct space *space;
    const struct valid_set *set;
    const struct provenance *now; /* what is tuned, on what and how: the fields of its parts, and the device's limits */
    const char *objective;
    size_t most; /* of different winners; at most WARM_START_MAX */
};

/* Zeroed is empty. */
struct warm_start {
    struct database *database; /* owns the rows */
    size_t count;
    uint64_t indices[WARM_START_MAX];        /* different ones, the nearest device and sizes first */
    const struct best *rows[WARM_START_MAX]; /* whose winner each is */
    size_t left_out;                         /* of all rows: the winner is not in the set */
};

/* Reads the database at `path` (none: there is no winner) and takes the nearest rows by the rules that choose for a
 * device that is in no row (db/choose.h), then those of other devices, by their sizes. A row that was made in the very
 * conditions of now is none of them: its winner is what is searched for. Errors are those of database_open. */
int warm_start_find(struct warm_start *warm, const char *path, const struct warm_start_setup *setup,
                    struct error *error);

/* The row that a configuration came from; NULL: from none. */
const struct best *warm_start_row(const struct warm_start *warm, uint64_t index);

void warm_start_free(struct warm_start *warm);

#endif
