// Dependent operations on every multiprocessor.
extern "C" __global__ void short_chain(float *out, const float *in)
{
    float value = in[threadIdx.x];
    for (int i = 0; i < LENGTH; i++)
        value = fmaf(value, 1.0000001f, 1e-7f);
    out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}
