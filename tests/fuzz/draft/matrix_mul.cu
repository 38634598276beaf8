// In the manner of the CUDA samples: a template, and the program that launches it, in one file.
#include <cstdlib>
#include <iostream>
#include <vector>

#include <cuda_runtime.h>

template <int BLOCK_SIZE> __global__ void matrixMul(float *C, float *A, float *B, int wA, int wB)
{
    int tx = threadIdx.x, ty = threadIdx.y;
    int aBegin = wA * BLOCK_SIZE * blockIdx.y, bBegin = BLOCK_SIZE * blockIdx.x;
    float Csub = 0;
    for (int a = aBegin, b = bBegin; a < aBegin + wA; a += BLOCK_SIZE, b += BLOCK_SIZE * wB) {
        __shared__ float As[BLOCK_SIZE][BLOCK_SIZE], Bs[BLOCK_SIZE][BLOCK_SIZE];
        As[ty][tx] = A[a + wA * ty + tx];
        Bs[ty][tx] = B[b + wB * ty + tx];
        __syncthreads();
        for (int k = 0; k < BLOCK_SIZE; ++k)
            Csub += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    C[wB * BLOCK_SIZE * blockIdx.y + bBegin + wB * ty + tx] = Csub;
}

static int multiply(int block_size, const dim3 &dimsA, const dim3 &dimsB)
{
    std::vector<float> host(dimsA.x * dimsA.y, 1.0f);
    float *d_A, *d_B, *d_C;
    cudaMalloc(&d_A, host.size() * sizeof(float));
    cudaMalloc(&d_B, host.size() * sizeof(float));
    cudaMalloc(&d_C, host.size() * sizeof(float));
    dim3 threads(block_size, block_size);
    dim3 grid(dimsB.x / threads.x, dimsA.y / threads.y);
    if (block_size == 16)
        matrixMul<16><<<grid, threads>>>(d_C, d_A, d_B, dimsA.x, dimsB.x);
    else
        matrixMul<32><<<grid, threads>>>(d_C, d_A, d_B, dimsA.x, dimsB.x);
    return cudaDeviceSynchronize();
}

int main(int argc, char **argv)
{
    std::cout << multiply(argc > 1 ? atoi(argv[1]) : 16, dim3(320, 320), dim3(640, 320)) << std::endl;
    return EXIT_SUCCESS;
}
