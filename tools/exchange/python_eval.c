/* Trees to values, as Python would have them; integers end at 64 bits, which is an error and never wraps. */
#include <math.h>
#include <string.h>

#include "exchange/python_eval.h"

typedef struct python_value value;

const char *python_kind_name(enum python_kind kind)
{
    static const char *const names[] = {"bool", "int", "float", "str", "list", "range"};
    return names[kind];
}

struct python_value python_item(const struct python_value *list, size_t index)
{
    if (list->kind == PYTHON_LIST)
        return list->items[index];
    /* Unsigned, because the product alone may leave the range that the sum is in. */
    return (value){.kind = PYTHON_INT,
                   .integer = (int64_t)((uint64_t)list->range.start + index * (uint64_t)list->range.step)};
}

bool python_is_number(const value *a)
{
    return a->kind <= PYTHON_FLOAT;
}

bool python_is_integer(const value *a)
{
    return a->kind <= PYTHON_INT;
}

bool python_is_sequence(const value *a)
{
    return a->kind >= PYTHON_LIST;
}

double python_real(const value *a)
{
    return a->kind == PYTHON_FLOAT ? a->real : (double)a->integer;
}

int python_order(const value *a, const value *b)
{
    if (python_is_integer(a) && python_is_integer(b))
        return (a->integer > b->integer) - (a->integer < b->integer);
    long double left = python_is_integer(a) ? (long double)a->integer : (long double)a->real;
    long double right = python_is_integer(b) ? (long double)b->integer : (long double)b->real;
    return (left > right) - (left < right);
}

bool python_equal(const struct python_value *a, const struct python_value *b)
{
    if (python_is_number(a) && python_is_number(b))
        return python_order(a, b) == 0;
    return a->kind == PYTHON_TEXT && b->kind == PYTHON_TEXT && strcmp(a->text, b->text) == 0;
}

bool python_truth(const value *a)
{
    return python_is_sequence(a)     ? a->count > 0
           : a->kind == PYTHON_TEXT  ? a->text[0] != '\0'
           : a->kind == PYTHON_FLOAT ? a->real != 0
                                     : a->integer != 0;
}

static value boolean(bool truth)
{
    return (value){.kind = PYTHON_BOOL, .integer = truth};
}

int python_too_large(struct python *python, size_t at)
{
    return python_fail(python, at, "a number is too large for an integer of 64 bits");
}

int python_put_integer(value *result, int64_t integer)
{
    *result = (value){.kind = PYTHON_INT, .integer = integer};
    return 0;
}

int python_put_real(struct python *python, size_t at, value *result, double real)
{
    *result = (value){.kind = PYTHON_FLOAT, .real = real};
    return isfinite(real) ? 0 : python_fail(python, at, "the result is not a finite number");
}

/* ---- Operators ---- */

static int power(struct python *python, size_t at, const value *a, const value *b, value *result)
{
    int64_t product = 1, base = python_is_integer(a) ? a->integer : 0;
    if (!python_is_integer(a) || !python_is_integer(b) || b->integer < 0) {
        if ((python_real(a) < 0 && !python_is_integer(b)) || (python_real(a) == 0 && python_real(b) < 0))
            return python_fail(python, at, "the power is not a real number");
        return python_put_real(python, at, result, pow(python_real(a), python_real(b)));
    }
    for (uint64_t exponent = (uint64_t)b->integer; exponent;) {
        if (exponent & 1u && __builtin_mul_overflow(product, base, &product))
            return python_too_large(python, at);
        exponent >>= 1;
        if (exponent && __builtin_mul_overflow(base, base, &base))
            return python_too_large(python, at);
    }
    return python_put_integer(result, product);
}

/* Rounded down, and the remainder that belongs to it. */
static int divide_down(struct python *python, size_t at, bool remainder, int64_t a, int64_t b, value *result)
{
    int64_t quotient, rest;
    if (b == -1)
        return remainder                                   ? python_put_integer(result, 0)
               : __builtin_sub_overflow((int64_t)0, a, &a) ? python_too_large(python, at)
                                                           : python_put_integer(result, a);
    quotient = a / b;
    rest = a % b;
    if (rest && (rest < 0) != (b < 0)) {
        quotient--;
        rest += b;
    }
    return python_put_integer(result, remainder ? rest : quotient);
}

