/* Random expressions, and their values by direct evaluation. */
#ifndef CUTUNE_TESTS_BASE_RANDOM_EXPRESSION_H
#define CUTUNE_TESTS_BASE_RANDOM_EXPRESSION_H

#include "base/expression.h"
#include "base/random.h"

static inline int64_t draw_integer(struct random *random)
{
    static const int64_t numbers[] = {0,  1,  2,  3,   4,    5,       8,  16,        33,        64,
                                      -1, -5, 96, 132, 1000, 1 << 20, -8, INT64_MAX, INT64_MIN, (int64_t)1 << 40};
    return random_below(random, 2) ? numbers[random_below(random, sizeof numbers / sizeof *numbers)]
                                   : (int64_t)random_below(random, 200);
}

/* Draws an expression over the names 0 and 1 and integers; later operations often take earlier ones. `saturates`: only
 * operations of conditions on sizes. */
static inline uint32_t draw_expression(struct random *random, struct expression_graph *graph, bool saturates)
{
    enum { LEAVES = 5, OPERATIONS_MAX = 12 };
    static const enum operation often[] = {OP_CHOOSE, OP_CHOOSE,        OP_AND,      OP_OR,
                                           OP_LESS,   OP_GREATER_EQUAL, OP_MULTIPLY, OP_ADD};
    uint32_t nodes[LEAVES + OPERATIONS_MAX];
    const size_t count = LEAVES + 1 + random_below(random, OPERATIONS_MAX);
    for (size_t i = 0; i < count; i++) {
        enum operation operation = often[random_below(random, sizeof often / sizeof *often)];
        uint32_t operands[3];
        if (i < LEAVES) {
            nodes[i] = i < 2 ? expression_name(graph, (uint32_t)i)
                             : expression_constant(graph, value_integer(draw_integer(random)));
            continue;
        }
        if (i + 1 == count && random_below(random, 2))
            operation = (enum operation)(OP_EQUAL + random_below(random, 6)); /* a truth value */
        else if (random_below(random, 3))
            do
                operation = (enum operation)(OP_LOG2 + random_below(random, OP_COUNT - OP_LOG2));
            while (operation == OP_IN || (saturates && !*operation_rows[operation].c));
        for (size_t o = 0; o < 3; o++)
            operands[o] = nodes[random_below(random, 3) ? i - 1 - random_below(random, 3) : random_below(random, i)];
        nodes[i] = expression_node(graph, operation, operands[0], operands[1], operands[2]);
    }
    return nodes[count - 1];
}

/* Returns the value of a node, recursively from the root: skips operands that && || ?: guard. */
static inline struct value direct_value(const struct expression_node *nodes, uint32_t number, enum overflow overflow,
                                        const struct value *names)
{
    const struct expression_node *node = &nodes[number];
    struct value of[3] = {value_fault(), value_fault(), value_fault()}, result;
    if (node->operation == OP_CONSTANT || node->operation == OP_NAME)
        return node->operation == OP_NAME ? names[node->operands[0]] : node->constant;
    of[0] = direct_value(nodes, node->operands[0], overflow, names);
    const bool known = value_is_number(&of[0]), truth = known && value_truth(&of[0]);
    for (size_t i = 1; i < expression_operands(node); i++)
        if (node->operation < OP_AND ||
            (known && truth == (node->operation == OP_CHOOSE ? i == 1 : node->operation == OP_AND)))
            of[i] = direct_value(nodes, node->operands[i], overflow, names);
    operation_apply(node->operation, overflow, &of[0], &of[1], &of[2], &result);
    return result;
}

#endif
