#include "base/operation.h"

#include <math.h>
#include <stdio.h>

const struct operation_row operation_rows[OP_COUNT] = {
#define OPERATION(name, operands, text, notation, precedence, takes, c)                                                \
    [OP_##name] = {text, c, operands, precedence, NOTATION_##notation, TAKES_##takes},
#include "base/operations.def"
#undef OPERATION
};

static const char fault_zero[] = "division by zero";
static const char fault_overflow[] = "overflow of a 64-bit integer";
static const char fault_finite[] = "the result is not a finite number";
static const char fault_shift[] = "a shift must be by 0 to 63 bits";
static const char fault_logarithm[] = "only positive numbers have a logarithm";
static const char fault_word[] = "a word can only be compared, with == or !=";
static const char fault_integers[] = "the operator takes integers only";
static const char fault_truth[] = "a word is neither true nor false";
static const char fault_operand[] = "an operand has no value";

void operation_text(enum operation operation, const struct value *a, const struct value *b, char *buffer, size_t room)
{
    char left[VALUE_TEXT_BYTES], right[VALUE_TEXT_BYTES];
    const struct operation_row *row = &operation_rows[operation];
    value_text(a, left, sizeof left);
    value_text(b, right, sizeof right);
    if (row->operands == 1)
        snprintf(buffer, room, row->notation != NOTATION_SIGN || left[0] == '-' ? "%s(%s)" : "%s%s", row->text, left);
    else if (row->notation != NOTATION_SIGN)
        snprintf(buffer, room, "%s(%s, %s)", row->text, left, right);
    else
        snprintf(buffer, room, "%s %s %s", left, row->text, right);
}

static const char *put_integer(struct value *result, int64_t integer)
{
    *result = value_integer(integer);
    return NULL;
}

static const char *put_real(struct value *result, double real)
{
    *result = (struct value){.kind = VALUE_FLOAT, .real = real};
    return isfinite(real) ? NULL : fault_finite;
}

/* ---- Integers ---- */

/* Truncates towards zero, as in C. Divides 32-bit operands in 32 bits, which is several times faster. */
static const char *divide(enum operation operation, int64_t a, int64_t b, int64_t *result)
{
    if (b == 0)
        return fault_zero;
    if (b == -1) { /* INT64_MIN / -1 is the only overflow */
        *result = 0;
        return operation != OP_REMAINDER && __builtin_sub_overflow((int64_t)0, a, result) ? fault_overflow : NULL;
    }
    const bool is_short = (((uint64_t)a | (uint64_t)b) >> 32) == 0;
    const int64_t quotient = is_short ? (uint32_t)a / (uint32_t)b : a / b, rest = a - quotient * b;
    *result =
        operation == OP_REMAINDER ? rest : quotient + (operation == OP_CEILDIV && rest != 0 && (a < 0) == (b < 0));
    return NULL;
}

/* gcd and lcm are never negative; lcm with 0 is 0. */
static const char *common(enum operation operation, int64_t a, int64_t b, int64_t *result)
{
    uint64_t left = a < 0 ? -(uint64_t)a : (uint64_t)a, right = b < 0 ? -(uint64_t)b : (uint64_t)b;
    uint64_t divisor = left, rest = right, number;
    while (rest) {
        uint64_t next = divisor % rest;
        divisor = rest;
        rest = next;
    }
    number = divisor;
    if (operation == OP_LCM && divisor && __builtin_mul_overflow(left / divisor, right, &number))
        return fault_overflow;
    *result = (int64_t)number;
    return number > INT64_MAX ? fault_overflow : NULL;
}

static const char *shift(enum operation operation, int64_t a, int64_t b, int64_t *result)
{
    if (b < 0 || b > 63)
        return fault_shift;
    *result = operation == OP_SHIFT_LEFT ? (int64_t)((uint64_t)a << b) : a >> b;
    return operation == OP_SHIFT_LEFT && *result >> b != a ? fault_overflow : NULL;
}

static const char *apply_integers(enum operation operation, int64_t a, int64_t b, int64_t *result)
{
    switch (operation) {
    case OP_NOT:
        *result = !a;
        return NULL;
    case OP_COMPLEMENT:
        *result = ~a;
        return NULL;
    case OP_ABS:
        *result = a;
        return a < 0 && __builtin_sub_overflow((int64_t)0, a, result) ? fault_overflow : NULL;
    case OP_NEGATE:
        return __builtin_sub_overflow((int64_t)0, a, result) ? fault_overflow : NULL;
    case OP_IS_POW2:
        *result = a > 0 && (a & (a - 1)) == 0;
        return NULL;
    case OP_ADD:
        return __builtin_add_overflow(a, b, result) ? fault_overflow : NULL;
    case OP_SUBTRACT:
        return __builtin_sub_overflow(a, b, result) ? fault_overflow : NULL;
    case OP_MULTIPLY:
        return __builtin_mul_overflow(a, b, result) ? fault_overflow : NULL;
    case OP_DIVIDE:
    case OP_REMAINDER:
    case OP_CEILDIV:
        return divide(operation, a, b, result);
    case OP_GCD:
    case OP_LCM:
        return common(operation, a, b, result);
    case OP_SHIFT_LEFT:
    case OP_SHIFT_RIGHT:
        return shift(operation, a, b, result);
    case OP_BIT_AND:
        *result = a & b;
        return NULL;
    case OP_BIT_OR:
        *result = a | b;
        return NULL;
    case OP_BIT_XOR:
        *result = a ^ b;
        return NULL;
    case OP_EQUAL:
        *result = a == b;
        return NULL;
    case OP_NOT_EQUAL:
        *result = a != b;
        return NULL;
    case OP_LESS:
        *result = a < b;
        return NULL;
    case OP_LESS_EQUAL:
        *result = a <= b;
        return NULL;
    case OP_GREATER:
        *result = a > b;
        return NULL;
    case OP_GREATER_EQUAL:
        *result = a >= b;
        return NULL;
    case OP_AND:
        *result = a && b;
        return NULL;
    case OP_OR:
        *result = a || b;
        return NULL;
    case OP_MIN:
        *result = a < b ? a : b;
        return NULL;
    default: /* OP_MAX */
        *result = a > b ? a : b;
        return NULL;
    }
}

/* Returns the saturated result: INT64_MIN or INT64_MAX by the sign of the exact result. A quotient by zero saturates by
 * the sign of the dividend; a remainder by zero is 0; a shift by a negative number of bits has no effect. */
static int64_t saturated(enum operation operation, int64_t a, int64_t b)
{
    bool negative = false;
    switch (operation) {
    case OP_REMAINDER:
        return 0;
    case OP_SHIFT_RIGHT:
        return b < 0 ? a : a < 0 ? -1 : 0;
    case OP_SHIFT_LEFT:
        if (b < 0 || a == 0)
            return a;
        negative = a < 0;
        break;
    case OP_ADD:
        negative = b < 0;
        break;
    case OP_SUBTRACT:
        negative = b > 0;
        break;
    case OP_MULTIPLY:
        negative = (a < 0) != (b < 0);
        break;
    case OP_DIVIDE:
    case OP_CEILDIV:
        negative = b == 0 && a < 0;
        break;
    default: /* -INT64_MIN, and operations without negative results */
        break;
    }
    return negative ? INT64_MIN : INT64_MAX;
}

const char *operation_apply_integers(enum operation operation, enum overflow overflow, int64_t a, int64_t b,
                                     int64_t *result)
{
    const char *fault = apply_integers(operation, a, b, result);
    if (!fault || overflow == OVERFLOW_FAULTS)
        return fault;
    *result = saturated(operation, a, b);
    return NULL;
}

/* ---- All kinds ---- */

static const char *apply_reals(enum operation operation, double a, double b, struct value *result)
{
    switch (operation) {
    case OP_NOT:
        return put_integer(result, a == 0);
    case OP_ABS:
        return put_real(result, fabs(a));
    case OP_NEGATE:
        return put_real(result, -a);
    case OP_LOG2:
        return a > 0 ? put_real(result, log2(a)) : fault_logarithm;
    case OP_ADD:
        return put_real(result, a + b);
    case OP_SUBTRACT:
        return put_real(result, a - b);
    case OP_MULTIPLY:
        return put_real(result, a * b);
    case OP_DIVIDE:
        return b == 0 ? fault_zero : put_real(result, a / b);
    case OP_CEILDIV:
        return b == 0 ? fault_zero : put_real(result, ceil(a / b));
    case OP_MIN:
        return put_real(result, a < b ? a : b);
    default: /* OP_MAX */
        return put_real(result, a > b ? a : b);
    }
}

/* Applies log2, or an operation with an operand that is not an integer. */
static const char *apply_values(enum operation operation, const struct value *a, const struct value *b,
                                struct value *result)
{
    const bool two = operation >= OP_BINARY_FIRST;
    if (a->kind == VALUE_FAULT || (two && b->kind == VALUE_FAULT))
        return fault_operand;
    if (operation == OP_IN)
        return put_integer(result, value_set_has(b->set, a));
    if (operation == OP_EQUAL || operation == OP_NOT_EQUAL)
        return put_integer(result, value_equal(a, b) == (operation == OP_EQUAL));
    if (a->kind == VALUE_WORD || (two && b->kind == VALUE_WORD))
        return fault_word;
    if (operation_compares(operation)) {
        int64_t holds;
        apply_integers(operation, value_compare_numbers(a, b), 0, &holds);
        return put_integer(result, holds);
    }
    if (operation_rows[operation].takes == TAKES_INTEGERS)
        return fault_integers;
    if (operation == OP_LOG2 && a->kind == VALUE_INT && a->integer > 0 && (a->integer & (a->integer - 1)) == 0)
        return put_integer(result, __builtin_ctzll((unsigned long long)a->integer));
    return apply_reals(operation, value_real(a), two ? value_real(b) : 0, result);
}

/* && || ?: */
static const char *apply_condition(enum operation operation, const struct value *a, const struct value *b,
                                   const struct value *c, struct value *result)
{
    const struct value *decisive = a;
    if (!value_is_number(a))
        return a->kind == VALUE_FAULT ? fault_operand : fault_truth;
    if (operation == OP_CHOOSE) {
        *result = value_truth(a) ? *b : *c;
        return result->kind == VALUE_FAULT ? fault_operand : NULL;
    }
    if (value_truth(a) == (operation == OP_AND))
        decisive = b;
    if (!value_is_number(decisive))
        return decisive->kind == VALUE_FAULT ? fault_operand : fault_truth;
    return put_integer(result, value_truth(decisive));
}

const char *operation_apply(enum operation operation, enum overflow overflow, const struct value *a,
                            const struct value *b, const struct value *c, struct value *result)
{
    struct value value = value_fault();
    const char *fault = NULL;
    if (operation >= OP_AND) {
        fault = apply_condition(operation, a, b, c, &value);
    } else if (operation_keeps_integers(operation) && a->kind == VALUE_INT &&
               (operation < OP_BINARY_FIRST || b->kind == VALUE_INT)) {
        value.kind = VALUE_INT;
        fault = operation_apply_integers(operation, overflow, a->integer, operation < OP_BINARY_FIRST ? 0 : b->integer,
                                         &value.integer);
    } else {
        fault = apply_values(operation, a, b, &value);
    }
    *result = fault ? value_fault() : value;
    return fault;
}
