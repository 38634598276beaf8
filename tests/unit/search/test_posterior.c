/* A posterior of several blocks, groups and rows compared with its process: blocks are independent. */
#include "search/posterior.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "base/random.h"

enum { WIDTH = 4, CANDIDATES = 2 * POSTERIOR_BLOCK + 44, BLOCKS = 3, ROWS = 300 };

static const uint32_t values[WIDTH] = {31, 29, 5, 3};

/* 31 x 29 codes form one group; with the other two parameters there would be too many. */
static const char text[] = "space 2\nparam A = 1..31\nparam B = 2..30\nparam C = 1, 2, 4, 8, 16\nparam D = x, y, z\n";

struct bench {
    struct space *space;
    struct encoding encoding;
    struct gp gp;
    struct posterior posterior;
    struct random random;
    uint32_t places[CANDIDATES][WIDTH];
    bool failed[ROWS];
};

static void draw(struct bench *bench, uint32_t *at)
{
    for (size_t d = 0; d < WIDTH; d++)
        at[d] = (uint32_t)random_below(&bench->random, values[d]);
}

static void open_bench(struct bench *bench)
{
    struct error error = {0};
    memset(bench, 0, sizeof *bench);
    random_seed(&bench->random, 5);
    CU_ASSERT_EQUAL_FATAL(space_parse_text(&bench->space, "t.space", text, strlen(text), "", &error), 0);
    CU_ASSERT_EQUAL_FATAL(encoding_make(&bench->encoding, bench->space, &error), 0);
    CU_ASSERT_EQUAL_FATAL(bench->encoding.count, WIDTH);
    CU_ASSERT_EQUAL_FATAL(gp_open(&bench->gp, &bench->encoding, &error), 0);
    CU_ASSERT_EQUAL_FATAL(posterior_open(&bench->posterior, &bench->encoding, CANDIDATES, &error), 0);
    CU_ASSERT_EQUAL(bench->posterior.blocks, BLOCKS);
    CU_ASSERT_EQUAL(bench->posterior.group_count, 2);
    for (size_t c = 0; c < CANDIDATES; c++) {
        draw(bench, bench->places[c]);
        posterior_place(&bench->posterior, c, bench->places[c]);
    }
    for (size_t f = 0; f < bench->encoding.feature_count; f++)
        bench->gp.inverse[f] = 1 / (0.4 + 0.1 * (double)f);
    bench->gp.noise = 0.05;
    bench->gp.parts[GP_ADDITIVE] = 0.3;
    bench->gp.parts[GP_ROUGH] = 0.1;
    bench->gp.mean = 0.5;
}

static void close_bench(struct bench *bench)
{
    posterior_close(&bench->posterior);
    gp_close(&bench->gp);
    encoding_free(&bench->encoding);
    space_free(bench->space);
}

/* Adds rows up to `count`; every fifth has no time yet, every seventh of the others failed. */
static void add_rows(struct bench *bench, size_t count)
{
    struct gp *gp = &bench->gp;
    while (gp->count < count) {
        uint32_t at[WIDTH];
        size_t row = gp->count;
        draw(bench, at);
        CU_ASSERT_FATAL(gp_add(gp, at));
        if (row % 5 == 4)
            continue;
        gp_observe(gp, row, 0.02 * at[0] + 0.03 * at[1] * at[2] + random_unit(&bench->random), 0);
        bench->failed[row] = row % 7 == 3;
    }
}

static double correlation(const struct bench *bench, const uint32_t *a, const uint32_t *b)
{
    const struct gp *gp = &bench->gp;
    double squared = 0;
    size_t differ = 0;
    for (size_t d = 0; d < WIDTH; d++) {
        const struct dimension *dimension = &bench->encoding.dimensions[d];
        differ += a[d] != b[d];
        for (size_t f = 0; f < dimension->feature_count; f++)
            squared += feature_squared(&bench->encoding.features[dimension->first_feature + f], a[d], b[d]) *
                       gp->inverse[dimension->first_feature + f];
    }
    double smooth = gp_matern(squared), additive = gp_part_at(GP_ADDITIVE, differ, WIDTH);
    return 0.9 * (0.7 * smooth + 0.3 * additive) + 0.1 * gp_part_at(GP_ROUGH, differ, WIDTH);
}

