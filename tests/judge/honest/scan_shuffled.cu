// space: scan. Sums of tiles, their sums, and each tile behind them, by shuffles.
static __device__ unsigned to_lane(unsigned value)
{
    for (int apart = 1; apart < 32; apart *= 2) {
        const unsigned lower = __shfl_up_sync(0xffffffff, value, apart);
        value += threadIdx.x % 32 >= apart ? lower : 0;
    }
    return value;
}

static __device__ unsigned to_thread(unsigned value, unsigned *warps)
{
    const unsigned in_warp = to_lane(value);
    if (threadIdx.x % 32 == 31)
        warps[threadIdx.x / 32] = in_warp;
    __syncthreads();
    unsigned before = 0;
    for (unsigned w = 0; w < threadIdx.x / 32; w++)
        before += warps[w];
    __syncthreads();
    return before + in_warp;
}

extern "C" __global__ void sum_tiles(unsigned *sums, const unsigned *in, long long count)
{
    __shared__ unsigned warps[32];
    unsigned sum = 0;
    for (int k = 0; k < 4; k++) {
        const long long i = (long long)blockIdx.x * 1024 + k * 256 + threadIdx.x;
        sum += i < count ? in[i] : 0;
    }
    sum = to_thread(sum, warps);
    if (threadIdx.x == 255)
        sums[blockIdx.x] = sum;
}

extern "C" __global__ void scan_sums(unsigned *sums, int tiles)
{
    __shared__ unsigned warps[32], carry;
    if (threadIdx.x == 0)
        carry = 0;
    __syncthreads();
    for (int first = 0; first < tiles; first += 1024) {
        const int i = first + threadIdx.x;
        const unsigned own = i < tiles ? sums[i] : 0, to = carry + to_thread(own, warps);
        if (i < tiles)
            sums[i] = to - own;
        __syncthreads();
        if (threadIdx.x == 1023)
            carry = to;
        __syncthreads();
    }
}

extern "C" __global__ void scan(unsigned *out, const unsigned *in, const unsigned *sums, unsigned long long *, int,
                                long long count)
{
    __shared__ unsigned warps[32];
    const long long first = (long long)blockIdx.x * 1024 + 4 * threadIdx.x;
    unsigned held[4], sum = 0;
    for (int k = 0; k < 4; k++)
        sum += held[k] = first + k < count ? in[first + k] : 0;
    unsigned before = sums[blockIdx.x] + to_thread(sum, warps) - sum;
    for (int k = 0; k < 4; k++)
        if (first + k < count)
            out[first + k] = before += held[k];
}
