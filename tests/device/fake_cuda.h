/* A CUDA runtime without a device, for what device/ does with memory, streams and events. Work is queued and done as
 * late and in as mixed an order as streams and events allow, so that a missing wait shows. */
#ifndef CUTUNE_TESTS_FAKE_CUDA_H
#define CUTUNE_TESTS_FAKE_CUDA_H

#include <stdint.h>

#include <cuda_runtime_api.h>

/* A kernel: gets its arguments as values of 8 bytes. */
struct fake_kernel {
    void (*run)(const uint64_t *arguments);
    const char *arguments; /* a letter each: p for 8 bytes, i for 4 */
};

struct fake_cuda {
    unsigned seed;        /* of the order of things */
    const char *misuse;   /* the first thing that a real runtime would not do; NULL: none */
    unsigned long copies; /* between host and device, queued */
    unsigned long packed; /* bytes of the largest of them */
    unsigned long launches;
    unsigned long mallocs, pool_mallocs; /* of device memory */
    long live;                           /* allocations of all kinds that were not freed */
    size_t host_room;                    /* bytes that may be allocated in all on the host */
    size_t host_used;
    cudaError_t next_launch; /* what the next launch returns */
    cudaError_t broken;      /* what everything returns once the queued work is looked at */
    /* of the L2 */
    size_t set_aside, window_bytes;
    unsigned windows, resets;
    /* of constants */
    void *symbol;
    size_t symbol_bytes;
    int clusters;
    unsigned textures; /* alive */
    struct cudaResourceDesc texture;
};
extern struct fake_cuda fake;

/* Device memory that kernels may use: also mapped and managed memory. */
void fake_check_kernel_memory(const void *memory, size_t bytes);
void fake_finish(void);
/* Frees everything and forgets everything. */
void fake_reset(void);

#endif
