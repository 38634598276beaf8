#include "process.h"

/* Compares with central differences of the value. */
static void gradient_by_differences(void)
{
    struct space *space = NULL;
    struct encoding encoding = process_encoding(&space);
    struct gp gp;
    double theta[THETA] = {-0.5, 0.3, 0.7, 0.1, -3, -2, -1}, gradient[THETA], unused[THETA], step = 1e-5, mean;
    CU_ASSERT_EQUAL_FATAL(gp_open(&gp, &encoding, NULL), 0);
    process_set(&gp, 0.05);
    process_fill(&gp, ROWS);
    struct gp_likelihood *likelihood = gp_likelihood_open(&gp);
    CU_ASSERT_PTR_NOT_NULL_FATAL(likelihood);
    gp_likelihood_at(likelihood, theta, gradient, &mean);
    for (size_t i = 0; i < THETA; i++) {
        theta[i] += step;
        double above = gp_likelihood_at(likelihood, theta, unused, &mean);
        theta[i] -= 2 * step;
        double below = gp_likelihood_at(likelihood, theta, unused, &mean);
        theta[i] += step;
        CU_ASSERT_DOUBLE_EQUAL(gradient[i], (above - below) / (2 * step), 1e-4 * (1 + fabs(gradient[i])));
    }
    gp_likelihood_close(likelihood);
    gp_close(&gp);
    encoding_free(&encoding);
    space_free(space);
}

/* Returns the prior of the noise. */
static double noise_prior(double noise)
{
    double away = log(noise / gp_noise_prior.median) / gp_noise_prior.stddev;
    return -away * away / 2;
}

/* Rows that are all equally uncertain are rows with more noise. */
static void blur_is_noise(void)
{
    struct space *space = NULL;
    struct encoding encoding = process_encoding(&space);
    struct gp gp;
    double theta[THETA] = {-0.5, 0.3, 0.7, 0.1, log(0.05), -2, -1}, gradient[THETA], value[2], mean[2];
    CU_ASSERT_EQUAL_FATAL(gp_open(&gp, &encoding, NULL), 0);
    process_set(&gp, 0.05);
    process_fill(&gp, ROWS);
    for (size_t i = 0; i < 2; i++) {
        for (size_t row = 0; row < ROWS; row++)
            gp.blur[row] = i ? 0 : 0.15;
        theta[FEATURES] = log(i ? 0.2 : 0.05);
        struct gp_likelihood *likelihood = gp_likelihood_open(&gp);
        CU_ASSERT_PTR_NOT_NULL_FATAL(likelihood);
        value[i] = gp_likelihood_at(likelihood, theta, gradient, &mean[i]) - noise_prior(i ? 0.2 : 0.05);
        gp_likelihood_close(likelihood);
    }
    CU_ASSERT_DOUBLE_EQUAL(value[0], value[1], 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(mean[0], mean[1], 1e-9);
    gp_close(&gp);
    encoding_free(&encoding);
    space_free(space);
}

/* Likelihood of a few observations of two parameters, with rows in flight among them. */
static double value_of(const char *text, bool in_flight)
{
    struct space *space = NULL;
    struct error error = {0};
    struct encoding encoding;
    struct gp gp;
    struct random random;
    double theta[2 + 1 + GP_PARTS] = {-0.5, 0.3, -3, -2, -1}, unused[2 + 1 + GP_PARTS], mean;
    CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "t.space", text, strlen(text), "", &error), 0);
    CU_ASSERT_EQUAL_FATAL(encoding_make(&encoding, space, &error), 0);
    CU_ASSERT_EQUAL_FATAL(encoding.feature_count, 2);
    CU_ASSERT_EQUAL_FATAL(gp_open(&gp, &encoding, NULL), 0);
    random_seed(&random, 5);
    for (int k = 0; k < ROWS; k++) {
        uint32_t at[] = {(uint32_t)random_below(&random, 5), (uint32_t)random_below(&random, 2)};
        if (in_flight && k % 3 == 1)
            CU_ASSERT_FATAL(gp_add(&gp, (uint32_t[]){4 - at[0], 1 - at[1]}));
        CU_ASSERT_FATAL(gp_add(&gp, at));
        gp_observe(&gp, gp.count - 1, at[0] * 0.4 + at[1] + random_unit(&random), 0);
    }
    struct gp_likelihood *likelihood = gp_likelihood_open(&gp);
    CU_ASSERT_PTR_NOT_NULL_FATAL(likelihood);
    double value = gp_likelihood_at(likelihood, theta, unused, &mean);
    gp_likelihood_close(likelihood);
    gp_close(&gp);
    encoding_free(&encoding);
    space_free(space);
    return value;
}

/* Words are as far apart as the ends of a range, and rows in flight have no information. */
static void distances(void)
{
    static const char words[] = "space 2\nparam A = 1, 2, 4, 8, 16\nparam B = x, y\n";
    static const char numbers[] = "space 2\nparam A = 1, 2, 4, 8, 16\nparam B = 1, 2\n";
    CU_ASSERT_DOUBLE_EQUAL(value_of(words, false), value_of(numbers, false), 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(value_of(words, false), value_of(words, true), 1e-9);
}

CU_TestInfo tests_gp_likelihood[] = {{"distances", distances},
                                     {"the gradient by differences", gradient_by_differences},
                                     {"blur is noise", blur_is_noise},
                                     CU_TEST_INFO_NULL};