static int shift(struct python *python, size_t at, bool left, int64_t a, int64_t b, value *result)
{
    if (b < 0)
        return python_fail(python, at, "a shift by a negative number of bits");
    if (!left)
        return python_put_integer(result, a >> (b > 63 ? 63 : b));
    int64_t shifted = b > 62 ? 0 : (int64_t)((uint64_t)a << b);
    if (a != 0 && (b > 62 || shifted >> b != a))
        return python_too_large(python, at);
    return python_put_integer(result, shifted);
}

static int integers(struct python *python, const struct python_node *node, int64_t a, int64_t b, value *result)
{
    int64_t c = 0;
    bool over = false;
    switch (node->operation) {
    case PYTHON_BIT_OR:
        return python_put_integer(result, a | b);
    case PYTHON_BIT_XOR:
        return python_put_integer(result, a ^ b);
    case PYTHON_BIT_AND:
        return python_put_integer(result, a & b);
    case PYTHON_SHIFT_LEFT:
    case PYTHON_SHIFT_RIGHT:
        return shift(python, node->at, node->operation == PYTHON_SHIFT_LEFT, a, b, result);
    case PYTHON_ADD:
        over = __builtin_add_overflow(a, b, &c);
        break;
    case PYTHON_SUBTRACT:
        over = __builtin_sub_overflow(a, b, &c);
        break;
    case PYTHON_MULTIPLY:
        over = __builtin_mul_overflow(a, b, &c);
        break;
    case PYTHON_FLOOR_DIVIDE:
    case PYTHON_REMAINDER:
        return divide_down(python, node->at, node->operation == PYTHON_REMAINDER, a, b, result);
    default: /* PYTHON_DIVIDE */
        return python_put_real(python, node->at, result, (double)a / (double)b);
    }
    return over ? python_too_large(python, node->at) : python_put_integer(result, c);
}

static int reals(struct python *python, const struct python_node *node, double a, double b, value *result)
{
    double rest;
    switch (node->operation) {
    case PYTHON_ADD:
        return python_put_real(python, node->at, result, a + b);
    case PYTHON_SUBTRACT:
        return python_put_real(python, node->at, result, a - b);
    case PYTHON_MULTIPLY:
        return python_put_real(python, node->at, result, a * b);
    case PYTHON_DIVIDE:
        return python_put_real(python, node->at, result, a / b);
    case PYTHON_REMAINDER:
        rest = fmod(a, b);
        return python_put_real(python, node->at, result, rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest);
    case PYTHON_FLOOR_DIVIDE:
        rest = fmod(a, b);
        rest = rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
        return python_put_real(python, node->at, result, round((a - rest) / b));
    default:
        return python_fail(python, node->at, "the operator takes integers only");
    }
}

int python_concatenate(struct python *python, size_t at, const value *a, const value *b, value *result)
{
    size_t count = a->count + b->count;
    value *items = count <= PYTHON_ITEMS_MAX ? arena_array(python->arena, count, sizeof *items) : NULL;
    if (count > PYTHON_ITEMS_MAX)
        return python_fail(python, at, "the list is longer than %d", PYTHON_ITEMS_MAX);
    if (!items && count)
        return error_memory(python->error);
    python->steps += count;
    for (size_t i = 0; i < count; i++)
        items[i] = i < a->count ? python_item(a, i) : python_item(b, i - a->count);
    *result = (value){.kind = PYTHON_LIST, .count = count, .items = items};
    return 0;
}

