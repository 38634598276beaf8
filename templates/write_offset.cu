// Misaligned writes: out[i + offset] = a[i] + b[i]. A warp whose writes begin between two 32-byte sectors writes two sectors in
// part; the L2 cache has to put them together. Three changes make up for it: aligning the writes at the expense of the reads,
// more work in flight, and another way of the stores through the caches. Compare `-D OFFSET=0,11,128`.
//
// UNROLL  elements of a thread, BLOCK apart: all of their loads are in flight before the first store
// BLOCK   threads of a block
// ALIGN   which side of the kernel begins on a multiple of 128 bytes in every warp: read or write
// STORE   wb, cg, cs, wt: ordinary stores, stores cached in L2 alone, streaming stores, stores written through
// L1      ca, cg: loads are kept in the L1 cache, or pass it by (an option of the assembler, -dlcm)

enum align { read, write };
#define PASTE(a, b) a##b
#define STORE_AS(kind) PASTE(__st, kind)

extern "C" __global__ void write_offset_naive(float *out, const float *a, const float *b, long long count, int offset)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i + offset] = a[i] + b[i];
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    write_offset(float *out, const float *a, const float *b, long long count, int offset)
{
    const int back = ALIGN == write ? offset % 32 : 0; // 32 floats are 128 bytes
    const long long first = (long long)blockIdx.x * BLOCK * UNROLL + threadIdx.x - back;
    float sum[UNROLL];
#pragma unroll
    for (int u = 0; u < UNROLL; u++) {
        const long long i = first + u * BLOCK;
        if (i >= 0 && i < count)
            sum[u] = a[i] + b[i];
    }
#pragma unroll
    for (int u = 0; u < UNROLL; u++) {
        const long long i = first + u * BLOCK;
        if (i >= 0 && i < count)
            STORE_AS(STORE)(&out[i + offset], sum[u]);
    }
}
