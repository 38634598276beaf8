/* Features of a problem's sizes, by which a fit over sizes (db/size_fit.h) chooses a configuration: their one
 * implementation. The library compiles it, and `cutune emit` copies the part between the marks into every header with a
 * fit, with the header's own names in place of choose_ and CHOOSE_, so that library and headers cannot disagree. It is
 * therefore valid C11, C++11 and CUDA, and constexpr from C++14 on.
 *
 * All numbers are integers. Arithmetic saturates instead of overflowing, and a division by zero has a value, so every
 * size has an answer. */
#ifndef CUTUNE_DB_CHOOSE_FIT_H
#define CUTUNE_DB_CHOOSE_FIT_H

#include <limits.h>

#define CHOOSE_FUNCTION static inline

/* ---- emitted from here ---- */
CHOOSE_FUNCTION long long choose_plus(long long a, long long b)
{
    return b > 0 ? (a > LLONG_MAX - b ? LLONG_MAX : a + b) : a < LLONG_MIN - b ? LLONG_MIN : a + b;
}

CHOOSE_FUNCTION long long choose_minus(long long a, long long b)
{
    return b > 0 ? (a < LLONG_MIN + b ? LLONG_MIN : a - b) : a > LLONG_MAX + b ? LLONG_MAX : a - b;
}

CHOOSE_FUNCTION long long choose_times(long long a, long long b)
{
    if (a > 0 ? (b > 0 ? a > LLONG_MAX / b : b < LLONG_MIN / a)
              : (b > 0 ? a < LLONG_MIN / b : a != 0 && b < LLONG_MAX / a))
        return (a > 0) == (b > 0) ? LLONG_MAX : LLONG_MIN;
    return a * b;
}

CHOOSE_FUNCTION long long choose_quotient(long long a, long long b)
{
    if (b == 0)
        return a < 0 ? LLONG_MIN : LLONG_MAX;
    return b == -1 ? choose_minus(0, a) : a / b;
}

CHOOSE_FUNCTION long long choose_remainder(long long a, long long b)
{
    return b == 0 || b == -1 ? 0 : a % b;
}

/* The quotient rounded up. */
CHOOSE_FUNCTION long long choose_ceildiv(long long a, long long b)
{
    return choose_plus(choose_quotient(a, b), choose_remainder(a, b) != 0 && (a > 0) == (b > 0));
}

CHOOSE_FUNCTION long long choose_min(long long a, long long b)
{
    return a < b ? a : b;
}

CHOOSE_FUNCTION long long choose_max(long long a, long long b)
{
    return a > b ? a : b;
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

/* Sixteenths tell 1.5 from 1. */
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

/* Elements for each KiB of the L2 cache. */
CHOOSE_FUNCTION long long choose_of_l2(long long a, long long b, long long all, long long by, int sm_count,
                                       long long l2_bytes)
{
    (void)a, (void)b, (void)by, (void)sm_count;
    return choose_quotient(all, l2_bytes / 1024);
}
/* ---- to here ---- */

#endif
