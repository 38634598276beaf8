/* Features of problem sizes, and the choice of a configuration from a leaf, for fits over sizes (db/sizes/size_fit.h):
 * their only implementation. The library compiles it, and `cutune emit` copies the part between the marks into every
 * header with a fit, with names of the header in place of choose_ and CHOOSE_. Library and headers therefore agree. It
 * is valid C11, C++11 and CUDA, and constexpr from C++14 on.
 *
 * All numbers are integers. Arithmetic saturates instead of overflowing, and a division by zero has a value, so every
 * size has an answer. */
#ifndef CUTUNE_DB_CHOOSE_FIT_H
#define CUTUNE_DB_CHOOSE_FIT_H

#define CHOOSE_FUNCTION          static inline
#define CHOOSE_CAST(type, value) ((type)(value))

/* ---- emitted from here ---- */
#define CHOOSE_MOST  9223372036854775807LL /* NVRTC has no limits.h */
#define CHOOSE_LEAST (-CHOOSE_MOST - 1)

/* Fewer instructions, if the compiler has the built-in: a division takes longer than everything else here. */
#if !defined __CUDACC__ && (defined __clang__ ? __clang_major__ >= 11 : defined __GNUC__ && __GNUC__ >= 7)
#define CHOOSE_BUILT_IN 1
#else
#define CHOOSE_BUILT_IN 0
#endif

CHOOSE_FUNCTION long long choose_plus(long long a, long long b)
{
    return b > 0 ? (a > CHOOSE_MOST - b ? CHOOSE_MOST : a + b) : a < CHOOSE_LEAST - b ? CHOOSE_LEAST : a + b;
}

CHOOSE_FUNCTION long long choose_minus(long long a, long long b)
{
    return b > 0 ? (a < CHOOSE_LEAST + b ? CHOOSE_LEAST : a - b) : a > CHOOSE_MOST + b ? CHOOSE_MOST : a - b;
}

CHOOSE_FUNCTION long long choose_times(long long a, long long b)
{
#if CHOOSE_BUILT_IN
    long long product = 0;
    if (!__builtin_mul_overflow(a, b, &product))
        return product;
#else
    /* By halves of 32 bits: divisions are slow on a GPU. */
    const unsigned long long x = a < 0 ? 0 - CHOOSE_CAST(unsigned long long, a) : CHOOSE_CAST(unsigned long long, a);
    const unsigned long long y = b < 0 ? 0 - CHOOSE_CAST(unsigned long long, b) : CHOOSE_CAST(unsigned long long, b);
    const unsigned long long low = (x & 0xffffffffULL) * (y & 0xffffffffULL);
    const unsigned long long cross = (x >> 32) * (y & 0xffffffffULL) + (x & 0xffffffffULL) * (y >> 32);
    if ((x >> 32 == 0 || y >> 32 == 0) && cross < 1ULL << 31 && low <= CHOOSE_MOST - (cross << 32))
        return a * b;
#endif
    return (a > 0) == (b > 0) ? CHOOSE_MOST : CHOOSE_LEAST;
}

CHOOSE_FUNCTION long long choose_quotient(long long a, long long b)
{
    if (b == 0)
        return a < 0 ? CHOOSE_LEAST : CHOOSE_MOST;
    return b == -1 ? choose_minus(0, a) : a / b;
}

CHOOSE_FUNCTION long long choose_remainder(long long a, long long b)
{
    return b == 0 || b == -1 ? 0 : a % b;
}

/* The quotient rounded up. */
CHOOSE_FUNCTION long long choose_ceildiv(long long a, long long b)
{
    if (a > 0 && b > 0)
        return CHOOSE_CAST(long long,
                           (CHOOSE_CAST(unsigned long long, a) - 1) / CHOOSE_CAST(unsigned long long, b) + 1);
    if (b >= -1 && b <= 1)
        return choose_quotient(a, b);
    return a / b + (a % b != 0 && (a > 0) == (b > 0)); /* a single division */
}

