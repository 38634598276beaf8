// space: constant_table. A copy of the table in shared memory, made by each block.
extern "C" __global__ void constant_table(float *out, const float *in, const float *table, long long count)
{
    __shared__ float own[ENTRIES];
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    for (int e = threadIdx.x; e < ENTRIES; e += blockDim.x)
        own[e] = table[e];
    __syncthreads();
    if (i < count)
        out[i] = in[i] * own[((unsigned)(i / 1024) * 7 + (unsigned)i % DISTINCT) % ENTRIES];
}
