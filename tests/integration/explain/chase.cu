// Each warp follows a chain through memory that fits L2: a line of 32 words holds the number of the next line. Only
// other warps or other chains hide its latency.
//
// BLOCK      threads of a block
// HOLD       registers that a thread keeps occupied meanwhile
// SHARED_KB  unused shared memory of a block (see the .space)
// TOGETHER   1: a warp follows its CHAINS chains in turn, one step of each; 0: one after the other

extern "C" __global__ void chase_lines(unsigned *lines, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        lines[i] = ((unsigned)i / 32 * 20021 + 7919) % (count / 32);
}

static __device__ unsigned start(int chain, int lines)
{
    return (unsigned)chain * 2654435761u % lines;
}

extern "C" __global__ void chase_naive(unsigned *out, const unsigned *in, int lines)
{
    const int thread = blockIdx.x * 256 + threadIdx.x;
    unsigned sum = 0;
    for (int c = 0; c < CHAINS; c++) {
        unsigned at = start(thread / 32 * CHAINS + c, lines);
        for (int s = 0; s < STEPS; s++)
            at = in[at * 32 + thread % 32];
        sum += at;
    }
    for (int h = 0; h < HOLD; h++)
        sum += in[h * 32 + thread % 32] * (h + 1);
    out[thread] = sum;
}

extern "C" __global__ void __launch_bounds__(BLOCK) chase(unsigned *out, const unsigned *in, int lines)
{
    const int thread = blockIdx.x * BLOCK + threadIdx.x, lane = thread % 32;
    unsigned held[HOLD], at[CHAINS], sum = 0;
#pragma unroll
    for (int h = 0; h < HOLD; h++) {
        held[h] = in[h * 32 + lane];
        asm volatile("" : "+r"(held[h]));
    }
#pragma unroll
    for (int c = 0; c < CHAINS; c++)
        at[c] = start(thread / 32 * CHAINS + c, lines);
    if (TOGETHER) {
#pragma unroll 1
        for (int s = 0; s < STEPS; s++)
#pragma unroll
            for (int c = 0; c < CHAINS; c++)
                at[c] = in[at[c] * 32 + lane];
    } else {
#pragma unroll
        for (int c = 0; c < CHAINS; c++)
#pragma unroll 1
            for (int s = 0; s < STEPS; s++)
                at[c] = in[at[c] * 32 + lane];
    }
#pragma unroll
    for (int c = 0; c < CHAINS; c++)
        sum += at[c];
#pragma unroll
    for (int h = 0; h < HOLD; h++) {
        asm volatile("" : "+r"(held[h]));
        sum += held[h] * (h + 1);
    }
    out[thread] = sum;
}
