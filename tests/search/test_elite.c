#include "search/elite.h"

#include <CUnit/Basic.h>

#include "base/random.h"

/* Keeps the best in order, without failures and bounds. Equal ones stay in order of arrival. */
static void keeps_the_best(void)
{
    static const struct {
        struct cost cost;
        size_t count;
        uint64_t members[3];
    } rows[] = {{{.ok = true, .value = 5}, 1, {0}},
                {{.ok = false, .value = 1}, 1, {0}},
                {{.ok = true, .bound = true, .value = 1}, 1, {0}},
                {{.ok = true, .value = 7}, 2, {0, 3}},
                {{.ok = true, .value = 5}, 3, {0, 4, 3}},
                {{.ok = true, .value = 7}, 3, {0, 4, 3}},
                {{.ok = true, .value = 6}, 3, {0, 4, 6}},
                {{.ok = true, .value = 1}, 3, {7, 0, 4}}};
    struct elite elite = {.most = 3};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        elite_tell(&elite, i, &rows[i].cost);
        CU_ASSERT_EQUAL_FATAL(elite.count, rows[i].count);
        for (size_t m = 0; m < elite.count; m++)
            CU_ASSERT_EQUAL(elite.members[m].index, rows[i].members[m]);
    }
    CU_ASSERT_EQUAL(elite.members[0].value, 1);
}

static void at_its_largest(void)
{
    struct elite elite = {.most = ELITE_MAX};
    for (uint64_t i = 0; i < 1000; i++)
        elite_tell(&elite, i, &(struct cost){.ok = true, .value = (double)random_permute(1, 1000, i)});
    CU_ASSERT_EQUAL(elite.count, ELITE_MAX);
    for (size_t m = 0; m < ELITE_MAX; m++)
        CU_ASSERT_EQUAL(elite.members[m].value, (double)m);
}

CU_TestInfo tests_elite[] = {{"keeps the best", keeps_the_best}, {"at its largest", at_its_largest}, CU_TEST_INFO_NULL};
