#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "search/acquisition.h"
#include "search/posterior.h"

enum { WIDTH = 3, WIDE = WIDTH + 1, FEATURES = 4, ROWS = 14 }; /* wide: with a metric */

static struct encoding open_encoding(struct space **space)
{
    static const char text[] = "space 1\nparam A = 1, 2, 4, 8, 16\nparam B = 3, 1, 2\nparam C = x, y\nparam D = 7\n";
    struct error error = {0};
    struct encoding encoding;
    CU_ASSERT_EQUAL_FATAL(space_parse_text(space, "t.space", text, strlen(text), "", &error), 0);
    CU_ASSERT_EQUAL_FATAL(encoding_make(&encoding, *space, ENCODE_LOG2, &error), 0);
    CU_ASSERT_EQUAL_FATAL(encoding.count, WIDTH);
    return encoding;
}

static void positions(void)
{
    struct space *space = NULL;
    struct encoding encoding = open_encoding(&space);
    CU_ASSERT_DOUBLE_EQUAL(encoding.features[0].positions[3], 0.75, 1e-12); /* log2 8 of log2 16 */
    CU_ASSERT_DOUBLE_EQUAL(encoding.features[1].positions[0], 1, 1e-12);    /* 3 is the largest */
    CU_ASSERT_DOUBLE_EQUAL(encoding_squared(&encoding, 0, 0, 2), 0.25, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(encoding_squared(&encoding, 2, 0, 1), 1, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(encoding_squared(&encoding, 2, 1, 1), 0, 1e-12);
    /* 3, 1, 2: only 2 is even. 1, 2, 4, 8, 16: the order says it all. */
    CU_ASSERT_EQUAL_FATAL(encoding.feature_count, FEATURES);
    CU_ASSERT_EQUAL(encoding.dimensions[0].feature_count, 1);
    CU_ASSERT_EQUAL(encoding.dimensions[1].feature_count, 2);
    CU_ASSERT_EQUAL(feature_squared(&encoding.features[2], 0, 1), 0);
    CU_ASSERT_EQUAL(feature_squared(&encoding.features[2], 0, 2), 1);
    CU_ASSERT(encoding.features[3].nominal);
    encoding_free(&encoding);
    space_free(space);
}

/* What the compiler says becomes dimensions behind the parameters: levels from the least to the most, counts by their
 * logarithms, the unknown in the middle; what is the same everywhere says nothing. */
static void compiler_metrics(void)
{
    enum { COUNT = 5 };
    static const double given[COMPILER_METRICS][COUNT] = {[COMPILER_REGISTERS] = {31, 63, 127, NAN, 255},
                                                          [COMPILER_LOCAL_BYTES] = {0, 0, 0, NAN, 0},
                                                          [COMPILER_SHARED_BYTES] = {NAN, NAN, NAN, NAN, NAN},
                                                          [COMPILER_OCCUPANCY] = {1, 0.5, 0.25, INFINITY, 0}};
    static const uint8_t levels[][COUNT] = {{0, 85, 170, 170, 255}, {255, 128, 64, 128, 0}};
    struct space *space = NULL;
    struct encoding encoding = open_encoding(&space);
    uint8_t *found = NULL;
    CU_ASSERT_FATAL(encoding_add_compiler_metrics(&encoding, given[0], COUNT, &found));
    CU_ASSERT_EQUAL(encoding.parameters, WIDTH);
    CU_ASSERT_EQUAL_FATAL(encoding.count, WIDTH + 2);
    CU_ASSERT_EQUAL(memcmp(found, levels, sizeof levels), 0);
    CU_ASSERT_EQUAL(encoding.feature_count, FEATURES + 2);
    CU_ASSERT_DOUBLE_EQUAL(encoding_squared(&encoding, WIDTH, 0, 255), 1, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(encoding_squared(&encoding, WIDTH + 1, 0, 51), 0.04, 1e-12);
    free(found);
    encoding_free(&encoding);
    space_free(space);
}

static void set_parameters(struct gp *gp, double noise)
{
    gp->inverse[0] = 1 / (0.7 * 0.7);
    gp->inverse[1] = 1 / (1.3 * 1.3);
    gp->inverse[2] = 1 / (0.9 * 0.9);
    gp->inverse[3] = 1 / (2.0 * 2.0);
    gp->inverse[4] = 1 / (0.5 * 0.5);
    gp->noise = noise;
    gp->rough = 0;
    gp->mean = 0.5;
}

/* Two observations: the inverse of their 2 x 2 matrix by hand. */
static void closed_form(void)
{
    struct space *space = NULL;
    struct encoding encoding = open_encoding(&space);
    struct gp gp;
    const uint32_t at[3][WIDTH] = {{0, 0, 0}, {2, 0, 0}, {4, 0, 0}};
    CU_ASSERT_EQUAL_FATAL(gp_open(&gp, &encoding, NULL), 0);
    set_parameters(&gp, 0.01);
    gp_add(&gp, at[0]);
    gp_add(&gp, at[2]);
    gp_observe(&gp, 0, 1);
    gp_observe(&gp, 1, 3);
    double r = sqrt(5) / 0.7, half = r / 2, far = (1 + r + r * r / 3) * exp(-r);
    double near = (1 + half + half * half / 3) * exp(-half), diagonal = 1.01;
    double determinant = diagonal * diagonal - far * far, mean, variance;
    double a = (diagonal * 0.5 - far * 2.5) / determinant, b = (diagonal * 2.5 - far * 0.5) / determinant;
    CU_ASSERT(gp_refactor(&gp));
    gp_predict(&gp, at[1], &mean, &variance);
    CU_ASSERT_DOUBLE_EQUAL(mean, 0.5 + near * (a + b), 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(gp.variance, (0.5 * a + 2.5 * b) / 2, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(variance, gp.variance * (1 - 2 * near * near * (diagonal - far) / determinant), 1e-12);
    gp_close(&gp);
    encoding_free(&encoding);
    space_free(space);
}

static void fill(struct gp *gp, size_t rows)
{
    struct random random;
    random_seed(&random, 11);
    while (gp->count < rows) {
        uint32_t at[WIDE] = {(uint32_t)random_below(&random, 5), (uint32_t)random_below(&random, 3),
                             (uint32_t)random_below(&random, 2), 9 * (uint32_t)random_below(&random, 29)};
        CU_ASSERT_FATAL(gp_add(gp, at));
        gp_observe(gp, gp->count - 1, at[0] + 0.3 * at[1] * at[2] + random_unit(&random));
    }
}

/* One row after the other, or all at once by LAPACK: the same factor. */
static void growing(void)
{
    struct space *space = NULL;
    struct encoding encoding = open_encoding(&space);
    struct gp gp;
    CU_ASSERT_EQUAL_FATAL(gp_open(&gp, &encoding, NULL), 0);
    set_parameters(&gp, 0.05);
    gp.rough = 0.2;
    fill(&gp, 100); /* more than it has room for at first */
    double *z = malloc(gp.count * sizeof *z);
    memcpy(z, gp.z, gp.count * sizeof *z);
    CU_ASSERT(gp_refactor(&gp));
    for (size_t i = 0; i < gp.count; i++)
        CU_ASSERT_DOUBLE_EQUAL(z[i], gp.z[i], 1e-9);
    free(z);
    gp_close(&gp);
    encoding_free(&encoding);
    space_free(space);
}

static void likelihood_gradient(void)
{
    struct space *space = NULL;
    struct encoding encoding = open_encoding(&space);
    struct gp gp;
    double theta[FEATURES + 2] = {-0.5, 0.3, 0.7, 0.1, -3, -2}, gradient[FEATURES + 2], unused[FEATURES + 2],
                            step = 1e-5, mean;
    CU_ASSERT_EQUAL_FATAL(gp_open(&gp, &encoding, NULL), 0);
    set_parameters(&gp, 0.05);
    fill(&gp, ROWS);
    struct gp_likelihood *likelihood = gp_likelihood_open(&gp);
    CU_ASSERT_PTR_NOT_NULL_FATAL(likelihood);
    double here = gp_likelihood_at(likelihood, theta, gradient, &mean);
    for (size_t i = 0; i < FEATURES + 2; i++) {
        theta[i] += step;
        double above = gp_likelihood_at(likelihood, theta, unused, &mean);
        theta[i] -= 2 * step;
        double below = gp_likelihood_at(likelihood, theta, unused, &mean);
        theta[i] += step;
        CU_ASSERT_DOUBLE_EQUAL(gradient[i], (above - below) / (2 * step), 1e-4 * (1 + fabs(gradient[i])));
    }
    CU_ASSERT(gp_fit(&gp, 40));
    for (size_t d = 0; d < FEATURES; d++)
        theta[d] = -log(gp.inverse[d]) / 2;
    theta[FEATURES] = log(gp.noise);
    theta[FEATURES + 1] = log(gp.rough);
    CU_ASSERT(gp_likelihood_at(likelihood, theta, unused, &mean) > here + 1);
    for (size_t i = 0; i < FEATURES + 2; i++)
        CU_ASSERT_DOUBLE_EQUAL(unused[i], 0, 0.1); /* at the top of a hill */
    gp_likelihood_close(likelihood);
    gp_close(&gp);
    encoding_free(&encoding);
    space_free(space);
}

static double probability(const struct gp *gp, const double *theta)
{
    double unused[FEATURES + 2], mean;
    struct gp_likelihood *likelihood = gp_likelihood_open(gp);
    CU_ASSERT_PTR_NOT_NULL_FATAL(likelihood);
    double value = gp_likelihood_at(likelihood, theta, unused, &mean);
    gp_likelihood_close(likelihood);
    return value;
}

static double probability_now(const struct gp *gp)
{
    double theta[FEATURES + 2];
    for (size_t f = 0; f < FEATURES; f++)
        theta[f] = -log(gp->inverse[f]) / 2;
    theta[FEATURES] = log(gp->noise);
    theta[FEATURES + 1] = log(gp->rough);
    return probability(gp, theta);
}

static void stand_at(struct gp *gp, double length, double noise)
{
    for (size_t f = 0; f < FEATURES; f++)
        gp->inverse[f] = 1 / (length * length);
    gp->noise = noise;
    gp->rough = gp_rough_prior.median;
}

/* A step or two from each of two places reach no less than the better of them. With many rows only the place where it
 * stands is tried. */
static void fit_from_two_places(void)
{
    static const size_t rows[] = {ROWS, 60};
    struct space *space = NULL;
    struct encoding encoding = open_encoding(&space);
    double medians[FEATURES + 2];
    for (size_t f = 0; f < FEATURES; f++)
        medians[f] = log(gp_length_prior.median);
    medians[FEATURES] = log(gp_noise_prior.median);
    medians[FEATURES + 1] = log(gp_rough_prior.median);
    for (size_t i = 0; i < 2; i++) {
        struct gp gp;
        CU_ASSERT_EQUAL_FATAL(gp_open(&gp, &encoding, NULL), 0);
        set_parameters(&gp, 0.05);
        fill(&gp, rows[i]);
        CU_ASSERT(gp_fit(&gp, 200));
        double top = probability_now(&gp), cold = probability(&gp, medians);
        CU_ASSERT(gp_fit(&gp, 1)); /* from the top */
        CU_ASSERT(probability_now(&gp) >= top - 1e-9);
        stand_at(&gp, gp_length_prior.low, gp_noise_prior.high); /* the worst place */
        double worst = probability_now(&gp);
        CU_ASSERT(worst < cold - 3);
        CU_ASSERT(gp_fit(&gp, 1));
        CU_ASSERT((probability_now(&gp) >= cold) == (rows[i] == ROWS));
        CU_ASSERT(probability_now(&gp) >= worst);
        gp_close(&gp);
    }
    encoding_free(&encoding);
    space_free(space);
}

static void expect_posterior(const struct posterior *posterior, const struct gp *gp, const uint32_t (*places)[WIDE])
{
    for (size_t c = 0; c < posterior->count; c++) {
        double mean, variance;
        gp_predict(gp, places[c], &mean, &variance);
        CU_ASSERT_DOUBLE_EQUAL(posterior->mean[c] + gp->mean, mean, 2e-4);
        CU_ASSERT_DOUBLE_EQUAL(posterior->variance[c] * gp->variance, variance, 2e-4 * gp->variance);
    }
}

/* All candidates at once, in single precision and row by row, are what they are one by one. */
static void posterior_follows_with(bool with_metrics)
{
    struct space *space = NULL;
    struct encoding encoding = open_encoding(&space);
    struct gp gp;
    struct posterior posterior;
    uint32_t places[30][WIDE], more[WIDE] = {1, 1, 1, 0};
    double given[COMPILER_METRICS][30];
    uint8_t *levels = NULL;
    for (size_t i = 0; i < COMPILER_METRICS * 30; i++)
        given[i / 30][i % 30] = i / 30 == COMPILER_REGISTERS ? 16 + (double)(i * 7 % 30) : 0;
    CU_ASSERT_FATAL(!with_metrics || encoding_add_compiler_metrics(&encoding, given[0], 30, &levels));
    CU_ASSERT_EQUAL_FATAL(encoding.count, with_metrics ? WIDE : WIDTH);
    CU_ASSERT_EQUAL_FATAL(gp_open(&gp, &encoding, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(posterior_open(&posterior, &encoding, 30, NULL), 0);
    for (uint32_t c = 0; c < 30; c++) {
        places[c][0] = c % 5;
        places[c][1] = c / 5 % 3;
        places[c][2] = c / 15;
        places[c][3] = with_metrics ? levels[c] : 0;
        posterior_place(&posterior, c, places[c]);
    }
    set_parameters(&gp, 0.05);
    gp.rough = 0.1;
    fill(&gp, ROWS);
    CU_ASSERT(gp_refactor(&gp));
    CU_ASSERT_FATAL(posterior_rebuild(&posterior, &gp, (bool[ROWS]){false, true}));
    expect_posterior(&posterior, &gp, (const uint32_t(*)[WIDE])places);
    /* What is in flight is taken for what is predicted: the mean stays, the variance falls. */
    size_t same = 1 + 5 * 1 + 15 * 1;
    more[3] = places[same][3];
    float mean = posterior.mean[same], variance = posterior.variance[same];
    bool failed[ROWS + 1] = {false, true};
    CU_ASSERT(gp_add(&gp, more) && posterior_update(&posterior, &gp, failed));
    CU_ASSERT_EQUAL(posterior.variance[same], variance); /* behind */
    posterior_catch_up(&posterior, &gp, 0);
    CU_ASSERT_EQUAL(posterior.mean[same], mean);
    CU_ASSERT(posterior.variance[same] < variance);
    expect_posterior(&posterior, &gp, (const uint32_t(*)[WIDE])places);
    gp_observe(&gp, ROWS, 9);
    CU_ASSERT(posterior_update(&posterior, &gp, failed));
    CU_ASSERT(posterior.mean[same] > mean + 1);
    expect_posterior(&posterior, &gp, (const uint32_t(*)[WIDE])places);
    double works = acquisition_works(&posterior, same);
    failed[ROWS] = true;
    CU_ASSERT(posterior_update(&posterior, &gp, failed));
    CU_ASSERT(acquisition_works(&posterior, same) < works);
    free(levels);
    posterior_close(&posterior);
    gp_close(&gp);
    encoding_free(&encoding);
    space_free(space);
}

static void posterior_follows(void)
{
    posterior_follows_with(false);
    posterior_follows_with(true);
}

/* Against the formula in double precision; taken ones are passed over, and what is like those that failed is less
 * likely to work. */
static void improvement_with(const bool *failed)
{
    struct space *space = NULL;
    struct encoding encoding = open_encoding(&space);
    struct gp gp;
    struct posterior posterior;
    bool taken[30] = {false};
    CU_ASSERT_EQUAL_FATAL(gp_open(&gp, &encoding, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(posterior_open(&posterior, &encoding, 30, NULL), 0);
    for (uint32_t c = 0; c < 30; c++)
        posterior_place(&posterior, c, (uint32_t[WIDTH]){c % 5, c / 5 % 3, c / 15});
    set_parameters(&gp, 0.05);
    fill(&gp, ROWS);
    CU_ASSERT(gp_refactor(&gp));
    CU_ASSERT_FATAL(posterior_rebuild(&posterior, &gp, failed));
    for (int round = 0; round < 30; round++) {
        double best = 0.8, top = -1;
        size_t expected = 0;
        for (size_t c = 0; c < 30; c++) {
            double s = sqrt(gp.variance * fmax(posterior.variance[c], 1e-6)),
                   u = (best - gp.mean - posterior.mean[c]) / s;
            double value = s * (u * erfc(-u / sqrt(2)) / 2 + exp(-u * u / 2) / sqrt(2 * 3.14159265358979));
            value *= (posterior.near[c] - posterior.near_failed[c] + 1.0) / (posterior.near[c] + 1.0);
            if (!taken[c] && value > top) {
                top = value;
                expected = c;
            }
        }
        size_t found = acquisition_best(&posterior, &gp, taken, best);
        CU_ASSERT_EQUAL(found, expected);
        taken[found < 30 ? found : 0] = true;
    }
    CU_ASSERT_EQUAL(acquisition_best(&posterior, &gp, taken, 0.8), SIZE_MAX);
    posterior_close(&posterior);
    gp_close(&gp);
    encoding_free(&encoding);
    space_free(space);
}

static void improvement(void)
{
    improvement_with((bool[ROWS]){false});
    improvement_with((bool[ROWS]){false, true, false, true, true, [9] = true, [11] = true});
}

CU_TestInfo tests_gp[] = {{"positions of values", positions},
                          {"compiler metrics are dimensions, too", compiler_metrics},
                          {"two observations by hand", closed_form},
                          {"row by row or all at once", growing},
                          {"the gradient of the likelihood by differences", likelihood_gradient},
                          {"parameters are fitted from two places", fit_from_two_places},
                          {"a posterior is the process at its candidates", posterior_follows},
                          {"expected improvement by its formula", improvement},
                          CU_TEST_INFO_NULL};
