/* Ways from configurations to others, for strategies that move in the valid set. */
#ifndef CUTUNE_SEARCH_VARY_H
#define CUTUNE_SEARCH_VARY_H

#include "search/design.h"

struct flight {
    uint64_t index;
    size_t owner;
};

/* What moving strategies share: what is known, and configurations in flight with whom they are for. The archive comes
 * first: a pointer to a mover is one to its archive. */
struct mover {
    struct archive archive;
    struct encoding encoding;
    struct random random;
    struct flight *flights;
    size_t flight_count, flight_room;
};

int mover_open(struct mover *mover, const struct strategy_setup *setup, struct error *error);
/* `state` begins with a mover: the `stop` of strategies that have nothing else to free. */
void mover_close(void *state);
/* While less than `initial` configurations are known, those of a space-filling design; false: that is over. */
bool mover_begin(struct mover *mover, size_t initial, uint64_t *index);
/* Remembers whom a proposal is for. */
void mover_launch(struct mover *mover, uint64_t index, size_t owner);
/* Takes it out again; false: nobody's. */
bool mover_land(struct mover *mover, uint64_t index, size_t *owner);

/* The configuration at `choices`, or the nearest valid one, or near it one that is not in the archive. False: none was
 * found. O(size of the diagram) when `choices` are not valid. */
bool vary_settle(struct mover *mover, uint32_t *choices, uint64_t *index);

/* A neighbour that is not in the archive: a step along a list of values, or any other value, with equal chances. */
bool vary_step(struct mover *mover, uint64_t from, uint64_t *index);

#endif
