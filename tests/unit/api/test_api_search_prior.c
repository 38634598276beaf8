#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "search.h"

/* The run of another machine has every combination of values, also those that are not valid here. */
enum { ROWS = 4 * 5 * 2 };
static unsigned choices[3 * ROWS];
static double values[ROWS];
static const struct cutune_search_prior_run run = {ROWS, choices, values};

/* The values grow with the distance from a configuration, and LOAD=ca is faster where it is not valid. */
static void fill(unsigned tile, unsigned rows_)
{
    for (unsigned i = 0; i < ROWS; i++) {
        unsigned *own = choices + (size_t)3 * i;
        own[0] = i / 10, own[1] = i / 2 % 5, own[2] = i % 2;
        values[i] = 100 + 10 * abs((int)own[0] - (int)tile) + 10 * abs((int)own[1] - (int)rows_) + (own[2] ? 1 : 0);
    }
    values[ROWS - 1] = NAN;
}

static struct cutune_search_space informed(const struct cutune_search_prior_run *runs, size_t count)
{
    struct cutune_search_space space = small;
    space.prior_runs = runs;
    space.prior_run_count = count;
    return space;
}

static void begins_where_they_are_fast(void)
{
    const struct cutune_search_space space = informed(&run, 1);
    fill(3, 3);
    for (unsigned long long seed = 1; seed <= 5; seed++) {
        struct cutune_search *search = open_search(&space, NULL, seed);
        char text[64] = "";
        CU_ASSERT_EQUAL(cutune_search_text(search, ask(search), text, sizeof text, NULL), 0);
        CU_ASSERT_STRING_EQUAL(text, "TILE=64 ROWS=8 LOAD=cg");
        cutune_search_close(search);
    }
}

/* The caller's lists are not needed after opening. */
static void copies_the_lists(void)
{
    unsigned own_choices[3 * ROWS];
    double own_values[ROWS];
    fill(2, 2);
    memcpy(own_choices, choices, sizeof choices);
    memcpy(own_values, values, sizeof values);
    const struct cutune_search_prior_run own = {ROWS, own_choices, own_values};
    const struct cutune_search_space spaces[] = {informed(&own, 1), informed(&run, 1)};
    struct cutune_search *searches[] = {open_search(&spaces[0], NULL, 3), open_search(&spaces[1], NULL, 3)};
    memset(own_choices, 0, sizeof own_choices);
    memset(own_values, 0, sizeof own_values);
    for (int i = 0; i < VALID; i++) {
        const struct cutune_answer answer = {.value = 1 + i % 7};
        const unsigned long long asked[] = {ask(searches[0]), ask(searches[1])};
        CU_ASSERT_EQUAL_FATAL(asked[0], asked[1]);
        for (int s = 0; s < 2; s++)
            CU_ASSERT_EQUAL_FATAL(cutune_search_tell(searches[s], asked[s], &answer, NULL), 0);
    }
    cutune_search_close(searches[0]);
    cutune_search_close(searches[1]);
}

static void refuses_impossible_runs(void)
{
    static const struct cutune_search_prior_run nine[9];
    const struct {
        struct cutune_search_prior_run run;
        const char *strategy;
        int code;
        const char *message;
    } cases[] = {
        {{1, choices, values}, "random", CUTUNE_ERROR_USAGE, "the strategy random does not learn from prior runs"},
        {{0, choices, values}, NULL, CUTUNE_ERROR_NOTHING_VALID, "prior run 0 has no configuration with a value"},
        {{1, choices, (const double[]){NAN}},
         NULL,
         CUTUNE_ERROR_NOTHING_VALID,
         "prior run 0 has no configuration with a value"},
        {{1, NULL, values}, NULL, CUTUNE_ERROR_USAGE, "a list of prior run 0 is NULL, and its count is not 0"},
        {{1, choices, NULL}, NULL, CUTUNE_ERROR_USAGE, "a list of prior run 0 is NULL, and its count is not 0"},
        {{2, choices, (const double[]){1, 0}},
         NULL,
         CUTUNE_ERROR_VALUE,
         "the value 0 in row 1 of prior run 0 is not a positive, finite number"},
        {{1, choices, (const double[]){INFINITY}}, NULL, CUTUNE_ERROR_VALUE, "the value inf in row 0 of prior run 0"},
        {{1, (const unsigned[]){0, 5, 0}, values},
         NULL,
         CUTUNE_ERROR_USAGE,
         "row 0 of prior run 0 has choice 5 of 'ROWS', which has 5 values"},
    };
    struct cutune_search *search;
    struct cutune_error error;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct cutune_search_space space = informed(&cases[i].run, 1);
        CU_ASSERT_EQUAL(cutune_search_open(&search, &space, cases[i].strategy, 1, &error), cases[i].code);
        CU_ASSERT_PTR_NULL(search);
        CU_ASSERT_PTR_NOT_NULL_FATAL(strstr(error.message, cases[i].message));
    }
    const struct cutune_search_space many = informed(nine, 9), none = informed(NULL, 1);
    CU_ASSERT_EQUAL(cutune_search_open(&search, &many, NULL, 1, &error), CUTUNE_ERROR_USAGE);
    CU_ASSERT_STRING_EQUAL(error.message, "9 prior runs are more than 8: give the nearest");
    CU_ASSERT_EQUAL(cutune_search_open(&search, &none, NULL, 1, &error), CUTUNE_ERROR_USAGE);
}

/* A saved search needs the same prior runs. */
static void restores_with_the_same_runs(void)
{
    const double other[] = {1, 2, 3, 5, 4};
    const struct cutune_search_prior_run others = {5, choices, other};
    fill(1, 1);
    const struct cutune_search_space spaces[] = {informed(&run, 1), informed(&others, 1), informed(NULL, 0)};
    char path[] = "/tmp/cutune-search-XXXXXX";
    CU_ASSERT_FATAL(close(mkstemp(path)) == 0);
    struct cutune_search *search = open_search(&spaces[0], NULL, 5);
    const struct cutune_answer answer = {.value = 7};
    for (int i = 0; i < 4; i++)
        CU_ASSERT_EQUAL(cutune_search_tell(search, ask(search), &answer, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(cutune_search_save(search, path, NULL), 0);
    for (size_t i = 0; i < 3; i++) {
        struct cutune_search *again;
        int same = 0;
        CU_ASSERT_EQUAL(cutune_search_restore(&again, &spaces[i], path, &same, NULL), i ? CUTUNE_ERROR_DATA : 0);
        if (!i)
            CU_ASSERT(same && ask(again) == ask(search));
        cutune_search_close(again);
    }
    cutune_search_close(search);
    unlink(path);
}

CU_TestInfo tests_api_search_prior[] = {{"begins where they are fast", begins_where_they_are_fast},
                                        {"copies the lists", copies_the_lists},
                                        {"refuses impossible runs", refuses_impossible_runs},
                                        {"restores with the same runs", restores_with_the_same_runs},
                                        CU_TEST_INFO_NULL};
