#include "sizes/size_simplify.h"

#include <stdlib.h>

#include "base/array.h"

struct simplifier {
    struct expression_graph *graph;
    struct fact {
        struct bound bound; /* bound of the value */
        uint32_t assumed;   /* the node under the assumption of the last round that visited it */
        size_t round;
    } * facts; /* by node */
    size_t room, rounds;
};

struct bound size_bound(const struct bound *ranges, uint32_t name)
{
    return ranges ? ranges[name] : (struct bound){INT64_MIN, INT64_MAX, true};
}

/* ---- Making nodes ---- */

/* Records the bound of a node's value. */
static uint32_t note(struct simplifier *simplifier, uint32_t node, struct bound bound)
{
    struct fact *facts = node == EXPRESSION_NONE
                             ? NULL
                             : array_grow(simplifier->facts, &simplifier->room, node + (size_t)1, sizeof *facts);
    if (!facts)
        return EXPRESSION_NONE;
    simplifier->facts = facts;
    facts[node] = (struct fact){.bound = bound};
    return node;
}

static uint32_t make(struct simplifier *simplifier, enum operation operation, uint32_t a, uint32_t b, uint32_t c);

static uint32_t make_number(struct simplifier *simplifier, int64_t number)
{
    return note(simplifier, expression_constant(simplifier->graph, value_integer(number)),
                (struct bound){number, number, true});
}

static const struct expression_node *node_of(const struct simplifier *simplifier, uint32_t node)
{
    return &simplifier->graph->nodes[node];
}

static struct bound bound_of(const struct simplifier *simplifier, uint32_t node)
{
    return simplifier->facts[node].bound;
}

static bool is_truth(const struct simplifier *simplifier, uint32_t node)
{
    return bound_within(bound_of(simplifier, node), 0, 1);
}

static bool is_number(const struct simplifier *simplifier, uint32_t node, int64_t number)
{
    const struct expression_node *of = node_of(simplifier, node);
    return of->operation == OP_CONSTANT && of->constant.integer == number;
}

/* Returns the exponent of a power of two; -1: not a power of two. */
static int power_of(const struct simplifier *simplifier, uint32_t node)
{
    const struct expression_node *of = node_of(simplifier, node);
    const int64_t number = of->constant.integer;
    if (of->operation != OP_CONSTANT || number < 1 || (number & (number - 1)))
        return -1;
    return __builtin_ctzll((unsigned long long)number);
}

/* ---- Rules: each sets *simpler, or returns false if it does not apply ---- */

/* Drops neutral numbers: x + 0, x * 1 and the like. */
static bool drop_number(const struct simplifier *simplifier, enum operation operation, uint32_t a, uint32_t b,
                        uint32_t *simpler)
{
    static const struct {
        enum operation operation;
        bool second; /* the number is the second operand */
        int64_t number;
    } rows[] = {
        {OP_ADD, true, 0},         {OP_ADD, false, 0},   {OP_SUBTRACT, true, 0}, {OP_MULTIPLY, true, 1},
        {OP_MULTIPLY, false, 1},   {OP_DIVIDE, true, 1}, {OP_CEILDIV, true, 1},  {OP_SHIFT_LEFT, true, 0},
        {OP_SHIFT_RIGHT, true, 0}, {OP_BIT_OR, true, 0}, {OP_BIT_OR, false, 0},  {OP_BIT_XOR, true, 0},
        {OP_BIT_XOR, false, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].operation == operation && is_number(simplifier, rows[i].second ? b : a, rows[i].number)) {
            *simpler = rows[i].second ? a : b;
            return true;
        }
    return false;
}

/* Drops a true operand of &&, a false operand of ||, and comparisons of truth values with 0. */
static bool drop_truth(struct simplifier *simplifier, enum operation operation, uint32_t a, uint32_t b,
                       uint32_t *simpler)
{
    const bool neutral = operation == OP_AND;
    if (operation == OP_AND || operation == OP_OR) {
        const bool first = bound_surely(bound_of(simplifier, a), neutral);
        *simpler = first ? b : a;
        return (first || bound_surely(bound_of(simplifier, b), neutral)) && is_truth(simplifier, *simpler);
    }
    if ((operation != OP_NOT_EQUAL && operation != OP_EQUAL) || !is_truth(simplifier, a) ||
        !is_number(simplifier, b, 0))
        return false;
    *simpler = operation == OP_NOT_EQUAL ? a : make(simplifier, OP_NOT, a, 0, 0);
    return true;
}

