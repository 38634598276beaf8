// 64 sums, with equal results in all runs or nearly never. The reference takes 0.3 s.
enum method { ordered, unordered };

extern "C" __global__ void sum_slowly(float *out, const float *in, int count)
{
    unsigned long long start, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    while (now - start < 300000000ull);
    double sum = 0;
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        sum += in[i];
    out[threadIdx.x] = (float)sum;
}

#ifdef METHOD
extern "C" __global__ void sums(float *out, const float *in, int count)
{
    if (METHOD == unordered) {
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
            atomicAdd(&out[threadIdx.x], in[i]);
        return;
    }
    float sum = 0;
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        sum += in[i];
    out[threadIdx.x] = sum;
}
#endif
