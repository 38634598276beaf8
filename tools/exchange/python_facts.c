/* What can be said of the values of a tree whose names are parameters with known lists of values: of what kind they are
 * and between which bounds the integers lie. A translation asks, because an operator that differs between Python and C
 * may be the same for all values that occur. */
#include <string.h>

#include "exchange/python_translate.h"

static struct python_fact integers(bool known, int64_t low, int64_t high)
{
    return (struct python_fact){.may_be_int = true, .known = known, .low = low, .high = high};
}

static const struct python_fact real = {.may_be_real = true};
static const struct python_fact truth = {.may_be_int = true, .truth = true, .known = true, .low = 0, .high = 1};

bool fact_is_integer(const struct python_fact *fact)
{
    return fact->may_be_int && !fact->may_be_real && !fact->may_be_word;
}

bool fact_is_natural(const struct python_fact *fact)
{
    return fact_is_integer(fact) && fact->known && fact->low >= 0;
}

/* One or the other. */
static struct python_fact either(const struct python_fact *a, const struct python_fact *b)
{
    bool known = (a->known || !a->may_be_int) && (b->known || !b->may_be_int);
    struct python_fact both = {.may_be_int = a->may_be_int || b->may_be_int,
                               .may_be_real = a->may_be_real || b->may_be_real,
                               .may_be_word = a->may_be_word || b->may_be_word,
                               .truth = a->truth && b->truth,
                               .whole = a->whole || b->whole,
                               .known = known};
    const struct python_fact *first = a->may_be_int ? a : b, *second = b->may_be_int ? b : a;
    both.low = first->low < second->low ? first->low : second->low;
    both.high = first->high > second->high ? first->high : second->high;
    return both;
}

static struct python_fact fact_of_value(const struct python_value *value)
{
    switch (value->kind) {
    case PYTHON_BOOL:
        return (struct python_fact){
            .may_be_int = true, .truth = true, .known = true, .low = value->integer, .high = value->integer};
    case PYTHON_INT:
        return integers(true, value->integer, value->integer);
    case PYTHON_FLOAT:
        return real;
    case PYTHON_TEXT:
        return (struct python_fact){.may_be_word = true};
    default:
        return (struct python_fact){0};
    }
}

const struct python_name *find_name(const struct python *python, const char *name)
{
    for (size_t i = 0; i < python->name_count; i++)
        if (strcmp(python->names[i].name, name) == 0)
            return &python->names[i];
    return NULL;
}

static struct python_fact fact_of_name(const struct python_name *name)
{
    struct python_fact all = fact_of_value(&name->values[0]);
    for (size_t i = 1; i < name->count; i++) {
        struct python_fact one = fact_of_value(&name->values[i]);
        all = either(&all, &one);
    }
    return all;
}

/* ---- Operators ---- */

/* The corners of the two intervals decide for an operator that is monotonic in each operand. */
static struct python_fact corners(enum python_operation operation, const struct python_fact *a,
                                  const struct python_fact *b)
{
    struct python_fact result = integers(a->known && b->known, 0, 0);
    for (int corner = 0; corner < 4 && result.known; corner++) {
        int64_t left = corner & 1 ? a->high : a->low, right = corner & 2 ? b->high : b->low, value = 0;
        bool over = operation == PYTHON_ADD        ? __builtin_add_overflow(left, right, &value)
                    : operation == PYTHON_SUBTRACT ? __builtin_sub_overflow(left, right, &value)
                    : operation == PYTHON_MULTIPLY ? __builtin_mul_overflow(left, right, &value)
                                                   : right < 0 || right > 62 || left < 0 || left >> (62 - right) != 0;
        if (!over && operation == PYTHON_SHIFT_LEFT)
            value = (int64_t)((uint64_t)left << right);
        if (over)
            return integers(false, 0, 0);
        result.low = corner == 0 || value < result.low ? value : result.low;
        result.high = corner == 0 || value > result.high ? value : result.high;
    }
    return result;
}

static struct python_fact power(const struct python_fact *a, const struct python_fact *exponent)
{
    struct python_fact result = integers(true, 1, 1);
    if (!a->known || !exponent->known || exponent->low < 0 || exponent->high > 63)
        return integers(false, 0, 0);
    for (int64_t i = 0; i < exponent->high; i++)
        result = corners(PYTHON_MULTIPLY, &result, a);
    if (exponent->low < exponent->high) { /* any power up to that */
        result.low = a->low < 0 ? (result.low < -result.high ? result.low : -result.high) : 0;
        result.high = result.high > 1 ? result.high : 1;
        result.known &= a->low >= 0;
    }
    return result;
}

