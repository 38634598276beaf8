#include <string.h>

#include <CUnit/Basic.h>

#include "search/search.h"
#include "set.h"

static const char statements[] = "param A = 1..10\nparam B = 1..10\n";

static const struct {
    const char *strategy;
    size_t in_flight, room;
    bool known;
    size_t count;
} rows[] = {
    {"surrogate:initial=6", 0, 20, false, 6}, {"surrogate:initial=6", 2, 20, false, 4},
    {"surrogate:initial=6", 2, 3, false, 3},  {"surrogate:initial=6", 7, 20, false, 0},
    {"surrogate:initial=6", 7, 20, true, 20}, {"random", 7, 20, false, 20},
    {"exhaustive", 7, 20, false, 20},
};

/* Before the first outcome, only the opening is in flight. */
static void keeps_to_the_opening(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct strategy_setup setup = set_open(statements, 1);
        struct strategy_choice choice = {0};
        struct search search = {0};
        struct error error = {0};
        uint64_t configs[20];
        size_t count = 99;
        CU_ASSERT_EQUAL_FATAL(strategy_choose(&choice, rows[i].strategy, &error), 0);
        setup.options = choice.options;
        CU_ASSERT_EQUAL_FATAL(search_begin(&search, choice.ops, &setup, &error), 0);
        CU_ASSERT_EQUAL(search_learns(&search), strcmp(rows[i].strategy, "exhaustive") != 0);
        CU_ASSERT_EQUAL(search_ask(&search, rows[i].in_flight, rows[i].known, configs, rows[i].room, &count, &error),
                        0);
        CU_ASSERT_EQUAL(count, rows[i].count);
        search_end(&search);
        CU_ASSERT_PTR_NULL(search.strategy);
        strategy_choice_free(&choice);
        set_close(&setup);
    }
}

/* Without options, the strategy has its defaults. */
static void has_default_options(void)
{
    struct strategy_setup setup = set_open(statements, 1);
    struct strategy_choice choice = {0};
    struct search by_default = {0}, by_choice = {0};
    struct error error = {0};
    uint64_t expected[8], configs[8];
    size_t expected_count, count;
    CU_ASSERT_EQUAL_FATAL(search_begin(&by_default, &strategy_surrogate, &setup, &error), 0);
    CU_ASSERT_EQUAL_FATAL(strategy_choose(&choice, "surrogate", &error), 0);
    setup.options = choice.options;
    CU_ASSERT_EQUAL_FATAL(search_begin(&by_choice, choice.ops, &setup, &error), 0);
    CU_ASSERT_EQUAL(search_ask(&by_choice, 0, true, expected, 8, &expected_count, &error), 0);
    CU_ASSERT_EQUAL(search_ask(&by_default, 0, true, configs, 8, &count, &error), 0);
    CU_ASSERT_EQUAL_FATAL(count, expected_count);
    CU_ASSERT_EQUAL(memcmp(configs, expected, count * sizeof *configs), 0);
    search_end(&by_default);
    search_end(&by_choice);
    strategy_choice_free(&choice);
    set_close(&setup);
}

static void may_be_empty(void)
{
    struct search search = {0};
    double weights[PRIOR_RUNS_MAX] = {0};
    search_tell(&search, 1, &(struct cost){.ok = true, .value = 1});
    search_weigh(&search, weights);
    CU_ASSERT_EQUAL(weights[0], 0);
    search_end(&search);
}

CU_TestInfo tests_search[] = {{"it keeps to the opening", keeps_to_the_opening},
                              {"it has default options", has_default_options},
                              {"it may be empty", may_be_empty},
                              CU_TEST_INFO_NULL};
