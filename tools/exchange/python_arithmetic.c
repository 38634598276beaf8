/* Arithmetic from Python to C. Where the two differ (division that rounds down, remainders of negative numbers, true
 * division), what is known of the values decides whether the plain operator will do, another expression has to, or
 * nothing can. */
#include <string.h>

#include "exchange/python_writer.h"

static const struct {
    const char *sign;
    int bind;
    bool integers;
} signs[] = {
    [PYTHON_BIT_OR] = {" | ", BIND_BIT_OR, true},      [PYTHON_BIT_XOR] = {" ^ ", BIND_BIT_XOR, true},
    [PYTHON_BIT_AND] = {" & ", BIND_BIT_AND, true},    [PYTHON_SHIFT_LEFT] = {" << ", BIND_SHIFT, true},
    [PYTHON_SHIFT_RIGHT] = {" >> ", BIND_SHIFT, true}, [PYTHON_ADD] = {" + ", BIND_SUM, false},
    [PYTHON_SUBTRACT] = {" - ", BIND_SUM, false},      [PYTHON_MULTIPLY] = {" * ", BIND_PRODUCT, false},
    [PYTHON_DIVIDE] = {" / ", BIND_PRODUCT, false},    [PYTHON_FLOOR_DIVIDE] = {" / ", BIND_PRODUCT, true},
    [PYTHON_REMAINDER] = {" % ", BIND_PRODUCT, true},
};

/* All operators of two operands are left-associative. */
int write_plain(struct writer *writer, const struct python_node *node, int need)
{
    int bind = signs[node->operation].bind;
    bool round = bind < need;
    open_if(writer, round);
    TRY(write_node(writer, node->children[0], bind, false));
    text_printf(writer->out, "%s", signs[node->operation].sign);
    TRY(write_node(writer, node->children[1], bind + 1, false));
    close_if(writer, round);
    return 0;
}

/* Two whole numbers whose quotient need not be one: as floats. */
static int write_quotient(struct writer *writer, const struct python_node *node, int need)
{
    struct python_node *a = node->children[0], *b = node->children[1];
    const struct python_fact *left = fact_of(writer->python, a), *right = fact_of(writer->python, b);
    bool round = need > BIND_PRODUCT;
    if (!fact_is_exact(left) || !fact_is_exact(right))
        return refuse(writer, node, "the division is of numbers that may be too large for a float");
    open_if(writer, round);
    text_printf(writer->out, "%s", left->may_be_int && right->may_be_int ? "1.0 * " : "");
    TRY(write_node(writer, a, left->may_be_int && right->may_be_int ? BIND_SIGN : BIND_PRODUCT, false));
    text_printf(writer->out, " / ");
    TRY(write_node(writer, b, BIND_SIGN, false));
    close_if(writer, round);
    return 0;
}

/* The remainder with the sign of the divisor: (a % b + b) % b. */
static int write_remainder(struct writer *writer, const struct python_node *node, int need)
{
    struct python_node *a = node->children[0], *b = node->children[1];
    bool round = need > BIND_PRODUCT;
    open_if(writer, round);
    text_printf(writer->out, "(");
    TRY(write_node(writer, a, BIND_PRODUCT, false));
    text_printf(writer->out, " %% ");
    TRY(write_node(writer, b, BIND_SIGN, false));
    text_printf(writer->out, " + ");
    TRY(write_node(writer, b, BIND_PRODUCT, false));
    text_printf(writer->out, ") %% ");
    TRY(write_node(writer, b, BIND_SIGN, false));
    close_if(writer, round);
    return 0;
}

/* The quotient rounded down: what is left without the remainder divides evenly. */
static int write_floor(struct writer *writer, const struct python_node *node, int need)
{
    bool round = need > BIND_PRODUCT;
    open_if(writer, round);
    text_printf(writer->out, "(");
    TRY(write_node(writer, node->children[0], BIND_SUM, false));
    text_printf(writer->out, " - ");
    TRY(write_remainder(writer, node, BIND_PRODUCT));
    text_printf(writer->out, ") / ");
    TRY(write_node(writer, node->children[1], BIND_SIGN, false));
    close_if(writer, round);
    return 0;
}

static int refuse_power(struct writer *writer, const struct python_node *node)
{
    int code = refuse(writer, node, "the power cannot be translated");
    error_hint(writer->python->error, "it can be an integer to a constant power of 0 to %d, or 2 to a power of 0 to 62",
               POWER_MAX);
    return code;
}