static struct python_fact bits(enum python_operation operation, const struct python_fact *a,
                               const struct python_fact *b)
{
    int64_t mask = 1;
    if (!a->known || !b->known || a->low < 0 || b->low < 0)
        return integers(false, 0, 0);
    if (operation == PYTHON_BIT_AND)
        return integers(true, 0, a->high < b->high ? a->high : b->high);
    while (mask < a->high || mask < b->high)
        mask = mask * 2 + 1;
    return integers(true, 0, mask);
}

/* No further from 0 than `a` is, and by `less` less. */
static struct python_fact within(const struct python_fact *a, int64_t less)
{
    if (!a->known || a->low <= -INT64_MAX)
        return integers(false, 0, 0);
    int64_t most = -a->low > a->high ? -a->low : a->high;
    most += most > 0 ? less : 0;
    return integers(true, -most, most);
}

static struct python_fact fact_of_integers(const struct python_node *node, const struct python_fact *a,
                                           const struct python_fact *b)
{
    switch (node->operation) {
    case PYTHON_ADD:
    case PYTHON_SUBTRACT:
    case PYTHON_MULTIPLY:
    case PYTHON_SHIFT_LEFT:
        return corners(node->operation, a, b);
    case PYTHON_FLOOR_DIVIDE:
        return a->known && a->low >= 0 && b->known && b->low >= 0 ? integers(true, 0, a->high) : within(a, 0);
    case PYTHON_REMAINDER:
        return b->known && b->low >= 0 && b->high > 0 ? integers(true, 0, b->high - 1) : within(b, -1);
    case PYTHON_SHIFT_RIGHT:
        return a->known && a->low >= 0 ? integers(true, 0, a->high) : integers(false, 0, 0);
    case PYTHON_POWER:
        return power(a, b);
    default:
        return bits(node->operation, a, b);
    }
}

/* ---- Is a quotient always whole? All combinations of the parameters in it are tried. ---- */

struct proof {
    struct python scratch;
    const struct python_node *node;
    const struct python_name *names[PYTHON_NAMES_MAX];
    size_t count;
    bool whole;
    struct python_fact range;
};

static bool collect(const struct python *python, const struct python_node *node, struct proof *proof)
{
    if (node->kind == NODE_NAME) {
        const struct python_name *name = find_name(python, node->name);
        if (!name)
            return false;
        for (size_t i = 0; i < proof->count; i++)
            if (proof->names[i] == name)
                return true;
        if (proof->count == PYTHON_NAMES_MAX)
            return false;
        proof->names[proof->count++] = name;
    }
    for (size_t i = 0; i < node->count; i++)
        if (!collect(python, node->children[i], proof))
            return false;
    return node->kind != NODE_COMPREHEND;
}

static void try_all(struct proof *proof, size_t level, const struct python_binding *bindings)
{
    struct python_value a, b;
    if (level < proof->count) {
        for (size_t i = 0; i < proof->names[level]->count && proof->whole; i++) {
            const struct python_binding own = {proof->names[level]->name, proof->names[level]->values[i], bindings};
            try_all(proof, level + 1, &own);
        }
        return;
    }
    proof->whole = python_eval(&proof->scratch, proof->node->children[0], bindings, &a) == 0 &&
                   python_eval(&proof->scratch, proof->node->children[1], bindings, &b) == 0 && a.kind <= PYTHON_INT &&
                   b.kind <= PYTHON_INT;
    if (!proof->whole || b.integer == 0) /* divided by zero, both languages have no value */
        return;
    proof->whole = b.integer != -1 && a.integer % b.integer == 0;
    if (!proof->whole)
        return;
    struct python_fact one = integers(true, a.integer / b.integer, a.integer / b.integer);
    proof->range = proof->range.may_be_int ? either(&proof->range, &one) : one;
}

/* Python divides to a float: of whole numbers below 2^53 it is exact where the quotient is whole. */
static struct python_fact quotient(struct python *python, const struct python_node *node, const struct python_fact *a,
                                   const struct python_fact *b)
{
    struct error ignored = {0};
    struct proof proof = {.scratch = *python, .node = node, .whole = true};
    if (!fact_is_integer(a) || !fact_is_integer(b) || !fact_is_exact(a) || !fact_is_exact(b) ||
        !collect(python, node, &proof))
        return real;
    proof.scratch.error = &ignored;
    proof.scratch.steps = python->proof_steps;
    try_all(&proof, 0, NULL);
    python->proof_steps = proof.scratch.steps;
    if (!proof.whole || !proof.range.may_be_int)
        return real;
    proof.range.whole = true;
    return proof.range;
}

