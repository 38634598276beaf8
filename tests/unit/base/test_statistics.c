#include <math.h>

#include <CUnit/Basic.h>

#include "base/random.h"
#include "base/statistics.h"

static void small_samples(void)
{
    double samples[] = {3, 1, 2, 10};
    statistics_sort(samples, 4);
    CU_ASSERT_EQUAL(samples[0], 1);
    CU_ASSERT_EQUAL(samples[3], 10);
    CU_ASSERT_EQUAL(statistics_median(samples, 4), 2.5);
    CU_ASSERT_EQUAL(statistics_median(samples, 3), 2);
    CU_ASSERT_EQUAL(statistics_median(samples, 1), 1);
    CU_ASSERT(isnan(statistics_median(samples, 0)));
    CU_ASSERT_EQUAL(statistics_mean(samples, 4), 4);
    CU_ASSERT(isnan(statistics_mean(samples, 0)));
    CU_ASSERT_DOUBLE_EQUAL(statistics_stddev(samples, 4), sqrt(50.0 / 3), 1e-12);
    CU_ASSERT_EQUAL(statistics_stddev(samples, 1), 0);
    CU_ASSERT_EQUAL(statistics_stddev(samples, 0), 0);
    statistics_sort(samples, 0);
}

/* Selecting any rank gives the same as sorting, in any order and with equal values. */
static void select_is_like_sorting(void)
{
    struct random random;
    random_seed(&random, 3);
    for (size_t count = 1; count <= 40; count++)
        for (size_t rank = 0; rank < count; rank++) {
            double samples[40], sorted[40];
            for (size_t i = 0; i < count; i++)
                samples[i] = sorted[i] = rank % 3 ? floor(10 * random_unit(&random)) : (double)(rank % 2 ? i : 40 - i);
            statistics_sort(sorted, count);
            CU_ASSERT_EQUAL(statistics_select(samples, count, rank), sorted[rank]);
            statistics_sort(samples, count);
            for (size_t i = 0; i < count; i++)
                CU_ASSERT_EQUAL(samples[i], sorted[i]);
        }
}

/* Ranks from the binomial table of the sign test: the interval extends from the rank-th smallest to the rank-th
 * largest. */
static const struct {
    size_t count;
    double confidence;
    size_t rank;
} ranks[] = {
    {1, 0.95, 1},   {2, 0.95, 1},   {5, 0.95, 1},   {6, 0.95, 1},   {8, 0.95, 1},    {9, 0.95, 2},    {10, 0.95, 2},
    {11, 0.95, 2},  {12, 0.95, 3},  {15, 0.95, 4},  {17, 0.95, 5},  {20, 0.95, 6},   {25, 0.95, 8},   {30, 0.95, 10},
    {40, 0.95, 14}, {50, 0.95, 18}, {60, 0.95, 22}, {80, 0.95, 31}, {100, 0.95, 40}, {200, 0.95, 86}, {1000, 0.95, 469},
    {10, 0.99, 1},  {12, 0.99, 2},  {20, 0.99, 4},  {30, 0.99, 8},  {50, 0.99, 16},  {100, 0.99, 37}, {1000, 0.99, 459},
};

static void median_interval_is_that_of_the_tables(void)
{
    double sorted[1000];
    for (size_t i = 0; i < 1000; i++)
        sorted[i] = (double)(i + 1);
    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++) {
        struct interval interval = statistics_median_interval(sorted, ranks[i].count, ranks[i].confidence);
        CU_ASSERT_EQUAL(interval.low, (double)ranks[i].rank);
        CU_ASSERT_EQUAL(interval.high, (double)(ranks[i].count + 1 - ranks[i].rank));
    }
    struct interval none = statistics_median_interval(sorted, 0, 0.95);
    CU_ASSERT(isnan(none.low) && isnan(none.high));
}

/* The fraction of many samples whose interval contains the true median. */
static double coverage(size_t count, double confidence, double (*draw)(struct random *), double median)
{
    enum { RUNS = 4000 };
    struct random random;
    size_t held = 0;
    double samples[100];
    random_seed(&random, count);
    for (int run = 0; run < RUNS; run++) {
        for (size_t i = 0; i < count; i++)
            samples[i] = draw(&random);
        statistics_sort(samples, count);
        struct interval interval = statistics_median_interval(samples, count, confidence);
        held += interval.low <= median && median <= interval.high;
    }
    return (double)held / RUNS;
}

/* Distributed like times: a lower bound and a long tail. */
static double exponential(struct random *random)
{
    return 10 - log(1 - random_unit(random));
}