/* A block's candidates agree with the process, one by one. */
static void expect_block(const struct bench *bench, size_t block)
{
    const struct posterior *posterior = &bench->posterior;
    const struct gp *gp = &bench->gp;
    double worst = 0, worst_near = 0;
    for (size_t c = block * POSTERIOR_BLOCK; c < (block + 1) * POSTERIOR_BLOCK && c < CANDIDATES; c++) {
        double mean, variance, near = 0, near_failed = 0;
        gp_predict(gp, bench->places[c], &mean, &variance);
        for (size_t row = 0; row < gp->count; row++) {
            double k = correlation(bench, bench->places[c], gp->choices + row * WIDTH);
            near += k;
            near_failed += bench->failed[row] ? k : 0;
        }
        worst = fmax(worst, fabs(posterior->mean[c] + gp->mean - mean));
        worst = fmax(worst, fabs(posterior->variance[c] - variance / gp->variance));
        worst_near = fmax(worst_near, fabs(posterior->near[c] - near));
        worst_near = fmax(worst_near, fabs(posterior->near_failed[c] - near_failed));
    }
    CU_ASSERT(worst < 1e-3);
    CU_ASSERT(worst_near < 1e-2);
    CU_ASSERT_EQUAL(posterior->rows_in[block], gp->count);
    CU_ASSERT_EQUAL(posterior_lagging(posterior, block), 0);
}

static void rebuilt_at_once(void)
{
    static const size_t rows[] = {1, 3, 4, 5, 97, ROWS, 70}; /* the last: with spare capacity */
    for (size_t i = 0; i + 1 < sizeof rows / sizeof *rows; i++) {
        struct bench bench;
        open_bench(&bench);
        for (size_t k = i; k < sizeof rows / sizeof *rows; k += sizeof rows / sizeof *rows - 1 - i) {
            bench.gp.count = 0;
            memset(bench.failed, 0, sizeof bench.failed);
            add_rows(&bench, rows[k]);
            CU_ASSERT(gp_refactor(&bench.gp));
            CU_ASSERT_FATAL(posterior_rebuild(&bench.posterior, &bench.gp, bench.failed));
            for (size_t block = 0; block < BLOCKS; block++)
                expect_block(&bench, block);
        }
        close_bench(&bench);
    }
}

/* Rows arrive gradually, beyond the capacity; blocks are updated at different times. */
static void blocks_catch_up_on_their_own(void)
{
    struct bench bench;
    struct posterior *posterior = &bench.posterior;
    open_bench(&bench);
    add_rows(&bench, 6);
    CU_ASSERT(gp_refactor(&bench.gp));
    CU_ASSERT_FATAL(posterior_rebuild(posterior, &bench.gp, bench.failed));
    size_t room = posterior->row_room;
    for (size_t count = 9, step = 0; count < ROWS; count += 23, step++) {
        add_rows(&bench, count);
        CU_ASSERT_FATAL(posterior_update(posterior, &bench.gp, bench.failed));
        CU_ASSERT_EQUAL(posterior->row_count, count);
        /* Blocks of the three that catch up: 0, 1, 2, 0 and 1, ... */
        for (size_t block = 0; block < BLOCKS; block++)
            if ((step + 1) >> block & 1) {
                posterior_update_block(posterior, &bench.gp, block);
                expect_block(&bench, block);
            } else {
                CU_ASSERT(posterior->rows_in[block] < count);
            }
    }
    CU_ASSERT(posterior->row_room > 2 * room);
    for (size_t block = 0; block < BLOCKS; block++) {
        posterior_update_block(posterior, &bench.gp, block);
        expect_block(&bench, block);
    }
    /* A late time and a failure reach all blocks. */
    gp_observe(&bench.gp, 9, 30, 0);
    bench.failed[14] = true;
    gp_observe(&bench.gp, 14, -20, 0);
    CU_ASSERT(posterior_update(posterior, &bench.gp, bench.failed));
    for (size_t block = 0; block < BLOCKS; block++)
        expect_block(&bench, block);
    close_bench(&bench);
}

