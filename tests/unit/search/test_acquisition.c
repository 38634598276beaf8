#include "search/acquisition.h"

#include "process.h"

/* Addend of each value to the logarithm of the effort; by dimension and value. */
static const double efforts[] = {0.3, -0.2, 1.1, 0, 0.5, -0.7, 0.4, 0.1, 0.8, -0.8};

/* A process that has learned ROWS configurations, and a posterior of all 30, repeated to fill the room. */
struct bench {
    struct space *space;
    struct encoding encoding;
    struct gp gp;
    struct posterior posterior;
};

static void open_bench(struct bench *bench, uint32_t count)
{
    bench->space = NULL;
    bench->encoding = process_encoding(&bench->space);
    CU_ASSERT_EQUAL_FATAL(gp_open(&bench->gp, &bench->encoding, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(posterior_open(&bench->posterior, &bench->encoding, count, NULL), 0);
    for (uint32_t c = 0; c < count; c++)
        posterior_place(&bench->posterior, c, (uint32_t[WIDTH]){c % 5, c / 5 % 3, c / 15 % 2});
    process_set(&bench->gp, 0.05);
    process_fill(&bench->gp, ROWS);
    CU_ASSERT(gp_refactor(&bench->gp));
}

static void close_bench(struct bench *bench)
{
    posterior_close(&bench->posterior);
    gp_close(&bench->gp);
    encoding_free(&bench->encoding);
    space_free(bench->space);
}

/* Compares with the formula in double precision. Taken candidates are skipped. Candidates similar to failed ones are
 * less likely feasible, and so are candidates with a cause of failure. Effort divides. `effects`: by dimension and
 * value; NULL: effort is free. `causes`: a few causes of these effects, of a part of all outcomes. */
static void improvement_with(const bool *failed, const double *effects, const double *cause, size_t causes)
{
    struct bench bench;
    bool taken[30] = {false};
    open_bench(&bench, 30);
    for (size_t i = 0; i < causes; i++)
        CU_ASSERT_FATAL(posterior_add_cause(&bench.posterior, 0.2, cause));
    CU_ASSERT_FATAL(posterior_rebuild(&bench.posterior, &bench.gp, failed));
    if (effects)
        CU_ASSERT_FATAL(posterior_set_effort(&bench.posterior, effects));
    for (int round = 0; round < 30; round++) {
        double best = 0.8, top = -1;
        size_t expected = 0;
        for (size_t c = 0; c < 30; c++) {
            double s = sqrt(bench.gp.variance * fmax(bench.posterior.variance[c], 1e-6)),
                   u = (best - bench.gp.mean - bench.posterior.mean[c]) / s;
            double value = s * (u * erfc(-u / sqrt(2)) / 2 + exp(-u * u / 2) / sqrt(2 * 3.14159265358979));
            double feasible = 1;
            for (size_t i = 0; i < causes; i++)
                feasible *=
                    1 - fmin(fmax(0.2 + cause[c % 5] + cause[5 + c / 5 % 3] + cause[8 + c / 15], 0), POSTERIOR_SURE);
            feasible =
                (bench.posterior.near[c] - bench.posterior.near_failed[c] + feasible) / (bench.posterior.near[c] + 1.0);
            CU_ASSERT_DOUBLE_EQUAL(acquisition_feasible(&bench.posterior, c), feasible, 1e-6);
            value *= feasible;
            double effort = effects ? effects[c % 5] + effects[5 + c / 5 % 3] + effects[8 + c / 15] : 0;
            value *= exp(-effort);
            if (!taken[c] && value > top) {
                top = value;
                expected = c;
            }
        }
        size_t found = acquisition_best(&bench.posterior, &bench.gp, taken, best);
        CU_ASSERT_EQUAL(found, expected);
        taken[found < 30 ? found : 0] = true;
    }
    CU_ASSERT_EQUAL(acquisition_best(&bench.posterior, &bench.gp, taken, 0.8), SIZE_MAX);
    close_bench(&bench);
}

static void improvement(void)
{
    static const bool some[ROWS] = {false, true, false, true, true, [9] = true, [11] = true};
    static const double cause[] = {0.1, 0.4, -0.3, 0, 0.05, 0.2, 0, 0.5, -0.1, 0.1};
    improvement_with((bool[ROWS]){false}, NULL, NULL, 0);
    improvement_with(some, NULL, NULL, 0);
    improvement_with(some, efforts, NULL, 0);
    improvement_with((bool[ROWS]){false}, NULL, cause, 1);
    improvement_with(some, efforts, cause, 2);
}

/* The score is the expected improvement, also far below the best. */
static void far_below_the_best(void)
{
    static const bool failed[ROWS] = {false}, taken[30] = {false};
    struct bench bench;
    open_bench(&bench, 30);
    CU_ASSERT_FATAL(posterior_rebuild(&bench.posterior, &bench.gp, failed));
    double least = 0;
    for (double best = 1; least > -7; best -= 0.25) {
        size_t found = acquisition_best(&bench.posterior, &bench.gp, taken, best);
        CU_ASSERT_FATAL(found < 30);
        double s = sqrt(bench.gp.variance * fmax(bench.posterior.variance[found], 1e-6)), u = bench.posterior.tops[0].u;
        double value = s * (u * erfc(-u / sqrt(2)) / 2 + exp(-u * u / 2) / sqrt(2 * 3.14159265358979));
        CU_ASSERT_DOUBLE_EQUAL(bench.posterior.tops[0].score / (value * acquisition_feasible(&bench.posterior, found)),
                               1, 0.03);
        least = fmin(least, u);
    }
    close_bench(&bench);
}

/* One after the other without new rows: each from a block that has given none, and none taken meanwhile; then from all
 * blocks again. Each of three blocks has all configurations. */
static void one_of_each_block(void)
{
    enum { COUNT = 3 * POSTERIOR_BLOCK };
    static const bool failed[ROWS] = {false};
    struct bench bench;
    bool taken[COUNT] = {false}, given[3] = {false};
    open_bench(&bench, COUNT);
    CU_ASSERT_FATAL(posterior_rebuild(&bench.posterior, &bench.gp, failed));
    size_t best = acquisition_best(&bench.posterior, &bench.gp, taken, 0.8), first = best;
    for (int i = 0; i < 3; i++) {
        CU_ASSERT_FATAL(best < COUNT && !taken[best]);
        CU_ASSERT(!given[best / POSTERIOR_BLOCK]);
        given[best / POSTERIOR_BLOCK] = taken[best] = true;
        if (i == 0)
            for (size_t c = 0; c < COUNT; c++) /* the best of each other block, with equally good ones */
                taken[c] |= c / POSTERIOR_BLOCK != first / POSTERIOR_BLOCK &&
                            bench.posterior.tops[c / POSTERIOR_BLOCK].candidate == c;
        best = acquisition_next(&bench.posterior, &bench.gp, taken, 0.8);
    }
    CU_ASSERT_FATAL(best < COUNT && !taken[best]);
    CU_ASSERT_EQUAL(best, acquisition_best(&bench.posterior, &bench.gp, taken, 0.8));
    memset(taken, true, sizeof taken);
    CU_ASSERT_EQUAL(acquisition_next(&bench.posterior, &bench.gp, taken, 0.8), SIZE_MAX);
    close_bench(&bench);
}

/* Changes between two calls. */
enum change { NOTHING, CHOSEN, BEST, OBSERVED, CLEARED, EFFORT, ADDED, CAUGHT_UP, CHANGES };

static void make_change(enum change change, struct posterior *posterior, struct gp *gp, bool *taken, size_t chosen,
                        double *best)
{
    static const bool failed[ROWS + 1] = {false};
    switch (change) {
    case CHOSEN:
        taken[chosen] = taken[posterior->tops[1].candidate] = true;
        break;
    case BEST:
        *best = 0.2;
        break;
    case CLEARED:
        for (uint32_t c = POSTERIOR_BLOCK; c < 2 * POSTERIOR_BLOCK; c++)
            posterior_place(posterior, c, (uint32_t[WIDTH]){4, c % 3, 1});
        posterior_clear(posterior, 1);
        break;
    case EFFORT:
        CU_ASSERT_FATAL(posterior_set_effort(posterior, efforts));
        break;
    case OBSERVED:
        gp_observe(gp, 3, -2, 0);
        CU_ASSERT_FATAL(posterior_update(posterior, gp, failed));
        break;
    case ADDED:
        process_fill(gp, ROWS + 1);
        CU_ASSERT_FATAL(posterior_update(posterior, gp, failed));
        break;
    case CAUGHT_UP:
        posterior_update_block(posterior, gp, 1);
        CU_ASSERT(!posterior->tops[1].current);
        break;
    case NOTHING:
    case CHANGES:
        break;
    }
}

/* Searches for the best of each block again after any change: the result equals a search of all blocks. */
static void follows_changes(void)
{
    enum { COUNT = 3 * POSTERIOR_BLOCK };
    for (enum change change = NOTHING; change < CHANGES; change++) {
        bool taken[COUNT] = {false}, failed[ROWS + 1] = {false};
        struct space *space = NULL;
        struct encoding encoding = process_encoding(&space);
        struct gp gp;
        struct posterior posterior;
        struct posterior_top tops[3];
        double best = 0.8;
        CU_ASSERT_EQUAL_FATAL(gp_open(&gp, &encoding, NULL), 0);
        CU_ASSERT_EQUAL_FATAL(posterior_open(&posterior, &encoding, COUNT, NULL), 0);
        for (uint32_t c = 0; c < COUNT; c++)
            posterior_place(&posterior, c, (uint32_t[WIDTH]){c % 5, c / 5 % 3, c / 15 % 2});
        process_set(&gp, 0.05);
        process_fill(&gp, ROWS);
        CU_ASSERT(gp_refactor(&gp));
        CU_ASSERT_FATAL(posterior_rebuild(&posterior, &gp, failed));
        size_t first = acquisition_best(&posterior, &gp, taken, best);
        make_change(change, &posterior, &gp, taken, first, &best);
        size_t found = acquisition_best(&posterior, &gp, taken, best);
        memcpy(tops, posterior.tops, sizeof tops);
        for (size_t b = 0; b < 3; b++)
            posterior.tops[b].current = false;
        CU_ASSERT_EQUAL(acquisition_best(&posterior, &gp, taken, best), found);
        for (size_t b = 0; b < 3; b++)
            CU_ASSERT(tops[b].candidate == posterior.tops[b].candidate && tops[b].score == posterior.tops[b].score);
        posterior_close(&posterior);
        gp_close(&gp);
        encoding_free(&encoding);
        space_free(space);
    }
}

/* Without changes, blocks keep their results: they are not searched again, which keeps proposals cheap. */
static void remembers(void)
{
    enum { COUNT = 3 * POSTERIOR_BLOCK };
    static const bool failed[ROWS] = {false}, taken[COUNT] = {false};
    struct bench bench;
    open_bench(&bench, COUNT);
    CU_ASSERT_FATAL(posterior_rebuild(&bench.posterior, &bench.gp, failed));
    acquisition_best(&bench.posterior, &bench.gp, taken, 0.8);
    posterior_update_block(&bench.posterior, &bench.gp, 2);
    acquisition_best(&bench.posterior, &bench.gp, taken, 0.8);
    bench.posterior.tops[2].candidate = COUNT - 1;
    bench.posterior.tops[2].score = INFINITY;
    CU_ASSERT_EQUAL(acquisition_best(&bench.posterior, &bench.gp, taken, 0.8), COUNT - 1);
    CU_ASSERT(acquisition_best(&bench.posterior, &bench.gp, taken, 0.7) < COUNT - 1);
    close_bench(&bench);
}

CU_TestInfo tests_acquisition[] = {{"far below the best", far_below_the_best},
                                   {"expected improvement by its formula", improvement},
                                   {"several of one state of the model", one_of_each_block},
                                   {"changed blocks are searched again", follows_changes},
                                   {"unchanged blocks are not", remembers},
                                   CU_TEST_INFO_NULL};