/* Replaces divisions by powers of two with shifts and masks. */
static bool divide(struct simplifier *simplifier, enum operation operation, uint32_t a, uint32_t b, uint32_t *simpler)
{
    const int power = power_of(simplifier, b);
    const struct bound of = bound_of(simplifier, a);
    const int64_t number = node_of(simplifier, b)->constant.integer;
    if (of.low < 0 || bound_of(simplifier, b).low < 1)
        return false;
    if (operation == OP_REMAINDER && of.high < bound_of(simplifier, b).low)
        *simpler = a;
    else if (operation == OP_REMAINDER && power >= 0)
        *simpler = make(simplifier, OP_BIT_AND, a, make_number(simplifier, number - 1), 0);
    else if (operation == OP_CEILDIV && power >= 0 && of.high <= INT64_MAX - number)
        *simpler = make(simplifier, OP_SHIFT_RIGHT, make(simplifier, OP_ADD, a, make_number(simplifier, number - 1), 0),
                        make_number(simplifier, power), 0);
    else if (operation == OP_DIVIDE && power >= 0)
        *simpler = make(simplifier, OP_SHIFT_RIGHT, a, make_number(simplifier, power), 0);
    else
        return false;
    return true;
}

static bool simplify_choice(struct simplifier *simplifier, uint32_t condition, uint32_t a, uint32_t b,
                            uint32_t *simpler)
{
    const struct bound truth = bound_of(simplifier, condition);
    const struct expression_node *of = node_of(simplifier, condition);
    if (bound_surely(truth, true) || bound_surely(truth, false) || a == b)
        *simpler = bound_surely(truth, false) ? b : a;
    else if (of->operation == OP_NOT)
        *simpler = make(simplifier, OP_CHOOSE, of->operands[0], b, a);
    else if (is_truth(simplifier, condition) && is_number(simplifier, a, 1) && is_number(simplifier, b, 0))
        *simpler = condition;
    else if (is_number(simplifier, a, 0) && is_number(simplifier, b, 1))
        *simpler = make(simplifier, OP_NOT, condition, 0, 0);
    else
        return false;
    return true;
}

static bool simplify(struct simplifier *simplifier, enum operation operation, uint32_t a, uint32_t b, uint32_t c,
                     uint32_t *simpler)
{
    const struct expression_node *of = node_of(simplifier, a);
    switch (operation) {
    case OP_CHOOSE:
        return simplify_choice(simplifier, a, b, c, simpler);
    case OP_NOT: /* !!x */
        *simpler = of->operands[0];
        return of->operation == OP_NOT && is_truth(simplifier, of->operands[0]);
    default:
        return drop_number(simplifier, operation, a, b, simpler) || drop_truth(simplifier, operation, a, b, simpler) ||
               ((operation == OP_DIVIDE || operation == OP_CEILDIV || operation == OP_REMAINDER) &&
                divide(simplifier, operation, a, b, simpler));
    }
}

/* Makes the simplest node for an operation. Terminates, because each rule makes fewer or cheaper operations. */
static uint32_t make(struct simplifier *simplifier, enum operation operation, uint32_t a, uint32_t b, uint32_t c)
{
    const struct expression_node node = {.operation = operation, .operands = {a, b, c}};
    struct bound of[3] = {0};
    uint32_t simpler;
    for (size_t i = 0; i < expression_operands(&node); i++) {
        if (node.operands[i] == EXPRESSION_NONE)
            return EXPRESSION_NONE;
        of[i] = bound_of(simplifier, node.operands[i]);
    }
    const struct bound bound = bound_of_node(simplifier->graph->nodes, &node, of, OVERFLOW_SATURATES);
    if (bound.low == bound.high)
        return make_number(simplifier, bound.low);
    if (simplify(simplifier, operation, a, b, c, &simpler))
        return simpler;
    simpler = expression_fold(simplifier->graph, OVERFLOW_SATURATES, operation, a, b, c);
    if (simpler == EXPRESSION_NONE || node_of(simplifier, simpler)->operation != OP_CONSTANT)
        return note(simplifier, simpler, bound);
    return make_number(simplifier, node_of(simplifier, simpler)->constant.integer);
}

/* ---- Cases ---- */

/* CASES_MOST: number of truth values to assume one after the other; CASES_DEPTH: number to assume together. */
enum { CASES_MOST = 4, CASES_DEPTH = 2, VISITED_MOST = 64 };

