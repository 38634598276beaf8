// Streaming through shared memory: global memory is copied into a ring of tiles in shared memory, and each tile is used from
// there. Synchronous copies pass through registers and wait; asynchronous ones (`__pipeline_memcpy_async`) go past them while
// earlier tiles are used. Every group of 64 values is convolved with 4 weights, around its own end.
//
// COPY        sync, async
// BYTES       of one copy of a thread: 4, 8, 16
// STAGES      tiles of the ring: STAGES - 1 are under way while one is used
// BLOCK       threads of a block
// PER_THREAD  copies of a thread per tile
//
// The grid is a few blocks per multiprocessor (see the .space); each takes every gridDim-th tile.

#include <cuda_pipeline.h>

enum copy { sync, async };
enum { floats = BYTES / 4, tile = BLOCK * PER_THREAD * floats, group = 64 };

template <int WIDTH> struct vector;
template <> struct vector<4> { typedef float type; };
template <> struct vector<8> { typedef float2 type; };
template <> struct vector<16> { typedef float4 type; };
typedef vector<BYTES>::type word;

static __device__ float convolve(const float *values, int i)
{
    const int start = i & ~(group - 1);
    float sum = 0.1f * values[i];
    sum += 0.2f * values[start + ((i + 1) & (group - 1))];
    sum += 0.3f * values[start + ((i + 2) & (group - 1))];
    sum += 0.4f * values[start + ((i + 3) & (group - 1))];
    return sum;
}

extern "C" __global__ void async_copy_naive(float *out, const float *in, long long count)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = convolve(in + (i & ~(group - 1)), i & (group - 1));
}

// Begins the copy of tile number `number`, and closes the batch of copies whether or not there is such a tile.
static __device__ void fetch(float *to, const float *in, long long number, long long count)
{
#pragma unroll
    for (int k = 0; k < PER_THREAD; k++) {
        const int at = (k * BLOCK + threadIdx.x) * floats;
        const long long i = number * tile + at;
        if (i >= count)
            continue;
        if (COPY == async)
            __pipeline_memcpy_async(&to[at], &in[i], BYTES);
        else
            *(word *)&to[at] = *(const word *)&in[i];
    }
    if (COPY == async)
        __pipeline_commit();
}

extern "C" __global__ void async_copy(float *__restrict__ out, const float *__restrict__ in, long long count)
{
    extern __shared__ float4 ring[]; // STAGES tiles of floats
    float *const tiles = (float *)ring;
    const long long numbers = (count + tile - 1) / tile;
#pragma unroll
    for (int s = 0; s < STAGES - 1; s++)
        fetch(tiles + s * tile, in, blockIdx.x + (long long)s * gridDim.x, count);
    int used = 0, next = STAGES - 1;
    for (long long number = blockIdx.x; number < numbers; number += gridDim.x) {
        // The ring's free tile is the one that all threads have left behind them at the barrier of the round before.
        fetch(tiles + next * tile, in, number + (long long)(STAGES - 1) * gridDim.x, count);
        if (COPY == async)
            __pipeline_wait_prior(STAGES - 1);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < PER_THREAD * floats; k++) {
            const int at = k * BLOCK + threadIdx.x;
            if (number * tile + at < count)
                out[number * tile + at] = convolve(tiles + used * tile, at);
        }
        __syncthreads();
        next = used;
        used = used + 1 == STAGES ? 0 : used + 1;
    }
    if (COPY == async)
        __pipeline_wait_prior(0);
}
