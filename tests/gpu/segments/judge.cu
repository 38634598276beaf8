// A thread a segment. The reference's own way to the sum is a formula of the fill: sevens that are whole, and the rest.
__device__ unsigned below(unsigned long long end)
{
    unsigned rest = end % 7;
    return (unsigned)(end / 7) * 28 + rest * (rest + 1) / 2;
}

extern "C" __global__ void judge(unsigned long long *wrong, const unsigned *sums, int count, int length)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long begin = (unsigned long long)i * length;
    if (i < count && sums[i] != below(begin + length) - below(begin))
        atomicAdd(wrong, 1);
}
