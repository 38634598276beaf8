// Data that start and end in the host's memory: copied in, computed on, copied back. Split into chunks that go to several streams,
// the copies of one chunk overlap the computing of another, and copies in overlap copies out, as the link has both directions.
// Small chunks overlap more of the work and cost more calls. Only memory that is page-locked is copied without a detour.
//
// The tuned parameters are settings of the launch (see the .space): chunks, streams, the order in which the stages are queued, and
// the kind of the host's memory. Only BLOCK, the threads of a block, belongs to the kernel. ROUNDS of arithmetic per element are a
// problem size.

static __device__ float compute(float x)
{
#pragma unroll 16
    for (int r = 0; r < ROUNDS; r++)
        x = x * 0.99f + 0.005f;
    return x;
}

// The elements offset .. offset + length - 1 of both arrays are this launch's own.
extern "C" __global__ void overlap_naive(float *out, const float *in, long long offset, long long length)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < length)
        out[offset + i] = compute(in[offset + i]);
}

extern "C" __global__ void overlap(float *__restrict__ out, const float *__restrict__ in, long long offset, long long length)
{
    const long long i = (long long)blockIdx.x * BLOCK + threadIdx.x;
    if (i < length)
        out[offset + i] = compute(in[offset + i]);
}
