// space: transpose. Without a tile.
extern "C" __global__ void transpose(float *out, const float *in, int rows, int cols)
{
    const int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += blockDim.y)
        if (row + k < rows && col < cols)
            out[(size_t)col * rows + row + k] = in[(size_t)(row + k) * cols + col];
}
