// space: scan. Doubling steps in shared memory, between two halves of it.
static __device__ unsigned doubled(unsigned value, unsigned (*halves)[1024])
{
    int side = 0;
    halves[0][threadIdx.x] = value;
    __syncthreads();
    for (unsigned apart = 1; apart < blockDim.x; apart *= 2, side ^= 1) {
        halves[side ^ 1][threadIdx.x] =
            halves[side][threadIdx.x] + (threadIdx.x >= apart ? halves[side][threadIdx.x - apart] : 0);
        __syncthreads();
    }
    value = halves[side][threadIdx.x];
    __syncthreads();
    return value;
}

extern "C" __global__ void sum_tiles(unsigned *sums, const unsigned *in, long long count)
{
    __shared__ unsigned sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    for (long long i = (long long)blockIdx.x * 1024 + threadIdx.x; i < (blockIdx.x + 1ll) * 1024 && i < count; i += 256)
        atomicAdd(&sum, in[i]);
    __syncthreads();
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

extern "C" __global__ void scan_sums(unsigned *sums, int tiles)
{
    __shared__ unsigned halves[2][1024];
    const int each = (tiles + 1023) / 1024, begin = threadIdx.x * each;
    unsigned sum = 0;
    for (int i = begin; i < begin + each && i < tiles; i++)
        sum += sums[i];
    unsigned before = doubled(sum, halves) - sum;
    for (int i = begin; i < begin + each && i < tiles; i++) {
        const unsigned own = sums[i];
        sums[i] = before;
        before += own;
    }
}

extern "C" __global__ void scan(unsigned *out, const unsigned *in, const unsigned *sums, unsigned long long *, int,
                                long long count)
{
    __shared__ unsigned halves[2][1024];
    unsigned carry = sums[blockIdx.x];
    for (int k = 0; k < 4; k++) {
        const long long i = (long long)blockIdx.x * 1024 + k * 256 + threadIdx.x;
        const unsigned to = carry + doubled(i < count ? in[i] : 0, halves);
        if (i < count)
            out[i] = to;
        halves[0][threadIdx.x] = to;
        __syncthreads();
        carry = halves[0][255];
        __syncthreads();
    }
}
