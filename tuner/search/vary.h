/* Moves between configurations, for strategies that walk in the valid set. */
#ifndef CUTUNE_SEARCH_VARY_H
#define CUTUNE_SEARCH_VARY_H

#include "search/design.h"

struct flight {
    uint64_t index;
    size_t owner;
};

/* Shared state of moving strategies: what is known, and the configurations in flight with their owners. The archive
 * comes first, so that a pointer to a mover is one to its archive. */
struct mover {
    struct archive archive;
    struct encoding encoding;
    struct random random;
    struct flight *flights;
    size_t flight_count, flight_room;
};

int mover_open(struct mover *mover, const struct strategy_setup *setup, struct error *error);
/* A strategy's `stop` if it frees nothing else. `state` begins with a mover. */
void mover_close(void *state);
/* Proposes a space-filling design while fewer than `initial` configurations are known; false afterwards. */
bool mover_begin(struct mover *mover, size_t initial, uint64_t *index);
/* Records the owner of a proposal. */
void mover_launch(struct mover *mover, uint64_t index, size_t owner);
/* Removes it again; false if nobody owns it. */
bool mover_land(struct mover *mover, uint64_t index, size_t *owner);

/* The configuration at `choices`, else the nearest valid one, or one near it that is not in the archive. False if none
 * was found. O(size of the diagram) if `choices` are not valid. */
bool vary_settle(struct mover *mover, uint32_t *choices, uint64_t *index);

/* A neighbour that is not in the archive: a step along a list of values, or any other value, with equal probability. */
bool vary_step(struct mover *mover, uint64_t from, uint64_t *index);

#endif
