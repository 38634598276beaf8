/* Nodes of expressions: equal ones are one, and what the kinds that no text has come to. */
#include <CUnit/Basic.h>

#include "sizes/size_node.h"

static void test_equal(void)
{
    struct arena arena = {0};
    struct size_graph graph = {.arena = &arena};
    struct size_node *size = size_graph_node(&graph, NODE_NAMED, 0, NULL, NULL, NULL);
    struct size_node *number = size_graph_node(&graph, NODE_NUMBER, 0, NULL, NULL, NULL);
    struct size_node *sum = size_graph_node(&graph, NODE_PLUS, 0, size, number, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(sum);
    CU_ASSERT_PTR_NOT_EQUAL(size, number);
    CU_ASSERT_PTR_EQUAL(size, size_graph_node(&graph, NODE_NAMED, 0, NULL, NULL, NULL));
    CU_ASSERT_PTR_NOT_EQUAL(size, size_graph_node(&graph, NODE_NAMED, 1, NULL, NULL, NULL));
    CU_ASSERT_PTR_EQUAL(sum, size_graph_node(&graph, NODE_PLUS, 0, size, number, NULL));
    CU_ASSERT_PTR_NOT_EQUAL(sum, size_graph_node(&graph, NODE_PLUS, 0, number, size, NULL));
    CU_ASSERT_PTR_NOT_EQUAL(sum, size_graph_node(&graph, NODE_MINUS, 0, size, number, NULL));
    CU_ASSERT_PTR_NOT_EQUAL(size_graph_node(&graph, NODE_CHOICE, 0, size, number, sum),
                            size_graph_node(&graph, NODE_CHOICE, 0, size, number, number));
    CU_ASSERT_EQUAL(sum->least, INT64_MIN);
    CU_ASSERT_EQUAL(sum->most, INT64_MAX);
    graph.failed = true; /* out of memory once is out of memory for good */
    CU_ASSERT_PTR_NULL(size_graph_node(&graph, NODE_PLUS, 0, size, number, NULL));
    CU_ASSERT_PTR_NULL(size_graph_node(&graph, NODE_PLUS, 0, sum, sum, NULL));
    arena_free(&arena);
}

static void test_kinds(void)
{
    static const struct {
        enum size_kind kind;
        size_t operands;
        int64_t a, b, c, value;
    } cases[] = {
        {NODE_NUMBER, 0, 1, 2, 3, 0},
        {NODE_NAMED, 0, 1, 2, 3, 0},
        {NODE_NOT, 1, 5, 0, 0, 0},
        {NODE_CHOICE, 3, 0, 2, 3, 3},
        {NODE_PLAIN_PLUS, 2, 5, -7, 9, -2},
        {NODE_PLAIN_MINUS, 2, 5, 7, 9, -2},
        {NODE_PLAIN_TIMES, 2, 5, -7, 9, -35},
        {NODE_PLAIN_SHIFT_RIGHT, 2, 41, 3, 9, 5},
        {NODE_LOW_BIT, 2, 24, 64, 0, 8},
        {NODE_LOW_BIT, 2, 24, 4, 0, 4},
        {NODE_LOW_BIT, 2, 0, 64, 0, 64},
        {NODE_LOW_BIT, 2, -24, 64, 0, 8},
        {NODE_SMALL_QUOTIENT, 2, 4294967295, 4294967295, 0, 1},
        {NODE_SMALL_QUOTIENT, 2, 4294967295, 2, 0, 2147483647},
        {NODE_SMALL_CEILDIV, 2, 0, 7, 0, 0},
        {NODE_SMALL_CEILDIV, 2, 14, 7, 0, 2},
        {NODE_SMALL_CEILDIV, 2, 15, 7, 0, 3},
        {NODE_SMALL_CEILDIV, 2, 4294967000, 295, 0, 14559211},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CU_ASSERT_EQUAL(size_kind_operands(cases[i].kind), cases[i].operands);
        CU_ASSERT_EQUAL(size_kind_apply(cases[i].kind, cases[i].a, cases[i].b, cases[i].c), cases[i].value);
    }
}

CU_TestInfo tests_size_node[] = {{"equal", test_equal}, {"kinds", test_kinds}, CU_TEST_INFO_NULL};