bool fact_is_exact(const struct python_fact *fact)
{
    const int64_t most = (int64_t)1 << 53;
    return !fact->may_be_int || (fact->known && fact->low >= -most && fact->high <= most);
}

static struct python_fact fact_of_binary(struct python *python, struct python_node *node)
{
    const struct python_fact *a = fact_of(python, node->children[0]), *b = fact_of(python, node->children[1]);
    struct python_fact result;
    if (node->operation == PYTHON_DIVIDE)
        return quotient(python, node, a, b);
    if (!fact_is_integer(a) || !fact_is_integer(b)) {
        result = real;
        result.may_be_int = a->may_be_int && b->may_be_int;
        return result;
    }
    result = fact_of_integers(node, a, b);
    result.whole = a->whole || b->whole;
    return result;
}

/* ---- Functions and the rest ---- */

static struct python_fact magnitude(const struct python_fact *a)
{
    struct python_fact result = *a;
    result.truth = false;
    if (!a->known || a->low >= 0 || a->low == INT64_MIN) {
        result.known = a->known && a->low >= 0;
        return result;
    }
    result.high = -a->low > a->high ? -a->low : a->high;
    result.low = a->high < 0 ? -a->high : 0;
    return result;
}

static struct python_fact fact_of_call(struct python *python, struct python_node *node)
{
    static const struct python_fact unknown = {.may_be_int = true, .may_be_real = true};
    bool least = strcmp(node->name, "min") == 0, most = strcmp(node->name, "max") == 0;
    if (node->count == 0)
        return unknown;
    struct python_fact all = *fact_of(python, node->children[0]);
    if (strcmp(node->name, "abs") == 0)
        return magnitude(&all);
    if (strcmp(node->name, "bool") == 0)
        return truth;
    if (strcmp(node->name, "float") == 0)
        return real;
    if (strcmp(node->name, "int") == 0)
        return fact_is_integer(&all) ? all : integers(false, 0, 0);
    if ((!least && !most) || node->count == 1)
        return unknown;
    for (size_t i = 1; i < node->count; i++) {
        const struct python_fact *other = fact_of(python, node->children[i]);
        struct python_fact both = either(&all, other);
        if (fact_is_integer(&all) && fact_is_integer(other) && both.known) {
            both.low = least == (all.low < other->low) ? all.low : other->low;
            both.high = least == (all.high < other->high) ? all.high : other->high;
        }
        all = both;
    }
    return all;
}

static struct python_fact fact_of_unary(struct python *python, struct python_node *node)
{
    static const struct python_fact zero = {.may_be_int = true, .known = true},
                                    ones = {.may_be_int = true, .known = true, .low = -1, .high = -1};
    const struct python_fact *a = fact_of(python, node->children[0]);
    struct python_fact result = *a;
    result.truth = false;
    if (node->operation == PYTHON_PLUS || !a->may_be_int)
        return result;
    result = corners(PYTHON_SUBTRACT, node->operation == PYTHON_NEGATE ? &zero : &ones, a);
    result.may_be_real = a->may_be_real;
    result.whole = a->whole;
    return result;
}

static struct python_fact find_fact(struct python *python, struct python_node *node)
{
    const struct python_name *name;
    struct python_fact all;
    switch (node->kind) {
    case NODE_CONSTANT:
        return fact_of_value(&node->value);
    case NODE_NAME:
        name = find_name(python, node->name);
        return name ? fact_of_name(name) : integers(false, 0, 0);
    case NODE_UNARY:
        return fact_of_unary(python, node);
    case NODE_BINARY:
        return fact_of_binary(python, node);
    case NODE_NOT:
    case NODE_COMPARE:
        return truth;
    case NODE_AND:
    case NODE_OR:
    case NODE_IF:
        all = *fact_of(python, node->children[node->kind == NODE_IF]);
        for (size_t i = node->kind == NODE_IF ? 2 : 1; i < node->count; i++)
            all = either(&all, fact_of(python, node->children[i]));
        return all;
    case NODE_CALL:
        return fact_of_call(python, node);
    default: /* lists */
        return (struct python_fact){0};
    }
}

const struct python_fact *fact_of(struct python *python, struct python_node *node)
{
    if (!node->has_fact) {
        node->fact = find_fact(python, node);
        node->has_fact = true;
    }
    return &node->fact;
}
