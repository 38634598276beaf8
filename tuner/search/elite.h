/* The best configurations so far, in order. */
#ifndef CUTUNE_SEARCH_ELITE_H
#define CUTUNE_SEARCH_ELITE_H

#include "search/archive.h"

enum { ELITE_MAX = 256 };

/* Empty when zeroed. */
struct elite {
    size_t count, most; /* most: set by the owner, at most ELITE_MAX */
    struct elite_member {
        uint64_t index;
        double value;
    } members[ELITE_MAX]; /* the best first */
};

/* Adds a configuration that has worked, if there is room or it is better than the worst member. */
void elite_tell(struct elite *elite, uint64_t index, const struct cost *cost);

#endif
