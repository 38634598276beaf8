// The engine's own kernels: they fill, poison, compare and check buffers, so that no buffer travels to the host.
// Element kinds are those of enum kind in device/gpu.h. All loops are grid-stride: any launch shape is right.

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

enum { S8, U8, S16, U16, S32, U32, S64, U64, F16, BF16, F32, F64 };

struct verdict {
    u64 different;   // elements out of tolerance, NaN included
    u64 nan;         // of them: NaN in the output, but for what was not written
    u64 unwritten;   // of them: still poison
    u64 first;       // complement of the lowest index of one: zero is none
    u64 touched;     // guard bytes that were written
    u64 checksum;
};

static __device__ u64 mix(u64 x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

static __device__ u64 position()
{
    return (u64)blockIdx.x * blockDim.x + threadIdx.x;
}

static __device__ u64 stride()
{
    return (u64)gridDim.x * blockDim.x;
}

// One atomic operation for a whole block: those on one address wait for each other. All threads of the block take part.
static __device__ void add_of_block(u64 *total, u64 sum)
{
    __shared__ u64 sums[32];
    u32 lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize, warps = (blockDim.x + warpSize - 1) / warpSize;
    for (u32 distance = warpSize / 2; distance; distance /= 2)
        sum += __shfl_down_sync(~0u, sum, distance);
    if (lane == 0)
        sums[warp] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (u32 i = 1; i < warps; i++)
            sum += sums[i];
        atomicAdd(total, sum);
    }
}

static __device__ u16 to_half(float x)
{
    u16 h;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(x));
    return h;
}

static __device__ float from_half(u16 h)
{
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(h));
    return x;
}

static __device__ double load(const void *data, u64 i, int kind)
{
    switch (kind) {
    case S8: return ((const signed char *)data)[i];
    case U8: return ((const u8 *)data)[i];
    case S16: return ((const short *)data)[i];
    case U16: return ((const u16 *)data)[i];
    case S32: return ((const int *)data)[i];
    case U32: return ((const u32 *)data)[i];
    case S64: return (double)((const long long *)data)[i];
    case U64: return (double)((const u64 *)data)[i];
    case F16: return from_half(((const u16 *)data)[i]);
    case BF16: return __uint_as_float((u32)((const u16 *)data)[i] << 16);
    case F32: return ((const float *)data)[i];
    default: return ((const double *)data)[i];
    }
}

static __device__ u64 bits(const void *data, u64 i, int bytes)
{
    switch (bytes) {
    case 1: return ((const u8 *)data)[i];
    case 2: return ((const u16 *)data)[i];
    case 4: return ((const u32 *)data)[i];
    default: return ((const u64 *)data)[i];
    }
}

static __device__ int size_of(int kind)
{
    return kind <= U8 ? 1 : kind <= U16 || kind == F16 || kind == BF16 ? 2 : kind <= U32 || kind == F32 ? 4 : 8;
}

// Integers: every bit random. Floats: uniform in [-1, 1), with as many random bits as the type holds.
extern "C" __global__ void cutune_fill_random(void *data, u64 count, int kind, u64 seed)
{
    for (u64 i = position(); i < count; i += stride()) {
        u64 random = mix(mix(seed + 0x9e3779b97f4a7c15ull * (i + 1)));
        switch (kind) {
        case F16: ((u16 *)data)[i] = to_half((float)(int)(random >> 53) * 0x1p-10f - 1.0f); break;
        case BF16: ((u16 *)data)[i] = (u16)(__float_as_uint((float)(int)(random >> 56) * 0x1p-7f - 1.0f) >> 16); break;
        case F32: ((float *)data)[i] = (float)(int)(random >> 40) * 0x1p-23f - 1.0f; break;
        case F64: ((double *)data)[i] = (double)(random >> 11) * 0x1p-52 - 1.0; break;
        default:
            switch (size_of(kind)) {
            case 1: ((u8 *)data)[i] = (u8)(random >> 56); break;
            case 2: ((u16 *)data)[i] = (u16)(random >> 48); break;
            case 4: ((u32 *)data)[i] = (u32)(random >> 32); break;
            default: ((u64 *)data)[i] = random;
            }
        }
    }
}