CHOOSE_FUNCTION long long choose_min(long long a, long long b)
{
    return a < b ? a : b;
}

CHOOSE_FUNCTION long long choose_max(long long a, long long b)
{
    return a > b ? a : b;
}

CHOOSE_FUNCTION long long choose_gcd(long long a, long long b)
{
    while (b != 0) {
        const long long rest = choose_remainder(a, b);
        a = b;
        b = rest;
    }
    return a < 0 ? choose_minus(0, a) : a;
}

/* The largest power of two that divides both; b is a power of two. */
CHOOSE_FUNCTION long long choose_low_bit(long long a, long long b)
{
    return (a | b) & -(a | b);
}

/* Quotients of numbers known to have 32 bits, with a positive divisor: their division is fast. */
CHOOSE_FUNCTION long long choose_small_quotient(long long a, long long b)
{
    return CHOOSE_CAST(unsigned, a) / CHOOSE_CAST(unsigned, b);
}

/* The sum of the numbers must have 32 bits, too. */
CHOOSE_FUNCTION long long choose_small_ceildiv(long long a, long long b)
{
    return (CHOOSE_CAST(unsigned, a) + CHOOSE_CAST(unsigned, b) - 1) / CHOOSE_CAST(unsigned, b);
}

CHOOSE_FUNCTION long long choose_lcm(long long a, long long b)
{
    const long long multiple = a == 0 || b == 0 ? 0 : choose_times(choose_quotient(a, choose_gcd(a, b)), b);
    return multiple < 0 ? choose_minus(0, multiple) : multiple;
}

/* Shifts by a negative number of bits have no effect. */
CHOOSE_FUNCTION long long choose_shift_left(long long a, long long b)
{
    return b < 0 ? a : b < 63 ? choose_times(a, 1LL << b) : choose_times(choose_times(a, 1LL << 62), 2);
}

CHOOSE_FUNCTION long long choose_shift_right(long long a, long long b)
{
    return b < 0 ? a : b > 63 ? (a < 0 ? -1 : 0) : a < 0 ? ~(~a >> b) : a >> b;
}

CHOOSE_FUNCTION long long choose_bit_and(long long a, long long b)
{
    return a & b;
}

CHOOSE_FUNCTION long long choose_bit_or(long long a, long long b)
{
    return a | b;
}

CHOOSE_FUNCTION long long choose_bit_xor(long long a, long long b)
{
    return a ^ b;
}

/* Conditions are functions, because compilers warn of operators whose result they know. */
CHOOSE_FUNCTION long long choose_equal(long long a, long long b)
{
    return a == b;
}

CHOOSE_FUNCTION long long choose_different(long long a, long long b)
{
    return a != b;
}

CHOOSE_FUNCTION long long choose_less(long long a, long long b)
{
    return a < b;
}

CHOOSE_FUNCTION long long choose_at_most(long long a, long long b)
{
    return a <= b;
}

CHOOSE_FUNCTION long long choose_greater(long long a, long long b)
{
    return a > b;
}

CHOOSE_FUNCTION long long choose_at_least(long long a, long long b)
{
    return a >= b;
}

CHOOSE_FUNCTION long long choose_and(long long a, long long b)
{
    return a && b;
}

CHOOSE_FUNCTION long long choose_or(long long a, long long b)
{
    return a || b;
}

CHOOSE_FUNCTION long long choose_not(long long a)
{
    return !a;
}

CHOOSE_FUNCTION long long choose_choice(long long condition, long long a, long long b)
{
    return condition ? a : b;
}

/* Features: a and b are sizes, `all` the product of all sizes, `by` the feature's number. */
CHOOSE_FUNCTION long long choose_of_size(long long a, long long b, long long all, long long by, int sm_count,
                                         long long l2_bytes)
{
    (void)b, (void)all, (void)by, (void)sm_count, (void)l2_bytes;
    return a;
}

