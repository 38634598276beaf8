// Sums of the rows of a matrix in several precisions.
#include <cuda_fp16.h>

enum precision { plain, pairwise, fp16_sums, fp16_products };

static __device__ float product(float a, float b)
{
    return PRECISION == fp16_products ? __half2float(__float2half(a)) * __half2float(__float2half(b)) : a * b;
}

extern "C" __global__ void rows(float *out, const float *a, const float *b, int rows, int length)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float parts[8] = {0};
    __half low = __float2half(0);
    for (int i = 0; i < length; i++) {
        float term = product(a[(long)i * rows + row], b[i]);
        parts[PRECISION == pairwise ? i % 8 : 0] += term;
        low = __hadd(low, __float2half(term));
    }
    out[row] = PRECISION == fp16_sums ? __half2float(low)
                                      : ((parts[0] + parts[1]) + (parts[2] + parts[3])) + ((parts[4] + parts[5]) + (parts[6] + parts[7]));
}

extern "C" __global__ void rows_plain(float *out, const float *a, const float *b, int rows, int length)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int i = 0; i < length && row < rows; i++)
        sum += a[(long)i * rows + row] * b[i];
    if (row < rows)
        out[row] = sum;
}

extern "C" __global__ void rows_fp64(double *out, const float *a, const float *b, int rows, int length)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    double sum = 0;
    for (int i = 0; i < length && row < rows; i++)
        sum += (double)a[(long)i * rows + row] * b[i];
    if (row < rows)
        out[row] = sum;
}
