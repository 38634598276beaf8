// Device code has the constants of its compiled architecture. The host launches with the same row.
#include <cstdio>

#include "transpose_tuned.h"

__global__ void fill(float *out)
{
    __shared__ float tile[TRANSPOSE_TILE];
    tile[threadIdx.x] = TRANSPOSE_BLOCK_ROWS;
    __syncthreads();
    out[blockIdx.x * TRANSPOSE_TILE + threadIdx.x] = tile[TRANSPOSE_TILE - 1 - threadIdx.x];
}

int main()
{
    cudaFuncAttributes attributes;
    float *out;
    if (cudaFuncGetAttributes(&attributes, fill) != cudaSuccess) {
        std::puts("no device");
        return 77;
    }
    // The architecture of the running code, which may be older than the device.
    const transpose_tuned *row = transpose_tuned_compiled(attributes.binaryVersion);
    if (cudaMalloc(&out, sizeof(float) * row->TILE) != cudaSuccess)
        return 1;
    fill<<<1, row->TILE>>>(out);
    float first = 0;
    if (cudaMemcpy(&first, out, sizeof first, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    std::printf("sm_%d: TILE=%d BLOCK_ROWS=%g\n", attributes.binaryVersion, row->TILE, first);
    return first != (float)row->BLOCK_ROWS;
}
