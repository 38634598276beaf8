extern "C" __global__ void fill(unsigned *in, long long count)
{
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < count; i += (long long)gridDim.x * blockDim.x)
        in[i] = i % 7 + 1;
}
