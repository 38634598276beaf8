/* A space-filling design within the valid set, one configuration at a time, for the first proposals. */
#ifndef CUTUNE_SEARCH_DESIGN_H
#define CUTUNE_SEARCH_DESIGN_H

#include "search/archive.h"
#include "search/encode.h"

/* Picks, of a thousand random valid configurations, the one farthest from all in the archive. Greedy maximin (Johnson,
 * Moore and Ylvisaker, "Minimax and maximin distance designs", 1990) over a sample, with a preference for powers of
 * two. False if all are in the archive. O(entries x parameters). */
bool design_pick(struct archive *archive, const struct encoding *encoding, struct random *random, uint64_t *index);

/* Returns the number of configurations in a sufficient initial design. */
size_t design_size(const struct encoding *encoding);

#endif
