/* Orders runs of one kernel by the distance of their devices and sizes from those of this run. */
#ifndef CUTUNE_PRIOR_NEAREST_H
#define CUTUNE_PRIOR_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/pairs.h"
#include "base/provenance.h"

/* Zeroed: closed. */
struct nearest {
    const struct provenance *now;
    struct arena arena;
    struct pairs sizes;         /* of this run */
    const long double *numbers; /* `sizes` as numbers; 0: not a number, far from all sizes */
    size_t count;
    struct nearest_run {
        const struct provenance *provenance;
        const long double *sizes; /* in the order of `sizes` */
        bool out;                 /* taken or excluded */
    } * runs;                     /* in the order of nearest_add */
};

/* True for a search under the same conditions: its results give away the answer. */
bool nearest_is_same(const struct provenance *run, const struct provenance *now);

/* Makes room for `most` runs. Borrows `now`; nearest_add borrows the runs. ERROR_MEMORY, and the errors of pairs_read
 * for sizes of this run that cannot be read. */
int nearest_open(struct nearest *nearest, const struct provenance *now, size_t most, struct error *error);
int nearest_add(struct nearest *nearest, const struct provenance *run, struct error *error);
void nearest_close(struct nearest *nearest);

/* Takes the nearest remaining run: by the rules for devices without a row (db/choose/choose.h), then other devices by
 * their sizes. False: none remains. */
bool nearest_take(struct nearest *nearest, size_t *run);

#endif
