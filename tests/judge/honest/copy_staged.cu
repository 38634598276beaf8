// space: copy. Through shared memory.
extern "C" __global__ void copy(float *out, const float *in, long long count)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ float stage[256];
    if (i < count)
        stage[threadIdx.x] = in[i];
    __syncthreads();
    if (i < count)
        out[i] = stage[threadIdx.x];
}
