// Sums of outer products: a thread keeps an 8 x 8 block of sums in registers.
//
// MIN_BLOCKS  blocks per multiprocessor for which the compiler must leave registers
// MAXREG      registers that the compiler may use (an option, see the .space)

enum { edge = 8, depth = 64, threads = 128 };

extern "C" __global__ void outer_naive(float *out, const float *in)
{
    const int thread = blockIdx.x * threads + threadIdx.x, a = threadIdx.x % 16 * edge, b = threadIdx.x / 16 * edge;
    float sum[edge][edge] = {{0}}, total = 0;
    for (int s = 0; s < STEPS; s++)
        for (int d = 0; d < depth; d++)
            for (int i = 0; i < edge; i++)
                for (int j = 0; j < edge; j++)
                    sum[i][j] = fmaf(in[d * 128 + a + i], in[(d + 1) * 128 + b + j], sum[i][j]);
    for (int i = 0; i < edge; i++)
        for (int j = 0; j < edge; j++)
            total += sum[i][j];
    out[thread] = total;
}

extern "C" __global__ void
#if MIN_BLOCKS > 0
    __launch_bounds__(threads, MIN_BLOCKS)
#endif
        outer(float *out, const float *in)
{
    __shared__ float4 held[(depth + 1) * 32];
    const int thread = blockIdx.x * threads + threadIdx.x, a = threadIdx.x % 16 * 2, b = threadIdx.x / 16 * 2;
    for (int i = threadIdx.x; i < (depth + 1) * 32; i += threads)
        held[i] = ((const float4 *)in)[i];
    __syncthreads();
    float sum[edge][edge] = {{0}}, total = 0;
#pragma unroll 1
    for (int s = 0; s < STEPS; s++)
#pragma unroll 1
        for (int d = 0; d < depth; d++) {
            const float4 a0 = held[d * 32 + a], a1 = held[d * 32 + a + 1];
            const float4 b0 = held[(d + 1) * 32 + b], b1 = held[(d + 1) * 32 + b + 1];
            const float as[edge] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
            const float bs[edge] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
#pragma unroll
            for (int i = 0; i < edge; i++)
#pragma unroll
                for (int j = 0; j < edge; j++)
                    sum[i][j] = fmaf(as[i], bs[j], sum[i][j]);
        }
#pragma unroll
    for (int i = 0; i < edge; i++)
#pragma unroll
        for (int j = 0; j < edge; j++)
            total += sum[i][j];
    out[thread] = total;
}
