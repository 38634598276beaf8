// space: copy. Leaves the work to a kernel that it launches from the device.
__global__ void child(float *out, const float *in, long long count)
{
    for (long long i = threadIdx.x; i < count; i += blockDim.x)
        out[i] = in[i];
}

extern "C" __global__ void copy(float *out, const float *in, long long count)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0)
        child<<<1, 1024>>>(out, in, count);
}
