extern "C" __global__ void clear(unsigned *sums, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        sums[i] = 0;
}
