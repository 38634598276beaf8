/* The operators and functions of expressions, applied to values. */
#include <math.h>
#include <stdio.h>

#include "space/expr.h"
#include "space/list.h"

/* Notation and operands of each operator. */
static const struct {
    const char *text;
    bool function, integers;
} operations[OP_COUNT] = {
    [OP_NOT] = {"!", false, false},          [OP_COMPLEMENT] = {"~", false, true},
    [OP_NEGATE] = {"-", false, false},       [OP_ABS] = {"abs", true, false},
    [OP_LOG2] = {"log2", true, false},       [OP_IS_POW2] = {"is_pow2", true, true},
    [OP_ADD] = {"+", false, false},          [OP_SUBTRACT] = {"-", false, false},
    [OP_MULTIPLY] = {"*", false, false},     [OP_DIVIDE] = {"/", false, false},
    [OP_REMAINDER] = {"%", false, true},     [OP_SHIFT_LEFT] = {"<<", false, true},
    [OP_SHIFT_RIGHT] = {">>", false, true},  [OP_BIT_AND] = {"&", false, true},
    [OP_BIT_OR] = {"|", false, true},        [OP_BIT_XOR] = {"^", false, true},
    [OP_EQUAL] = {"==", false, false},       [OP_NOT_EQUAL] = {"!=", false, false},
    [OP_LESS] = {"<", false, false},         [OP_LESS_EQUAL] = {"<=", false, false},
    [OP_GREATER] = {">", false, false},      [OP_GREATER_EQUAL] = {">=", false, false},
    [OP_MIN] = {"min", true, false},         [OP_MAX] = {"max", true, false},
    [OP_CEILDIV] = {"ceildiv", true, false}, [OP_GCD] = {"gcd", true, true},
    [OP_LCM] = {"lcm", true, true},          [OP_IN] = {"in", false, false}, /* never faults */
};

static const char fault_zero[] = "division by zero";
static const char fault_overflow[] = "overflow of a 64-bit integer";
static const char fault_finite[] = "the result is not a finite number";
static const char fault_shift[] = "a shift must be by 0 to 63 bits";
static const char fault_logarithm[] = "only positive numbers have a logarithm";
static const char fault_word[] = "a word can only be compared, with == or !=";
static const char fault_integers[] = "the operator takes integers only";

void expr_operands_text(enum operation operation, const struct value *a, const struct value *b, char *buffer,
                        size_t room)
{
    char left[VALUE_TEXT_BYTES], right[VALUE_TEXT_BYTES];
    const char *text = operations[operation].text;
    value_text(a, left, sizeof left);
    value_text(b, right, sizeof right);
    if (operation < OP_BINARY_FIRST)
        snprintf(buffer, room, operations[operation].function || left[0] == '-' ? "%s(%s)" : "%s%s", text, left);
    else if (operations[operation].function)
        snprintf(buffer, room, "%s(%s, %s)", text, left, right);
    else
        snprintf(buffer, room, "%s %s %s", left, text, right);
}

static expr_fault put_integer(struct value *result, int64_t integer)
{
    *result = value_integer(integer);
    return NULL;
}

static expr_fault put_real(struct value *result, double real)
{
    *result = (struct value){.kind = VALUE_FLOAT, .real = real};
    return isfinite(real) ? NULL : fault_finite;
}

expr_fault expr_unary(enum operation operation, const struct value *a, struct value *result)
{
    int64_t integer;
    bool whole = a->kind == VALUE_INT;
    if (a->kind == VALUE_WORD)
        return fault_word;
    if (!whole && operations[operation].integers)
        return fault_integers;
    switch (operation) {
    case OP_NOT:
        return put_integer(result, !value_truth(a));
    case OP_TRUTH:
        return put_integer(result, value_truth(a));
    case OP_COMPLEMENT:
        return put_integer(result, ~a->integer);
    case OP_IS_POW2:
        return put_integer(result, a->integer > 0 && (a->integer & (a->integer - 1)) == 0);
    case OP_ABS:
        if (!whole)
            return put_real(result, fabs(a->real));
        if (a->integer >= 0)
            return put_integer(result, a->integer);
        /* fall through */
    case OP_NEGATE:
        if (!whole)
            return put_real(result, -a->real);
        return __builtin_sub_overflow((int64_t)0, a->integer, &integer) ? fault_overflow : put_integer(result, integer);
    default: /* OP_LOG2 */
        if (!(value_real(a) > 0))
            return fault_logarithm;
        if (whole && (a->integer & (a->integer - 1)) == 0)
            return put_integer(result, __builtin_ctzll((unsigned long long)a->integer));
        return put_real(result, log2(value_real(a)));
    }
}

