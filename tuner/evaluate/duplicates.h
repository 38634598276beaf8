/* Measured configurations by code. Configurations with equal machine code, launch and policy are measured once. */
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
    size_t device;             /* number of its device; EVALUATOR_ANY_DEVICE: none measured it */
    struct measurement measurement;
};

/* Zeroed: empty. */
struct duplicates {
    struct duplicate *rows;
    size_t count, room;
    struct hash_table table; /* rows by code */
};

/* Returns NULL if no configuration with that code was measured. Valid until the next duplicates_add. */
const struct duplicate *duplicates_find(const struct duplicates *duplicates, const char *code);
/* True if the outcome applies to another configuration, too. A censored time (`slower`) applies only if the other need
 * not be timed to the end (`exact`) and is worse than the current limit for stopping early (`incumbent`). */
bool duplicate_serves(const struct duplicate *duplicate, bool exact, double incumbent);
/* Adds a row. A known code keeps its first row, unless that is censored. */
int duplicates_add(struct duplicates *duplicates, const struct duplicate *duplicate, struct error *error);
void duplicates_free(struct duplicates *duplicates);

#endif
