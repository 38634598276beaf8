/* The operations of expressions: their notation and what they do with values. */
#ifndef CUTUNE_BASE_OPERATION_H
#define CUTUNE_BASE_OPERATION_H

#include "base/value.h"

enum operation {
    OP_CONSTANT, /* these two have no operands */
    OP_NAME,
#define OPERATION(name, operands, text, notation, precedence, takes, c) OP_##name,
#include "base/operations.def"
#undef OPERATION
    OP_COUNT,
    OP_BINARY_FIRST = OP_IN
};

struct operation_row {
    const char *text, *c;
    uint8_t operands, precedence;
    enum operation_notation { NOTATION_SIGN, NOTATION_CALL, NOTATION_FOLD } notation;
    enum operation_takes { TAKES_ANY, TAKES_NUMBERS, TAKES_INTEGERS } takes;
};
extern const struct operation_row operation_rows[OP_COUNT];

/* == != < <= > >= */
static inline bool operation_compares(unsigned operation)
{
    return operation >= OP_EQUAL && operation <= OP_GREATER_EQUAL;
}

/* Is every value of the operation 0 or 1? */
static inline bool operation_gives_truth(unsigned operation)
{
    return operation_compares(operation) || operation == OP_NOT || operation == OP_IS_POW2 || operation == OP_IN ||
           operation == OP_AND || operation == OP_OR;
}

/* What happens where a result does not exist or is no integer of 64 bits. */
enum overflow {
    OVERFLOW_FAULTS,   /* there is no value */
    OVERFLOW_SATURATES /* of integers, it is as db/sizes/choose_fit.h has it; log2 and floats are not meant for this */
};

/* Computes a result; operands that the operation does not take are ignored. NULL, or why there is no value: *result is
 * a fault then. && || ?: need no operand that they do not use, which may be a fault. */
const char *operation_apply(enum operation operation, enum overflow overflow, const struct value *a,
                            const struct value *b, const struct value *c, struct value *result);

/* Has the operation integers as results of integers? */
static inline bool operation_keeps_integers(unsigned operation)
{
    return operation > OP_LOG2 && operation < OP_CHOOSE;
}

/* The same of integers, for such operations. */
const char *operation_apply_integers(enum operation operation, enum overflow overflow, int64_t a, int64_t b,
                                     int64_t *result);

/* Writes an operation of one or two operands with them: "16 % 0" or "log2(-1)". */
void operation_text(enum operation operation, const struct value *a, const struct value *b, char *buffer, size_t room);

#endif
