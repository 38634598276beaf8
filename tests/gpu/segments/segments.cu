// Adds the values of each segment of `length` elements: a block a segment.
#include "segments.h"

template <int width>
__global__ void segments(unsigned *sums, const unsigned *in, int length)
{
    static_assert(width == WIDTH, "the parameter and the macro that is named for it");
    __shared__ unsigned parts[width];
    const unsigned *own = in + (size_t)blockIdx.x * length;
    unsigned sum = 0;
    for (int i = threadIdx.x * PER_THREAD; i < length; i += width * PER_THREAD)
        for (int k = 0; k < PER_THREAD && i + k < length; k++)
            if (FAULT != skips_the_last || i + k < length - 1)
                sum += own[i + k];
    parts[threadIdx.x] = sum;
    __syncthreads();
    for (int half = width / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            parts[threadIdx.x] += parts[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        atomicAdd(&sums[FAULT == writes_beside ? gridDim.x : blockIdx.x], FAULT == adds_twice ? 2 * parts[0] : parts[0]);
}
