// space: copy. One launch late: writes what the launch before read.
__device__ float left[1 << 22];

extern "C" __global__ void copy(float *out, const float *in, long long count)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count && i < 1 << 22) {
        out[i] = left[i];
        left[i] = in[i];
    }
}
