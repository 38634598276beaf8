/* Measured configurations by code: those with byte-equal machine code, launch and policy are measured once. */
#ifndef CUTUNE_EVALUATE_DUPLICATES_H
#define CUTUNE_EVALUATE_DUPLICATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/hash_table.h"
#include "base/measurement.h"

struct duplicate {
    char code[HASH_HEX_BYTES]; /* hash of everything that determines a measurement */
    uint64_t index;            /* the measured configuration */
    size_t device;             /* its number; EVALUATOR_ANY_DEVICE: none measured it */
    struct measurement measurement;
};

/* Zeroed: empty. */
struct duplicates {
    struct duplicate *rows;
    size_t count, room;
    struct hash_table table; /* rows by code */
};

/* NULL if nothing with that code was measured. Valid until the next duplicates_add. */
const struct duplicate *duplicates_find(const struct duplicates *duplicates, const char *code);
/* Does the outcome apply to another configuration, too? A bound (`slower`) applies only if that one need not be timed
 * to the end (`exact`) and the bound is worse than the current limit for stopping early (`incumbent`). */
bool duplicate_serves(const struct duplicate *duplicate, bool exact, double incumbent);
/* A known code keeps its first row, unless that is a bound. */
int duplicates_add(struct duplicates *duplicates, const struct duplicate *duplicate, struct error *error);
void duplicates_free(struct duplicates *duplicates);

#endif
