/* The operations of expressions: notation and evaluation. */
#ifndef CUTUNE_BASE_OPERATION_H
#define CUTUNE_BASE_OPERATION_H

#include "base/value.h"

enum operation {
    OP_CONSTANT, /* OP_CONSTANT and OP_NAME have no operands */
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

/* True if every result of the operation is 0 or 1. */
static inline bool operation_gives_truth(unsigned operation)
{
    return operation_compares(operation) || operation == OP_NOT || operation == OP_IS_POW2 || operation == OP_IN ||
           operation == OP_AND || operation == OP_OR;
}

/* Treatment of results that do not exist or exceed 64-bit integers. */
enum overflow {
    OVERFLOW_FAULTS,   /* the result is a fault */
    OVERFLOW_SATURATES /* as in db/sizes/choose_fit.h; only for operations on integers other than log2 */
};

/* Computes a result. Ignores operands that the operation does not take. Returns NULL, or the reason why there is no
 * value; *result is a fault then. For && || ?: an operand that does not affect the result may be a fault. */
const char *operation_apply(enum operation operation, enum overflow overflow, const struct value *a,
                            const struct value *b, const struct value *c, struct value *result);

/* True if the operation on integers gives an integer. */
static inline bool operation_keeps_integers(unsigned operation)
{
    return operation > OP_LOG2 && operation < OP_CHOOSE;
}

/* Same as operation_apply for integers, if operation_keeps_integers. */
const char *operation_apply_integers(enum operation operation, enum overflow overflow, int64_t a, int64_t b,
                                     int64_t *result);

/* Formats an operation with its one or two operands: "16 % 0" or "log2(-1)". */
void operation_text(enum operation operation, const struct value *a, const struct value *b, char *buffer, size_t room);

#endif
