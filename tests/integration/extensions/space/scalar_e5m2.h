/* Eight bits: two of mantissa. */
#include "space/scalar.h"

SCALAR_FUNCTION double e5m2_value(scalar_bits bits)
{
    return scalar_small_value(bits, 2, 5);
}

SCALAR_FUNCTION scalar_bits e5m2_bits(double value)
{
    return scalar_small_bits(value, 2, 5);
}
