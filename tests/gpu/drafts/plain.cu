// Plain kernels with the results of those that drafts are made for: one thread an element.
extern "C" __global__ void plain_convolution(float *output, const float *input, const float *filter)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int i = 0; i < 17; i++)
        for (int j = 0; j < 17; j++)
            sum += input[(y + i) * (2048 + 16) + x + j] * filter[i * 17 + j];
    output[y * 2048 + x] = sum;
}

extern "C" __global__ void plain_gemm(int m, int n, int k, const float *a, const float *b, float *c)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int i = 0; i < k; i++)
        sum += a[i * m + row] * b[i * n + column];
    c[column * m + row] = sum;
}

extern "C" __global__ void plain_layernorm(float *out, const float *inp, const float *weight, int rows, int columns)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int i = 0; row < rows && i < columns; i++)
        sum += inp[row * columns + i];
    for (int i = 0; row < rows && i < columns; i++)
        out[row * columns + i] = (inp[row * columns + i] - sum / columns) * weight[i];
}

extern "C" __global__ void plain_matrix_mul(float *out, const float *a, const float *b, int inner, int columns)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int i = 0; i < inner; i++)
        sum += a[y * inner + i] * b[i * columns + x];
    out[y * columns + x] = sum;
}

extern "C" __global__ void plain_sum(const float *in, float *out, unsigned count)
{
    double sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum += in[i];
    *out = (float)sum;
}