int python_binary(struct python *python, const struct python_node *node, const value *a, const value *b, value *result)
{
    enum python_operation operation = node->operation;
    if (operation == PYTHON_ADD && a->kind == PYTHON_LIST && b->kind == PYTHON_LIST)
        return python_concatenate(python, node->at, a, b, result);
    if (!python_is_number(a) || !python_is_number(b)) {
        int code = python_fail(python, node->at, "the operator does not take %s and %s", python_kind_name(a->kind),
                               python_kind_name(b->kind));
        if (a->kind == PYTHON_RANGE || b->kind == PYTHON_RANGE)
            error_hint(python->error, "write list(range(...))");
        return code;
    }
    if (operation >= PYTHON_DIVIDE && operation <= PYTHON_REMAINDER && python_real(b) == 0)
        return python_fail(python, node->at, "division by zero");
    if (operation == PYTHON_POWER)
        return power(python, node->at, a, b, result);
    return python_is_integer(a) && python_is_integer(b) ? integers(python, node, a->integer, b->integer, result)
                                                        : reals(python, node, python_real(a), python_real(b), result);
}

static int unary(struct python *python, const struct python_node *node, const value *a, value *result)
{
    int64_t negated;
    if (!python_is_number(a) || (node->operation == PYTHON_INVERT && !python_is_integer(a)))
        return python_fail(python, node->at, "the operator does not take a %s", python_kind_name(a->kind));
    if (node->operation == PYTHON_INVERT)
        return python_put_integer(result, ~a->integer);
    if (a->kind == PYTHON_FLOAT)
        return python_put_real(python, node->at, result, node->operation == PYTHON_NEGATE ? -a->real : a->real);
    if (node->operation == PYTHON_PLUS)
        return python_put_integer(result, a->integer);
    if (__builtin_sub_overflow((int64_t)0, a->integer, &negated))
        return python_too_large(python, node->at);
    return python_put_integer(result, negated);
}

static int compare(struct python *python, const struct python_node *node, enum python_operation operation,
                   const value *a, const value *b, bool *holds)
{
    if (operation >= PYTHON_IN) {
        bool found = false;
        if (!python_is_sequence(b))
            return python_fail(python, node->at, "'in' needs a list, not a %s", python_kind_name(b->kind));
        for (size_t i = 0; i < b->count && !found; i++) {
            value item = python_item(b, i);
            found = python_equal(a, &item);
        }
        python->steps += b->count;
        *holds = found == (operation == PYTHON_IN);
        return 0;
    }
    if (operation <= PYTHON_NOT_EQUAL && !python_is_sequence(a) && !python_is_sequence(b)) {
        *holds = python_equal(a, b) == (operation == PYTHON_EQUAL);
        return 0;
    }
    if (!python_is_number(a) || !python_is_number(b))
        return python_fail(python, node->at, "%s and %s are not compared", python_kind_name(a->kind),
                           python_kind_name(b->kind));
    int order = python_order(a, b);
    const bool truths[] = {order<0, order <= 0, order> 0, order >= 0};
    *holds = truths[operation - PYTHON_LESS];
    return 0;
}

static int comparisons(struct python *python, const struct python_node *node, const struct python_binding *bindings,
                       value *result)
{
    value left, right;
    bool holds = true;
    TRY(python_eval(python, node->children[0], bindings, &left));
    for (size_t i = 1; i < node->count && holds; i++) {
        TRY(python_eval(python, node->children[i], bindings, &right));
        TRY(compare(python, node, node->operations[i - 1], &left, &right, &holds));
        left = right;
    }
    *result = boolean(holds);
    return 0;
}

/* ---- Lists ---- */

struct builder {
    value *items;
    size_t count, room;
};

static int append(struct python *python, size_t at, struct builder *list, const value *item)
{
    if (list->count == list->room) {
        size_t room = list->room ? list->room * 2 : 8;
        if (list->count == PYTHON_ITEMS_MAX)
            return python_fail(python, at, "the list is longer than %d", PYTHON_ITEMS_MAX);
        value *items = arena_array(python->arena, room, sizeof *items);
        if (!items)
            return error_memory(python->error);
        if (list->count)
            memcpy(items, list->items, list->count * sizeof *items);
        list->items = items;
        list->room = room;
    }
    list->items[list->count++] = *item;
    return 0;
}

