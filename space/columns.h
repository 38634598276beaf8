/* One term for all values of a parameter at once: the cost of looking at the operation is shared. */
#ifndef CUTUNE_SPACE_COLUMNS_H
#define CUTUNE_SPACE_COLUMNS_H

#include "space/terms.h"

/* An operand: a column, or one value for all. */
struct operand {
    const struct value *values;
    size_t stride; /* 0: the same value for all, otherwise 1 */
    bool integers; /* nothing but integers */
};

/* Fills `count` values of the column. True when all of them are integers. Operands that the operation does not take are
 * ignored. */
bool columns_fill(const struct term *term, struct operand a, struct operand b, struct operand c, size_t count,
                  struct value *column);

#endif