static void median_interval_keeps_its_promise(void)
{
    /* The exact coverage, 1 - 2 P(Bin(count, 1/2) < rank), independent of the distribution. */
    static const struct {
        size_t count;
        double confidence, exact;
    } cases[] = {{2, 0.95, 0.5},     {3, 0.95, 0.75},     {6, 0.95, 0.96875}, {10, 0.95, 0.9785},
                 {25, 0.95, 0.9567}, {100, 0.95, 0.9648}, {30, 0.99, 0.9948}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double slack = 3.5 * sqrt(cases[i].exact * (1 - cases[i].exact) / 4000);
        CU_ASSERT_DOUBLE_EQUAL(statistics_median_confidence(cases[i].count, cases[i].confidence),
                               fmin(cases[i].confidence, cases[i].exact), 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(coverage(cases[i].count, cases[i].confidence, random_normal, 0), cases[i].exact, slack);
        CU_ASSERT_DOUBLE_EQUAL(coverage(cases[i].count, cases[i].confidence, exponential, 10 + M_LN2), cases[i].exact,
                               slack);
    }
}

static void middle_mean_leaves_out_the_ends(void)
{
    static const double sorted[] = {-100, 1, 2, 3, 6, 7, 8, 900};
    CU_ASSERT_DOUBLE_EQUAL(statistics_middle_mean(sorted, 8), 4.5, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(statistics_middle_mean(sorted + 1, 3), 2, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(statistics_middle_mean(sorted + 1, 5), 11.0 / 3, 1e-12);
    CU_ASSERT_EQUAL(statistics_middle_mean(sorted + 1, 1), 1);
    CU_ASSERT(isnan(statistics_middle_mean(sorted, 0)));
}

static void samples_least_is_what_the_interval_needs(void)
{
    static const double confidences[] = {0.5, 0.9, 0.95, 0.99, 0.999, 0.9999};
    double sorted[32];
    for (size_t i = 0; i < 32; i++)
        sorted[i] = (double)i;
    CU_ASSERT_EQUAL(statistics_samples_least(0.95), 6);
    for (size_t i = 0; i < sizeof confidences / sizeof *confidences; i++) {
        /* the whole range has the coverage 1 - 2 / 2^n */
        size_t least = statistics_samples_least(confidences[i]);
        CU_ASSERT(1 - ldexp(2, -(int)least) >= confidences[i]);
        CU_ASSERT(1 - ldexp(2, -(int)least + 1) < confidences[i]);
        CU_ASSERT_EQUAL(statistics_median_interval(sorted, least, confidences[i]).low, 0);
    }
}

/* The probabilities of all orders, enumerated; the approximation is close to them. */
static void larger_values_are_found(void)
{
    enum { MOST = 7 };
    static const struct {
        double a[MOST], b[MOST];
        size_t a_count, b_count;
        double exact;
    } rows[] = {{{4, 5, 6, 7, 8, 9}, {1, 2, 3}, 6, 3, 0.0119},
                {{1, 2, 3}, {4, 5, 6}, 3, 3, 1},
                {{1, 3, 5, 7}, {2, 4, 6, 8}, 4, 4, 0.7571},
                {{1, 1, 2, 5, 6, 6, 7}, {1, 1, 1, 2, 2, 3, 6}, 7, 7, 0.1474}, /* ties */
                {{5, 6, 7, 8, 9, 10, 11}, {1, 2, 3, 4, 5, 6, 7}, 7, 7, 0.0047},
                {{2, 2, 2}, {2, 2, 2}, 3, 3, 1},
                {{2}, {1}, 0, 1, 1},
                {{2}, {1}, 1, 0, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CU_ASSERT_DOUBLE_EQUAL(statistics_larger(rows[i].a, rows[i].a_count, rows[i].b, rows[i].b_count), rows[i].exact,
                               0.02);
}

/* Student's table, two-sided. */
static void student_is_that_of_the_tables(void)
{
    static const struct {
        size_t count;
        double confidence, factor;
    } rows[] = {{2, 0.95, 12.706}, {3, 0.95, 4.303}, {4, 0.95, 3.182},  {5, 0.95, 2.776},
                {8, 0.95, 2.365},  {3, 0.99, 9.925}, {31, 0.99, 2.750}, {1, 0.95, INFINITY}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double factor = statistics_student(rows[i].count, rows[i].confidence);
        CU_ASSERT(factor == rows[i].factor || fabs(factor - rows[i].factor) < 0.001);
    }
}

static void geometric_mean_and_its_interval(void)
{
    static const double one[] = {3}, equal[] = {0.1, 0.1, 0.1}, spread[] = {1, 2, 4};
    struct bounded value = statistics_geometric(spread, 3, 0.95);
    CU_ASSERT_DOUBLE_EQUAL(value.value, 2, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(value.high, 2 * exp(4.3027 * log(2) / sqrt(3)), 1e-3);
    CU_ASSERT_DOUBLE_EQUAL(value.low * value.high, 4, 1e-9);
    value = statistics_geometric(equal, 3, 0.95);
    CU_ASSERT(value.value == 0.1 && value.low == 0.1 && value.high == 0.1);
    value = statistics_geometric(one, 1, 0.95);
    CU_ASSERT(value.value == 3 && value.low == 0 && isinf(value.high));
    CU_ASSERT(isnan(statistics_geometric(one, 0, 0.95).value));
}

CU_TestInfo tests_statistics[] = {
    {"Student's factors are those of the tables", student_is_that_of_the_tables},
    {"the geometric mean and its interval", geometric_mean_and_its_interval},
    {"small samples", small_samples},
    {"selecting is like sorting", select_is_like_sorting},
    {"the median's interval is that of the tables", median_interval_is_that_of_the_tables},
    {"the middle mean omits the ends", middle_mean_leaves_out_the_ends},
    {"the fewest samples of an interval", samples_least_is_what_the_interval_needs},
    {"the median's interval keeps its promise", median_interval_keeps_its_promise},
    {"larger values are found", larger_values_are_found},
    CU_TEST_INFO_NULL};
