#include "search/gp.h"

#include "process.h"
#include "search/acquisition.h"

/* Two observations: compared with the inverse of their 2 x 2 matrix. */
static void closed_form(void)
{
    struct space *space = NULL;
    struct encoding encoding = process_encoding(&space);
    struct gp gp;
    const uint32_t at[3][WIDTH] = {{0, 0, 0}, {2, 0, 0}, {4, 0, 0}};
    CU_ASSERT_EQUAL_FATAL(gp_open(&gp, &encoding, NULL), 0);
    process_set(&gp, 0.01);
    gp_add(&gp, at[0]);
    gp_add(&gp, at[2]);
    gp_observe(&gp, 0, 1, 0);
    gp_observe(&gp, 1, 3, 0);
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

/* Adding rows one by one or many at once gives the same factor. */
static void growing(void)
{
    enum { MORE = 9 };
    struct space *space = NULL;
    struct encoding encoding = process_encoding(&space);
    struct gp gp, appended;
    CU_ASSERT_EQUAL_FATAL(gp_open(&gp, &encoding, NULL), 0);
    process_set(&gp, 0.05);
    gp.parts[GP_ROUGH] = 0.2;
    gp.parts[GP_ADDITIVE] = 0.3;
    process_fill(&gp, 100); /* exceeds the initial capacity */
    double *z = malloc(gp.count * sizeof *z);
    memcpy(z, gp.z, gp.count * sizeof *z);
    CU_ASSERT(gp_refactor(&gp));
    for (size_t i = 0; i < gp.count; i++)
        CU_ASSERT_DOUBLE_EQUAL(z[i], gp.z[i], 1e-9);
    CU_ASSERT_EQUAL_FATAL(gp_open(&appended, &encoding, NULL), 0);
    process_set(&appended, 0.05);
    memcpy(appended.parts, gp.parts, sizeof gp.parts);
    for (size_t i = 0; i < gp.count; i++) {
        CU_ASSERT_FATAL(gp_append(&appended, gp.choices + i * encoding.count));
        CU_ASSERT(appended.pending[i]);
        appended.pending[i] = false;
        appended.y[i] = gp.y[i];
    }
    CU_ASSERT(gp_refactor(&appended));
    CU_ASSERT_EQUAL(memcmp(appended.z, gp.z, gp.count * sizeof *gp.z), 0);
    for (size_t i = 0; i < MORE; i++)
        CU_ASSERT_FATAL(gp_append(&appended, gp.choices + 7 * i * encoding.count));
    gp_extend(&appended, 100);
    for (size_t i = 0; i < MORE; i++)
        CU_ASSERT_FATAL(gp_add(&gp, appended.choices + (100 + i) * encoding.count));
    CU_ASSERT_EQUAL(gp.room, appended.room);
    for (size_t i = 0; i < 100 + MORE; i++)
        CU_ASSERT_EQUAL(memcmp(gp.l + i * gp.room, appended.l + i * gp.room, (i + 1) * sizeof *gp.l), 0);
    free(z);
    gp_close(&appended);
    gp_close(&gp);
    encoding_free(&encoding);
    space_free(space);
}

/* The less certain an observation, the less it pulls: at once as after gp_refactor, which has the noise in the factor,
 * and down to leaving the mean of the others. */
static void blurred(void)
{
    static const double stddevs[] = {0, 0.05, 0.5, 5, 1e4};
    const uint32_t at[WIDTH] = {3, 1, 1}, near[WIDTH] = {2, 1, 1};
    double before = INFINITY, alone = NAN;
    for (size_t i = 0; i < sizeof stddevs / sizeof *stddevs; i++) {
        struct space *space = NULL;
        struct encoding encoding = process_encoding(&space);
        struct gp gp;
        double mean, variance;
        CU_ASSERT_EQUAL_FATAL(gp_open(&gp, &encoding, NULL), 0);
        process_set(&gp, 0.05);
        process_fill(&gp, ROWS);
        CU_ASSERT(gp_refactor(&gp));
        gp_predict(&gp, near, &alone, &variance);
        CU_ASSERT(gp_add(&gp, at));
        gp_observe(&gp, ROWS, 20, stddevs[i]);
        gp_predict(&gp, near, &mean, &variance);
        CU_ASSERT(mean < before && mean > alone);
        before = mean;
        CU_ASSERT(gp_refactor(&gp));
        gp_predict(&gp, near, &mean, &variance);
        CU_ASSERT_DOUBLE_EQUAL(mean, before, 1e-9 * fabs(mean));
        gp_close(&gp);
        encoding_free(&encoding);
        space_free(space);
    }
    CU_ASSERT_DOUBLE_EQUAL(before, alone, 1e-3);
}

static void expect_posterior(const struct posterior *posterior, const struct gp *gp, const uint32_t (*places)[WIDTH])
{
    for (size_t c = 0; c < posterior->count; c++) {
        double mean, variance;
        gp_predict(gp, places[c], &mean, &variance);
        CU_ASSERT_DOUBLE_EQUAL(posterior->mean[c] + gp->mean, mean, 2e-4);
        CU_ASSERT_DOUBLE_EQUAL(posterior->variance[c] * gp->variance, variance, 2e-4 * gp->variance);
    }
}

/* The shares of Matern's part and the others add up to 1, and a part falls with the number of different parameters. */
static void parts(void)
{
    static const struct {
        enum gp_part part;
        size_t differ;
        double at;
    } rows[] = {{GP_ADDITIVE, 0, 1}, {GP_ADDITIVE, 1, 0.75}, {GP_ADDITIVE, 4, 0},
                {GP_ROUGH, 0, 1},    {GP_ROUGH, 1, 0.4966},  {GP_ROUGH, 4, 0.0608}};
    const struct gp gp = {.parts = {[GP_ADDITIVE] = 0.3, [GP_ROUGH] = 0.1}};
    CU_ASSERT_DOUBLE_EQUAL(gp_share(&gp, GP_ADDITIVE), 0.27, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(gp_share(&gp, GP_ROUGH), 0.1, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(gp_share(&gp, GP_PARTS), 0.63, 1e-12);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CU_ASSERT_DOUBLE_EQUAL(gp_part_at(rows[i].part, rows[i].differ, 4), rows[i].at, 1e-4);
}

/* Effects of single values, in a process with only the additive part, are known far from all observations. */
static void adds_effects(void)
{
    struct space *space = NULL;
    struct encoding encoding = process_encoding(&space);
    for (int additive = 0; additive < 2; additive++) {
        struct gp gp;
        double mean, variance;
        CU_ASSERT_EQUAL_FATAL(gp_open(&gp, &encoding, NULL), 0);
        process_set(&gp, 1e-4);
        gp.mean = 4;
        gp.parts[GP_ADDITIVE] = additive ? 1 : 0;
        for (uint32_t value = 1; value < 5; value++) { /* one parameter at a time */
            const uint32_t at[3][WIDTH] = {{value, 0, 0}, {0, value % 3, 0}, {0, 0, value % 2}};
            for (size_t i = 0; i < 3; i++) {
                CU_ASSERT_FATAL(gp_add(&gp, at[i]));
                gp_observe(&gp, gp.count - 1, at[i][0] + 2.0 * at[i][1] + 3.0 * at[i][2], 0);
            }
        }
        CU_ASSERT(gp_refactor(&gp));
        gp_predict(&gp, (const uint32_t[WIDTH]){4, 2, 1}, &mean, &variance);
        CU_ASSERT_EQUAL(fabs(mean - 11) < 0.5, additive);
        gp_close(&gp);
    }
    encoding_free(&encoding);
    space_free(space);
}

/* Observations in any order, one by one or all at once, give the same z. */
static void many_at_once(void)
{
    struct space *space = NULL;
    struct encoding encoding = process_encoding(&space);
    struct gp each, all;
    static const size_t order[] = {7, 2, 11, 5};
    for (int i = 0; i < 2; i++) {
        struct gp *gp = i ? &all : &each;
        CU_ASSERT_EQUAL_FATAL(gp_open(gp, &encoding, NULL), 0);
        process_set(gp, 0.05);
        process_fill(gp, ROWS);
        CU_ASSERT(gp_refactor(gp));
    }
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        gp_observe(&each, order[i], 5 + (double)i, 0.1 * (double)i);
        gp_note(&all, order[i], 5 + (double)i, 0.1 * (double)i);
        CU_ASSERT_NOT_EQUAL(all.z[order[i]], each.z[order[i]]);
    }
    gp_update(&all, 2);
    CU_ASSERT_EQUAL(memcmp(all.z, each.z, ROWS * sizeof *all.z), 0);
    gp_close(&each);
    gp_close(&all);
    encoding_free(&encoding);
    space_free(space);
}

/* Rows without observations yet, wherever they are, do not change the mean, and the variance falls as if they were
 * observed: at once as after gp_refactor, and as observations come in any order. */
static void pending_rows(void)
{
    static const size_t order[] = {9, 3, 12, 0, 7, 13, 5, 10, 1, 11, 2, 8, 6, 4};
    struct space *space = NULL;
    struct encoding encoding = process_encoding(&space);
    struct gp all, gp;
    CU_ASSERT_EQUAL_FATAL(gp_open(&all, &encoding, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(gp_open(&gp, &encoding, NULL), 0);
    process_set(&all, 0.05);
    process_set(&gp, 0.05);
    process_fill(&all, ROWS);
    for (size_t i = 0; i < ROWS; i++)
        CU_ASSERT_FATAL(gp_add(&gp, all.choices + i * encoding.count));
    CU_ASSERT(gp_refactor(&all) && gp_refactor(&gp));
    for (size_t known = 0; known <= ROWS; known++) {
        struct gp observed;
        const uint32_t at[WIDTH] = {3, 1, 1};
        double mean, variance, expected, ignored, least;
        CU_ASSERT_EQUAL_FATAL(gp_open(&observed, &encoding, NULL), 0);
        process_set(&observed, 0.05);
        for (size_t i = 0; i < known; i++) {
            CU_ASSERT_FATAL(gp_add(&observed, all.choices + order[i] * encoding.count));
            gp_observe(&observed, i, all.y[order[i]], 0);
        }
        gp_predict(&observed, at, &expected, &ignored);
        gp_predict(&all, at, &ignored, &least);
        for (int again = 0; again < 2; again++) {
            gp_predict(&gp, at, &mean, &variance);
            CU_ASSERT_DOUBLE_EQUAL(mean, expected, 1e-9);
            CU_ASSERT_DOUBLE_EQUAL(variance / gp.variance, least / all.variance, 1e-9);
            CU_ASSERT(gp_refactor(&gp));
        }
        CU_ASSERT(gp_refactor(&observed));
        CU_ASSERT_DOUBLE_EQUAL(gp.variance, observed.variance, 1e-9);
        if (known < ROWS)
            gp_observe(&gp, order[known], all.y[order[known]], 0);
        gp_close(&observed);
    }
    gp_close(&gp);
    gp_close(&all);
    encoding_free(&encoding);
    space_free(space);
}

/* All candidates at once, in single precision and row by row, agree with single predictions. */
static void posterior_follows(void)
{
    struct space *space = NULL;
    struct encoding encoding = process_encoding(&space);
    struct gp gp;
    struct posterior posterior;
    uint32_t places[30][WIDTH], more[WIDTH] = {1, 1, 1};
    CU_ASSERT_EQUAL_FATAL(encoding.count, WIDTH);
    CU_ASSERT_EQUAL_FATAL(gp_open(&gp, &encoding, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(posterior_open(&posterior, &encoding, 30, NULL), 0);
    for (uint32_t c = 0; c < 30; c++) {
        places[c][0] = c % 5;
        places[c][1] = c / 5 % 3;
        places[c][2] = c / 15;
        posterior_place(&posterior, c, places[c]);
    }
    process_set(&gp, 0.05);
    gp.parts[GP_ROUGH] = 0.1;
    process_fill(&gp, ROWS);
    CU_ASSERT(gp_refactor(&gp));
    CU_ASSERT_FATAL(posterior_rebuild(&posterior, &gp, (bool[ROWS]){false, true}));
    expect_posterior(&posterior, &gp, (const uint32_t(*)[WIDTH])places);
    /* Configurations in flight count with their predicted value: the mean stays, the variance falls. */
    size_t same = 1 + 5 * 1 + 15 * 1;
    float mean = posterior.mean[same], variance = posterior.variance[same];
    bool failed[ROWS + 1] = {false, true};
    CU_ASSERT(gp_add(&gp, more) && posterior_update(&posterior, &gp, failed));
    CU_ASSERT_EQUAL(posterior.variance[same], variance); /* lagging */
    posterior_update_block(&posterior, &gp, 0);
    CU_ASSERT_EQUAL(posterior.mean[same], mean);
    CU_ASSERT(posterior.variance[same] < variance);
    expect_posterior(&posterior, &gp, (const uint32_t(*)[WIDTH])places);
    gp_observe(&gp, ROWS, 9, 0);
    CU_ASSERT(posterior_update(&posterior, &gp, failed));
    CU_ASSERT(posterior.mean[same] > mean + 1);
    expect_posterior(&posterior, &gp, (const uint32_t(*)[WIDTH])places);
    double feasible = acquisition_feasible(&posterior, same);
    failed[ROWS] = true;
    CU_ASSERT(posterior_update(&posterior, &gp, failed));
    CU_ASSERT(acquisition_feasible(&posterior, same) < feasible);
    posterior_close(&posterior);
    gp_close(&gp);
    encoding_free(&encoding);
    space_free(space);
}

CU_TestInfo tests_gp[] = {{"parts", parts},
                          {"adds effects", adds_effects},
                          {"two observations by hand", closed_form},
                          {"row by row or all at once", growing},
                          {"an uncertain observation pulls less", blurred},
                          {"many observations at once", many_at_once},
                          {"pending rows do not change the mean", pending_rows},
                          {"a posterior is the process at its candidates", posterior_follows},
                          CU_TEST_INFO_NULL};
