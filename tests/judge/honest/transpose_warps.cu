// space: transpose. Each warp has a tile of 32 by 4, and needs no barrier of the block.
extern "C" __global__ void transpose(float *out, const float *in, int rows, int cols)
{
    __shared__ float tiles[8][4][33];
    float(*const tile)[33] = tiles[threadIdx.y];
    const int col = blockIdx.x * 32 + threadIdx.x, first = blockIdx.y * 32 + threadIdx.y * 4;
    for (int k = 0; k < 4; k++)
        if (first + k < rows && col < cols)
            tile[k][threadIdx.x] = in[(size_t)(first + k) * cols + col];
    __syncwarp();
    for (int k = 0; k < 4; k++) {
        const int column = k * 8 + threadIdx.x / 4, row = threadIdx.x % 4;
        if (blockIdx.x * 32 + column < cols && first + row < rows)
            out[(size_t)(blockIdx.x * 32 + column) * rows + first + row] = tile[row][column];
    }
}
