// space: read_offset. Aligned reads into shared memory, and unaligned ones from there.
extern "C" __global__ void read_offset(float *out, const float *a, const float *b, long long count, int offset)
{
    __shared__ float sums[256 + 32];
    const int shift = offset % 32;
    const long long first = (long long)blockIdx.x * 256 + offset - shift;
    for (int t = threadIdx.x; t < 256 + shift; t += 256)
        if (first + t < count + offset)
            sums[t] = a[first + t] + b[first + t];
    __syncthreads();
    const long long i = (long long)blockIdx.x * 256 + threadIdx.x;
    if (i < count)
        out[i] = sums[threadIdx.x + shift];
}
