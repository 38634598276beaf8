/* Reads a kernel's spills from an assembler's log; machine code does not distinguish spills from other local memory. */
#ifndef CUTUNE_COMPILE_SPILLS_H
#define CUTUNE_COMPILE_SPILLS_H

#include <stdbool.h>
#include <stdint.h>

/* Makes the assembler write this log. It then hides the reasons of its own errors. */
#define SPILLS_OPTION "--ptxas-options=-v"

struct kernel_spills {
    int64_t store_bytes, load_bytes; /* per thread: size of the instructions that spill and reload, however often they
                                        run */
};

/* Finds the kernel of that lowered name; false if the log lacks it. */
bool spills_read(const char *log, const char *name, struct kernel_spills *spills);

#endif
