#include "base/bound.h"

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t greatest(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static struct bound between(int64_t low, int64_t high)
{
    return (struct bound){low, high, true};
}

/* Returns the bound of all integers; unknown if the value may be a fault. */
static struct bound anything(enum overflow overflow)
{
    return (struct bound){INT64_MIN, INT64_MAX, overflow == OVERFLOW_SATURATES};
}

struct bound bound_of_values(const struct value *values, size_t count)
{
    struct bound bound = {INT64_MAX, INT64_MIN, true};
    for (size_t v = 0; v < count; v++) {
        if (values[v].kind != VALUE_INT)
            return anything(OVERFLOW_FAULTS);
        bound.low = least(values[v].integer, bound.low);
        bound.high = greatest(values[v].integer, bound.high);
    }
    return bound;
}

bool bound_surely(struct bound bound, bool truth)
{
    return bound.known && (truth ? bound.low > 0 || bound.high < 0 : bound.low == 0 && bound.high == 0);
}

/* Returns the bound of an operation that is monotone in each operand: the extremes lie at the four corners. */
static struct bound at_corners(enum operation operation, struct bound a, struct bound b, enum overflow overflow)
{
    const int64_t x[] = {a.low, a.high}, y[] = {b.low, b.high};
    struct bound bound = {INT64_MAX, INT64_MIN, true};
    for (int i = 0; i < 4; i++) {
        int64_t result = 0;
        if (operation_apply_integers(operation, overflow, x[i / 2], y[i % 2], &result))
            return anything(overflow);
        bound.low = least(result, bound.low);
        bound.high = greatest(result, bound.high);
    }
    return bound;
}

static struct bound of_equality(bool equal, struct bound a, struct bound b)
{
    bool apart = a.high < b.low || b.high < a.low;
    bool same = a.low == a.high && b.low == b.high && a.low == b.low;
    return equal ? between(same, !apart) : between(apart, !same);
}

static struct bound of_remainder(struct bound a, struct bound b, enum overflow overflow)
{
    if (b.low < 1)
        return anything(overflow);
    const int64_t most = b.high - 1;
    if (a.low >= 0 && a.high < b.low)
        return a;
    return between(a.low >= 0 ? 0 : greatest(a.low, -most), a.high <= 0 ? 0 : least(a.high, most));
}

/* Sets all bits below the highest set bit of a non-negative number. */
static int64_t fill(int64_t number)
{
    for (int shift = 1; shift < 64; shift *= 2)
        number |= number >> shift;
    return number;
}

static struct bound of_bits(enum operation operation, struct bound a, struct bound b)
{
    bool natural = a.low >= 0 && b.low >= 0;
    if (operation == OP_BIT_AND && (a.low >= 0 || b.low >= 0))
        return between(0, natural ? least(a.high, b.high) : a.low >= 0 ? a.high : b.high);
    if (natural)
        return between(operation == OP_BIT_OR ? greatest(a.low, b.low) : 0, fill(a.high | b.high));
    return between(INT64_MIN, INT64_MAX);
}

/* Returns the largest absolute value; saturates. */
static int64_t magnitude(struct bound of)
{
    return of.low == INT64_MIN ? INT64_MAX : greatest(-of.low, of.high);
}

static bool has_zero(struct bound of)
{
    return of.low <= 0 && of.high >= 0;
}

static struct bound of_divisor(enum operation operation, struct bound a, struct bound b, enum overflow overflow)
{
    const bool zero = operation == OP_GCD ? has_zero(a) && has_zero(b) : has_zero(a) || has_zero(b);
    int64_t most = has_zero(a) && has_zero(b) ? greatest(magnitude(a), magnitude(b)) /* gcd(x, 0) is |x| */
                   : has_zero(a)              ? magnitude(b)
                   : has_zero(b)              ? magnitude(a)
                                              : least(magnitude(a), magnitude(b));
    bool faults = a.low == INT64_MIN || b.low == INT64_MIN;
    if (operation == OP_LCM)
        faults |= __builtin_mul_overflow(magnitude(a), magnitude(b), &most);
    if (faults && overflow == OVERFLOW_FAULTS)
        return anything(overflow);
    return between(!zero, faults ? INT64_MAX : most);
}

/* Bounds && and ||. A decisive left operand ignores the right one, even a fault; otherwise a fault of either operand is
 * a fault of the result. */
static struct bound of_junction(enum operation operation, struct bound a, struct bound b, enum overflow overflow)
{
    const bool decisive = operation == OP_OR;
    if (bound_surely(a, decisive))
        return between(decisive, decisive);
    if (!a.known || !b.known)
        return anything(overflow);
    if (bound_surely(b, decisive))
        return between(decisive, decisive);
    if (bound_surely(a, !decisive) && bound_surely(b, !decisive))
        return between(!decisive, !decisive);
    return between(0, 1);
}

/* Tightens the bound of one side of a choice: if the condition compares that operand with a constant, it lies on the
 * matching side of the constant. */
static struct bound of_side(const struct expression_node *nodes, uint32_t condition, uint32_t side, bool truth,
                            struct bound of)
{
    const struct expression_node *compared = &nodes[condition];
    const enum operation operation = compared->operation;
    if (operation < OP_LESS || operation > OP_GREATER_EQUAL || compared->operands[0] != side)
        return of;
    const struct expression_node *constant = &nodes[compared->operands[1]];
    if (constant->operation != OP_CONSTANT || constant->constant.kind != VALUE_INT)
        return of;
    const bool below = (operation == OP_LESS_EQUAL || operation == OP_LESS) == truth;
    const bool equal = (operation == OP_LESS_EQUAL || operation == OP_GREATER_EQUAL) == truth;
    const int64_t bound = constant->constant.integer;
    if (below)
        of.high = least(of.high, bound - (!equal && bound > INT64_MIN));
    else
        of.low = greatest(of.low, bound + (!equal && bound < INT64_MAX));
    return of;
}

static struct bound of_choice(const struct expression_node *nodes, const struct expression_node *node,
                              const struct bound operands[3], enum overflow overflow)
{
    if (bound_surely(operands[0], true) || bound_surely(operands[0], false))
        return bound_surely(operands[0], true) ? operands[1] : operands[2];
    const struct bound b = of_side(nodes, node->operands[0], node->operands[1], true, operands[1]);
    const struct bound c = of_side(nodes, node->operands[0], node->operands[2], false, operands[2]);
    if (!operands[0].known || !b.known || !c.known)
        return anything(overflow);
    return between(least(b.low, c.low), greatest(b.high, c.high));
}

static struct bound of_absolute(struct bound a, enum overflow overflow)
{
    if (a.low == INT64_MIN && overflow == OVERFLOW_FAULTS)
        return anything(overflow);
    return between(has_zero(a) ? 0 : a.low > 0 ? a.low : a.high == INT64_MIN ? INT64_MAX : -a.high, magnitude(a));
}

struct bound bound_of_node(const struct expression_node *nodes, const struct expression_node *node,
                           const struct bound operands[3], enum overflow overflow)
{
    const enum operation operation = node->operation;
    const struct bound a = operands[0], b = operands[operation >= OP_BINARY_FIRST];
    if (operation == OP_CHOOSE)
        return of_choice(nodes, node, operands, overflow);
    if (operation == OP_AND || operation == OP_OR)
        return of_junction(operation, a, b, overflow);
    if (operation == OP_IN)
        return a.known ? between(0, 1) : anything(overflow);
    if (!a.known || !b.known)
        return anything(overflow);
    switch (operation) {
    case OP_NOT:
        return between(bound_surely(a, false), !bound_surely(a, true));
    case OP_IS_POW2:
        return between(0, a.high > 0);
    case OP_LOG2:
        return anything(overflow);
    case OP_ABS:
        return of_absolute(a, overflow);
    case OP_EQUAL:
    case OP_NOT_EQUAL:
        return of_equality(operation == OP_EQUAL, a, b);
    case OP_LESS:
        return between(a.high < b.low, a.low < b.high);
    case OP_LESS_EQUAL:
        return between(a.high <= b.low, a.low <= b.high);
    case OP_GREATER:
        return between(a.low > b.high, a.high > b.low);
    case OP_GREATER_EQUAL:
        return between(a.low >= b.high, a.high >= b.low);
    case OP_MIN:
        return between(least(a.low, b.low), least(a.high, b.high));
    case OP_MAX:
        return between(greatest(a.low, b.low), greatest(a.high, b.high));
    case OP_DIVIDE:
    case OP_CEILDIV:
        return b.low >= 1 ? at_corners(operation, a, b, overflow) : anything(overflow);
    case OP_SHIFT_LEFT:
    case OP_SHIFT_RIGHT:
        return bound_within(b, 0, 63) ? at_corners(operation, a, b, overflow) : anything(overflow);
    case OP_REMAINDER:
        return of_remainder(a, b, overflow);
    case OP_BIT_AND:
    case OP_BIT_OR:
    case OP_BIT_XOR:
        return of_bits(operation, a, b);
    case OP_GCD:
    case OP_LCM:
        return of_divisor(operation, a, b, overflow);
    default: /* sums, differences, products and negation */
        return at_corners(operation, a, b, overflow);
    }
}
