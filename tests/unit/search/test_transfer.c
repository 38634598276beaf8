/* Scores of prior runs, and their relevance. */
#include "search/transfer.h"

#include <math.h>
#include <stdlib.h>

#include "set.h"

enum { VALUES = 12, ROWS = VALUES * VALUES, SEEN = 24 };

static const char statements[] = "param A = 1..12\nparam B = 1..12\nrequire A + B < 24\n";

struct world {
    struct strategy_setup setup;
    struct encoding encoding;
    uint32_t choices[2 * ROWS];
    double costs[3][ROWS];
    struct prior_run landscapes[3];
};

/* The logarithms of three landscapes: a valley, another one, and the first reversed. */
static double log_at(size_t landscape, uint32_t a, uint32_t b)
{
    double valley = 0.05 * ((double)a - 3) * ((double)a - 3) + 0.1 * fabs((double)b - 7);
    double other = 0.3 * fabs((double)a - 9) + 0.02 * (double)b * (double)b;
    return landscape == 0 ? valley : landscape == 1 ? other : 6 - valley;
}

static void open_world(struct world *world, size_t landscapes)
{
    struct error error = {0};
    *world = (struct world){.setup = set_open(statements, 1)};
    for (uint32_t i = 0; i < ROWS; i++) {
        world->choices[2 * i] = i / VALUES;
        world->choices[2 * i + 1] = i % VALUES;
        for (size_t l = 0; l < 3; l++)
            world->costs[l][i] = 100 * exp(log_at(l, i / VALUES, i % VALUES));
    }
    for (size_t l = 0; l < 3; l++)
        world->landscapes[l] = (struct prior_run){ROWS, world->choices, world->costs[l]};
    world->setup.prior_runs = world->landscapes;
    world->setup.prior_run_count = landscapes;
    CU_ASSERT_EQUAL_FATAL(encoding_make(&world->encoding, world->setup.space, &error), 0);
}

static void close_world(struct world *world)
{
    encoding_free(&world->encoding);
    set_close(&world->setup);
}

static float score_of(const struct transfer *transfer, const struct world *world, uint32_t a, uint32_t b)
{
    const uint32_t at[2] = {a, b};
    float terms[TRANSFER_TERMS_MAX];
    uint64_t index = 0;
    CU_ASSERT_FATAL(valid_set_find(world->setup.set, at, &index));
    transfer_score(transfer, index, at, terms);
    return terms[0];
}

/* A measured configuration has the logarithm of its time over the best one; slow ones and failures share a score. */
static void scores_what_was_measured(void)
{
    struct world world;
    struct transfer transfer;
    struct error error = {0};
    open_world(&world, 1);
    world.costs[0][5 * VALUES + 5] = NAN;
    CU_ASSERT_EQUAL_FATAL(transfer_open(&transfer, &world.setup, &world.encoding, &error), 0);
    CU_ASSERT_EQUAL(transfer.count, 1);
    CU_ASSERT_EQUAL(score_of(&transfer, &world, 3, 7), 0);
    CU_ASSERT_DOUBLE_EQUAL(score_of(&transfer, &world, 4, 5), log_at(0, 4, 5), 1e-6);
    CU_ASSERT_EQUAL(score_of(&transfer, &world, 5, 5), score_of(&transfer, &world, 11, 0));
    CU_ASSERT(score_of(&transfer, &world, 5, 5) > 2);
    transfer_close(&transfer);
    close_world(&world);
}

/* The winner of a prior run is its fastest configuration that is valid here. */
static void has_winners(void)
{
    struct world world;
    struct transfer transfer;
    struct error error = {0};
    uint64_t fastest;
    open_world(&world, 2);
    world.costs[0][ROWS - 1] = 1; /* A=12 B=12 is not valid */
    world.landscapes[1] = (struct prior_run){1, world.choices + 2 * (ROWS - 1), world.costs[1]};
    CU_ASSERT_EQUAL_FATAL(transfer_open(&transfer, &world.setup, &world.encoding, &error), 0);
    CU_ASSERT_FATAL(valid_set_find(world.setup.set, (const uint32_t[]){3, 7}, &fastest));
    CU_ASSERT_EQUAL(transfer_winner(&transfer, 0), fastest);
    CU_ASSERT_EQUAL(transfer_winner(&transfer, 1), UINT64_MAX);
    transfer_close(&transfer);
    close_world(&world);
}

