// space: matmul_tensor. Fragments of the toolkit, from tiles in shared memory.
#include <cuda_bf16.h>
#include <mma.h>

struct alignas(64) tensor_map {
    unsigned char bytes[128];
};

/* Each of four warps computes 32 by 32 of a tile of 64 by 64. */
extern "C" __global__ void __launch_bounds__(128)
    matmul_tensor(__nv_bfloat16 *c, const __nv_bfloat16 *a, const __nv_bfloat16 *b, const __grid_constant__ tensor_map,
                  const __grid_constant__ tensor_map, const __grid_constant__ tensor_map, int m, int n, int k)
{
    using namespace nvcuda::wmma;
    __shared__ __align__(32) __nv_bfloat16 tile_a[64][40], tile_b[64][40];
    __shared__ __align__(32) float sums[64][68];
    const int tiles = (n + 63) / 64, first_row = blockIdx.x / tiles * 64, first_col = blockIdx.x % tiles * 64;
    const int warp_row = threadIdx.x / 64 * 32, warp_col = threadIdx.x / 32 % 2 * 32;
    fragment<accumulator, 16, 16, 16, float> sum[2][2];
    for (int i = 0; i < 4; i++)
        fill_fragment(sum[i / 2][i % 2], 0);
    for (int first = 0; first < k; first += 32) {
        for (int i = threadIdx.x; i < 64 * 32; i += 128) {
            const int y = i / 32, x = i % 32;
            const bool deep = first + x < k;
            tile_a[y][x] = deep && first_row + y < m ? a[(size_t)(first_row + y) * k + first + x] : __float2bfloat16(0);
            tile_b[y][x] = deep && first_col + y < n ? b[(size_t)(first_col + y) * k + first + x] : __float2bfloat16(0);
        }
        __syncthreads();
        for (int depth = 0; depth < 32; depth += 16)
            for (int i = 0; i < 4; i++) {
                fragment<matrix_a, 16, 16, 16, __nv_bfloat16, row_major> of_a;
                fragment<matrix_b, 16, 16, 16, __nv_bfloat16, col_major> of_b;
                load_matrix_sync(of_a, &tile_a[warp_row + i / 2 * 16][depth], 40);
                load_matrix_sync(of_b, &tile_b[warp_col + i % 2 * 16][depth], 40);
                mma_sync(sum[i / 2][i % 2], of_a, of_b, sum[i / 2][i % 2]);
            }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        store_matrix_sync(&sums[warp_row + i / 2 * 16][warp_col + i % 2 * 16], sum[i / 2][i % 2], 68, mem_row_major);
    __syncthreads();
    for (int i = threadIdx.x; i < 64 * 64; i += 128)
        if (first_row + i / 64 < m && first_col + i % 64 < n)
            c[(size_t)(first_row + i / 64) * n + first_col + i % 64] = __float2bfloat16(sums[i / 64][i % 64]);
}
