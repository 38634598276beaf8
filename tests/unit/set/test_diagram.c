#include "set/diagram.h"

#include <string.h>

#include <CUnit/Basic.h>

/* Makes a node of a short list: one arc for each value, valid or not. */
static uint32_t node_of(struct diagram *diagram, const uint32_t *children, uint32_t count)
{
    struct arc arcs[16];
    size_t arc_count = 0;
    for (uint32_t v = 0; v < count; v++)
        arc_count = diagram_add_value(arcs, arc_count, children[v], v, count);
    return diagram_node(diagram, arcs, arc_count);
}

static void equal_nodes_are_one(void)
{
    struct diagram diagram = {0};
    uint32_t all = node_of(&diagram, (uint32_t[]){NODE_END, NODE_END, NODE_END}, 3);
    uint32_t some = node_of(&diagram, (uint32_t[]){NODE_END, NODE_NONE, NODE_END}, 3);
    CU_ASSERT(all > NODE_END && some > NODE_END && all != some);
    CU_ASSERT_EQUAL(node_of(&diagram, (uint32_t[]){NODE_END, NODE_END, NODE_END}, 3), all);
    CU_ASSERT_EQUAL(node_of(&diagram, (uint32_t[]){NODE_NONE, NODE_NONE}, 2), NODE_NONE);
    CU_ASSERT_EQUAL(diagram.nodes[all].count, 3);
    CU_ASSERT_EQUAL(diagram.nodes[some].count, 2);
    uint32_t top = node_of(&diagram, (uint32_t[]){some, all, NODE_NONE, all}, 4);
    CU_ASSERT_EQUAL(diagram.nodes[top].count, 8);
    CU_ASSERT(diagram_bytes(&diagram) > 0);
    CU_ASSERT_FATAL(diagram_finish(&diagram, 4));
    /* Descends from the root: `before` counts the configurations of earlier arcs. */
    const struct arc *head = diagram_head(&diagram, top);
    CU_ASSERT_EQUAL(head->before, 8);
    CU_ASSERT_EQUAL(head->child, top);
    CU_ASSERT_EQUAL(head->last, 3);
    static const uint64_t before[] = {0, 2, 5, 5};
    for (int v = 0; v < 4; v++)
        CU_ASSERT_EQUAL(head[1 + v].before, before[v]);
    CU_ASSERT_EQUAL(diagram_below(&diagram, &head[1]), some);
    CU_ASSERT_EQUAL(diagram_below(&diagram, &head[4]), all);
    diagram_free(&diagram);
    CU_ASSERT_EQUAL(diagram_bytes(&diagram), 0);
}

/* In a long list, consecutive values with the same continuation share an arc. */
static void arcs_of_several_values(void)
{
    uint32_t many = 1;
    while (!diagram_has_arcs(many))
        many *= 2;
    CU_ASSERT(many > 2 && many <= 1024);
    struct arc arcs[8];
    size_t count = 0;
    for (uint32_t v = 0; v < 6; v++)
        count = diagram_add_value(arcs, count, v == 2 ? NODE_NONE : NODE_END, v, many);
    CU_ASSERT_EQUAL_FATAL(count, 2);
    CU_ASSERT(arcs[0].first == 0 && arcs[0].last == 1);
    CU_ASSERT(arcs[1].first == 3 && arcs[1].last == 5);
    struct diagram diagram = {0};
    uint32_t node = diagram_node(&diagram, arcs, count);
    CU_ASSERT_EQUAL(diagram.nodes[node].count, 5);
    CU_ASSERT_EQUAL(arcs[1].before, 2);
    diagram_free(&diagram);
}

static void saturating(void)
{
    static const struct {
        uint64_t a, b, sum, product;
    } rows[] = {{2, 3, 5, 6},
                {UINT64_MAX, 0, UINT64_MAX, 0},
                {UINT64_MAX, 1, UINT64_MAX, UINT64_MAX},
                {UINT64_MAX - 1, 1, UINT64_MAX, UINT64_MAX - 1},
                {(uint64_t)1 << 63, 2, ((uint64_t)1 << 63) + 2, UINT64_MAX},
                {(uint64_t)1 << 32, ((uint64_t)1 << 32) - 1, ((uint64_t)1 << 33) - 1,
                 ((uint64_t)1 << 63) + (((uint64_t)1 << 63) - ((uint64_t)1 << 32))}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CU_ASSERT_EQUAL(saturating_add(rows[i].a, rows[i].b), rows[i].sum);
        CU_ASSERT_EQUAL(saturating_multiply(rows[i].a, rows[i].b), rows[i].product);
    }
}

CU_TestInfo tests_diagram[] = {{"equal nodes are one", equal_nodes_are_one},
                               {"arcs of several values", arcs_of_several_values},
                               {"saturating", saturating},
                               CU_TEST_INFO_NULL};
