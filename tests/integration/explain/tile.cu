// Transpose of a square matrix by tiles in shared memory: rows of the tile on one side, columns on the other.
//
// TURN  0: columns are loaded from shared memory; 1: columns are stored to it
// PAD   words behind a row of the tile

enum { edge = 32, rows = 8 };

extern "C" __global__ void tile_naive(float *out, const float *in)
{
    const int x = blockIdx.x * edge + threadIdx.x;
    for (int y = blockIdx.y * edge + threadIdx.y; y < (blockIdx.y + 1) * edge; y += rows)
        out[(size_t)x * EDGE + y] = in[(size_t)y * EDGE + x];
}

extern "C" __global__ void tile(float *__restrict__ out, const float *__restrict__ in)
{
    __shared__ float held[edge][edge + PAD];
    const int x0 = blockIdx.x * edge, y0 = blockIdx.y * edge, x = threadIdx.x;
#pragma unroll
    for (int k = 0; k < edge; k += rows) {
        const int y = threadIdx.y + k;
        const float value = in[(size_t)(y0 + y) * EDGE + x0 + x];
        if (TURN)
            held[x][y] = value;
        else
            held[y][x] = value;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < edge; k += rows) {
        const int y = threadIdx.y + k;
        out[(size_t)(x0 + y) * EDGE + y0 + x] = TURN ? held[y][x] : held[x][y];
    }
}
