/* A typical program: kernels, a plain version on the host, and a `main` that launches and compares. */
#include <cmath>
#include <cstdio>
#include <iostream>
#include <vector>

#include "host_code.h"

#ifndef TILE
#define TILE 128
#define VECTOR 2
#define FAULT 0
#endif

/* Rows of W numbers, divided by their largest magnitude. Each thread has N neighbouring numbers of a row. */
template <int N> static __global__ void normalise(float *out, const float *in, int width)
{
    const float *row = in + (size_t)blockIdx.x * width;
    float largest = 0;
    for (int at = threadIdx.x; at < width; at += blockDim.x)
        largest = std::fmax(largest, std::fabs(row[at]));
    largest = block_largest<TILE>(largest);
    for (int at = N * threadIdx.x; at < width; at += N * blockDim.x)
        for (int n = 0; n < N && at + n < width; n++)
            out[(size_t)blockIdx.x * width + at + n] = row[at + n] / largest + (FAULT && at + n == 77 ? 1e-3f : 0.0f);
}

namespace {

/* The same without templates or vectors. */
__global__ void plain(float *out, const float *in, int width)
{
    float largest = 0;
    for (int at = 0; at < width; at++)
        largest = fmaxf(largest, fabsf(in[(size_t)blockIdx.x * width + at]));
    for (int at = threadIdx.x; at < width; at += blockDim.x)
        out[(size_t)blockIdx.x * width + at] = in[(size_t)blockIdx.x * width + at] / largest;
}

}

static __global__ void fill_waves(float *data, long long count)
{
    long long at = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (at < count)
        data[at] = sinf(0.001f * (at % 100003)) + 2.0f;
}

int main()
{
    const int width = 1024, height = 64;
    std::vector<float> out(width * height);
    float *in, *device;
    cudaMalloc(&in, out.size() * sizeof(float));
    cudaMalloc(&device, out.size() * sizeof(float));
    fill_waves<<<(width * height + 255) / 256, 256>>>(in, width * height);
    normalise<VECTOR><<<height, TILE>>>(device, in, width);
    cudaMemcpy(out.data(), device, out.size() * sizeof(float), cudaMemcpyDeviceToHost);
    std::cout << out[0] << std::endl;
    return cudaDeviceSynchronize() != cudaSuccess;
}
