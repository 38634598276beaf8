/* The best of what is known, in order. */
#ifndef CUTUNE_SEARCH_ELITE_H
#define CUTUNE_SEARCH_ELITE_H

#include "search/archive.h"

enum { ELITE_MAX = 256 };

/* A zeroed one is empty. */
struct elite {
    size_t count, most; /* most: set by the owner, at most ELITE_MAX */
    struct elite_member {
        uint64_t index;
        double value;
    } members[ELITE_MAX]; /* the best first */
};

/* Takes a configuration in when it has worked and is better than the worst member, or there is room. */
void elite_tell(struct elite *elite, uint64_t index, const struct cost *cost);

#endif
