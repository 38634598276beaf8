/* What was measured, by what was run: configurations with byte-equal machine code, launch and policy are measured once.
 */
#ifndef CUTUNE_EVALUATE_DUPLICATES_H
#define CUTUNE_EVALUATE_DUPLICATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/measurement.h"

struct duplicate {
    char code[HASH_HEX_BYTES]; /* of all that decides a measurement */
    uint64_t index;            /* the configuration that was measured */
    struct measurement measurement;
};

/* Zeroed is empty. */
struct duplicates {
    struct duplicate *rows;
    size_t count, room; /* room: a power of two */
    size_t *table;      /* numbers of rows plus one, by code: open addressing, twice the room */
};

/* NULL when nothing with that code was measured. Valid until the next duplicates_add. */
const struct duplicate *duplicates_find(const struct duplicates *duplicates, const char *code);
/* Does what became of it serve another configuration, too? A bound (`slower`) serves only one that need not be timed to
 * the end (`exact`), and while it lies above what is stopped early now (`incumbent_ns`). */
bool duplicate_serves(const struct duplicate *duplicate, bool exact, double incumbent_ns);
/* A code that is there already keeps its first row, unless that is a bound. */
int duplicates_add(struct duplicates *duplicates, const struct duplicate *duplicate, struct error *error);
void duplicates_free(struct duplicates *duplicates);

#endif
