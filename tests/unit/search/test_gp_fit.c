#include "process.h"

/* A fit climbs to a maximum: the likelihood has grown, and its gradient is 0. */
static void climbs_to_the_top(void)
{
    struct space *space = NULL;
    struct encoding encoding = process_encoding(&space);
    struct gp gp;
    double theta[THETA] = {-0.5, 0.3, 0.7, 0.1, -3, -2, -2}, unused[THETA], mean;
    CU_ASSERT_EQUAL_FATAL(gp_open(&gp, &encoding, NULL), 0);
    process_set(&gp, 0.05);
    process_fill(&gp, ROWS);
    struct gp_likelihood *likelihood = gp_likelihood_open(&gp);
    CU_ASSERT_PTR_NOT_NULL_FATAL(likelihood);
    double here = gp_likelihood_at(likelihood, theta, unused, &mean);
    CU_ASSERT(gp_fit(&gp, 40));
    for (size_t d = 0; d < FEATURES; d++)
        theta[d] = -log(gp.inverse[d]) / 2;
    theta[FEATURES] = log(gp.noise);
    for (enum gp_part part = 0; part < GP_PARTS; part++)
        theta[FEATURES + 1 + part] = log(gp.parts[part]);
    CU_ASSERT(gp_likelihood_at(likelihood, theta, unused, &mean) > here + 1);
    for (size_t i = 0; i < THETA; i++)
        CU_ASSERT_DOUBLE_EQUAL(unused[i], 0, 0.1); /* at a maximum */
    gp_likelihood_close(likelihood);
    gp_close(&gp);
    encoding_free(&encoding);
    space_free(space);
}

static double probability(const struct gp *gp, const double *theta)
{
    double unused[THETA], mean;
    struct gp_likelihood *likelihood = gp_likelihood_open(gp);
    CU_ASSERT_PTR_NOT_NULL_FATAL(likelihood);
    double value = gp_likelihood_at(likelihood, theta, unused, &mean);
    gp_likelihood_close(likelihood);
    return value;
}

static double probability_now(const struct gp *gp)
{
    double theta[THETA];
    for (size_t f = 0; f < FEATURES; f++)
        theta[f] = -log(gp->inverse[f]) / 2;
    theta[FEATURES] = log(gp->noise);
    for (enum gp_part part = 0; part < GP_PARTS; part++)
        theta[FEATURES + 1 + part] = log(gp->parts[part]);
    return probability(gp, theta);
}

static void stand_at(struct gp *gp, double length, double noise)
{
    for (size_t f = 0; f < FEATURES; f++)
        gp->inverse[f] = 1 / (length * length);
    gp->noise = noise;
    for (enum gp_part part = 0; part < GP_PARTS; part++)
        gp->parts[part] = gp_part_priors[part].median;
}

/* A step or two from each of two starts reach at least the better one. With many rows, only the current place is a
 * start. */
static void fit_from_two_places(void)
{
    static const size_t rows[] = {ROWS, 60};
    struct space *space = NULL;
    struct encoding encoding = process_encoding(&space);
    double medians[THETA];
    for (size_t f = 0; f < FEATURES; f++)
        medians[f] = log(gp_length_prior.median);
    medians[FEATURES] = log(gp_noise_prior.median);
    for (enum gp_part part = 0; part < GP_PARTS; part++)
        medians[FEATURES + 1 + part] = log(gp_part_priors[part].median);
    for (size_t i = 0; i < 2; i++) {
        struct gp gp;
        CU_ASSERT_EQUAL_FATAL(gp_open(&gp, &encoding, NULL), 0);
        process_set(&gp, 0.05);
        process_fill(&gp, rows[i]);
        CU_ASSERT(gp_fit(&gp, 200));
        double top = probability_now(&gp), cold = probability(&gp, medians);
        CU_ASSERT(gp_fit(&gp, 1)); /* from the maximum */
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

CU_TestInfo tests_gp_fit[] = {{"climbs to the top of a hill", climbs_to_the_top},
                              {"parameters are fitted from two places", fit_from_two_places},
                              CU_TEST_INFO_NULL};