// 0, 1, 2, ...; it wraps in small integers, and floats repeat where they cannot tell neighbours apart.
extern "C" __global__ void cutune_fill_iota(void *data, u64 count, int kind)
{
    for (u64 i = position(); i < count; i += stride()) {
        switch (kind) {
        case F16: ((u16 *)data)[i] = to_half((float)(i % 2048)); break;
        case BF16: ((u16 *)data)[i] = (u16)(__float_as_uint((float)(i % 256)) >> 16); break;
        case F32: ((float *)data)[i] = (float)i; break;
        case F64: ((double *)data)[i] = (double)i; break;
        default:
            switch (size_of(kind)) {
            case 1: ((u8 *)data)[i] = (u8)i; break;
            case 2: ((u16 *)data)[i] = (u16)i; break;
            case 4: ((u32 *)data)[i] = (u32)i; break;
            default: ((u64 *)data)[i] = i;
            }
        }
    }
}

// What no tolerance takes for `right`: a NaN, and of an integer the one half of its range away, which is as far as there
// is one for every value.
static __device__ u64 poison_of(u64 right, int kind)
{
    int size = 8 * size_of(kind);
    return kind >= F16 ? ~0ull >> (64 - size) : right ^ 1ull << (size - 1);
}

extern "C" __global__ void cutune_poison(void *out, const void *reference, u64 count, int kind)
{
    int bytes = size_of(kind);
    for (u64 i = position(); i < count; i += stride()) {
        u64 poison = poison_of(bits(reference, i, bytes), kind);
        switch (bytes) {
        case 1: ((u8 *)out)[i] = (u8)poison; break;
        case 2: ((u16 *)out)[i] = (u16)poison; break;
        case 4: ((u32 *)out)[i] = (u32)poison; break;
        default: ((u64 *)out)[i] = poison;
        }
    }
}

// Equal bits pass unless they are a NaN; else |out - reference| <= absolute + relative * |reference|, both finite.
extern "C" __global__ void cutune_compare(const void *out, const void *reference, u64 count, int kind, double relative,
                                          double absolute, int poisoned, verdict *verdict)
{
    u64 different = 0, nan = 0, unwritten = 0, first = ~0ull;
    int bytes = size_of(kind);
    for (u64 i = position(); i < count; i += stride()) {
        u64 got_bits = bits(out, i, bytes), want_bits = bits(reference, i, bytes);
        double got = load(out, i, kind);
        bool is_nan = kind >= F16 && got != got;
        if (got_bits == want_bits && !is_nan)
            continue;
        double want = load(reference, i, kind), error = fabs(got - want);
        bool tolerated = kind < F16 && relative == 0 && absolute == 0 ? false
                         : isfinite(error) && error <= absolute + relative * fabs(want);
        if (tolerated && !is_nan)
            continue;
        bool is_poison = poisoned && got_bits == poison_of(want_bits, kind);
        different++;
        unwritten += is_poison;
        nan += is_nan && !is_poison;
        if (i < first)
            first = i;
    }
    if (different) {
        atomicAdd(&verdict->different, different);
        atomicAdd(&verdict->nan, nan);
        atomicAdd(&verdict->unwritten, unwritten);
        atomicMax(&verdict->first, ~first);
    }
}

// How many of `bytes` bytes are not `canary`.
extern "C" __global__ void cutune_guard(const u8 *guard, u64 bytes, u32 canary, verdict *verdict)
{
    u64 touched = 0;
    for (u64 i = position(); i < bytes; i += stride())
        touched += guard[i] != canary;
    if (touched)
        atomicAdd(&verdict->touched, touched);
}

// A sum over words that depends on their places: tells whether anything changed. Data is aligned to 16 bytes.
extern "C" __global__ void cutune_checksum(const u8 *data, u64 bytes, verdict *verdict)
{
    u64 words = bytes / 16, sum = 0;
    for (u64 i = position(); i < words; i += stride()) {
        ulonglong2 word = ((const ulonglong2 *)data)[i];
        sum += (word.x ^ (i * 2 + 1)) * 0x9e3779b97f4a7c15ull ^ (word.y + i) * 0xbf58476d1ce4e5b9ull;
    }
    for (u64 i = words * 16 + position(); i < bytes; i += stride())
        sum += (data[i] + i) * 0x94d049bb133111ebull;
    add_of_block(&verdict->checksum, sum);
}

// Spins for `spin` ns and writes how far this multiprocessor's clock came meanwhile.
extern "C" __global__ void cutune_clock(u64 spin, u64 *counters)
{
    if (position())
        return;
    u64 start = 0, now = 0;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(start));
    long long cycles = clock64();
    do
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    while (now - start < spin);
    counters[0] = (u64)(clock64() - cycles);
    counters[1] = now - start;
}
