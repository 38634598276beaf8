// space: histogram. Lanes with the same value send one of them.
extern "C" __global__ void histogram(unsigned *out, const unsigned char *in, long long count)
{
    __shared__ unsigned table[256];
    const long long step = (long long)gridDim.x * blockDim.x, rounds = (count + step - 1) / step;
    table[threadIdx.x] = 0;
    __syncthreads();
    for (long long k = 0; k < rounds; k++) {
        const long long i = k * step + (long long)blockIdx.x * blockDim.x + threadIdx.x;
        const int value = i < count ? in[i] : 256;
        const unsigned same = __match_any_sync(0xffffffff, value);
        if (value < 256 && __ffs(same) - 1 == threadIdx.x % 32)
            atomicAdd(&table[value], __popc(same));
    }
    __syncthreads();
    if (table[threadIdx.x])
        atomicAdd(&out[threadIdx.x], table[threadIdx.x]);
}
