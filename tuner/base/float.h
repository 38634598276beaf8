/* Arithmetic for loops over many candidates, which compilers turn into vector code. */
#ifndef CUTUNE_BASE_FLOAT_H
#define CUTUNE_BASE_FLOAT_H

#include <stdint.h>

/* Compiles a function for the widest vectors of the machine. Results are the same on all machines: the build
 * disables fused operations, and loops over independent elements reorder no sums. Clang gives the dispatcher of the
 * versions external linkage, even for static functions, so the names of these functions are unique in the program. */
#if defined(__x86_64__) && defined(__has_attribute) && !defined(__SANITIZE_ADDRESS__)
#if __has_attribute(target_clones)
#define FLOAT_WIDE __attribute__((target_clones("default", "avx2", "avx512f")))
#endif
#endif
/* Part of such a function. */
#define FLOAT_INLINE __attribute__((always_inline)) static inline
#ifndef FLOAT_WIDE
#define FLOAT_WIDE
#endif

/* A vector written out, because compilers otherwise do not keep the sums of several rows in registers, or combine
 * them. */
enum { FLOAT_LANES = 8 };
typedef double float_lanes
    __attribute__((vector_size(FLOAT_LANES * sizeof(double)), aligned(sizeof(double)), may_alias));

/* The sum of FLOAT_LANES partial sums. */
static inline double float_sum(const double *sums)
{
    return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

/* e^x for x <= 0: Cody and Waite's reduction and the polynomial of Cephes' expf, branch-free. */
static inline float float_exp(float x)
{
    union {
        float number;
        int32_t bits;
    } power;
    x = x < -87.0f ? -87.0f : x;
    float n = (x * 1.44269504f + 12582912.0f) - 12582912.0f; /* rounds to a whole number */
    float r = (x - n * 0.693359375f) + n * 2.12194440e-4f, p = 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * r * r + r + 1.0f;
    power.bits = ((int32_t)n + 127) << 23;
    return p * power.number;
}

/* The same in double precision, by the rational function of Cephes' exp: exact to the last digit or the one before. */
static inline double float_exp_double(double x)
{
    union {
        double number;
        uint64_t bits;
    } power;
    x = x < -708 ? -708 : x;
    power.number = x * 1.4426950408889634 + 6755399441055744.0; /* rounds to a whole number, in the last bits */
    double n = power.number - 6755399441055744.0;
    double r = (x - n * 6.93145751953125e-1) - n * 1.42860682030941723212e-6, square = r * r;
    double p = 1.26177193074810590878e-4 * square + 3.02994407707441961300e-2;
    double q = 3.00198505138664455042e-6 * square + 2.52448340349684104192e-3;
    p = r * (p * square + 1);
    q = (q * square + 2.27265548208155028766e-1) * square + 2;
    power.bits = (power.bits + 1023) << 52;
    return (1 + 2 * (p / (q - p))) * power.number;
}

#endif
