/* Expression graphs: equal parts share a node, constants are folded, and values equal those of direct evaluation. */
#include <CUnit/Basic.h>

#include "base/error.h"
#include "random_expression.h"

/* Gives every name a value. */
static bool named(const void *values, uint32_t name, struct value *value)
{
    *value = ((const struct value *)values)[name];
    return true;
}

/* Gives only name 0 a value. */
static bool first_named(const void *values, uint32_t name, struct value *value)
{
    return name == 0 && named(values, name, value);
}

static bool same(struct value a, struct value b)
{
    return a.kind == b.kind && (a.kind == VALUE_FAULT || a.integer == b.integer);
}

static void equal_parts(void)
{
    struct expression_graph graph = {0};
    const uint32_t x = expression_name(&graph, 0), y = expression_name(&graph, 64);
    const uint32_t one = expression_constant(&graph, value_integer(1)),
                   sum = expression_node(&graph, OP_ADD, x, one, 0);
    const uint32_t equal[] = {expression_name(&graph, 0), expression_constant(&graph, value_integer(1)),
                              expression_node(&graph, OP_ADD, x, one, y), /* the third operand is ignored */
                              expression_node(&graph, OP_ADD, x, EXPRESSION_NONE, 0)};
    CU_ASSERT(equal[0] == x && equal[1] == one && equal[2] == sum && equal[3] == EXPRESSION_NONE);
    const uint32_t others[] = {expression_constant(&graph, (struct value){.kind = VALUE_FLOAT, .real = 1}),
                               expression_constant(&graph, value_fault()),
                               expression_node(&graph, OP_ADD, one, x, 0),
                               expression_node(&graph, OP_SUBTRACT, x, one, 0),
                               expression_node(&graph, OP_CHOOSE, x, one, sum),
                               expression_node(&graph, OP_CHOOSE, x, one, one)};
    CU_ASSERT_EQUAL(graph.count, 4 + sizeof others / sizeof *others); /* all are different nodes */
    CU_ASSERT_EQUAL(graph.nodes[sum].names, 1);
    CU_ASSERT_EQUAL(graph.nodes[y].names, 0);
    expression_graph_free(&graph);
    CU_ASSERT_EQUAL(graph.count, 0);
}

/* An operation decided by constants becomes a constant, or one of the operands. */
static void folds(void)
{
    struct expression_graph graph = {0};
    const uint32_t x = expression_name(&graph, 0), truth = expression_node(&graph, OP_LESS, x, x, 0);
    const uint32_t zero = expression_constant(&graph, value_integer(0));
    const uint32_t one = expression_constant(&graph, value_integer(1));
    const uint32_t most = expression_constant(&graph, value_integer(INT64_MAX));
    const uint32_t fault = expression_constant(&graph, value_fault());
    const struct {
        enum operation operation;
        uint32_t a, b, c, expected; /* EXPRESSION_NONE: the operation itself */
        enum overflow overflow;
    } rows[] = {
        {OP_ADD, one, zero, 0, one, OVERFLOW_FAULTS},
        {OP_ADD, most, one, 0, fault, OVERFLOW_FAULTS},
        {OP_ADD, most, one, 0, most, OVERFLOW_SATURATES},
        {OP_ADD, x, zero, 0, EXPRESSION_NONE, OVERFLOW_FAULTS},
        {OP_AND, zero, x, 0, zero, OVERFLOW_FAULTS},
        {OP_AND, one, truth, 0, truth, OVERFLOW_FAULTS},
        {OP_AND, one, x, 0, EXPRESSION_NONE, OVERFLOW_FAULTS},  /* x may be 2, or a word */
        {OP_AND, x, zero, 0, EXPRESSION_NONE, OVERFLOW_FAULTS}, /* x may be a fault */
        {OP_AND, x, fault, 0, EXPRESSION_NONE, OVERFLOW_FAULTS},
        {OP_OR, one, x, 0, one, OVERFLOW_FAULTS},
        {OP_OR, zero, truth, 0, truth, OVERFLOW_FAULTS},
        {OP_OR, fault, one, 0, fault, OVERFLOW_FAULTS},
        {OP_CHOOSE, one, x, fault, x, OVERFLOW_FAULTS},
        {OP_CHOOSE, zero, x, fault, fault, OVERFLOW_FAULTS},
        {OP_CHOOSE, x, one, one, EXPRESSION_NONE, OVERFLOW_FAULTS},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t node = expression_fold(&graph, rows[i].overflow, rows[i].operation, rows[i].a, rows[i].b, rows[i].c);
        CU_ASSERT_EQUAL(node, rows[i].expected == EXPRESSION_NONE
                                  ? expression_node(&graph, rows[i].operation, rows[i].a, rows[i].b, rows[i].c)
                                  : rows[i].expected);
    }
    expression_graph_free(&graph);
}

