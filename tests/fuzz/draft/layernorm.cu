// In the manner of llm.c: versions of a kernel beside each other, each with a function that launches it.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

typedef float floatX;

template <class T> __host__ __device__ T ceil_div(T dividend, T divisor)
{
    return (dividend + divisor - 1) / divisor;
}

__global__ void layernorm_forward_kernel1(floatX *out, const floatX *inp, const floatX *weight, int N, int C)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N)
        return;
    float sum = 0;
    for (int i = 0; i < C; i++)
        sum += inp[row * C + i];
    for (int i = 0; i < C; i++)
        out[row * C + i] = (inp[row * C + i] - sum / C) * weight[i];
}

__global__ void layernorm_forward_kernel2(floatX *__restrict__ out, const floatX *__restrict__ inp,
                                          const floatX *__restrict__ weight, int N, int C)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= N)
        return;
    float sum = 0;
    for (int i = lane; i < C; i += 32)
        sum += inp[row * C + i];
    for (int o = 16; o > 0; o /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, o);
    for (int i = lane; i < C; i += 32)
        out[row * C + i] = (inp[row * C + i] - sum / C) * weight[i];
}

void layernorm_forward1(float *out, const float *inp, const float *weight, int N, int C, const int block_size)
{
    layernorm_forward_kernel1<<<ceil_div(N, block_size), block_size>>>(out, inp, weight, N, C);
}

void layernorm_forward2(float *out, const float *inp, const float *weight, int B, int T, int C, const int block_size)
{
    const int N = B * T;
    const int grid_size = ceil_div(N * 32, block_size);
    layernorm_forward_kernel2<<<grid_size, block_size>>>(out, inp, weight, N, C);
}

int main()
{
    int *sizes = (int *)malloc(6 * sizeof(int));
    assert(sizes);
    printf("%d\n", sizes[0]);
    free(sizes);
    return 0;
}