CHOOSE_FUNCTION long long choose_of_volume(long long a, long long b, long long all, long long by, int sm_count,
                                           long long l2_bytes)
{
    (void)a, (void)b, (void)by, (void)sm_count, (void)l2_bytes;
    return all;
}

CHOOSE_FUNCTION long long choose_of_product(long long a, long long b, long long all, long long by, int sm_count,
                                            long long l2_bytes)
{
    (void)all, (void)by, (void)sm_count, (void)l2_bytes;
    return choose_times(a, b);
}

/* In sixteenths, to distinguish 1.5 from 1. */
CHOOSE_FUNCTION long long choose_of_ratio(long long a, long long b, long long all, long long by, int sm_count,
                                          long long l2_bytes)
{
    (void)all, (void)by, (void)sm_count, (void)l2_bytes;
    return choose_quotient(choose_times(a, 16), b);
}

CHOOSE_FUNCTION long long choose_of_remainder(long long a, long long b, long long all, long long by, int sm_count,
                                              long long l2_bytes)
{
    (void)b, (void)all, (void)sm_count, (void)l2_bytes;
    return choose_remainder(a, by);
}

/* The largest power of two up to `by`, a power of two, that divides both sizes. */
CHOOSE_FUNCTION long long choose_of_alignment(long long a, long long b, long long all, long long by, int sm_count,
                                              long long l2_bytes)
{
    (void)all, (void)sm_count, (void)l2_bytes;
    return choose_low_bit(a | b, by);
}

/* Tiles of `by` elements, or of `by` x `by`, for each multiprocessor. */
CHOOSE_FUNCTION long long choose_of_waves(long long a, long long b, long long all, long long by, int sm_count,
                                          long long l2_bytes)
{
    (void)b, (void)all, (void)l2_bytes;
    return choose_ceildiv(choose_ceildiv(a, by), sm_count);
}

CHOOSE_FUNCTION long long choose_of_waves2(long long a, long long b, long long all, long long by, int sm_count,
                                           long long l2_bytes)
{
    (void)all, (void)l2_bytes;
    return choose_ceildiv(choose_times(choose_ceildiv(a, by), choose_ceildiv(b, by)), sm_count);
}

/* Here a and b are blocks of two configurations. A wave is a block on each multiprocessor; the last wave counts in
 * full. */
CHOOSE_FUNCTION long long choose_of_relative_waves(long long a, long long b, long long all, long long by, int sm_count,
                                                   long long l2_bytes)
{
    const long long sm = sm_count;
    (void)all, (void)by, (void)l2_bytes;
    if (a > 0 && b > 0 && sm > 0 && a < 1LL << 25 && b < 1LL << 25 && sm < 1LL << 25) /* fast divisions */
        return choose_small_quotient(choose_small_ceildiv(a, sm) * 100, choose_small_ceildiv(b, sm));
    return choose_quotient(choose_times(choose_ceildiv(a, sm), 100), choose_ceildiv(b, sm));
}

/* Elements for each KiB of the L2 cache. */
CHOOSE_FUNCTION long long choose_of_l2(long long a, long long b, long long all, long long by, int sm_count,
                                       long long l2_bytes)
{
    (void)a, (void)b, (void)by, (void)sm_count;
    return choose_quotient(all, l2_bytes / 1024);
}

/* Returns the first configuration of a leaf's list that is `allowed` (a bit for each configuration); -1: no
 * configuration is. The list has `count` numbers of 5 bits, from the lowest ones on, 12 in an integer. */
CHOOSE_FUNCTION int choose_first(unsigned long long list_0, unsigned long long list_1, unsigned long long list_2,
                                 int count, unsigned allowed)
{
    for (int i = 0; i < count; i++) {
        const unsigned long long list = i < 12 ? list_0 : i < 24 ? list_1 : list_2;
        const int number = CHOOSE_CAST(int, list >> (i % 12 * 5) & 31);
        if (allowed >> number & 1)
            return number;
    }
    return -1;
}
/* ---- to here ---- */

#endif
