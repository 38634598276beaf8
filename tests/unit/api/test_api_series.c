/* Series of samples that the caller takes. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <CUnit/Basic.h>

#include <cutune.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const struct cutune_series_rules usual = {
    .confidence = 0.95, .target_interval_percent = 0.5, .limit_s = 100, .most = 128};

static struct cutune_series *open_series(const struct cutune_series_rules *rules)
{
    struct cutune_series *series;
    CU_ASSERT_EQUAL_FATAL(cutune_series_open(&series, rules, NULL), 0);
    return series;
}

/* The n-th sample of 1000 ns with noise, which is uniform on both sides. */
static double sample(size_t n, double noise)
{
    return 1000 * (1 + noise * ((double)(n * 618 % 1000) / 500 - 1));
}

/* A series of which each rule is the end. */
static void ends(void)
{
    static const struct {
        const char *stop;
        double noise, limit_s;
        size_t most, least_samples, most_samples;
    } rows[] = {
        {"precise", 0.001, 100, 128, 7, 7}, {"precise", 0.008, 100, 4096, 8, 60}, {"stable", 0.3, 100, 4096, 7, 200},
        {"most", 0.3, 100, 8, 8, 8},        {"time", 0.3, 0, 4096, 6, 6},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct cutune_series_rules rules = usual;
        struct cutune_estimate estimate = {.batch = 2};
        double batch[16];
        size_t taken = 0;
        rules.limit_s = rows[i].limit_s;
        rules.most = rows[i].most;
        struct cutune_series *series = open_series(&rules);
        while (estimate.batch) {
            CU_ASSERT_FATAL(estimate.batch <= COUNT(batch));
            size_t count = strcmp(rows[i].stop, "time") ? estimate.batch : 2;
            for (size_t k = 0; k < count; k++)
                batch[k] = sample(taken++, rows[i].noise);
            CU_ASSERT_EQUAL_FATAL(cutune_series_add(series, batch, count, &estimate, NULL), 0);
        }
        CU_ASSERT_PTR_NOT_NULL_FATAL(estimate.stop);
        CU_ASSERT_STRING_EQUAL(estimate.stop, rows[i].stop);
        CU_ASSERT_EQUAL(estimate.samples, taken);
        CU_ASSERT(taken >= rows[i].least_samples && taken <= rows[i].most_samples);
        CU_ASSERT(estimate.low <= estimate.median && estimate.median <= estimate.high);
        cutune_series_close(series);
    }
}

static void estimates(void)
{
    const double samples[] = {7, 1, 6, 2, 5, 3, 4};
    struct cutune_estimate estimate;
    struct cutune_series *series = open_series(&usual);
    CU_ASSERT_EQUAL(cutune_series_add(series, samples, 6, &estimate, NULL), 0);
    CU_ASSERT_EQUAL(estimate.median, 4);
    CU_ASSERT_EQUAL(estimate.low, 1);
    CU_ASSERT_EQUAL(estimate.high, 7);
    CU_ASSERT_PTR_NULL(estimate.stop);
    CU_ASSERT_EQUAL(estimate.batch, 1); /* a seventh may settle it */
    CU_ASSERT_EQUAL(cutune_series_add(series, samples + 6, 1, &estimate, NULL), 0);
    CU_ASSERT_EQUAL(estimate.median, 4);
    CU_ASSERT_EQUAL(estimate.samples, 7);
    cutune_series_close(series);
}

static void refuses_rules(void)
{
    static const struct {
        struct cutune_series_rules rules;
        const char *message;
    } rows[] = {
        {{0, 0.5, 1, 128}, "the confidence 0 is not between 0 and 1"},
        {{1, 0.5, 1, 128}, "the confidence 1 is not between 0 and 1"},
        {{NAN, 0.5, 1, 128}, "the confidence nan is not between 0 and 1"},
        {{0.95, -1, 1, 128}, "the target interval -1% is negative"},
        {{0.95, 0.5, -1, 128}, "-1 s is not a time limit"},
        {{0.95, 0.5, 1, 6}, "a confidence of 0.95 takes 7 to 4096 samples, not 6"},
        {{0.95, 0.5, 1, 4097}, "a confidence of 0.95 takes 7 to 4096 samples, not 4097"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct cutune_series *series = (struct cutune_series *)&rows;
        struct cutune_error error;
        CU_ASSERT_EQUAL(cutune_series_open(&series, &rows[i].rules, &error), CUTUNE_ERROR_USAGE);
        CU_ASSERT_STRING_EQUAL(error.message, rows[i].message);
        CU_ASSERT_PTR_NULL(series);
    }
}

/* A refused batch changes nothing. */
static void refuses_samples(void)
{
    const double good[] = {10, 11, 12}, bad[] = {10, 0}, nan[] = {NAN}, infinite[] = {INFINITY};
    struct cutune_estimate estimate;
    struct cutune_error error;
    struct cutune_series *series = open_series(&usual);
    CU_ASSERT_EQUAL(cutune_series_add(series, good, 3, &estimate, NULL), 0);
    CU_ASSERT_EQUAL(cutune_series_add(series, bad, 2, &estimate, &error), CUTUNE_ERROR_VALUE);
    CU_ASSERT_STRING_EQUAL(error.message, "the sample 0 is not a positive number");
    CU_ASSERT_EQUAL(cutune_series_add(series, nan, 1, &estimate, NULL), CUTUNE_ERROR_VALUE);
    CU_ASSERT_EQUAL(cutune_series_add(series, infinite, 1, &estimate, NULL), CUTUNE_ERROR_VALUE);
    CU_ASSERT_EQUAL(cutune_series_add(series, good, 0, &estimate, NULL), CUTUNE_ERROR_USAGE);
    CU_ASSERT_EQUAL(cutune_series_add(series, good, 126, &estimate, &error), CUTUNE_ERROR_USAGE);
    CU_ASSERT_STRING_EQUAL(error.message, "126 samples after 3: a series of at most 128 takes 1 to 125 more");
    CU_ASSERT_EQUAL(cutune_series_add(series, good, 1, &estimate, NULL), 0);
    CU_ASSERT_EQUAL(estimate.samples, 4);
    cutune_series_close(series);
}

static void null_arguments(void)
{
    const double sample_ns = 1;
    struct cutune_estimate estimate;
    struct cutune_series *series = open_series(&usual);
    CU_ASSERT_EQUAL(cutune_series_open(NULL, &usual, NULL), CUTUNE_ERROR_USAGE);
    CU_ASSERT_EQUAL(cutune_series_add(NULL, &sample_ns, 1, &estimate, NULL), CUTUNE_ERROR_USAGE);
    CU_ASSERT_EQUAL(cutune_series_add(series, NULL, 1, &estimate, NULL), CUTUNE_ERROR_USAGE);
    CU_ASSERT_EQUAL(cutune_series_add(series, &sample_ns, 1, NULL, NULL), CUTUNE_ERROR_USAGE);
    cutune_series_close(series);
    CU_ASSERT_EQUAL(cutune_series_open(&series, NULL, NULL), CUTUNE_ERROR_USAGE);
    cutune_series_close(NULL);
}

CU_TestInfo tests_api_series[] = {
    {"each rule ends a series", ends},          {"estimates", estimates},
    {"wrong rules are refused", refuses_rules}, {"wrong samples are refused", refuses_samples},
    {"null arguments", null_arguments},         CU_TEST_INFO_NULL};
