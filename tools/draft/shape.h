/* The launch of a kernel: block, grid and shared memory, from a launch in the file, the names of macros, and the
 * kernel's uses. */
#ifndef CUTUNE_DRAFT_SHAPE_H
#define CUTUNE_DRAFT_SHAPE_H

#include "draft/draft.h"

struct shape {
    const char *block, *grid, *shared;                         /* "???": unknown; shared "": none */
    const char *block_comment, *grid_comment, *shared_comment; /* "": none */
    const char *limit; /* a condition on the block's size, from __launch_bounds__; "": none */
};

/* Adds the dimensions of the block to the macros where the kernel takes any. `size`: a problem size for the comment, or
 * "". Call it once the names of the host's arguments are aliases. */
int shape_find(struct draft *draft, const char *size, struct shape *shape, struct error *error);

#endif
