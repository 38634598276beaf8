/* The roots of a space's constraints: equal parts are shared, each operand of a chain of && is a root, and known values
 * are constants. */
#include "../language/support.h"
#include "set/roots.h"

static void shared(void)
{
    static const struct {
        const char *constraints, *expected; /* of each root: its constraint, parameters, operation or constant */
        size_t count;                       /* number of nodes */
    } rows[] = {
        {"require A % B == 0", "0 3 == |", 5},
        {"require A % B == 0\nrequire B == A % B", "0 3 == | 1 3 == |", 6},
        {"require A == 0\nrequire A == 0.0", "0 1 == | 1 1 == |", 5},
        {"require A < B && B < C && A != C\nrequire A > 1", "0 3 < | 0 6 < | 0 5 != | 1 1 > |", 10},
        {"require A < B || A < C && B < C", "0 7 || |", 8},
        {"require (A ? B + 1 : C) > 2", "0 7 > |", 8},
        {"require max(A, ONE) > ONE + 1", "0 1 > |", 5},
        {"require 1 / (ONE - 1) == A\nrequire 2 / (ONE - 1) == A", "0 1 == | 1 1 == |", 6},
        {"require ONE == 1", "0 0 1 |", 1},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char file[1024];
        struct roots roots = {0};
        struct error error = {0};
        struct text text = {0};
        snprintf(file, sizeof file,
                 SPACE_HEAD SPACE_SHAPE "param A = 0..3\nparam B = 1, 2\nparam C = 0..2\nparam ONE = 1\n%s\n",
                 rows[i].constraints);
        struct space *space = bound(file, "", NULL);
        CU_ASSERT_EQUAL_FATAL(roots_find(&roots, space, space->constraint_count, &error), 0);
        for (size_t r = 0; r < roots.count; r++) {
            const struct expression_node *node = &roots.graph.nodes[roots.all[r].node];
            char constant[VALUE_TEXT_BYTES];
            text_printf(&text, "%s%u %llx %s |", r ? " " : "", roots.all[r].constraint, (unsigned long long)node->names,
                        node->operation == OP_CONSTANT ? value_text(&node->constant, constant, sizeof constant)
                                                       : operation_rows[node->operation].text);
        }
        expect_text(rows[i].constraints, text_string(&text), rows[i].expected);
        if (roots.graph.count != rows[i].count)
            fprintf(stderr, "\n%s: %zu nodes", rows[i].constraints, roots.graph.count);
        CU_ASSERT_EQUAL(roots.graph.count, rows[i].count);
        text_free(&text);
        roots_free(&roots);
        CU_ASSERT(roots.graph.count == 0 && roots.count == 0);
        space_free(space);
    }
}

CU_TestInfo tests_roots[] = {{"shared", shared}, CU_TEST_INFO_NULL};
