/* IEEE 754 binary16. */
#include "space/scalar.h"

SCALAR_FUNCTION double half_value(scalar_bits bits)
{
    return scalar_small_value(bits, 10, 5);
}

SCALAR_FUNCTION scalar_bits half_bits(double value)
{
    return scalar_small_bits(value, 10, 5);
}
