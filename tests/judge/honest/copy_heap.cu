// space: copy. A workspace from the device's heap, which is given back.
extern "C" __global__ void copy(float *out, const float *in, long long count)
{
    __shared__ float *workspace;
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0)
        workspace = blockIdx.x < 64 ? (float *)malloc(blockDim.x * sizeof *in) : nullptr;
    __syncthreads();
    float *const place = workspace ? workspace + threadIdx.x : nullptr;
    if (i < count) {
        if (place)
            *place = in[i];
        out[i] = place ? *place : in[i];
    }
    __syncthreads();
    if (threadIdx.x == 0)
        free(workspace);
}
