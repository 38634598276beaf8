// A stream through shared memory, two blocks per multiprocessor: tiles are copied and then used, or copied while others
// are used.
//
// COPY   sync: through registers, a tile at a time; async: three tiles ahead
// BYTES  bytes of one copy of a thread: 4, 16

#include <cuda_pipeline.h>

enum copy { sync, async };
enum { floats = BYTES / 4, each = 4, tile = 256 * each * floats, stages = 4, group = 64 };

template <int WIDTH> struct vector;
template <> struct vector<4> { typedef float type; };
template <> struct vector<16> { typedef float4 type; };
typedef vector<BYTES>::type word;

static __device__ float convolve(const float *values, int i)
{
    const int start = i & ~(group - 1);
    float sum = 0.1f * values[i];
    sum += 0.2f * values[start + ((i + 1) & (group - 1))];
    sum += 0.3f * values[start + ((i + 2) & (group - 1))];
    return sum;
}

extern "C" __global__ void ring_naive(float *out, const float *in, int count)
{
    for (int i = blockIdx.x * 256 + threadIdx.x; i < count; i += gridDim.x * 256)
        out[i] = convolve(in + (i & ~(group - 1)), i & (group - 1));
}

static __device__ void fetch(float *to, const float *in, int number, int numbers)
{
#pragma unroll
    for (int k = 0; k < each; k++) {
        const int at = (k * 256 + threadIdx.x) * floats;
        if (number >= numbers)
            continue;
        if (COPY == async)
            __pipeline_memcpy_async(&to[at], &in[number * tile + at], BYTES);
        else
            *(word *)&to[at] = *(const word *)&in[number * tile + at];
    }
    if (COPY == async)
        __pipeline_commit();
}

extern "C" __global__ void __launch_bounds__(256) ring(float *__restrict__ out, const float *__restrict__ in, int count)
{
    extern __shared__ float4 storage[];
    float *const tiles = (float *)storage;
    const int numbers = count / tile, ahead = COPY == async ? stages - 1 : 0;
    for (int s = 0; s < ahead; s++)
        fetch(tiles + s * tile, in, blockIdx.x + s * gridDim.x, numbers);
    int used = 0;
#pragma unroll 1
    for (int number = blockIdx.x; number < numbers; number += gridDim.x) {
        fetch(tiles + (used + ahead) % stages * tile, in, number + ahead * gridDim.x, numbers);
        if (COPY == async)
            __pipeline_wait_prior(stages - 1);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < each * floats; k++)
            out[number * tile + k * 256 + threadIdx.x] = convolve(tiles + used * tile, k * 256 + threadIdx.x);
        __syncthreads();
        used = (used + 1) % stages;
    }
}