/* Configurations not measured in the prior run are predicted from the measured ones: alone and as candidates alike. */
static void predicts_the_others(void)
{
    struct world world;
    struct transfer transfer;
    struct posterior posterior;
    struct error error = {0};
    size_t kept = 0;
    double worst = 0, apart = 0;
    open_world(&world, 2);
    for (size_t i = 0; i < ROWS; i++)
        if (i % 3 != 1) {
            world.choices[2 * kept] = (uint32_t)(i / VALUES);
            world.choices[2 * kept + 1] = (uint32_t)(i % VALUES);
            for (size_t l = 0; l < 2; l++)
                world.costs[l][kept] = world.costs[l][i];
            kept++;
        }
    world.landscapes[0].count = world.landscapes[1].count = kept;
    CU_ASSERT_EQUAL_FATAL(transfer_open(&transfer, &world.setup, &world.encoding, &error), 0);
    size_t valid = (size_t)valid_set_count(world.setup.set);
    CU_ASSERT_EQUAL_FATAL(posterior_open(&posterior, &world.encoding, valid, &error), 0);
    float *terms = calloc(transfer.terms * posterior.padded, sizeof *terms);
    uint32_t values[POSTERIOR_BLOCK * ENCODE_DIMENSIONS_MAX] = {0};
    for (size_t c = 0; c < valid; c++) {
        uint32_t choices[2];
        valid_set_get(world.setup.set, c, choices);
        posterior_place(&posterior, c, choices);
    }
    for (size_t b = 0; b < posterior.blocks; b++) {
        uint64_t indices[POSTERIOR_BLOCK];
        for (size_t c = 0; c < POSTERIOR_BLOCK; c++)
            indices[c] = b * POSTERIOR_BLOCK + c;
        for (size_t c = 0; c < POSTERIOR_BLOCK && indices[c] < valid; c++)
            valid_set_get(world.setup.set, indices[c], values + c * ENCODE_DIMENSIONS_MAX);
        transfer_score_block(&transfer, &posterior, b, indices, values, terms + b * POSTERIOR_BLOCK, posterior.padded);
    }
    for (size_t c = 0; c < valid; c++) {
        uint32_t choices[2];
        valid_set_get(world.setup.set, c, choices);
        float alone[TRANSFER_TERMS_MAX];
        transfer_score(&transfer, c, choices, alone);
        worst = fmax(worst, fabs((double)terms[c] - fmin(log_at(0, choices[0], choices[1]), 3)));
        for (size_t t = 0; t < transfer.terms; t++)
            apart = fmax(apart, fabs((double)terms[t * posterior.padded + c] - (double)alone[t]));
    }
    CU_ASSERT_EQUAL(transfer.terms, 4);
    CU_ASSERT(apart < 1e-3);
    CU_ASSERT(worst < 0.6);
    free(terms);
    posterior_close(&posterior);
    transfer_close(&transfer);
    close_world(&world);
}

