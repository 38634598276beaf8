/* The mix of a kernel's machine code: how many instructions of which kind, in all and in its hottest loop. */
#ifndef CUTUNE_COMPILE_MIX_H
#define CUTUNE_COMPILE_MIX_H

#include "base/error.h"
#include "base/evidence.h"

/* Sets the items of source CODE for the kernel with that lowered name, from nvdisasm's listing (compile/accesses.h).
 * They stay as they are for a kernel that is not listed. Code that other functions of the listing share, such as
 * subroutines in sections of their own, is not counted.
 *
 * The hottest loop is the one that executes the most instructions itself, without loops in it, if a loop whose bound is
 * not a number in the code makes 256 iterations. A loop that waits or tries again, as for a compare-and-swap, is none:
 * its instructions belong to what is around. Of a kernel without loops, the items of the loop are those of all its
 * code, which runs once.
 *
 * The only error is ERROR_MEMORY. */
int mix_read(const char *listing, const char *kernel, struct evidence *evidence, struct error *error);

#endif
