/* Outcomes by configuration: what a run knows, from its journal or by its own evaluations. */
#ifndef CUTUNE_TUNER_KNOWN_H
#define CUTUNE_TUNER_KNOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/measurement.h"

struct known_entry {
    uint64_t index;
    enum { ENTRY_FREE, ENTRY_IN_FLIGHT, ENTRY_KNOWN } state;
    bool charged; /* to the budget */
    bool counted; /* in the progress */
    struct measurement measurement;
};

/* The outcome of a configuration in the play-off. */
struct known_final {
    uint64_t index;
    struct measurement measurement;
};

/* Zeroed is empty. */
struct known {
    size_t used, capacity; /* open addressing, grown at two thirds; capacity: a power of two */
    struct known_entry *entries;
    size_t final_count, final_room;
    struct known_final *finals; /* few */
};

/* The entry of a configuration; a new one is ENTRY_FREE, and is there only after known_put. NULL when memory is out.
 * Valid until the next known_find. */
struct known_entry *known_find(struct known *known, uint64_t index);
void known_put(struct known *known, struct known_entry *entry, uint64_t index);

/* NULL when it has not played. Valid until the next known_put_final. */
const struct measurement *known_find_final(const struct known *known, uint64_t index);
int known_put_final(struct known *known, uint64_t index, const struct measurement *measurement, struct error *error);

void known_free(struct known *known);

#endif
