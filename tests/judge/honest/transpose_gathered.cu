// space: transpose. Writes along memory, reads across it.
extern "C" __global__ void transpose(float *out, const float *in, int rows, int cols)
{
    const int row = blockIdx.y * 32 + threadIdx.x, col = blockIdx.x * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += blockDim.y)
        if (row < rows && col + k < cols)
            out[(size_t)(col + k) * rows + row] = __ldg(&in[(size_t)row * cols + col + k]);
}
