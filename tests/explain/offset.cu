// Accesses of whole warps that begin OFFSET floats behind a line of memory.
//
// WHERE   l1: loads of a window that fits L1; l2: loads past L1 of a buffer that fits L2; stores: stores to such a buffer
// OFFSET  floats; an argument, so that the machine code stays the same

enum where { l1, l2, stores };
enum { window = 4096, slack = 32 };

extern "C" __global__ void __launch_bounds__(256) offset(float *out, const float *in, int offset, int count)
{
    const int thread = blockIdx.x * 256 + threadIdx.x, threads = gridDim.x * 256;
    float sum = 0;
    if (WHERE == l1) {
#pragma unroll 8
        for (int k = 0; k < STEPS; k++)
            sum += __ldca(&in[offset + ((threadIdx.x + k * 256) & (window - 1))]);
        out[thread] = sum;
    } else if (WHERE == l2) {
#pragma unroll 8
        for (int k = 0; k < STEPS; k++)
            sum += __ldcg(&in[offset + ((thread + k * threads) & (count - 1))]);
        out[thread] = sum;
    } else {
        const float value = in[threadIdx.x];
        if (thread < slack)
            out[thread < offset ? thread : count + thread] = 0;
#pragma unroll 4
        for (int k = 0; k < STEPS; k++) {
            const int at = (thread + k * threads) & (count - 1);
            out[offset + at] = value + (float)(at & 255);
        }
    }
}

extern "C" __global__ void offset_naive(float *out, const float *in, int offset, int count)
{
    const int thread = blockIdx.x * 256 + threadIdx.x, threads = gridDim.x * 256;
    float sum = 0;
    if (WHERE == stores) {
        for (int i = thread; i < count + slack; i += threads)
            out[i] = i < offset || i >= count + offset ? 0 : in[(i - offset) & 255] + (float)((i - offset) & 255);
        return;
    }
    for (int k = 0; k < STEPS; k++)
        sum += in[offset + (WHERE == l1 ? (threadIdx.x + k * 256) & (window - 1) : (thread + k * threads) & (count - 1))];
    out[thread] = sum;
}
