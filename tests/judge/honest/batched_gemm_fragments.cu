// space: batched_gemm. Fragments of the toolkit, straight from memory.
#include <mma.h>

extern "C" __global__ void batched_gemm(float *c, const __half *a, const __half *b, int)
{
    using namespace nvcuda::wmma;
    a += (size_t)blockIdx.x * M * K;
    b += (size_t)blockIdx.x * K * N;
    c += (size_t)blockIdx.x * M * N;
    for (int tile = threadIdx.x / 32; tile < M / 16 * (N / 16); tile += blockDim.x / 32) {
        const int row = tile / (N / 16) * 16, col = tile % (N / 16) * 16;
        fragment<accumulator, 16, 16, 16, float> sum;
        fill_fragment(sum, 0);
        for (int k = 0; k < K; k += 16) {
            fragment<matrix_a, 16, 16, 16, __half, row_major> of_a;
            fragment<matrix_b, 16, 16, 16, __half, row_major> of_b;
            load_matrix_sync(of_a, a + row * K + k, K);
            load_matrix_sync(of_b, b + k * N + col, N);
            mma_sync(sum, of_a, of_b, sum);
        }
        store_matrix_sync(c + row * N + col, sum, N, mem_row_major);
    }
}
