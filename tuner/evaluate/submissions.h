/* Lists of configurations that a search has requested. */
#ifndef CUTUNE_EVALUATE_SUBMISSIONS_H
#define CUTUNE_EVALUATE_SUBMISSIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct submission {
    uint64_t index;
    bool exact;
    size_t device;
};

/* Zeroed: empty. The owner frees `items`. */
struct submissions {
    struct submission *items;
    size_t begin, count, room;
};

int submissions_add(struct submissions *list, struct submission item, struct error *error);
/* Removes a configuration; false if it is not in the list. */
bool submissions_take(struct submissions *list, uint64_t index);

#endif
