#include "check.h"

/* Macros and constants made of them in device code. */
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