/* Returns the node under the assumption that `fact` has the value `truth`. */
static uint32_t assume(struct simplifier *simplifier, uint32_t number, uint32_t fact, int64_t truth)
{
    const struct expression_node node = *node_of(simplifier, number);
    uint32_t operands[3] = {0};
    bool same = true;
    if (number == fact)
        return make_number(simplifier, truth);
    if (simplifier->facts[number].round == simplifier->rounds)
        return simplifier->facts[number].assumed;
    for (size_t i = 0; i < expression_operands(&node); i++) {
        operands[i] = assume(simplifier, node.operands[i], fact, truth);
        same = same && operands[i] == node.operands[i];
    }
    const uint32_t assumed = same ? number : make(simplifier, node.operation, operands[0], operands[1], operands[2]);
    simplifier->facts[number].assumed = assumed;
    simplifier->facts[number].round = simplifier->rounds;
    return assumed;
}

/* Adds a truth value to the cases, unless it is listed already. */
static size_t add_case(const struct simplifier *simplifier, uint32_t truth, uint32_t *cases, size_t count)
{
    const uint32_t operation = node_of(simplifier, truth)->operation;
    for (size_t c = 0; c < count; c++)
        if (cases[c] == truth)
            return count;
    if (count < CASES_MOST && is_truth(simplifier, truth) && operation != OP_NOT && operation != OP_CONSTANT)
        cases[count++] = truth;
    return count;
}

/* Lists truth values to assume: conditions of choices first, then others, nearest to the root first. */
static size_t list_cases(const struct simplifier *simplifier, uint32_t root, uint32_t *cases)
{
    uint32_t visited[VISITED_MOST] = {root};
    size_t count = 0, visited_count = 1;
    for (size_t i = 0; i < visited_count; i++) {
        const struct expression_node *node = node_of(simplifier, visited[i]);
        for (size_t o = 0; o < expression_operands(node) && visited_count < VISITED_MOST; o++)
            visited[visited_count++] = node->operands[o];
    }
    for (size_t i = 0; i < visited_count; i++)
        if (node_of(simplifier, visited[i])->operation == OP_CHOOSE)
            count = add_case(simplifier, node_of(simplifier, visited[i])->operands[0], cases, count);
    for (size_t i = 1; i < visited_count; i++)
        count = add_case(simplifier, visited[i], cases, count);
    return count;
}

/* Drops a condition if both cases give the same result, as for the grids of skipped launches. */
static uint32_t unite_cases(struct simplifier *simplifier, uint32_t root, int depth)
{
    uint32_t cases[CASES_MOST];
    if (root == EXPRESSION_NONE || depth == 0 || node_of(simplifier, root)->operation == OP_CONSTANT)
        return root;
    const size_t count = list_cases(simplifier, root, cases);
    for (size_t c = 0; c < count; c++) {
        uint32_t results[2];
        for (int truth = 0; truth < 2; truth++) {
            simplifier->rounds++;
            results[truth] = unite_cases(simplifier, assume(simplifier, root, cases[c], truth), depth - 1);
        }
        if (results[0] == results[1])
            return results[0];
    }
    return root;
}

/* ---- Simplifying ---- */

uint32_t size_simplify(struct expression_graph *simpler, const struct expression_graph *graph, uint32_t root,
                       const struct bound *ranges)
{
    struct simplifier simplifier = {.graph = simpler};
    uint32_t *numbers = calloc(root + (size_t)1, sizeof *numbers), result = EXPRESSION_NONE;
    for (uint32_t n = 0; numbers && n <= root; n++) {
        const struct expression_node *node = &graph->nodes[n];
        const uint32_t *of = node->operands;
        const struct bound range = node->operation == OP_NAME ? size_bound(ranges, of[0]) : (struct bound){0};
        if (node->operation == OP_CONSTANT)
            numbers[n] = make_number(&simplifier, node->constant.integer);
        else if (node->operation != OP_NAME)
            numbers[n] = make(&simplifier, node->operation, numbers[of[0]], numbers[of[1]], numbers[of[2]]);
        else if (range.low == range.high)
            numbers[n] = make_number(&simplifier, range.low);
        else
            numbers[n] = note(&simplifier, expression_name(simpler, of[0]), range);
        result = numbers[n];
    }
    if (result != EXPRESSION_NONE && is_truth(&simplifier, result))
        result = unite_cases(&simplifier, result, CASES_DEPTH);
    free(numbers);
    free(simplifier.facts);
    return result;
}
