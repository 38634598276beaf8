/* Evaluates one operation for all values of a parameter at once, which shares the cost of decoding the operation. */
#ifndef CUTUNE_SET_COLUMNS_H
#define CUTUNE_SET_COLUMNS_H

#include "base/operation.h"

/* An operand: a column, or one value for all rows. */
struct operand {
    const struct value *values;
    size_t stride; /* 1; 0: the same value for all rows */
    bool integers; /* integers only */
};

/* Fills `count` values of the column. Returns true if all are integers. Ignores operands that the operation does not
 * take. */
bool columns_fill(enum operation operation, struct operand a, struct operand b, struct operand c, size_t count,
                  struct value *column);

#endif
