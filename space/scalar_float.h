/* IEEE 754 binary32. */
#include "space/scalar.h"

SCALAR_FUNCTION double float_value(scalar_bits bits)
{
#ifdef __CUDACC__
    return __uint_as_float((unsigned)bits);
#else
    unsigned word = (unsigned)bits;
    float number;
    memcpy(&number, &word, sizeof number);
    return number;
#endif
}

SCALAR_FUNCTION scalar_bits float_bits(double value)
{
    float number = (float)value;
#ifdef __CUDACC__
    return __float_as_uint(number);
#else
    unsigned word;
    memcpy(&word, &number, sizeof word);
    return word;
#endif
}
