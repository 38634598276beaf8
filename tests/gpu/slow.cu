// A copy that takes MS milliseconds.
extern "C" __global__ void reference(int *out, const int *in, int count)
{
    out[threadIdx.x] = in[threadIdx.x];
}

#ifdef MS
extern "C" __global__ void slow(int *out, const int *in, int count)
{
    unsigned long long start, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    while (now - start < MS * 1000000ull);
    out[threadIdx.x] = in[threadIdx.x];
}
#endif
