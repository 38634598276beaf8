/* Conversions of floating-point formats. Host and device compile the same text.
 *
 * scalar_NAME.h defines two functions for the format NAME:
 *   double NAME_value(scalar_bits bits);
 *   scalar_bits NAME_bits(double value);
 * The first returns the value of the bits; unused high bits are 0. The second rounds to the nearest value, ties to
 * even; a value that is too large becomes infinity or the format's substitute. All ones must be a NaN of the format,
 * because outputs are poisoned with it. */
#ifndef CUTUNE_SPACE_SCALAR_H
#define CUTUNE_SPACE_SCALAR_H

#ifdef __CUDACC__
#define SCALAR_FUNCTION static __device__
#else
#include <string.h>
#define SCALAR_FUNCTION static inline
#endif

typedef unsigned long long scalar_bits;

SCALAR_FUNCTION double scalar_from_bits(scalar_bits bits)
{
#ifdef __CUDACC__
    return __longlong_as_double((long long)bits);
#else
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
#endif
}

SCALAR_FUNCTION scalar_bits scalar_to_bits(double value)
{
#ifdef __CUDACC__
    return (scalar_bits)__double_as_longlong(value);
#else
    scalar_bits bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
#endif
}

/* 2^power, which must be normal. */
SCALAR_FUNCTION double scalar_power(int power)
{
    return scalar_from_bits((scalar_bits)(1023 + power) << 52);
}

/* Smaller formats with the layout of IEEE 754: sign, exponent, mantissa. */
SCALAR_FUNCTION double scalar_small_value(scalar_bits bits, int mantissa_bits, int exponent_bits)
{
    scalar_bits most = (1ull << exponent_bits) - 1, exponent = bits >> mantissa_bits & most;
    scalar_bits mantissa = bits & ((1ull << mantissa_bits) - 1);
    int bias = (1 << (exponent_bits - 1)) - 1;
    double value;
    if (exponent == most)
        value = scalar_from_bits(0x7ffull << 52 | mantissa << (52 - mantissa_bits));
    else if (exponent)
        value = scalar_from_bits((exponent + 1023 - bias) << 52 | mantissa << (52 - mantissa_bits));
    else
        value = (double)mantissa * scalar_power(1 - bias - mantissa_bits);
    return bits >> (mantissa_bits + exponent_bits) & 1 ? -value : value;
}

SCALAR_FUNCTION scalar_bits scalar_small_bits(double value, int mantissa_bits, int exponent_bits)
{
    scalar_bits bits = scalar_to_bits(value), raw = bits & ~0ull >> 1, small;
    scalar_bits infinity = ((1ull << exponent_bits) - 1) << mantissa_bits;
    int bias = (1 << (exponent_bits - 1)) - 1, shift = 52 - mantissa_bits;
    if (raw > 0x7ffull << 52) {
        small = infinity | 1ull << (mantissa_bits - 1);
    } else if (raw < (scalar_bits)(1023 + 1 - bias) << 52) { /* subnormal: the addition rounds to the smallest's unit */
        small = (scalar_bits)(scalar_from_bits(raw) * scalar_power(bias - 1 + mantissa_bits) + 0x1p52 - 0x1p52);
    } else { /* rounding the mantissa up carries into the exponent */
        raw -= (scalar_bits)(1023 - bias) << 52;
        small = (raw + (1ull << (shift - 1)) - 1 + (raw >> shift & 1)) >> shift;
        if (small > infinity)
            small = infinity;
    }
    return (bits >> 63) << (mantissa_bits + exponent_bits) | small;
}

#endif
