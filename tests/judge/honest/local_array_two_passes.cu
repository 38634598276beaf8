// space: local_array. Reads each column twice.
extern "C" __global__ void local_array(float *out, const float *in, long long columns)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (i >= columns)
        return;
    for (int k = 0; k < LENGTH; k++)
        sum += __ldg(&in[k * columns + i]);
    for (int k = 0; k < LENGTH; k++)
        out[k * columns + i] = __ldg(&in[k * columns + i]) - sum / LENGTH;
}
