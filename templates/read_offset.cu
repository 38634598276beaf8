// Misaligned reads: out[i] = a[i + offset] + b[i + offset]. A warp whose reads begin between two 32-byte sectors touches one
// sector more, so the offset costs; more loads in flight, the cache that they go through, and aligning the reads at the expense
// of the writes win it back. Compare `-D OFFSET=0,11,128`.
//
// UNROLL  elements of a thread, BLOCK apart: all of their loads are in flight before the first store
// BLOCK   threads of a block
// ALIGN   which side of the kernel begins on a multiple of 128 bytes in every warp: write or read
// L1      ca, cg: loads are kept in the L1 cache, or pass it by (an option of the assembler, -dlcm)
// STORE   wb, cs: ordinary stores, or stores marked as streaming

enum align { write, read };
#define PASTE(a, b) a##b
#define STORE_AS(kind) PASTE(__st, kind)

extern "C" __global__ void read_offset_naive(float *out, const float *a, const float *b, long long count, int offset)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = a[i + offset] + b[i + offset];
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    read_offset(float *out, const float *a, const float *b, long long count, int offset)
{
    const int back = ALIGN == read ? offset % 32 : 0; // 32 floats are 128 bytes
    const long long first = (long long)blockIdx.x * BLOCK * UNROLL + threadIdx.x - back;
    float sum[UNROLL];
#pragma unroll
    for (int u = 0; u < UNROLL; u++) {
        const long long i = first + u * BLOCK;
        if (i >= 0 && i < count)
            sum[u] = a[i + offset] + b[i + offset];
    }
#pragma unroll
    for (int u = 0; u < UNROLL; u++) {
        const long long i = first + u * BLOCK;
        if (i >= 0 && i < count)
            STORE_AS(STORE)(&out[i], sum[u]);
    }
}
