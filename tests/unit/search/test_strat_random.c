#include "steps.h"

enum { COUNT = 20, SEEDS = 4000 };

static void order(uint64_t seed, uint64_t *configs)
{
    struct steps steps;
    steps_open(&steps, "param A = 1..20\n", "random", seed);
    for (size_t i = 0; i < COUNT; i++)
        configs[i] = steps_ask(&steps);
    CU_ASSERT_EQUAL(steps_ask(&steps), UINT64_MAX);
    steps_close(&steps);
}

static void follows_its_seed(void)
{
    uint64_t one[COUNT], again[COUNT], two[COUNT];
    order(1, one);
    order(1, again);
    order(2, two);
    CU_ASSERT_EQUAL(memcmp(one, again, sizeof one), 0);
    CU_ASSERT_NOT_EQUAL(memcmp(one, two, sizeof one), 0);
}

/* Over many seeds, each configuration is first, and last, equally often: 200 +- 5 standard deviations of 14. */
static void is_uniform(void)
{
    unsigned first[COUNT] = {0}, last[COUNT] = {0};
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        uint64_t configs[COUNT];
        order(seed, configs);
        first[configs[0]]++;
        last[configs[COUNT - 1]]++;
    }
    for (size_t i = 0; i < COUNT; i++) {
        CU_ASSERT(first[i] > 130 && first[i] < 270);
        CU_ASSERT(last[i] > 130 && last[i] < 270);
    }
}

CU_TestInfo tests_strat_random[] = {
    {"follows its seed", follows_its_seed}, {"is uniform", is_uniform}, CU_TEST_INFO_NULL};
