// Accesses of whole warps that begin OFFSET floats behind a line of memory.
//
// STORES  0: loads past L1 of a buffer that fits L2; 1: stores to such a buffer
// OFFSET  floats; an argument, so that the machine code stays the same

enum { slack = 32 };

extern "C" __global__ void __launch_bounds__(256) offset(float *out, const float *in, int offset, int count)
{
    const int thread = blockIdx.x * 256 + threadIdx.x, threads = gridDim.x * 256;
    float sum = 0;
    if (!STORES) {
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
    if (STORES) {
        for (int i = thread; i < count + slack; i += threads)
            out[i] = i < offset || i >= count + offset ? 0 : in[(i - offset) & 255] + (float)((i - offset) & 255);
        return;
    }
    for (int k = 0; k < STEPS; k++)
        sum += in[offset + ((thread + k * threads) & (count - 1))];
    out[thread] = sum;
}
