/* A space-filling design within the valid set, one configuration after the other: what is looked at before anything is
 * known. */
#ifndef CUTUNE_SEARCH_DESIGN_H
#define CUTUNE_SEARCH_DESIGN_H

#include "search/archive.h"
#include "search/encode.h"

/* Of a thousand valid configurations drawn at random the one that is farthest from all in the archive: greedy maximin
 * (Johnson, Moore and Ylvisaker, "Minimax and maximin distance designs", 1990) over a sample. False: there is none left
 * that is not in the archive. O(entries x parameters). */
bool design_pick(struct archive *archive, const struct encoding *encoding, struct random *random, uint64_t *index);

/* How many configurations of a design tell enough to begin with. */
size_t design_size(const struct encoding *encoding);

#endif
