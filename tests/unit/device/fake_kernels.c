/* CUDA kernels as C, translated by host_kernels.py, and their definitions. A grid is one thread, and so is a warp. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "fake_cuda.h"

/* The runtime's header defines some of these for other compilers. */
#undef __device__
#undef __global__
#undef __restrict__
#undef __shared__
#define __device__
#define __global__
#define __restrict__
#define __shared__                          static
#define __ldcg(address)                     (*(address))
#define __syncthreads()                     ((void)0)
#define __shfl_down_sync(mask, value, by)   ((void)(by), (value))
#define atomicAdd(address, value)           (*(address) += (value))
#define atomicMax(address, value)           (*(address) = *(address) > (value) ? *(address) : (value))
#define atomicCAS(address, expected, value) host_cas(address, expected, value)

static unsigned long long host_cas(unsigned long long *address, unsigned long long expected, unsigned long long value)
{
    const unsigned long long before = *address;
    *address = before == expected ? value : before;
    return before;
}

/* A surface is its array (cudaCreateSurfaceObject in fake_device.c). */
#define surface_at(surface, x)        (((struct fake_array *)(uintptr_t)(surface))->data + (x))
#define surf1Dread(to, surface, x)    memcpy(to, surface_at(surface, x), sizeof *(to))
#define surf1Dwrite(from, surface, x) memcpy(surface_at(surface, x), &(float){from}, sizeof(float))

struct host_dim {
    unsigned x, y, z;
};
static const struct host_dim blockIdx, threadIdx, gridDim = {1, 1, 1}, blockDim = {1, 1, 1};
enum { warpSize = 1 };
typedef struct verdict verdict;

static unsigned long long host_globaltimer(void)
{
    return fake_kernel_time();
}

static long long clock64(void)
{
    return fake_kernel_cycles();
}

#include "host_kernels.inc"
