// Cache policies of single instructions, compared with the window of a launch: the problem of l2_persist, in which records stream
// past counters at random places that should stay in the L2 cache. Each access carries a policy: additions to counters ask for
// lines that are evicted last, all or a fraction of them, and accesses of the streams for lines that are evicted first, or for none
// in the L1 cache. A load may also fetch more of its line into the L2 cache than it needs.
//
// The limit is the copy ceiling, for the words of the streams and for the counters, once in and once out: 0.33 ms on an H200 at the
// default sizes. Additions at random places, each of which takes a sector of its own through the L2 cache, come on top.
//
// KEEP      what keeps the counters. normal: nothing; persisting: the access policy window of l2_persist; evict_last: the policy of
//           each addition
// FRACTION  of the lines that the window or the policy keeps; the others are evicted first
// STREAM    normal: ordinary loads and stores; streaming: those whose data is not wanted again (.cs); no_allocate: those that leave
//           the L1 cache alone; evict_first: a policy of the L2 cache
// PREFETCH  bytes that a load fetches into the L2 cache: 64, 128 or 256; 0: nothing is said
// VEC       neighbouring records of a thread: one load takes a word of each
// UNROLL    words of a record whose loads are in flight together
// BLOCK     threads of a block
//
// The part that is set aside is a setting of the launch (see the .space). HOT_MB is a size of the problem: compare 10 to 60.

#define normal 0
#define persisting 1
#define evict_last 2
#define streaming 3
#define no_allocate 4
#define evict_first 5

#if STREAM == streaming
#define CACHED ".cs"
#elif STREAM == no_allocate
#define CACHED ".L1::no_allocate"
#else
#define CACHED ""
#endif
#if STREAM == evict_first
#define HINT ".L2::cache_hint"
#define POLICY(operand) ", " operand
#else
#define HINT ""
#define POLICY(operand) ""
#endif
#if PREFETCH == 64
#define FETCHED ".L2::64B"
#elif PREFETCH == 128
#define FETCHED ".L2::128B"
#elif PREFETCH == 256
#define FETCHED ".L2::256B"
#else
#define FETCHED ""
#endif

enum { record_words = 8, half_words = record_words / 2, counters = HOT_MB << 18 };

// Where the sum of a record goes: a good mixture of its number.
static __device__ unsigned place(unsigned record)
{
    record = (record ^ record >> 16) * 0x7feb352du;
    record = (record ^ record >> 15) * 0x846ca68bu;
    return (record ^ record >> 16) % counters;
}

extern "C" __global__ void cache_policy_naive(unsigned *hot, unsigned *sums, const unsigned *in, unsigned records)
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

typedef unsigned long long policy;

static __device__ policy first_policy()
{
    policy made = 0;
#if STREAM == evict_first
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(made));
#endif
    return made;
}

static __device__ policy last_policy()
{
    policy made = 0;
#if KEEP == evict_last
    asm("createpolicy.fractional.L2::evict_last.L2::evict_first.b64 %0, %1;" : "=l"(made) : "f"((float)FRACTION));
#endif
    return made;
}

static __device__ void load(unsigned (&to)[VEC], const unsigned *from, policy p)
{
#if VEC == 1
    asm volatile("ld.global" CACHED HINT FETCHED ".u32 %0, [%1]" POLICY("%2") ";" : "=r"(to[0]) : "l"(from), "l"(p));
#elif VEC == 2
    asm volatile("ld.global" CACHED HINT FETCHED ".v2.u32 {%0, %1}, [%2]" POLICY("%3") ";"
                 : "=r"(to[0]), "=r"(to[1]) : "l"(from), "l"(p));
#else
    asm volatile("ld.global" CACHED HINT FETCHED ".v4.u32 {%0, %1, %2, %3}, [%4]" POLICY("%5") ";"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "l"(from), "l"(p));
#endif
}

static __device__ void store(unsigned *to, const unsigned (&from)[VEC], policy p)
{
#if VEC == 1
    asm volatile("st.global" CACHED HINT ".u32 [%0], %1" POLICY("%2") ";" ::"l"(to), "r"(from[0]), "l"(p) : "memory");
#elif VEC == 2
    asm volatile("st.global" CACHED HINT ".v2.u32 [%0], {%1, %2}" POLICY("%3") ";" ::"l"(to), "r"(from[0]), "r"(from[1]), "l"(p)
                 : "memory");
#else
    asm volatile("st.global" CACHED HINT ".v4.u32 [%0], {%1, %2, %3, %4}" POLICY("%5") ";" ::"l"(to), "r"(from[0]), "r"(from[1]),
                 "r"(from[2]), "r"(from[3]), "l"(p) : "memory");
#endif
}

static __device__ void add(unsigned *counter, unsigned sum, policy p)
{
#if KEEP == evict_last
    asm volatile("red.relaxed.gpu.global.add.L2::cache_hint.u32 [%0], %1, %2;" ::"l"(counter), "r"(sum), "l"(p) : "memory");
#else
    atomicAdd(counter, sum);
#endif
}

extern "C" __global__ void cache_policy(unsigned *hot, unsigned *__restrict__ sums, const unsigned *__restrict__ in,
                                        unsigned records)
{
    const unsigned i = (blockIdx.x * BLOCK + threadIdx.x) * VEC;
    const policy first = first_policy(), last = last_policy();
    unsigned sum[VEC] = {};
    if (i >= records)
        return;
#pragma unroll 1
    for (int word = 0; word < record_words; word += UNROLL) {
        unsigned held[UNROLL][VEC];
#pragma unroll
        for (int u = 0; u < UNROLL; u++)
            load(held[u], in + (size_t)(word + u) * records + i, first);
#pragma unroll
        for (int u = 0; u < UNROLL; u++) {
#pragma unroll
            for (int k = 0; k < VEC; k++)
                sum[k] += held[u][k];
            if ((word + u + 1) % half_words == 0)
                store(sums + (size_t)((word + u) / half_words) * records + i, sum, first);
        }
    }
#pragma unroll
    for (int k = 0; k < VEC; k++)
        add(&hot[place(i + k)], sum[k], last);
}
