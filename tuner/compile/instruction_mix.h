/* The instruction mix of a kernel's machine code: counts by kind, in all and in its hottest loop. */
#ifndef CUTUNE_COMPILE_INSTRUCTION_MIX_H
#define CUTUNE_COMPILE_INSTRUCTION_MIX_H

#include "base/error.h"
#include "base/evidence.h"

/* Sets the items of source CODE for the kernel with that lowered name, from nvdisasm's listing (compile/accesses.h).
 * Leaves them unchanged for a kernel that is not in the listing. Ignores code that other functions of the listing
 * share, such as subroutines in sections of their own.
 *
 * The hottest loop is the one that itself executes the most instructions, without its inner loops; a loop whose bound
 * is not a number in the code is taken to make 256 iterations. A loop that waits or retries, such as a
 * compare-and-swap, does not count as a loop: its instructions belong to the code around it. In a kernel without loops,
 * the items of the loop are those of all its code, which runs once.
 *
 * The only error is ERROR_MEMORY. */
int instruction_mix_read(const char *listing, const char *kernel, struct evidence *evidence, struct error *error);

#endif