/* The weights follow the observations here: a share of the first landscape, the second, or neither. */
static void weighs(void)
{
    static const struct {
        const char *what;
        double share[3]; /* of each landscape in the observations here */
        double least[2], most[2];
    } cases[] = {
        {"the first", {1, 0, 0}, {0.65, 0}, {1.1, 0.3}},
        {"the second", {0, 1, 0}, {-0.3, 0.7}, {0.3, 1.1}},
        {"half of each", {0.5, 0.5, 0}, {0.2, 0.2}, {0.65, 0.65}},
        {"half of the first", {0.5, 0, 0}, {0.2, -0.1}, {0.6, 0.1}},
        {"a third of the second", {0, 0.3, 0}, {-0.1, 0.2}, {0.1, 0.35}},
        {"the first reversed", {0, 0, 1}, {-0.9, -0.25}, {-0.4, 0.25}},
        {"nothing", {0, 0, 0}, {-0.1, -0.1}, {0.1, 0.1}},
    };
    struct world world;
    struct error error = {0};
    open_world(&world, 2);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct transfer transfer;
        struct gp gp;
        double y[SEEN];
        float terms[TRANSFER_TERMS_MAX * SEEN];
        CU_ASSERT_EQUAL_FATAL(transfer_open(&transfer, &world.setup, &world.encoding, &error), 0);
        CU_ASSERT_EQUAL_FATAL(gp_open(&gp, &world.encoding, &error), 0);
        transfer_shape(&transfer, &gp);
        CU_ASSERT(gp.inverse[0] > 0 && gp.guess > 0);
        for (uint32_t k = 0; k < SEEN; k++) {
            const uint32_t at[2] = {k * 5 % VALUES, k * 7 % 11};
            uint64_t index = 0;
            CU_ASSERT_FATAL(valid_set_find(world.setup.set, at, &index));
            CU_ASSERT_FATAL(gp_add(&gp, at));
            y[k] = 3;
            for (size_t l = 0; l < 3; l++)
                y[k] += cases[i].share[l] * log_at(l, at[0], at[1]);
            gp_observe(&gp, k, y[k], 0);
            transfer_score(&transfer, index, at, terms + transfer.terms * k);
        }
        CU_ASSERT_FATAL(gp_refactor(&gp));
        CU_ASSERT_FATAL(transfer_weigh(&transfer, &gp, y, terms));
        for (size_t s = 0; s < 2; s++) {
            bool within = transfer.weights[s] >= cases[i].least[s] && transfer.weights[s] <= cases[i].most[s];
            if (!within)
                fprintf(stderr, "\n%s: weight %zu is %g\n", cases[i].what, s, transfer.weights[s]);
            CU_ASSERT(within);
        }
        gp_close(&gp);
        transfer_close(&transfer);
    }
    close_world(&world);
}

/* A parameter that matters more here than in prior runs gets its own weight; so does one that matters less. */
static void weighs_parameters(void)
{
    struct world world;
    struct transfer transfer;
    struct gp gp;
    struct error error = {0};
    double y[SEEN];
    float terms[TRANSFER_TERMS_MAX * SEEN];
    open_world(&world, 1);
    CU_ASSERT_EQUAL_FATAL(transfer_open(&transfer, &world.setup, &world.encoding, &error), 0);
    CU_ASSERT_EQUAL_FATAL(gp_open(&gp, &world.encoding, &error), 0);
    transfer_shape(&transfer, &gp);
    for (uint32_t k = 0; k < SEEN; k++) {
        const uint32_t at[2] = {k * 5 % VALUES, k * 7 % 11};
        uint64_t index = 0;
        CU_ASSERT_FATAL(valid_set_find(world.setup.set, at, &index));
        CU_ASSERT_FATAL(gp_add(&gp, at));
        y[k] = 3 + log_at(0, at[0], at[1]) + log_at(0, 3, at[1]) - 0.5 * log_at(0, at[0], 7);
        gp_observe(&gp, k, y[k], 0);
        transfer_score(&transfer, index, at, terms + transfer.terms * k);
    }
    CU_ASSERT_FATAL(gp_refactor(&gp));
    CU_ASSERT_FATAL(transfer_weigh(&transfer, &gp, y, terms));
    CU_ASSERT(transfer.weights[0] + transfer.weights[1] < 0.8); /* A: about 0.5 */
    CU_ASSERT(transfer.weights[0] + transfer.weights[2] > 1.2); /* B: about 2 */
    CU_ASSERT(transfer_doubt(&transfer, terms, 1) < transfer_doubt(&transfer, (const float[]){9, 9, 9}, 1));
    gp_close(&gp);
    transfer_close(&transfer);
    close_world(&world);
}

/* Expected length scales are in the middle between those of the landscapes and the process's own; noise and parts are
 * shares of the variance. */
