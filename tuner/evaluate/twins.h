/* What was measured, by what was run: configurations with byte-equal machine code, launch and policy are measured once.
 */
#ifndef CUTUNE_EVALUATE_TWINS_H
#define CUTUNE_EVALUATE_TWINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/measurement.h"

struct twin {
    char code[HASH_HEX_BYTES]; /* of all that decides a measurement */
    uint64_t index;            /* the configuration that was measured */
    struct measurement measurement;
};

/* Zeroed is empty. */
struct twins {
    struct twin *rows;
    size_t count, room; /* room: a power of two */
    size_t *table;      /* numbers of rows plus one, by code: open addressing, twice the room */
};

/* NULL when nothing with that code was measured. Valid until the next twins_add. */
const struct twin *twins_find(const struct twins *twins, const char *code);
/* Does what became of it serve another configuration, too? A bound (`slower`) serves only one that need not be timed to
 * the end (`exact`), and while it lies above what is stopped early now (`incumbent_ns`). */
bool twin_serves(const struct twin *twin, bool exact, double incumbent_ns);
/* A code that is there already keeps its first row, unless that is a bound. */
int twins_add(struct twins *twins, const struct twin *twin, struct error *error);
void twins_free(struct twins *twins);

#endif
