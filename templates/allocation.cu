// Device memory that a piece of work needs for as long as it runs: allocated and freed in every run (cudaMalloc, cudaFree), taken
// from a pool in the order of the stream (cudaMallocAsync), or kept for all runs. cudaMalloc and cudaFree wait for the device;
// what a pool has once handed out, it hands out again quickly.
//
// What is tuned are settings of the launch (see the .space): the allocation, and beside it chunks, streams and the kind of the
// host's memory. BLOCK, the threads of a block, is the kernel's own.

extern "C" __global__ void allocation_naive(float *out, const float *in, long long offset, long long length)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < length)
        out[offset + i] = 2 * in[offset + i] + 1;
}

extern "C" __global__ void allocation(float *__restrict__ out, const float *__restrict__ in, long long offset, long long length)
{
    const long long i = (long long)blockIdx.x * BLOCK + threadIdx.x;
    if (i < length)
        out[offset + i] = 2 * in[offset + i] + 1;
}