static void shapes(void)
{
    struct world world;
    struct transfer transfer;
    struct gp gp[2];
    struct error error = {0};
    open_world(&world, 2);
    CU_ASSERT_EQUAL_FATAL(transfer_open(&transfer, &world.setup, &world.encoding, &error), 0);
    for (int i = 0; i < 2; i++) {
        CU_ASSERT_EQUAL_FATAL(gp_open(&gp[i], &world.encoding, &error), 0);
        gp_expect_lengths(&gp[i], i ? 4 : 0.25, 0.1);
        gp[i].noise = gp[i].parts[GP_ADDITIVE] = gp[i].parts[GP_ROUGH] = 2;
        transfer_shape(&transfer, &gp[i]);
    }
    for (size_t f = 0; f < world.encoding.feature_count; f++) {
        CU_ASSERT_DOUBLE_EQUAL(gp[1].medians[f], 4 * gp[0].medians[f], 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(gp[1].inverse[f] * gp[1].medians[f] * gp[1].medians[f], 1, 1e-9);
        CU_ASSERT(gp[0].medians[f] != 0.25 && gp[1].medians[f] != 4);
    }
    CU_ASSERT(gp[0].noise > 0 && gp[0].noise < 1);
    for (enum gp_part part = 0; part < GP_PARTS; part++)
        CU_ASSERT(gp[0].parts[part] > 0 && gp[0].parts[part] <= gp_part_priors[part].high);
    for (int i = 0; i < 2; i++)
        gp_close(&gp[i]);
    transfer_close(&transfer);
    close_world(&world);
}

/* Several equal prior runs leave as much unexplained as one of them. */
static void equal_runs(void)
{
    double unexplained[2];
    for (size_t i = 0; i < 2; i++) {
        struct world world;
        struct transfer transfer;
        struct error error = {0};
        open_world(&world, 1 + 2 * i);
        world.landscapes[1] = world.landscapes[2] = world.landscapes[0];
        CU_ASSERT_EQUAL_FATAL(transfer_open(&transfer, &world.setup, &world.encoding, &error), 0);
        unexplained[i] = transfer.variance;
        transfer_close(&transfer);
        close_world(&world);
    }
    CU_ASSERT(unexplained[0] > 0);
    CU_ASSERT_DOUBLE_EQUAL(unexplained[1], unexplained[0], 1e-9);
}

/* Without observations, all prior runs count alike; those without a feasible configuration are left out. */
static void begins_with_all(void)
{
    struct world world;
    struct transfer transfer;
    struct gp gp;
    struct error error = {0};
    open_world(&world, 3);
    for (size_t i = 0; i < ROWS; i++)
        world.costs[1][i] = NAN;
    CU_ASSERT_EQUAL_FATAL(transfer_open(&transfer, &world.setup, &world.encoding, &error), 0);
    CU_ASSERT_EQUAL_FATAL(gp_open(&gp, &world.encoding, &error), 0);
    CU_ASSERT_EQUAL(transfer.count, 2);
    transfer_shape(&transfer, &gp);
    CU_ASSERT_FATAL(gp_refactor(&gp));
    CU_ASSERT_FATAL(transfer_weigh(&transfer, &gp, gp.y, NULL));
    CU_ASSERT_DOUBLE_EQUAL(transfer.weights[0], 0.4, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(transfer.weights[1], 0.4, 1e-9);
    const float terms[4] = {1, 2, 5, 6}; /* two landscapes, two parameters */
    CU_ASSERT_DOUBLE_EQUAL(transfer_expect(&transfer, terms), 1.2, 1e-6);
    CU_ASSERT_EQUAL(transfer_doubt(&transfer, terms, 1), 0);
    /* A single observation has no effect. */
    CU_ASSERT_FATAL(gp_add(&gp, (const uint32_t[]){0, 0}));
    gp_observe(&gp, 0, 3, 0);
    CU_ASSERT_FATAL(gp_refactor(&gp));
    CU_ASSERT_FATAL(transfer_weigh(&transfer, &gp, gp.y, terms));
    CU_ASSERT_DOUBLE_EQUAL(transfer.weights[0], 0.4, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(transfer.weights[1], 0.4, 1e-9);
    gp_close(&gp);
    transfer_close(&transfer);
    close_world(&world);
}

CU_TestInfo tests_transfer[] = {{"scores what was measured", scores_what_was_measured},
                                {"has winners", has_winners},
                                {"predicts the others", predicts_the_others},
                                {"weighs", weighs},
                                {"weighs parameters", weighs_parameters},
                                {"shapes", shapes},
                                {"equal runs", equal_runs},
                                {"begins with all", begins_with_all},
                                CU_TEST_INFO_NULL};
