// cutune's own kernels: they fill, poison, compare and check buffers, so that no buffer travels to the host.
// All loops are grid-stride, so any launch shape works.
//
// SCALARS and FILLS are the rows of space/types.def and space/fills.def. tools/cmake/device_text.cmake inserts them at
// the top, and the rows' files in place of their #include lines.

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

#define SCALAR(name, bytes, family, digits, texture, c_name) SCALAR_##name,
enum scalar { SCALARS };
#undef SCALAR
#define FILL(NAME, name, zeros, meaning) FILL_##NAME,
enum fill { FILL_NONE, FILL_FILE, FILL_KERNEL, FILLS };
#undef FILL

struct verdict {
    u64 different;   // elements out of tolerance, including NaN
    u64 nan;         // of these: NaN, except unwritten elements
    u64 unwritten;   // of these: still poison
    u64 first;       // complement of the lowest such index; 0: none
    u64 touched;     // guard bytes overwritten
    u64 checksum;
    u64 largest_error; // bits of numbers, which are in order because none is negative: max |out - fp64|
    u64 largest;       // max |fp64|
    double squared_error, squares; // the sums of the squares of both
    u64 unusable;      // double-precision results that are no numbers although the reference's are
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

// Adds with one atomic operation per block, because operations on one address are serialised. All threads of the block
// must call it.
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

#include "scalars"

enum family { INT, UINT, FLOAT };

static __device__ int size_of(int scalar)
{
    switch (scalar) {
#define SCALAR(name, bytes, family, digits, texture, c_name) case SCALAR_##name: return bytes;
        SCALARS
#undef SCALAR
    }
    return 0;
}

static __device__ int digits_of(int scalar)
{
    switch (scalar) {
#define SCALAR(name, bytes, family, digits, texture, c_name) case SCALAR_##name: return digits;
        SCALARS
#undef SCALAR
    }
    return 0;
}

// Bits of an integer that hold its value.
static __device__ int bits_of(int scalar)
{
    switch (scalar) {
#define SCALAR(name, bytes, family, digits, texture, c_name) case SCALAR_##name: return digits + (family == INT);
        SCALARS
#undef SCALAR
    }
    return 0;
}

static __device__ bool is_float(int scalar)
{
    switch (scalar) {
#define SCALAR(name, bytes, family, digits, texture, c_name) case SCALAR_##name: return family == FLOAT;
        SCALARS
#undef SCALAR
    }
    return false;
}

static __device__ u64 load(const void *data, u64 i, int bytes)
{
    switch (bytes) {
    case 1: return ((const u8 *)data)[i];
    case 2: return ((const u16 *)data)[i];
    case 4: return ((const u32 *)data)[i];
    default: return ((const u64 *)data)[i];
    }
}

static __device__ void store(void *data, u64 i, int bytes, u64 bits)
{
    switch (bytes) {
    case 1: ((u8 *)data)[i] = (u8)bits; break;
    case 2: ((u16 *)data)[i] = (u16)bits; break;
    case 4: ((u32 *)data)[i] = (u32)bits; break;
    default: ((u64 *)data)[i] = bits;
    }
}

// Converts the bits of an element to its value.
static __device__ double value_of(u64 bits, int scalar)
{
#define VALUE_INT(name, bytes)   (double)((long long)(bits << (64 - 8 * bytes)) >> (64 - 8 * bytes))
#define VALUE_UINT(name, bytes)  (double)bits
#define VALUE_FLOAT(name, bytes) name##_value(bits)
    switch (scalar) {
#define SCALAR(name, bytes, family, digits, texture, c_name) case SCALAR_##name: return VALUE_##family(name, bytes);
        SCALARS
#undef SCALAR
    }
    return 0;
}

// Converts a number, which must fit the type, to the bits of the nearest element; truncates it for integer types.
static __device__ u64 element_of(double value, int scalar)
{
#define BITS_INT(name)   (u64)(long long)value
#define BITS_UINT(name)  (u64)value
#define BITS_FLOAT(name) name##_bits(value)
    switch (scalar) {
#define SCALAR(name, bytes, family, digits, texture, c_name) case SCALAR_##name: return BITS_##family(name);
        SCALARS
#undef SCALAR
    }
    return 0;
}

// Returns the bits of element i of a random buffer. A kernel that sees all bits of elements must not find the seed, or it would
// compute other elements instead of reading them: mix() alone can be inverted, the sum cannot.
static __device__ u64 random_bits(u64 i, u64 seed)
{
    u64 place = mix(seed + 0x9e3779b97f4a7c15ull * (i + 1));
    return mix(place + mix(place ^ seed));
}

// Uniform random numbers from low to high: integers include both ends, floating-point numbers are rounded.
static __device__ u64 random_between(u64 i, int scalar, u64 seed, u64 low, u64 high)
{
    u64 random = random_bits(i, seed), count = high - low + 1;
    double from = scalar_from_bits(low), to = scalar_from_bits(high);
    return is_float(scalar) ? element_of(from + (double)(random >> 11) * scalar_power(-53) * (to - from), scalar)
           : count          ? low + random % count
                            : random;
}

#include "fills"

static __device__ u64 filled(u64 i, int scalar, int fill, u64 seed)
{
    switch (fill) {
#define FILL(NAME, name, zeros, meaning) case FILL_##NAME: return fill_##name(i, scalar, seed);
        FILLS
#undef FILL
    }
    return 0;
}

// `ranged`: fill with random numbers from low to high.
extern "C" __global__ void cutune_fill(void *data, u64 count, int scalar, int fill, u64 seed, int ranged, u64 low, u64 high)
{
    int bytes = size_of(scalar);
    for (u64 i = position(); i < count; i += stride()) {
        u64 element = ranged ? random_between(i, scalar, seed, low, high) : filled(i, scalar, fill, seed);
        store(data, i, bytes, element);
    }
}

enum special { SPECIAL_ZEROS, SPECIAL_INFINITIES, SPECIAL_NANS, SPECIAL_SUBNORMALS, SPECIAL_LARGE };

// Returns a special value of a floating-point type, of either sign. A sum of some large ones is finite, a product is not;
// `seed` gives them one sign, so that the order of additions hardly changes the sum.
static __device__ u64 special_of(int special, u64 random, int scalar, u64 seed)
{
    enum { BELOW_LARGEST = 8 }; // binary orders of magnitude
    int digits = digits_of(scalar), sign = 8 * size_of(scalar) - 1;
    u64 mantissa = random & ((1ull << (digits - 1)) - 1), infinity = element_of(scalar_from_bits(0x7ffull << 52), scalar);
    u64 bits = special == SPECIAL_ZEROS        ? 0
               : special == SPECIAL_INFINITIES ? infinity
               : special == SPECIAL_NANS       ? infinity | 1ull << (digits - 2)
               : special == SPECIAL_SUBNORMALS ? mantissa | 1
                                               : infinity - ((u64)BELOW_LARGEST << (digits - 1)) + mantissa;
    return bits | (special == SPECIAL_LARGE ? seed : random) >> 63 << sign;
}

// Replaces each element by a special value with the probability often / 2^64.
extern "C" __global__ void cutune_special(void *data, u64 count, int scalar, int special, u64 seed, u64 often)
{
    int bytes = size_of(scalar);
    for (u64 i = position(); i < count; i += stride()) {
        u64 random = random_bits(i, ~seed);
        if (random < often)
            store(data, i, bytes, special_of(special, mix(random + 1), scalar, seed));
    }
}

// Returns a value that no tolerance accepts as `right`: NaN, or the integer half the range away, the largest distance
// that exists for every value.
static __device__ u64 poison_of(u64 right, int scalar)
{
    int size = 8 * size_of(scalar);
    return is_float(scalar) ? ~0ull >> (64 - size) : right ^ 1ull << (size - 1);
}

extern "C" __global__ void cutune_poison(void *out, const void *reference, u64 count, int scalar)
{
    int bytes = size_of(scalar);
    for (u64 i = position(); i < count; i += stride())
        store(out, i, bytes, poison_of(load(reference, i, bytes), scalar));
}

// Equal bits pass unless they are NaN. Others need |out - reference| <= absolute + relative * |reference|, both finite.
// `nan`: where the reference is NaN, any NaN but poison passes.
extern "C" __global__ void cutune_compare(const void *out, const void *reference, u64 count, int scalar, double relative,
                                          double absolute, int poisoned, int nan, verdict *verdict)
{
    u64 different = 0, nans = 0, unwritten = 0, first = ~0ull;
    int bytes = size_of(scalar);
    bool exact = !is_float(scalar) && relative == 0 && absolute == 0; // a double cannot hold every 64-bit integer
    for (u64 i = position(); i < count; i += stride()) {
        u64 got_bits = load(out, i, bytes), want_bits = load(reference, i, bytes);
        double got = value_of(got_bits, scalar);
        bool is_nan = got != got;
        if (got_bits == want_bits && !is_nan)
            continue;
        double want = value_of(want_bits, scalar), error = fabs(got - want);
        if (nan && is_nan && want != want && got_bits != poison_of(want_bits, scalar))
            continue;
        bool tolerated = !exact && isfinite(error) && error <= absolute + relative * fabs(want);
        if (tolerated && !is_nan)
            continue;
        bool is_poison = poisoned && got_bits == poison_of(want_bits, scalar);
        different++;
        unwritten += is_poison;
        nans += is_nan && !is_poison;
        if (i < first)
            first = i;
    }
    if (different) {
        atomicAdd(&verdict->different, different);
        atomicAdd(&verdict->nan, nans);
        atomicAdd(&verdict->unwritten, unwritten);
        atomicMax(&verdict->first, ~first);
    }
}

// Adds to a number. The loop is for devices without such an operation.
static __device__ void add_number(double *total, double value)
{
    u64 *bits = (u64 *)total, before = *bits, expected;
    do {
        expected = before;
        before = atomicCAS(bits, expected, scalar_to_bits(scalar_from_bits(expected) + value));
    } while (before != expected);
}

// Converts elements to doubles. `poison`: writes NaN instead.
extern "C" __global__ void cutune_widen(double *out, const void *from, u64 count, int scalar, int poison)
{
    int bytes = size_of(scalar);
    for (u64 i = position(); i < count; i += stride())
        out[i] = poison ? scalar_from_bits(~0ull) : value_of(load(from, i, bytes), scalar);
}

// Measures the error against results in double precision, where the reference has numbers. The comparison with the
// reference judges all else.
extern "C" __global__ void cutune_error(const void *out, const void *reference, const double *fp64, u64 count, int scalar,
                                        verdict *verdict)
{
    double largest_error = 0, largest = 0, squared_error = 0, squares = 0;
    u64 unusable = 0;
    int bytes = size_of(scalar);
    for (u64 i = position(); i < count; i += stride()) {
        double got = value_of(load(out, i, bytes), scalar), right = fp64[i], error = fabs(got - right);
        if (!isfinite(value_of(load(reference, i, bytes), scalar)))
            continue;
        unusable += !isfinite(right);
        if (!isfinite(error))
            continue;
        largest_error = error > largest_error ? error : largest_error;
        largest = fabs(right) > largest ? fabs(right) : largest;
        squared_error += error * error;
        squares += right * right;
    }
    if (unusable)
        atomicAdd(&verdict->unusable, unusable);
    if (largest == 0 && largest_error == 0)
        return;
    atomicMax(&verdict->largest_error, scalar_to_bits(largest_error));
    atomicMax(&verdict->largest, scalar_to_bits(largest));
    add_number(&verdict->squared_error, squared_error);
    add_number(&verdict->squares, squares);
}

// A guard's byte depends on its buffer and its distance from the data, so that a kernel that copies beyond the end of
// two buffers changes it.
static __device__ u8 canary(u64 buffer, u64 distance)
{
    return (u8)(mix(distance + (buffer << 48)) >> 32);
}

// Writes the bytes of a guard, or counts those that differ if there is a verdict. `from` is the distance of the first.
extern "C" __global__ void cutune_guard(u8 *guard, u64 bytes, u64 buffer, u64 from, verdict *verdict)
{
    u64 touched = 0;
    for (u64 i = position(); i < bytes; i += stride())
        if (verdict)
            touched += guard[i] != canary(buffer, from + i);
        else
            guard[i] = canary(buffer, from + i);
    if (touched)
        atomicAdd(&verdict->touched, touched);
}

// A position-dependent sum over words, which detects any change. Data is aligned to 16 bytes.
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

// Spins for `spin` ns and writes how far this multiprocessor's clock advanced.
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

// Waits until `*released` reaches `number`, for `limit` ns at most.
extern "C" __global__ void cutune_stream_gate(volatile u32 *released, u32 number, u64 limit)
{
    if (position())
        return;
    u64 start = 0, now = 0;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(start));
    do
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    while ((int)(*released - number) < 0 && now - start < limit);
}

// Reads the device's global timer.
extern "C" __global__ void cutune_stamp(u64 *word)
{
    u64 now = 0;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    *word = now;
}

// Takes the least time of a kernel that has a result.
extern "C" __global__ void cutune_store(u64 *word)
{
    *word = 1;
}
