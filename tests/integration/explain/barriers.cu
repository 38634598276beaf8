// Rounds of a block between barriers.
//
// MODE    0: lanes of a warp exchange values through shared memory; 1: a row of dependent steps for each warp, by one
// warp or by all
// SCOPE   whole: all barriers are the block's; own: the warp's, if other warps are not involved
// SPREAD  0: the first warp makes the steps of all while they wait; 1: each makes its own

enum scope { whole, own };
enum { steps = 16 };

static __device__ void barrier()
{
    if (SCOPE == whole)
        __syncthreads();
    else
        __syncwarp();
}

static __device__ float row(float x)
{
#pragma unroll
    for (int s = 0; s < steps; s++)
        x = fmaf(x, 0.999f, 0.25f);
    return x;
}

extern "C" __global__ void barriers_naive(float *out, const float *in, int rounds)
{
    const int thread = blockIdx.x * BLOCK + threadIdx.x;
    float x = in[thread];
    for (int r = 0; r < rounds; r++)
        x = MODE == 0 ? fmaf(__shfl_xor_sync(~0u, x, 1), 0.5f, x * 0.25f) : row(x);
    out[thread] = x;
}

extern "C" __global__ void __launch_bounds__(BLOCK) barriers(float *out, const float *in, int rounds)
{
    __shared__ float held[BLOCK];
    const int thread = blockIdx.x * BLOCK + threadIdx.x, at = threadIdx.x;
    float x = in[thread];
    held[at] = x;
    __syncthreads();
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
        if (MODE == 0) {
            held[at] = x;
            barrier();
            x = fmaf(held[at ^ 1], 0.5f, x * 0.25f);
            barrier();
        } else if (SPREAD) {
            held[at] = row(held[at]);
            __syncthreads();
        } else {
            if (at < 32)
                for (int w = at; w < BLOCK; w += 32)
                    held[w] = row(held[w]);
            __syncthreads();
        }
    }
    out[thread] = MODE == 0 ? x : held[at];
}
