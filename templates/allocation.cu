// Device memory that a piece of work needs for as long as it runs: allocated and freed in every run (cudaMalloc, cudaFree), taken
// from a pool in the order of the stream (cudaMallocAsync), or kept for all runs. cudaMalloc and cudaFree wait for the device;
// a pool hands out freed memory again quickly.
//
// The tuned parameters are settings of the launch (see the .space): the allocation, chunks, streams and the kind of the host's
// memory. Only BLOCK, the threads of a block, belongs to the kernel.

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
