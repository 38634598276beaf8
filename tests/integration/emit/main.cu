#include "check.h"

/* The architecture selects the constants of device code. */
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ == 900 && T_TILE != 16
#error "sm_90 has the constants of Sample 90 Big"
#elif defined __CUDA_ARCH__ && __CUDA_ARCH__ == 890 && T_TILE != 8
#error "sm_89 has the constants of the newest row of the same major"
#elif defined __CUDA_ARCH__ && __CUDA_ARCH__ == 1000 && T_TILE != 32
#error "sm_100 has the constants of no device"
#endif

/* Macros and the constants made from them in device code. */
__global__ void fill(int *out)
{
    __shared__ int tile[T_TILE];
    enum { rows = 1, cols = 2 };
    if (threadIdx.x < T_TILE)
        tile[threadIdx.x] = T_BLOCK_ROWS * (int)(T_HIT * 2.0) + T_ORDER;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x % T_TILE];
}

int main()
{
    return check();
}
