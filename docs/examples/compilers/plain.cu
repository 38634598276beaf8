// The references of the spaces in this folder: one thread computes one element, or one row.
#include <cuda_fp16.h>

extern "C" __global__ void plain_add(const float *x, const float *y, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = x[i] + y[i];
    }
}

extern "C" __global__ void plain_saxpy(const float *x, const float *y, float *out, float a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = a * x[i] + y[i];
}

extern "C" __global__ void plain_softmax(const float *x, float *out, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        const float *from = x + (size_t)row * cols;
        float largest = from[0], total = 0;
        for (int col = 1; col < cols; col++) {
            largest = fmaxf(largest, from[col]);
        }
        for (int col = 0; col < cols; col++) {
            total += expf(from[col] - largest);
        }
        for (int col = 0; col < cols; col++) {
            out[(size_t)row * cols + col] = expf(from[col] - largest) / total;
        }
    }
}

extern "C" __global__ void plain_matmul(const __half *a, const __half *b, __half *c, int m, int n, int k) {
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < m && col < n) {
        float total = 0;
        for (int i = 0; i < k; i++) {
            total += __half2float(a[(size_t)row * k + i]) * __half2float(b[(size_t)i * n + col]);
        }
        c[(size_t)row * n + col] = __float2half(total);
    }
}
