// Many small arrays of the host that one kernel works on: every transfer costs some microseconds, however short it is. Copied each
// on its own, or first put together by the host into one transfer, at the price of another copy within the host's memory; in one
// go, or in chunks whose packing overlaps the transfer of others.
//
// The tuned parameters are settings of the launch (see the .space): packing, chunks, streams, and the kind of the host's memory.
// Only BLOCK, the threads of a block, belongs to the kernel.

extern "C" __global__ void small_transfers_naive(float *out, const float *in, long long offset, long long length)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < length)
        out[offset + i] = 2 * in[offset + i] + 1;
}

extern "C" __global__ void small_transfers(float *__restrict__ out, const float *__restrict__ in, long long offset,
                                           long long length)
{
    const long long i = (long long)blockIdx.x * BLOCK + threadIdx.x;
    if (i < length)
        out[offset + i] = 2 * in[offset + i] + 1;
}
