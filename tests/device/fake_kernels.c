/* CUDA kernels as C: what host_kernels.py made of them, and what it relies on. A grid is one thread, a warp too. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "fake_cuda.h"

/* The runtime's header knows some of them for other compilers. */
#undef __device__
#undef __global__
#undef __restrict__
#undef __shared__
#define __device__
#define __global__
#define __restrict__
#define __shared__                        static
#define __syncthreads()                   ((void)0)
#define __shfl_down_sync(mask, value, by) ((void)(by), (value))
#define atomicAdd(address, value)         (*(address) += (value))
#define atomicMax(address, value)         (*(address) = *(address) > (value) ? *(address) : (value))

struct host_dim {
    unsigned x, y, z;
};
static const struct host_dim blockIdx, threadIdx, gridDim = {1, 1, 1}, blockDim = {1, 1, 1};
enum { warpSize = 1 };
typedef struct verdict verdict;

static unsigned __float_as_uint(float x)
{
    unsigned bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static float __uint_as_float(unsigned bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static float host_from_half(unsigned short half)
{
    int exponent = half >> 10 & 31, mantissa = half & 1023;
    float x = exponent == 31 ? mantissa ? NAN : INFINITY
              : exponent     ? ldexpf((float)(mantissa + 1024), exponent - 25)
                             : ldexpf((float)mantissa, -24);
    return half >> 15 ? -x : x;
}

/* Of what a half represents, or nearly: ties and ranges are not needed here. */
static unsigned short host_to_half(float x)
{
    unsigned sign = x < 0 ? 0x8000 : 0;
    int exponent;
    float fraction = frexpf(fabsf(x), &exponent); /* 0.5 to 1 */
    if (x == 0)
        return 0;
    if (exponent < -13)
        return (unsigned short)(sign | (unsigned)ldexpf(fabsf(x), 24));
    return (unsigned short)(sign | (unsigned)(exponent + 14) << 10 | ((unsigned)ldexpf(fraction, 11) & 1023));
}

static unsigned long long host_globaltimer(void)
{
    return fake_kernel_time();
}

static long long clock64(void)
{
    return fake_kernel_cycles();
}

#include "host_kernels.inc"
