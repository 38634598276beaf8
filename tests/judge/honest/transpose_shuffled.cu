// space: transpose. Each warp turns a tile of 32 by 32 in registers, by shuffles alone.
extern "C" __global__ void transpose(float *out, const float *in, int rows, int cols)
{
    const int lane = threadIdx.x, first_row = blockIdx.y * 32, first_col = blockIdx.x * 32;
    if (threadIdx.y)
        return;
    float held[32];
#pragma unroll
    for (int k = 0; k < 32; k++)
        held[k] =
            first_row + k < rows && first_col + lane < cols ? in[(size_t)(first_row + k) * cols + first_col + lane] : 0;
#pragma unroll
    for (int apart = 16; apart; apart /= 2) // exchanges blocks of apart by apart
#pragma unroll
        for (int k = 0; k < 32; k++)
            if (!(k & apart)) {
                const bool upper = lane & apart;
                const float got = __shfl_xor_sync(0xffffffff, upper ? held[k] : held[k + apart], apart);
                held[k] = upper ? got : held[k];
                held[k + apart] = upper ? held[k + apart] : got;
            }
#pragma unroll
    for (int k = 0; k < 32; k++)
        if (first_col + k < cols && first_row + lane < rows)
            out[(size_t)(first_col + k) * rows + first_row + lane] = held[k];
}
