/* Reads from an assembler's log how much a kernel spills; machine code does not tell spills from other local memory. */
#ifndef CUTUNE_COMPILE_SPILLS_H
#define CUTUNE_COMPILE_SPILLS_H

#include <stdbool.h>
#include <stdint.h>

/* Makes the assembler write what follows. It then keeps the reason of its own errors to itself. */
#define SPILLS_OPTION "--ptxas-options=-v"

struct kernel_spills {
    int64_t store_bytes, load_bytes; /* per thread: size of the instructions that spill and reload, not their number of
                                        executions */
};

/* Finds the kernel of that lowered name; false: the log does not have it. */
bool spills_read(const char *log, const char *name, struct kernel_spills *spills);

#endif