/* Integer division truncates towards zero, as in C. */
static expr_fault divide(enum operation operation, int64_t a, int64_t b, struct value *result)
{
    if (b == 0)
        return fault_zero;
    if (b == -1) { /* INT64_MIN / -1, the only overflow */
        int64_t quotient;
        if (operation == OP_REMAINDER)
            return put_integer(result, 0);
        return __builtin_sub_overflow((int64_t)0, a, &quotient) ? fault_overflow : put_integer(result, quotient);
    }
    if (operation == OP_REMAINDER)
        return put_integer(result, a % b);
    return put_integer(result, a / b + (operation == OP_CEILDIV && a % b != 0 && (a < 0) == (b < 0)));
}

/* gcd and lcm are never negative; lcm with 0 is 0. */
static expr_fault common(enum operation operation, int64_t a, int64_t b, struct value *result)
{
    uint64_t left = a < 0 ? -(uint64_t)a : (uint64_t)a, right = b < 0 ? -(uint64_t)b : (uint64_t)b;
    uint64_t divisor = left, rest = right, number;
    while (rest) {
        uint64_t next = divisor % rest;
        divisor = rest;
        rest = next;
    }
    number = divisor;
    if (operation == OP_LCM && (!divisor || __builtin_mul_overflow(left / divisor, right, &number)))
        return divisor ? fault_overflow : put_integer(result, 0);
    return number > INT64_MAX ? fault_overflow : put_integer(result, (int64_t)number);
}

static expr_fault binary_integers(enum operation operation, int64_t a, int64_t b, struct value *result)
{
    int64_t integer;
    bool overflow = false;
    switch (operation) {
    case OP_ADD:
        overflow = __builtin_add_overflow(a, b, &integer);
        break;
    case OP_SUBTRACT:
        overflow = __builtin_sub_overflow(a, b, &integer);
        break;
    case OP_MULTIPLY:
        overflow = __builtin_mul_overflow(a, b, &integer);
        break;
    case OP_DIVIDE:
    case OP_REMAINDER:
    case OP_CEILDIV:
        return divide(operation, a, b, result);
    case OP_GCD:
    case OP_LCM:
        return common(operation, a, b, result);
    case OP_SHIFT_LEFT:
        if (b < 0 || b > 63)
            return fault_shift;
        integer = (int64_t)((uint64_t)a << b);
        overflow = integer >> b != a;
        break;
    case OP_SHIFT_RIGHT:
        if (b < 0 || b > 63)
            return fault_shift;
        integer = a >> b;
        break;
    case OP_BIT_AND:
        integer = a & b;
        break;
    case OP_BIT_OR:
        integer = a | b;
        break;
    case OP_BIT_XOR:
        integer = a ^ b;
        break;
    case OP_MIN:
        integer = a < b ? a : b;
        break;
    default: /* OP_MAX */
        integer = a > b ? a : b;
        break;
    }
    return overflow ? fault_overflow : put_integer(result, integer);
}

static expr_fault binary_reals(enum operation operation, double a, double b, struct value *result)
{
    switch (operation) {
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

expr_fault expr_binary(enum operation operation, const struct value *a, const struct value *b, struct value *result)
{
    bool words = a->kind == VALUE_WORD || b->kind == VALUE_WORD;
    if (operation == OP_IN)
        return put_integer(result, value_set_has(b->set, a));
    if (operation_compares(operation)) {
        if (operation == OP_EQUAL || operation == OP_NOT_EQUAL)
            return put_integer(result, value_equal(a, b) == (operation == OP_EQUAL));
        if (words)
            return fault_word;
        int order = value_compare_numbers(a, b);
        const bool holds[] = {order<0, order <= 0, order> 0, order >= 0};
        return put_integer(result, holds[operation - OP_LESS]);
    }
    if (words)
        return fault_word;
    if (a->kind == VALUE_INT && b->kind == VALUE_INT)
        return binary_integers(operation, a->integer, b->integer, result);
    if (operations[operation].integers)
        return fault_integers;
    return binary_reals(operation, value_real(a), value_real(b), result);
}