/* A finished expression has only the nodes it needs; too many nodes are an error. */
static void finished(void)
{
    struct expression_graph graph = {0};
    struct expression expression;
    struct arena arena = {0};
    uint32_t sum = expression_name(&graph, 0);
    expression_node(&graph, OP_NOT, sum, 0, 0); /* not part of the expression */
    while (graph.count < EXPRESSION_NODES_MAX + 1)
        sum = expression_node(&graph, OP_ADD, sum, sum, 0);
    CU_ASSERT_EQUAL(expression_finish(&graph, sum, &arena, &expression), 0);
    CU_ASSERT_EQUAL(expression.count, EXPRESSION_NODES_MAX);
    CU_ASSERT_EQUAL(expression_finish(&graph, EXPRESSION_NONE, &arena, &expression), ERROR_MEMORY);
    sum = expression_node(&graph, OP_ADD, sum, sum, 0);
    CU_ASSERT_EQUAL(expression_finish(&graph, sum, &arena, &expression), ERROR_DATA);
    arena_free(&arena);
    expression_graph_free(&graph);
}

/* Values at once, after a copy, and after binding the names one by one equal those of direct evaluation. */
static void random_values(void)
{
    struct random random;
    size_t faults = 0;
    random_seed(&random, 5);
    for (int i = 0; i < 20000; i++) {
        const enum overflow overflow = i % 2 ? OVERFLOW_SATURATES : OVERFLOW_FAULTS;
        struct expression_graph graph = {0}, bound = {0};
        struct arena arena = {0};
        struct expression expression, part;
        const uint32_t root = draw_expression(&random, &graph, overflow == OVERFLOW_SATURATES);
        const struct value names[] = {value_integer(draw_integer(&random)), value_integer(draw_integer(&random))};
        const struct value expected = direct_value(graph.nodes, root, overflow, names);
        CU_ASSERT_EQUAL_FATAL(expression_finish(&graph, root, &arena, &expression), 0);
        CU_ASSERT(same(expression_value(&expression, overflow, named, names), expected));
        CU_ASSERT_EQUAL(expression_copy(&graph, &expression, NULL, NULL), root);
        faults += expected.kind == VALUE_FAULT;
        if (overflow == OVERFLOW_FAULTS) {
            const uint32_t all = expression_copy(&bound, &expression, named, names);
            const uint32_t some = expression_copy(&bound, &expression, first_named, names);
            CU_ASSERT(bound.nodes[all].operation == OP_CONSTANT && same(bound.nodes[all].constant, expected));
            CU_ASSERT_EQUAL(bound.nodes[some].names & 1, 0);
            CU_ASSERT_EQUAL_FATAL(expression_finish(&bound, some, &arena, &part), 0);
            CU_ASSERT(same(expression_value(&part, overflow, named, names), expected));
        }
        expression_graph_free(&graph);
        expression_graph_free(&bound);
        arena_free(&arena);
    }
    CU_ASSERT(faults > 1000 && faults < 9000);
}

CU_TestInfo tests_expression[] = {{"equal parts", equal_parts},
                                  {"folds", folds},
                                  {"finished", finished},
                                  {"random values", random_values},
                                  CU_TEST_INFO_NULL};
