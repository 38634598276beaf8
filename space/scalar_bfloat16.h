/* bfloat16: the upper half of a float. */
#include "space/scalar.h"

SCALAR_FUNCTION double bfloat16_value(scalar_bits bits)
{
    return scalar_small_value(bits, 7, 8);
}

SCALAR_FUNCTION scalar_bits bfloat16_bits(double value)
{
    return scalar_small_bits(value, 7, 8);
}
