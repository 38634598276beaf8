// A hot region beside streams: records stream past, the running sum of each is written at its middle and its end, and the whole sum
// is added to a counter at a place that looks random. Without help the streams push the counters out of the L2 cache before they are
// wanted again, and each addition costs a line in and a line out. An access policy window makes lines of the region persist in a
// part of the L2 that is set aside for them; where the region is larger than that part, a hit ratio below 1 may keep a share of it
// for good instead of all of it in turn. Marking the streams as streaming is the kernel's own way to the same end.
//
// HINT    none: ordinary loads and stores of the streams; streaming: those that say that their data is not wanted again
// VEC     neighbouring records of a thread: one load takes a word of each
// UNROLL  words of a record whose loads are in flight together
// BLOCK   threads of a block
//
// The window, its hit ratio and the part set aside are settings of the launch (see the .space). HOT_MB is a size of the problem:
// compare 10 to 60. The words of a record lie `records` apart, so neighbouring threads read and write neighbouring words.

enum hint { none, streaming };
enum { record_words = 8, half_words = record_words / 2, counters = HOT_MB << 18 };

// Where the sum of a record goes: a good mixture of its number.
static __device__ unsigned place(unsigned record)
{
    record = (record ^ record >> 16) * 0x7feb352du;
    record = (record ^ record >> 15) * 0x846ca68bu;
    return (record ^ record >> 16) % counters;
}

extern "C" __global__ void l2_persist_naive(unsigned *hot, unsigned *sums, const unsigned *in, unsigned records)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    if (i >= records)
        return;
    for (int word = 0; word < record_words; word++) {
        sum += in[(size_t)word * records + i];
        if ((word + 1) % half_words == 0)
            sums[(size_t)(word / half_words) * records + i] = sum;
    }
    atomicAdd(&hot[place(i)], sum);
}

template <int count> struct words;
template <> struct words<1> { typedef unsigned type; };
template <> struct words<2> { typedef uint2 type; };
template <> struct words<4> { typedef uint4 type; };
typedef words<VEC>::type vector;

static __device__ vector load(const unsigned *from)
{
    return HINT == streaming ? __ldcs((const vector *)from) : *(const vector *)from;
}

static __device__ void store(unsigned *to, vector value)
{
    if (HINT == streaming)
        __stcs((vector *)to, value);
    else
        *(vector *)to = value;
}

extern "C" __global__ void l2_persist(unsigned *hot, unsigned *__restrict__ sums, const unsigned *__restrict__ in, unsigned records)
{
    const unsigned i = (blockIdx.x * BLOCK + threadIdx.x) * VEC;
    vector sum = {};
    if (i >= records)
        return;
#pragma unroll 1
    for (int word = 0; word < record_words; word += UNROLL) {
        vector held[UNROLL];
#pragma unroll
        for (int u = 0; u < UNROLL; u++)
            held[u] = load(in + (size_t)(word + u) * records + i);
#pragma unroll
        for (int u = 0; u < UNROLL; u++) {
#pragma unroll
            for (int k = 0; k < VEC; k++)
                ((unsigned *)&sum)[k] += ((const unsigned *)&held[u])[k];
            if ((word + u + 1) % half_words == 0)
                store(sums + (size_t)((word + u) / half_words) * records + i, sum);
        }
    }
#pragma unroll
    for (int k = 0; k < VEC; k++)
        atomicAdd(&hot[place(i + k)], ((const unsigned *)&sum)[k]);
}
