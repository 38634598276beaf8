#include "set/columns.h"

#define EACH(expression)                                                                                               \
    do {                                                                                                               \
        for (size_t v = 0; v < count; v++) {                                                                           \
            int64_t x = a.values[v * a.stride].integer, y = b.values[v * b.stride].integer;                            \
            column[v] = (struct value){.kind = VALUE_INT, .integer = (expression)};                                    \
        }                                                                                                              \
        return true;                                                                                                   \
    } while (0)
#define EACH_CHECKED(builtin)                                                                                          \
    do {                                                                                                               \
        bool overflow = false;                                                                                         \
        for (size_t v = 0; v < count; v++) {                                                                           \
            int64_t result;                                                                                            \
            overflow |= builtin(a.values[v * a.stride].integer, b.values[v * b.stride].integer, &result);              \
            column[v] = (struct value){.kind = VALUE_INT, .integer = result};                                          \
        }                                                                                                              \
        return !overflow;                                                                                              \
    } while (0)

/* Divides non-negative by positive numbers, in 32 bits if both fit, which is several times faster. */
static bool divide_columns(enum operation operation, struct operand a, struct operand b, size_t count,
                           struct value *column)
{
    for (size_t v = 0; v < count; v++) {
        uint64_t x = (uint64_t)a.values[v * a.stride].integer, y = (uint64_t)b.values[v * b.stride].integer;
        if (x > UINT32_MAX || y - 1 > UINT32_MAX - 1)
            return false;
        uint32_t quotient = (uint32_t)x / (uint32_t)y, rest = (uint32_t)x % (uint32_t)y;
        column[v] = (struct value){.kind = VALUE_INT,
                                   .integer = operation == OP_REMAINDER ? rest
                                              : operation == OP_DIVIDE  ? quotient
                                                                        : (int64_t)quotient + (rest != 0)};
    }
    return true;
}

/* Computes the frequent operations on integers; false: use the general path. */
static bool integer_columns(enum operation operation, struct operand a, struct operand b, size_t count,
                            struct value *column)
{
    switch (operation) {
    case OP_ADD:
        EACH_CHECKED(__builtin_add_overflow);
    case OP_SUBTRACT:
        EACH_CHECKED(__builtin_sub_overflow);
    case OP_MULTIPLY:
        EACH_CHECKED(__builtin_mul_overflow);
    case OP_DIVIDE:
    case OP_REMAINDER:
    case OP_CEILDIV:
        return divide_columns(operation, a, b, count, column);
    case OP_EQUAL:
        EACH(x == y);
    case OP_NOT_EQUAL:
        EACH(x != y);
    case OP_LESS:
        EACH(x < y);
    case OP_LESS_EQUAL:
        EACH(x <= y);
    case OP_GREATER:
        EACH(x > y);
    case OP_GREATER_EQUAL:
        EACH(x >= y);
    case OP_MIN:
        EACH(x < y ? x : y);
    case OP_MAX:
        EACH(x > y ? x : y);
    case OP_AND:
        EACH(x != 0 && y != 0);
    case OP_OR:
        EACH(x != 0 || y != 0);
    default:
        return false;
    }
}

bool columns_fill(enum operation operation, struct operand a, struct operand b, struct operand c, size_t count,
                  struct value *column)
{
    bool integers = true;
    if (operation_rows[operation].operands == 2 && a.integers && b.integers &&
        integer_columns(operation, a, b, count, column))
        return true;
    for (size_t v = 0; v < count; v++) {
        operation_apply(operation, OVERFLOW_FAULTS, &a.values[v * a.stride], &b.values[v * b.stride],
                        &c.values[v * c.stride], &column[v]);
        integers &= column[v].kind == VALUE_INT;
    }
    return integers;
}
