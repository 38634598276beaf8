/* Reads a kernel's use of its parameters from its PTX: PTX names memory, types of textures and parameters, while
 * machine code keeps only addresses. */
#ifndef CUTUNE_COMPILE_PTX_H
#define CUTUNE_COMPILE_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Parameters are bits: a kernel with more of them counts as unknown. */
enum { PTX_PARAMETERS_MAX = 64, PTX_NAME_BYTES = 128 };

struct ptx_use {
    bool calls;               /* it calls functions, which may use more than is known here */
    bool dynamic_shared;      /* it uses an `extern __shared__` array */
    bool grid_sync;           /* it synchronises the grid, or traps where it cannot */
    unsigned threads, blocks; /* bits of the dimensions of threadIdx and blockIdx that it reads; bit 0: x */
    uint64_t written;         /* parameters that point to memory that it surely writes, on some path */
    uint64_t changed;         /* parameters whose memory may be written: written, stored as a pointer, or passed on */
    uint64_t as_float, as_integer; /* textures by the type they are fetched as */
    uint64_t as_vector;            /* textures of which it uses more than the first component */
};

/* `kernel`: the lowered name. `pointers`: the parameters to follow. False if the PTX lacks the kernel or its use is
 * unknown. */
bool ptx_use_of(const char *ptx, const char *kernel, uint64_t pointers, struct ptx_use *use);

/* Finds the next __constant__ variable without a value that the kernel uses; *at begins as the PTX. False at the
 * end. */
bool ptx_next_constant(const char *ptx, const char *kernel, const char **at, char name[PTX_NAME_BYTES]);

#endif
