// space: scan. Each tile alone, without the sums of those before it.
extern "C" __global__ void sum_tiles(unsigned *, const unsigned *, long long)
{
}

extern "C" __global__ void scan_sums(unsigned *, int)
{
}

extern "C" __global__ void scan(unsigned *out, const unsigned *in, const unsigned *, unsigned long long *, int,
                                long long count)
{
    unsigned sum = 0;
    if (threadIdx.x == 0)
        for (long long i = blockIdx.x * 1024ll; i < (blockIdx.x + 1) * 1024ll && i < count; i++)
            out[i] = sum += in[i];
}
