#include "space/bound.h"

#include <stdlib.h>

static const struct bound anything = {INT64_MIN, INT64_MAX, false};

struct bound bound_of_values(const struct value *values, size_t count)
{
    struct bound bound = {INT64_MAX, INT64_MIN, true};
    for (size_t v = 0; v < count; v++) {
        if (values[v].kind != VALUE_INT)
            return anything;
        bound.low = values[v].integer < bound.low ? values[v].integer : bound.low;
        bound.high = values[v].integer > bound.high ? values[v].integer : bound.high;
    }
    return bound;
}

/* Computes the bound from the results at the four corners; unknown if one overflows. */
static struct bound bound_of_corners(uint16_t operation, struct bound a, struct bound b)
{
    const int64_t x[] = {a.low, a.low, a.high, a.high}, y[] = {b.low, b.high, b.low, b.high};
    struct bound bound = {INT64_MAX, INT64_MIN, true};
    for (int i = 0; i < 4; i++) {
        int64_t result = 0;
        bool overflow = operation == OP_ADD        ? __builtin_add_overflow(x[i], y[i], &result)
                        : operation == OP_SUBTRACT ? __builtin_sub_overflow(x[i], y[i], &result)
                                                   : __builtin_mul_overflow(x[i], y[i], &result);
        if (overflow)
            return anything;
        bound.low = result < bound.low ? result : bound.low;
        bound.high = result > bound.high ? result : bound.high;
    }
    return bound;
}

/* Bound of a quotient or remainder of a non-negative by a positive number. */
static struct bound bound_of_division(uint16_t operation, struct bound a, struct bound b)
{
    if (a.low < 0 || b.low < 1)
        return anything;
    if (operation == OP_REMAINDER)
        return (struct bound){0, a.high < b.high - 1 ? a.high : b.high - 1, true};
    bool up = operation == OP_CEILDIV;
    return (struct bound){a.low / b.high + (up && a.low % b.high != 0), a.high / b.low + (up && a.high % b.low != 0),
                          true};
}

static struct bound bound_of_truth(bool always, bool never)
{
    return (struct bound){always, !never, true};
}

static struct bound bound_of_comparison(uint16_t operation, struct bound a, struct bound b)
{
    bool apart = a.high < b.low || b.high < a.low;
    bool same = a.low == a.high && b.low == b.high && a.low == b.low;
    switch (operation) {
    case OP_EQUAL:
        return bound_of_truth(same, apart);
    case OP_NOT_EQUAL:
        return bound_of_truth(apart, same);
    case OP_LESS:
        return bound_of_truth(a.high < b.low, a.low >= b.high);
    case OP_LESS_EQUAL:
        return bound_of_truth(a.high <= b.low, a.low > b.high);
    case OP_GREATER:
        return bound_of_truth(a.low > b.high, a.high <= b.low);
    default: /* OP_GREATER_EQUAL */
        return bound_of_truth(a.low >= b.high, a.high < b.low);
    }
}

bool bound_surely(struct bound bound, bool truth)
{
    return bound.known && (truth ? bound.low > 0 || bound.high < 0 : bound.low == 0 && bound.high == 0);
}

/* Bound of && and ||. The right side counts only if the left one surely has a value, whose fault would be the fault of
 * the whole. */
static struct bound bound_of_junction(uint16_t operation, struct bound a, struct bound b)
{
    bool decisive = operation == TERM_OR; /* truth value of one side that decides */
    const struct bound decided = {decisive, decisive, true}, against = {!decisive, !decisive, true};
    if (bound_surely(a, decisive))
        return decided;
    if (!a.known || !b.known)
        return anything;
    if (bound_surely(b, decisive))
        return decided;
    return bound_surely(a, !decisive) && bound_surely(b, !decisive) ? against : (struct bound){0, 1, true};
}

struct bound bound_of_term(const struct term *term, struct bound a, struct bound b, struct bound c)
{
    switch (term->operation) {
    case TERM_AND:
    case TERM_OR:
        return bound_of_junction(term->operation, a, b);
    case TERM_CHOOSE:
        if (bound_surely(a, true) || bound_surely(a, false))
            return bound_surely(a, true) ? b : c;
        if (!a.known || !b.known || !c.known)
            return anything;
        return (struct bound){b.low < c.low ? b.low : c.low, b.high > c.high ? b.high : c.high, true};
    default:
        break;
    }
    if (!a.known || (term->operation >= OP_BINARY_FIRST && !b.known))
        return anything;
    switch (term->operation) {
    case OP_ADD:
    case OP_SUBTRACT:
    case OP_MULTIPLY:
        return bound_of_corners(term->operation, a, b);
    case OP_DIVIDE:
    case OP_REMAINDER:
    case OP_CEILDIV:
        return bound_of_division(term->operation, a, b);
    case OP_MIN:
        return (struct bound){a.low < b.low ? a.low : b.low, a.high < b.high ? a.high : b.high, true};
    case OP_MAX:
        return (struct bound){a.low > b.low ? a.low : b.low, a.high > b.high ? a.high : b.high, true};
    case OP_NOT:
        return bound_of_truth(bound_surely(a, false), bound_surely(a, true));
    default:
        if (operation_compares(term->operation))
            return bound_of_comparison(term->operation, a, b);
        return anything;
    }
}

int bound_of_expr(const struct space *space, const struct expr *expr, struct bound *result, struct error *error)
{
    struct terms terms = {0};
    uint32_t last;
    int code = terms_add(&terms, space, expr, &last, error);
    struct bound *bounds = code ? NULL : calloc(terms.count, sizeof *bounds);
    if (!code && !bounds)
        code = error_memory(error);
    for (size_t i = 0; i < terms.count && !code; i++) {
        const struct term *term = &terms.terms[i];
        const struct parameter *parameter = &space->parameters[term->parameter];
        bounds[i] = term->operation == TERM_CONSTANT ? bound_of_values(&term->constant, 1)
                    : term->operation == TERM_PARAMETER
                        ? bound_of_values(parameter->values, parameter->value_count)
                        : bound_of_term(term, bounds[term->a], bounds[term->b], bounds[term->c]);
    }
    if (!code)
        *result = bounds[last];
    free(bounds);
    terms_free(&terms);
    return code;
}
