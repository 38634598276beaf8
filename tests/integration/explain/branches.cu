// Threads that take one of WAYS paths, or make 1 to WAYS rounds.
//
// ROUNDS  0: paths; 1: rounds
// BY      lanes: neighbouring lanes differ; warps: neighbouring warps do

enum by { lanes, warps };

template <int PATH> static __device__ float path(float x)
{
#pragma unroll 8
    for (int s = 0; s < STEPS; s++)
        x = PATH % 2 ? fmaf(x, 0.9f + PATH * 0.01f, 0.25f) : x * (0.9f + PATH * 0.01f) - 0.125f * PATH;
    return x;
}

static __device__ float walk(int way, float x)
{
    if (ROUNDS) {
#pragma unroll 1
        for (int r = 0; r <= way; r++)
            x = path<1>(x);
        return x;
    }
    switch (way) {
    case 0: return path<0>(x);
    case 1: return path<1>(x);
    case 2: return path<2>(x);
    case 3: return path<3>(x);
    case 4: return path<4>(x);
    case 5: return path<5>(x);
    case 6: return path<6>(x);
    default: return path<7>(x);
    }
}

extern "C" __global__ void branches_naive(float *out, const float *in, const int *ways)
{
    const int thread = blockIdx.x * 256 + threadIdx.x;
    out[thread] = walk(ways[(BY == lanes ? thread : thread / 32) % 8] % WAYS, in[thread]);
}

extern "C" __global__ void branches(float *out, const float *in, const int *ways)
{
    const int thread = blockIdx.x * 256 + threadIdx.x;
    out[thread] = walk(ways[(BY == lanes ? thread : thread / 32) % 8] % WAYS, in[thread]);
}
