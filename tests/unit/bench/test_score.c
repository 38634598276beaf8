#include "tools/bench/score.h"

#include <math.h>

#include <CUnit/CUnit.h>

/* The median is 60. 1% of the distance to the optimum is covered at 59.5. Ten are worse, and one draw reaches 10 = 1 x
 * 20 / 2 of 19 from the worst. 95% is covered at 12.5: sixteen are worse, 16 = 4 x 20 / 5. */
static const double values[] = {10, 11, 12, 20, 25, 30, 35, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150};
static const struct score_space space = {.values = values, .count = 19, .mean_s = 2, .median_s = 1.5};

static void baseline_is_calculated(void)
{
    static const struct {
        double at_s, value;
    } rows[] = {{0, 50}, {2, 50}, {2.99, 50}, {3.01, 30}, {4.99, 30}, {5.01, 20}, {8, 12}, {100, 10}, {1e9, 10}};
    double start_s, end_s;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        CU_ASSERT_EQUAL(score_baseline(&space, rows[r].at_s), rows[r].value);
    CU_ASSERT_EQUAL(score_evaluations(&space, 0.01), 1);
    CU_ASSERT_EQUAL(score_evaluations(&space, 0.95), 4);
    CU_ASSERT_EQUAL(score_evaluations(&space, 0.99), 6); /* 17 = 5.67 x 20 / 6.67 instead of 18, which is the optimum */
    CU_ASSERT_EQUAL(score_evaluations(&space, 1), 9);
    score_range(&space, &start_s, &end_s);
    CU_ASSERT_EQUAL(start_s, 1.5);
    CU_ASSERT_EQUAL(end_s, 6);
}

/* The baseline is 50, which is 40 from the optimum, for 333 of the 1,000 moments from 1.5 to 6 s. It is 30 for 445
 * moments, then 20 for 222. */
static void gains_are_averaged(void)
{
    static const double at_50 = (333 * 0.0 + 445 * -1.0 + 222 * -3.0) / 1000;
    /* From rank 8 to 2 on a line, seven ranks: 84, 166, 167, 166, 167, 166 and 84 moments. */
    static const double line = (84 * 0.0 + 166 * 0.25 + 83 * 0.375 +             /* 50, 40, 35 against 50 */
                                84 * -0.25 + 166 * 0.0 + 167 * 0.25 + 28 * 0.5 + /* 35, 30, 25, 20 against 30 */
                                138 * 0.0 + 84 * 0.8) /                          /* 20, 12 against 20 */
                               1000;
    static const struct {
        struct score_observation observations[3];
        size_t count;
        double last_s, score;
    } rows[] = {
        {{{1.5, 8}}, 1, INFINITY, at_50},
        {{{1.4, 0}}, 1, INFINITY, 1},
        {{{6, 2}, {1.5, 8}}, 2, INFINITY, line},
        /* Too few runs after the first moment. */
        {{{1.5, 8}, {6, 2}}, 2, 1.5, at_50},
        /* A worse run's later evaluation: their mean, rank 1. */
        {{{2, 0}, {3, 2}}, 2, INFINITY, (333 * 0.975 + 445 * 0.95 + 222 * 0.9) / 1000},
        /* Equal moments are one observation. */
        {{{1.5, 8}, {6, 3}, {6, 1}}, 3, INFINITY, line},
        /* More than a tenth outside. */
        {{{1.34, 0}, {1.5, 8}, {6.61, 0}}, 3, INFINITY, at_50},
        {{{1.34, 0}, {6.61, 0}}, 2, INFINITY, NAN},
        {{{0, 0}}, 0, INFINITY, NAN},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct score_observation observations[3];
        for (size_t i = 0; i < 3; i++)
            observations[i] = rows[r].observations[i];
        double found = score(&space, observations, rows[r].count, rows[r].last_s);
        CU_ASSERT(isnan(rows[r].score) ? isnan(found) : fabs(found - rows[r].score) < 1e-12);
    }
}

/* Moments at which the baseline has found the optimum do not count. */
static void nothing_left_to_gain(void)
{
    /* 30 after one draw, 10 after two, which are 1.5 or more: 750 moments from 0 to 2 s. */
    static const double few[] = {10, 30, 50, 70, 90};
    static const struct score_space five = {.values = few, .count = 5, .mean_s = 1, .median_s = 1};
    static const struct score_space one = {.values = few, .count = 1, .mean_s = 1, .median_s = 1};
    struct score_observation worst = {1, 4}, only = {0, 0};
    double start_s, end_s;
    CU_ASSERT_EQUAL(score_evaluations(&five, 0.01), 1);
    CU_ASSERT_EQUAL(score_evaluations(&five, 0.95), 1);
    score_range(&five, &start_s, &end_s);
    CU_ASSERT_EQUAL(start_s, 0);
    CU_ASSERT_EQUAL(end_s, 2);
    CU_ASSERT_DOUBLE_EQUAL(score(&five, &worst, 1, INFINITY), -3, 1e-12);
    score_range(&one, &start_s, &end_s);
    CU_ASSERT_EQUAL(end_s, 2);
    CU_ASSERT(isnan(score(&one, &only, 1, INFINITY)));
}

CU_TestInfo tests_score[] = {
    {"the baseline is calculated", baseline_is_calculated},
    {"gains over the baseline are averaged", gains_are_averaged},
    {"a baseline at the optimum", nothing_left_to_gain},
    CU_TEST_INFO_NULL,
};