static int write_power(struct writer *writer, const struct python_node *node, int need)
{
    struct python_node *a = node->children[0], *b = node->children[1];
    const struct python_fact *base = fact_of(writer->python, a), *exponent = fact_of(writer->python, b);
    bool constant = exponent->known && exponent->low == exponent->high;
    if (!fact_is_integer(base) || !fact_is_natural(exponent) || base->whole || exponent->whole)
        return refuse_power(writer, node);
    if (base->known && base->low == base->high && base->low == 2 && exponent->high <= 62 && !constant) {
        open_if(writer, need > BIND_SHIFT);
        text_printf(writer->out, "1 << ");
        TRY(write_node(writer, b, BIND_SUM, false));
        close_if(writer, need > BIND_SHIFT);
        return 0;
    }
    if (!constant || exponent->high > POWER_MAX)
        return refuse_power(writer, node);
    if (exponent->high == 0) {
        text_printf(writer->out, "1");
        return 0;
    }
    if (exponent->high == 1)
        return write_node(writer, a, need, false);
    open_if(writer, need > BIND_PRODUCT);
    for (int64_t i = 0; i < exponent->high; i++) {
        text_printf(writer->out, "%s", i ? " * " : "");
        TRY(write_node(writer, a, i ? BIND_SIGN : BIND_PRODUCT, false));
    }
    close_if(writer, need > BIND_PRODUCT);
    return 0;
}

int write_binary(struct writer *writer, struct python_node *node, int need, bool as_truth)
{
    const struct python_fact *a = fact_of(writer->python, node->children[0]);
    const struct python_fact *b = fact_of(writer->python, node->children[1]);
    const struct python_fact *result = fact_of(writer->python, node);
    enum python_operation operation = node->operation;
    bool natural = fact_is_natural(a) && fact_is_natural(b);
    if ((!a->may_be_int && !a->may_be_real) || (!b->may_be_int && !b->may_be_real) || a->may_be_word || b->may_be_word)
        return refuse(writer, node, "the operator takes numbers only");
    if (result->whole && !fact_is_exact(result))
        return refuse(writer, node, "a float of Python may be too large to be exact here");
    if (operation == PYTHON_POWER)
        return write_power(writer, node, need);
    if (operation == PYTHON_DIVIDE)
        return result->whole ? write_plain(writer, node, need) : write_quotient(writer, node, need);
    if (signs[operation].integers && (!fact_is_integer(a) || !fact_is_integer(b))) {
        int code = refuse(writer, node, "the operator on a number that may be a fraction cannot be translated");
        error_hint(writer->python->error,
                   "in Python / gives a fraction where it does not divide evenly; // rounds down");
        return code;
    }
    if (operation <= PYTHON_SHIFT_RIGHT && (a->whole || b->whole))
        return refuse(writer, node, "the operator takes integers only, and Python's / makes a float");
    if (operation == PYTHON_SHIFT_RIGHT && !(b->known && b->low >= 0 && b->high <= 63))
        return refuse(writer, node, "the shift may be by more than 63 bits");
    if (operation == PYTHON_FLOOR_DIVIDE && !natural)
        return write_floor(writer, node, need);
    if (operation == PYTHON_REMAINDER && !natural && !as_truth) /* it is 0 in both languages or in none */
        return write_remainder(writer, node, need);
    return write_plain(writer, node, need);
}

int write_unary(struct writer *writer, struct python_node *node, int need)
{
    struct python_node *child = node->children[0];
    const struct python_fact *a = fact_of(writer->python, child);
    if ((!a->may_be_int && !a->may_be_real) || a->may_be_word)
        return refuse(writer, node, "the sign stands before what is no number");
    if (node->operation == PYTHON_INVERT && (!fact_is_integer(a) || a->whole))
        return refuse(writer, node, "the operator takes integers only");
    if (node->operation == PYTHON_PLUS)
        return write_node(writer, child, need, false);
    open_if(writer, need > BIND_SIGN);
    text_printf(writer->out, "%s", node->operation == PYTHON_NEGATE ? "-" : "~");
    TRY(write_node(writer, child, BIND_VALUE, false));
    close_if(writer, need > BIND_SIGN);
    return 0;
}
