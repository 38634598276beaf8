/* IEEE 754 binary64. */
#include "space/scalar.h"

SCALAR_FUNCTION double double_value(scalar_bits bits)
{
    return scalar_from_bits(bits);
}

SCALAR_FUNCTION scalar_bits double_bits(double value)
{
    return scalar_to_bits(value);
}
