// A hot region beside a stream: records that stream past are summed, and each sum is added to a counter at a place that looks
// random. Without help the stream pushes the counters out of the L2 cache before they are wanted again, and each addition costs a
// line in and a line out. An access policy window makes lines of the region persist in a part of the L2 that is set aside for
// them; where the region is larger than that part, a hit ratio below 1 may keep a share of it for good instead of all of it in
// turn. Marking the stream as streaming is the kernel's own way to the same end.
//
// HINT    none: ordinary loads of the stream; streaming: loads that say that their data is not wanted again
// VEC     neighbouring records of a thread: one load takes a word of each
// UNROLL  words of a record whose loads are in flight together
// BLOCK   threads of a block
//
// The window, its hit ratio and the part set aside are settings of the launch (see the .space). HOT_MB is a size of the problem:
// compare 10 to 60. The words of a record lie `records` apart, so neighbouring threads read neighbouring words.

enum hint { none, streaming };
enum { record_words = 12, counters = HOT_MB << 18 };

// Where the sum of a record goes: a good mixture of its number.
static __device__ unsigned place(unsigned record)
{
    record = (record ^ record >> 16) * 0x7feb352du;
    record = (record ^ record >> 15) * 0x846ca68bu;
    return (record ^ record >> 16) % counters;
}

extern "C" __global__ void l2_persist_naive(unsigned *hot, const unsigned *in, unsigned records)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    if (i >= records)
        return;
    for (int word = 0; word < record_words; word++)
        sum += in[(size_t)word * records + i];
    atomicAdd(&hot[place(i)], sum);
}

template <int count> struct words;
template <> struct words<1> { typedef unsigned type; };
template <> struct words<2> { typedef uint2 type; };
template <> struct words<4> { typedef uint4 type; };
typedef words<VEC>::type vector;

extern "C" __global__ void l2_persist(unsigned *hot, const unsigned *__restrict__ in, unsigned records)
{
    const unsigned i = (blockIdx.x * BLOCK + threadIdx.x) * VEC;
    unsigned sums[VEC] = {};
    if (i >= records)
        return;
#pragma unroll 1
    for (int word = 0; word < record_words; word += UNROLL) {
        vector held[UNROLL];
#pragma unroll
        for (int u = 0; u < UNROLL; u++) {
            const vector *from = (const vector *)(in + (size_t)(word + u) * records + i);
            held[u] = HINT == streaming ? __ldcs(from) : *from;
        }
#pragma unroll
        for (int u = 0; u < UNROLL; u++)
#pragma unroll
            for (int k = 0; k < VEC; k++)
                sums[k] += ((const unsigned *)&held[u])[k];
    }
#pragma unroll
    for (int k = 0; k < VEC; k++)
        atomicAdd(&hot[place(i + k)], sums[k]);
}
