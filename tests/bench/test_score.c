#include "tools/bench/score.h"

#include <math.h>

#include <CUnit/CUnit.h>

/* Median 50, so half of the distance to the optimum is covered at 30, and 95% of it at 12. Rank 6 of 11 from the worst
 * is reached after one draw, 6 = 1 x 12 / 2, rank 8 after two: 8 = 2 x 12 / 3. */
static const double values[] = {10, 11, 12, 20, 30, 50, 60, 70, 80, 90, 100};
static const struct score_space space = {.values = values, .count = 11, .evaluation_s = 2};

static void baseline_is_calculated(void)
{
    static const struct {
        double at_s, value;
    } rows[] = {{0, 30}, {2, 30}, {2.99, 30}, {3.01, 12}, {4, 12}, {6, 11}, {8, 10}, {1e9, 10}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        CU_ASSERT_EQUAL(score_baseline(&space, rows[r].at_s), rows[r].value);
    CU_ASSERT_EQUAL(score_evaluations(&space, 0.5), 1);
    CU_ASSERT_EQUAL(score_evaluations(&space, 0.95), 2);
    CU_ASSERT_EQUAL(score_evaluations(&space, 1), 5); /* 10 of 11 takes 5 draws */
    CU_ASSERT_EQUAL(score_start_s(&space), 2);
    CU_ASSERT_EQUAL(score_end_s(&space), 4);
}

/* 500 of the 1,000 moments have the baseline 30, the others 12. */
static void gains_are_averaged(void)
{
    static const struct {
        struct score_observation observations[4];
        size_t count;
        double last_s, score;
    } rows[] = {
        /* Random search itself, then better and worse than it throughout. */
        {{{2, 4}, {2.9999, 4}, {3.0001, 2}, {4, 2}}, 4, INFINITY, 0},
        {{{1.9, 0}}, 1, INFINITY, 1},
        {{{2, 5}}, 1, INFINITY, (500 * -1.0 + 500 * -19.0) / 1000},
        /* From rank 5 to 2 on a line: 167 moments at 50, 333 at 30, 333 at 20, 167 at 12. */
        {{{4, 2}, {2, 5}}, 2, INFINITY, (167 * -1.0 + 333 * 0.0 + 333 * -4.0 + 167 * 0.0) / 1000},
        /* Too few runs after the first moment. */
        {{{2, 5}, {4, 2}}, 2, 2, (500 * -1.0 + 500 * -19.0) / 1000},
        /* A worse run's later evaluation: their mean, rank 1. */
        {{{2, 0}, {3, 2}}, 2, INFINITY, (500 * 0.95 + 500 * 0.5) / 1000},
        /* Equal moments are one observation, rank 2, before the regression: 125 at 30, 250 at 20, 125 and 500 at 12. */
        {{{2, 4}, {3, 1}, {3, 3}}, 3, INFINITY, (125 * 0.0 + 250 * 0.5 + 125 * 0.9 + 500 * 0.0) / 1000},
        /* More than a tenth outside. */
        {{{1.79, 0}, {2, 5}, {4.41, 0}}, 3, INFINITY, (500 * -1.0 + 500 * -19.0) / 1000},
        {{{1.79, 0}, {4.41, 0}}, 2, INFINITY, NAN},
        {{{0, 0}}, 0, INFINITY, NAN},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct score_observation observations[4];
        for (size_t i = 0; i < 4; i++)
            observations[i] = rows[r].observations[i];
        double found = score(&space, observations, rows[r].count, rows[r].last_s);
        CU_ASSERT(isnan(rows[r].score) ? isnan(found) : fabs(found - rows[r].score) < 1e-12);
    }
}

/* Moments at which the baseline has found the optimum say nothing. */
static void nothing_left_to_gain(void)
{
    static const double few[] = {10, 30, 50, 70, 90}; /* 30 after one draw, 10 after two, which are 1.5 or more */
    static const struct score_space five = {.values = few, .count = 5, .evaluation_s = 1};
    static const struct score_space one = {.values = few, .count = 1, .evaluation_s = 1};
    struct score_observation worst = {1, 4}, only = {0, 0};
    CU_ASSERT_EQUAL(score_evaluations(&five, 0.5), 1);
    CU_ASSERT_EQUAL(score_evaluations(&five, 0.95), 2);
    CU_ASSERT_DOUBLE_EQUAL(score(&five, &worst, 1, INFINITY), -3, 1e-12);
    CU_ASSERT(isnan(score(&one, &only, 1, INFINITY)));
}

CU_TestInfo tests_score[] = {
    {"the baseline is calculated", baseline_is_calculated},
    {"gains over the baseline are averaged", gains_are_averaged},
    {"a baseline at the optimum", nothing_left_to_gain},
    CU_TEST_INFO_NULL,
};
