// space: matmul_tensor. Matrix instructions by inline PTX.
#include <cuda_bf16.h>

struct alignas(64) tensor_map {
    unsigned char bytes[128];
};

static __device__ unsigned pair_at(const __nv_bfloat16 *at)
{
    return *(const unsigned *)at;
}

/* Each of four warps computes 16 by 64 of a tile of 64 by 64. */
extern "C" __global__ void __launch_bounds__(128)
    matmul_tensor(__nv_bfloat16 *c, const __nv_bfloat16 *a, const __nv_bfloat16 *b, const __grid_constant__ tensor_map,
                  const __grid_constant__ tensor_map, const __grid_constant__ tensor_map, int m, int n, int k)
{
    __shared__ __align__(16) __nv_bfloat16 tile_a[64][34], tile_b[64][34];
    const int tiles = (n + 63) / 64, first_row = blockIdx.x / tiles * 64, first_col = blockIdx.x % tiles * 64;
    const int warp_row = threadIdx.x / 32 * 16, group = threadIdx.x % 32 / 4, lane = threadIdx.x % 4 * 2;
    float d[8][4] = {};
    for (int first = 0; first < k; first += 32) {
        for (int i = threadIdx.x; i < 64 * 32; i += 128) {
            const int y = i / 32, x = i % 32;
            const bool deep = first + x < k;
            tile_a[y][x] = deep && first_row + y < m ? a[(size_t)(first_row + y) * k + first + x] : __float2bfloat16(0);
            tile_b[y][x] = deep && first_col + y < n ? b[(size_t)(first_col + y) * k + first + x] : __float2bfloat16(0);
        }
        __syncthreads();
        for (int depth = lane; depth < 32; depth += 16) {
            const unsigned a0 = pair_at(&tile_a[warp_row + group][depth]),
                           a1 = pair_at(&tile_a[warp_row + group + 8][depth]);
            const unsigned a2 = pair_at(&tile_a[warp_row + group][depth + 8]);
            const unsigned a3 = pair_at(&tile_a[warp_row + group + 8][depth + 8]);
#pragma unroll
            for (int part = 0; part < 8; part++)
                asm volatile(
                    "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                    "{%0, %1, %2, %3};"
                    : "+f"(d[part][0]), "+f"(d[part][1]), "+f"(d[part][2]), "+f"(d[part][3])
                    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(pair_at(&tile_b[part * 8 + group][depth])),
                      "r"(pair_at(&tile_b[part * 8 + group][depth + 8])));
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 32; i++) {
        const int row = first_row + warp_row + group + i % 4 / 2 * 8, col = first_col + i / 4 * 8 + lane + i % 2;
        if (row < m && col < n)
            c[(size_t)row * n + col] = __float2bfloat16(d[i / 4][i % 4]);
    }
}
