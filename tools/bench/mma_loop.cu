// The most that mma.sync can do: each warp multiplies again and again what its registers hold, without a memory access.
extern "C" __global__ void __launch_bounds__(WARPS * 32) mma_loop(unsigned *out, const unsigned *in, int times)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a[PARTS_M][4], b[PARTS_N][2];
    float sum[PARTS_M][PARTS_N][4] = {}, all = 0;
    const unsigned *own = in + (size_t)i * 64;
#pragma unroll
    for (int m = 0; m < PARTS_M; m++)
#pragma unroll
        for (int r = 0; r < 4; r++)
            a[m][r] = own[m * 4 + r];
#pragma unroll
    for (int n = 0; n < PARTS_N; n++)
#pragma unroll
        for (int r = 0; r < 2; r++)
            b[n][r] = own[32 + n * 2 + r];
#pragma unroll 1
    for (int t = 0; t < times; t++)
#pragma unroll
        for (int m = 0; m < PARTS_M; m++)
#pragma unroll
            for (int n = 0; n < PARTS_N; n++) {
                float(&d)[4] = sum[m][n];
                asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                             "{%0, %1, %2, %3};"
                             : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                             : "r"(a[m][0]), "r"(a[m][1]), "r"(a[m][2]), "r"(a[m][3]), "r"(b[n][0]), "r"(b[n][1]));
            }
#pragma unroll
    for (int m = 0; m < PARTS_M; m++)
#pragma unroll
        for (int n = 0; n < PARTS_N; n++)
#pragma unroll
            for (int r = 0; r < 4; r++)
                all += sum[m][n][r];
    out[i] = in[i] ^ (all == 1.7014118346e38f); // never, but the compiler does not know
}

extern "C" __global__ void copy(unsigned *out, const unsigned *in)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}
