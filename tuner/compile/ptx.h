/* Reads from the PTX of a kernel what it does with its parameters: PTX names memory, types of textures and parameters,
 * of which machine code keeps addresses only. */
#ifndef CUTUNE_COMPILE_PTX_H
#define CUTUNE_COMPILE_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Parameters are bits: of a kernel with more, nothing is known. */
enum { PTX_PARAMETERS_MAX = 64, PTX_NAME_BYTES = 128 };

struct ptx_use {
    bool calls;                    /* functions, which may use more than is said here */
    bool dynamic_shared;           /* it uses an `extern __shared__` array */
    bool grid_sync;                /* it synchronises the grid, or traps if that cannot be */
    uint64_t written;              /* parameters that point to what it surely writes, if it gets there */
    uint64_t changed;              /* those that may be written: written, stored as a pointer, or passed on */
    uint64_t as_float, as_integer; /* textures by what they are fetched as */
    uint64_t as_vector;            /* and those of which it uses more than the first component */
};

/* `kernel`: the lowered name. `pointers`: the parameters to follow. False: the PTX lacks it, or it is unknown what it
 * does. */
bool ptx_use_of(const char *ptx, const char *kernel, uint64_t pointers, struct ptx_use *use);

/* The next __constant__ variable without a value that the kernel uses; *at begins as the PTX. False: no more. */
bool ptx_next_constant(const char *ptx, const char *kernel, const char **at, char name[PTX_NAME_BYTES]);

#endif
