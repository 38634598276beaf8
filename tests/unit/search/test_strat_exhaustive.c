#include "steps.h"

/* Every configuration, in the order of the indices, whatever the outcomes and the seed. */
static void in_order(void)
{
    for (uint64_t seed = 0; seed < 2; seed++) {
        struct steps steps;
        steps_open(&steps, "param A = 1..5\nparam B = 1..3\n", "exhaustive", seed);
        for (uint64_t i = 0; i < 15; i++)
            CU_ASSERT_EQUAL(steps_ask(&steps), i);
        CU_ASSERT_EQUAL(steps_ask(&steps), UINT64_MAX);
        steps_close(&steps);
    }
}

/* A batch fills the room, and the last one has the rest. */
static void in_pieces(void)
{
    static const size_t counts[] = {4, 4, 4, 3, 0};
    struct steps steps;
    uint64_t configs[4], next = 0;
    struct error error = {0};
    steps_open(&steps, "param A = 1..15\n", "exhaustive", 1);
    for (size_t piece = 0; piece < sizeof counts / sizeof *counts; piece++) {
        size_t count = 99;
        CU_ASSERT_EQUAL(steps.choice.ops->ask(steps.state, configs, 4, &count, &error), 0);
        CU_ASSERT_EQUAL_FATAL(count, counts[piece]);
        for (size_t i = 0; i < count; i++)
            CU_ASSERT_EQUAL(configs[i], next++);
    }
    steps_close(&steps);
}

CU_TestInfo tests_strat_exhaustive[] = {{"in order", in_order}, {"in pieces", in_pieces}, CU_TEST_INFO_NULL};
