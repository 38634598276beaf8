// space: histogram. A table for each warp.
extern "C" __global__ void histogram(unsigned *out, const unsigned char *in, long long count)
{
    __shared__ unsigned tables[8][256];
    unsigned *const own = tables[threadIdx.x / 32];
    for (int v = threadIdx.x % 32; v < 256; v += 32)
        own[v] = 0;
    __syncwarp();
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += (long long)gridDim.x * blockDim.x)
        atomicAdd(&own[in[i]], 1);
    __syncthreads();
    unsigned sum = 0;
    for (int w = 0; w < 8; w++)
        sum += tables[w][threadIdx.x];
    if (sum)
        atomicAdd(&out[threadIdx.x], sum);
}