/* A lagging block is off by at most the promised bound, which is tight for near rows. */
static void what_is_behind_is_bounded(void)
{
    struct bench bench;
    struct posterior *posterior = &bench.posterior;
    open_bench(&bench);
    add_rows(&bench, 10);
    CU_ASSERT(gp_refactor(&bench.gp));
    CU_ASSERT_FATAL(posterior_rebuild(posterior, &bench.gp, bench.failed));
    add_rows(&bench, 30);
    CU_ASSERT(posterior_update(posterior, &bench.gp, bench.failed));
    for (size_t block = 0; block < BLOCKS; block++) {
        double lagging = posterior_lagging(posterior, block), squares = 0, closest = 0;
        float mean[POSTERIOR_BLOCK], variance[POSTERIOR_BLOCK];
        for (size_t row = 10; row < 30; row++)
            squares += bench.gp.z[row] * bench.gp.z[row];
        CU_ASSERT_DOUBLE_EQUAL(lagging, sqrt(squares), 1e-4);
        memcpy(mean, posterior->mean + block * POSTERIOR_BLOCK, sizeof mean);
        memcpy(variance, posterior->variance + block * POSTERIOR_BLOCK, sizeof variance);
        posterior_update_block(posterior, &bench.gp, block);
        for (size_t c = 0; c < POSTERIOR_BLOCK && block * POSTERIOR_BLOCK + c < CANDIDATES; c++) {
            double off = fabs(posterior->mean[block * POSTERIOR_BLOCK + c] - mean[c]);
            CU_ASSERT(off <= lagging * sqrt(variance[c]) + 1e-4);
            CU_ASSERT(posterior->variance[block * POSTERIOR_BLOCK + c] <= variance[c]);
            closest = fmax(closest, off / (lagging * sqrt(variance[c])));
        }
        CU_ASSERT(closest > 0.2);
    }
    close_bench(&bench);
}

/* The candidates of each block are feasible unless a cause of failure applies. */
static void works_without_causes(void)
{
    enum { VALUES = 31 + 29 + 5 + 3 };
    static const double shares[] = {0.2, 0.05};
    struct bench bench;
    struct posterior *posterior = &bench.posterior;
    double effects[2][VALUES];
    open_bench(&bench);
    for (size_t i = 0; i < 2; i++) {
        for (size_t v = 0; v < VALUES; v++)
            effects[i][v] = 0.4 * random_unit(&bench.random) - 0.1;
        CU_ASSERT_FATAL(posterior_add_cause(posterior, shares[i], effects[i]));
    }
    for (size_t block = 0; block < BLOCKS; block++)
        posterior_clear(posterior, block);
    for (size_t c = 0; c < CANDIDATES; c++) {
        double feasible = 1;
        for (size_t i = 0; i < 2; i++) {
            double failing = shares[i];
            size_t first = 0;
            for (size_t d = 0; d < WIDTH; first += values[d++])
                failing += effects[i][first + bench.places[c][d]];
            feasible *= 1 - fmin(fmax(failing, 0), POSTERIOR_SURE);
        }
        CU_ASSERT_DOUBLE_EQUAL(posterior->feasible[c], feasible, 1e-5);
    }
    close_bench(&bench);
}

CU_TestInfo tests_posterior[] = {{"rebuilt at once", rebuilt_at_once},
                                 {"blocks catch up on their own", blocks_catch_up_on_their_own},
                                 {"the error of a lagging block is bounded", what_is_behind_is_bounded},
                                 {"what works in each block", works_without_causes},
                                 CU_TEST_INFO_NULL};
