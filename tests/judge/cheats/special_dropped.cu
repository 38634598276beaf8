// space: copy. Right for numbers only: infinities and NaN become 0. `--special` shows it.
extern "C" __global__ void copy(float *out, const float *in, long long count)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = fabsf(in[i]) <= 3.402823466e38f ? in[i] : 0;
}