/* The clauses from number `clause` on, then the item. */
static int comprehend(struct python *python, const struct python_node *node, size_t clause,
                      const struct python_binding *bindings, struct builder *list)
{
    value over, item;
    if (clause == node->count) {
        TRY(python_eval(python, node->children[0], bindings, &item));
        return append(python, node->at, list, &item);
    }
    const struct python_node *child = node->children[clause];
    TRY(python_eval(python, child->children[0], bindings, &over));
    if (child->kind == NODE_WHEN)
        return python_truth(&over) ? comprehend(python, node, clause + 1, bindings, list) : 0;
    if (!python_is_sequence(&over))
        return python_fail(python, child->children[0]->at, "'for' runs over a list, not over a %s",
                           python_kind_name(over.kind));
    for (size_t i = 0; i < over.count; i++) {
        const struct python_binding own = {child->name, python_item(&over, i), bindings};
        TRY(comprehend(python, node, clause + 1, &own, list));
    }
    return 0;
}

static int make_list(struct python *python, const struct python_node *node, const struct python_binding *bindings,
                     value *result)
{
    struct builder list = {0};
    value item;
    if (node->kind == NODE_COMPREHEND)
        TRY(comprehend(python, node, 1, bindings, &list));
    for (size_t i = 0; node->kind == NODE_LIST && i < node->count; i++) {
        TRY(python_eval(python, node->children[i], bindings, &item));
        TRY(append(python, node->at, &list, &item));
    }
    *result = (value){.kind = PYTHON_LIST, .count = list.count, .items = list.items};
    return 0;
}

/* ---- Any node ---- */

static int look_up(struct python *python, const struct python_node *node, const struct python_binding *bindings,
                   value *result)
{
    for (; bindings; bindings = bindings->next)
        if (strcmp(bindings->name, node->name) == 0) {
            *result = bindings->value;
            return 0;
        }
    return python_fail(python, node->at, "unknown name '%.64s'", node->name);
}

/* `a and b` is a where a is false, else b; `or` the other way round. */
static int junction(struct python *python, const struct python_node *node, const struct python_binding *bindings,
                    value *result)
{
    for (size_t i = 0; i < node->count; i++) {
        TRY(python_eval(python, node->children[i], bindings, result));
        if (python_truth(result) == (node->kind == NODE_OR))
            return 0;
    }
    return 0;
}

int python_eval(struct python *python, const struct python_node *node, const struct python_binding *bindings,
                struct python_value *result)
{
    value a, b;
    if (++python->steps > PYTHON_STEPS_MAX)
        return python_fail(python, node->at, "the values take more than %d steps to work out", PYTHON_STEPS_MAX);
    switch (node->kind) {
    case NODE_CONSTANT:
        *result = node->value;
        return 0;
    case NODE_NAME:
        return look_up(python, node, bindings, result);
    case NODE_UNARY:
        TRY(python_eval(python, node->children[0], bindings, &a));
        return unary(python, node, &a, result);
    case NODE_BINARY:
        TRY(python_eval(python, node->children[0], bindings, &a));
        TRY(python_eval(python, node->children[1], bindings, &b));
        return python_binary(python, node, &a, &b, result);
    case NODE_NOT:
        TRY(python_eval(python, node->children[0], bindings, &a));
        *result = boolean(!python_truth(&a));
        return 0;
    case NODE_AND:
    case NODE_OR:
        return junction(python, node, bindings, result);
    case NODE_COMPARE:
        return comparisons(python, node, bindings, result);
    case NODE_IF:
        TRY(python_eval(python, node->children[0], bindings, &a));
        return python_eval(python, node->children[python_truth(&a) ? 1 : 2], bindings, result);
    case NODE_LIST:
    case NODE_COMPREHEND:
        return make_list(python, node, bindings, result);
    case NODE_CALL:
        return python_call(python, node, bindings, result);
    default: /* clauses are run by their list */
        return python_fail(python, node->at, "a clause without its list");
    }
}
