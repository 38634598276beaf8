#include "search/model.h"

#include <math.h>

#include "set.h"

struct bench {
    struct strategy_setup setup;
    struct archive archive;
    struct encoding encoding;
    struct candidates candidates;
    struct model model;
    struct random random;
};

static void open_bench(struct bench *bench, size_t observations)
{
    struct error error = {0};
    *bench = (struct bench){.setup = set_open("param A = 0..7\nparam B = 0..7\n", 3)};
    random_seed(&bench->random, 3);
    CU_ASSERT_EQUAL_FATAL(archive_open(&bench->archive, &bench->setup, &error), 0);
    CU_ASSERT_EQUAL_FATAL(encoding_make(&bench->encoding, bench->setup.space, &error), 0);
    const struct candidates_setup of = {
        .archive = &bench->archive, .encoding = &bench->encoding, .whole = 100, .random = &bench->random};
    CU_ASSERT_EQUAL_FATAL(candidates_open(&bench->candidates, &of, &error), 0);
    const struct model_setup with = {.archive = &bench->archive,
                                     .candidates = &bench->candidates,
                                     .encoding = &bench->encoding,
                                     .prior_runs = &bench->setup,
                                     .observations = observations,
                                     .growth = 1.5};
    CU_ASSERT_EQUAL_FATAL(model_open(&bench->model, &with, &error), 0);
}

static void close_bench(struct bench *bench)
{
    model_close(&bench->model);
    candidates_close(&bench->candidates);
    encoding_free(&bench->encoding);
    archive_close(&bench->archive);
    set_close(&bench->setup);
}

/* After each outcome, the predictions for all candidates are those of the process; failures and the slowest count with
 * one time. */
static void follows_the_archive(void)
{
    struct bench bench;
    open_bench(&bench, 400);
    double best = INFINITY;
    for (size_t i = 0; i < 24; i++) {
        uint64_t index = i * 19 % 64;
        const struct cost cost = {.ok = i % 7 != 3, .value = 1 + (double)(index % 8) + (double)(index / 8)};
        archive_tell(&bench.archive, index, &cost);
        if (cost.ok)
            best = fmin(best, log(cost.value));
        if (i < 3)
            continue;
        CU_ASSERT_FATAL(model_keep_up(&bench.model, i + 1));
        CU_ASSERT_EQUAL(bench.model.gp.count, i + 1);
        CU_ASSERT_DOUBLE_EQUAL(bench.model.best, best, 1e-12);
        for (size_t row = 0; row < bench.model.gp.count; row++) {
            const struct archive_entry *entry = &bench.archive.entries[bench.model.row_entry[row]];
            CU_ASSERT_EQUAL(bench.model.failed[row], !entry->ok);
            CU_ASSERT_DOUBLE_EQUAL(bench.model.gp.y[row],
                                   entry->ok ? fmin(log(entry->value), bench.model.clip) : bench.model.clip, 1e-12);
        }
        for (size_t c = 0; c < 64; c += 5) {
            uint32_t choices[ENCODE_DIMENSIONS_MAX];
            double mean, variance;
            posterior_update_block(&bench.candidates.posterior, &bench.model.gp, c / POSTERIOR_BLOCK);
            candidates_choices(&bench.candidates, candidates_index(&bench.candidates, c), choices);
            gp_predict(&bench.model.gp, choices, &mean, &variance);
            CU_ASSERT_DOUBLE_EQUAL(bench.model.gp.mean + bench.candidates.posterior.mean[c], mean, 2e-3);
            CU_ASSERT_DOUBLE_EQUAL(bench.model.gp.variance * bench.candidates.posterior.variance[c], variance, 2e-3);
        }
    }
    close_bench(&bench);
}

/* A process that began before any outcome follows each outcome, the first row's too. */
static void begins_in_flight(void)
{
    enum { FLYING = 6 };
    struct bench bench;
    open_bench(&bench, 400);
    for (uint64_t i = 0; i < FLYING; i++) {
        archive_tell(&bench.archive, i * 19 % 64, &(struct cost){.ok = i != 1, .value = exp(-1 - (double)i)});
        bench.archive.entries[i].told = false;
    }
    CU_ASSERT_FATAL(model_keep_up(&bench.model, 0));
    for (size_t i = 0; i < 2; i++) {
        bench.archive.entries[i].told = true;
        CU_ASSERT_FATAL(model_keep_up(&bench.model, i + 1));
        CU_ASSERT(!bench.model.gp.pending[i] && bench.model.gp.pending[i + 1]);
        CU_ASSERT_DOUBLE_EQUAL(bench.model.gp.y[i], i ? 0 : -1, 1e-12);
        CU_ASSERT_EQUAL(bench.model.failed[i], i == 1);
        CU_ASSERT_DOUBLE_EQUAL(bench.model.best, -1, 1e-12);
    }
    close_bench(&bench);
}

/* A censored evaluation counts with its estimate, not below its lower bound, and with the noise of its interval; never
 * as the best. It is known when the length scales are fitted, or later. */
static void stopped_early(void)
{
    static const struct {
        double value, least;
        double counts, wide; /* the time that counts, and its quotient to the lower end of the interval */
    } rows[] = {
        {3, 2.8, 3, 3 / 2.8},     /* a narrow interval */
        {3, 1.5, 3, 2},           /* a wide one */
        {0.5, 2, 2, 1},           /* an estimate below the lower bound */
        {1000, 0.9, 10, 10 / 0.9} /* slower than most */
    };
    for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
        struct bench bench;
        const struct cost stopped = {
            .ok = true, .censored = true, .value = rows[i / 2].value, .least = rows[i / 2].least};
        bool later = i % 2;
        open_bench(&bench, 400);
        if (!later)
            archive_tell(&bench.archive, 63, &stopped);
        for (uint64_t k = 0; k < 30; k++)
            archive_tell(&bench.archive, k * 19 % 64,
                         &(struct cost){.ok = true, .value = k < 8 ? 10 : 1 + 0.1 * (double)k});
        CU_ASSERT_FATAL(model_keep_up(&bench.model, 30 + !later));
        double variance = bench.model.gp.variance;
        if (later) {
            archive_tell(&bench.archive, 63, &stopped);
            CU_ASSERT_FATAL(model_keep_up(&bench.model, 31));
        }
        size_t row = later ? 30 : 0;
        double stddev = fmax(log(rows[i / 2].wide) / 1.96, 0.01);
        CU_ASSERT_EQUAL(bench.model.row_entry[row], row);
        CU_ASSERT_DOUBLE_EQUAL(bench.model.gp.y[row], log(rows[i / 2].counts), 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(bench.model.gp.blur[row], stddev * stddev / (later ? variance : 1), 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(bench.model.best, log(1.8), 1e-12);
        close_bench(&bench);
    }
}

/* Rows for the outcomes of 64 configurations, of which the latest are in flight. With the first in flight instead, its
 * row is still behind all with outcomes. */
static void rows_in_flight(void)
{
    static const struct {
        size_t told, observations, rows_told, rows_in_flight;
    } rows[] = {
        {20, 20, 5, 10},  /* 44 in flight take half; of the rest, half are the best, and the latest are in flight */
        {48, 32, 16, 16}, /* 16 in flight take none */
        {47, 32, 14, 16}, {46, 32, 12, 16}, {42, 32, 8, 16}, {5, 32, 5, 16}, {60, 100, 60, 4},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct bench bench;
        size_t told = 0, count = 64;
        open_bench(&bench, rows[r].observations);
        for (uint64_t i = 0; i < 64; i++)
            archive_tell(&bench.archive, i * 19 % 64, &(struct cost){.ok = true, .value = 1 + 0.1 * (double)i});
        for (size_t i = rows[r].told; i < count; i++)
            bench.archive.entries[i].told = false;
        CU_ASSERT_FATAL(model_keep_up(&bench.model, rows[r].told));
        CU_ASSERT_EQUAL(bench.model.gp.count, rows[r].rows_told + rows[r].rows_in_flight);
        for (size_t row = 0; row < bench.model.gp.count; row++) {
            CU_ASSERT_EQUAL(bench.model.gp.pending[row], bench.model.row_entry[row] >= rows[r].told);
            told += !bench.model.gp.pending[row];
        }
        CU_ASSERT_EQUAL(told, rows[r].rows_told);
        if (rows[r].rows_in_flight)
            CU_ASSERT_EQUAL(bench.model.row_entry[bench.model.gp.count - 1], 63);
        close_bench(&bench);
        open_bench(&bench, rows[r].observations);
        for (uint64_t i = 0; i < 20; i++)
            archive_tell(&bench.archive, i, &(struct cost){.ok = true, .value = 1 + 0.1 * (double)i});
        bench.archive.entries[0].told = false;
        CU_ASSERT_FATAL(model_keep_up(&bench.model, 19));
        CU_ASSERT_EQUAL(bench.model.row_entry[bench.model.gp.count - 1], 0);
        CU_ASSERT(bench.model.gp.pending[bench.model.gp.count - 1] && !bench.model.gp.pending[0]);
        close_bench(&bench);
    }
}

/* The model chooses its rows again, without new outcomes, if many more are in flight. */
static void crowded(void)
{
    enum { OBSERVATIONS = 10 };
    struct bench bench;
    open_bench(&bench, OBSERVATIONS);
    for (uint64_t i = 0; i < 40; i++) {
        archive_tell(&bench.archive, i * 19 % 64, &(struct cost){.ok = true, .value = 1 + 0.1 * (double)i});
        bench.archive.entries[i].told = i < 3;
        if (i < 3)
            continue;
        CU_ASSERT_FATAL(model_keep_up(&bench.model, 3));
        CU_ASSERT(bench.model.gp.count <= 2 * OBSERVATIONS);
        CU_ASSERT_EQUAL(bench.model.row_entry[bench.model.gp.count - 1], i);
    }
    close_bench(&bench);
}

/* Effects of single values and length scales are expected as the owner says. With prior runs, no effects, and length
 * scales in the middle between that and theirs. */
static void expects_effects(void)
{
    static const uint32_t choices[] = {0, 0, 1, 1, 2, 3, 5, 7};
    static const double costs[] = {1, 2, 3, 4};
    static const struct prior_run prior_runs = {4, choices, costs};
    static const struct {
        double additive;
        size_t landscapes;
        bool expected;
    } rows[] = {{0, 0, false}, {0.2, 0, true}, {0.2, 1, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bench bench;
        struct error error = {0};
        open_bench(&bench, 400);
        struct model_setup with = bench.model.setup;
        model_close(&bench.model);
        bench.setup.prior_runs = &prior_runs;
        bench.setup.prior_run_count = rows[i].landscapes;
        with.additive = with.length = rows[i].additive;
        with.length_stddev = 0.1;
        CU_ASSERT_EQUAL_FATAL(model_open(&bench.model, &with, &error), 0);
        double expected = rows[i].expected ? 0.2 : gp_part_priors[GP_ADDITIVE].median;
        CU_ASSERT_DOUBLE_EQUAL(bench.model.gp.parts[GP_ADDITIVE], expected, expected / 10);
        CU_ASSERT_EQUAL(bench.model.gp.part_medians[GP_ADDITIVE], expected);
        CU_ASSERT_EQUAL(bench.model.gp.spread == 0.1, rows[i].expected);
        CU_ASSERT_EQUAL(bench.model.gp.medians[0] == 0.2 && bench.model.gp.medians[1] == 0.2, rows[i].expected);
        close_bench(&bench);
    }
}

/* The process learns the part of each outcome that prior runs do not explain. */
static void learns_the_rest(void)
{
    enum { TOLD = 6 };
    static const uint32_t choices[] = {0, 0, 1, 1, 2, 3, 5, 7, 7, 2};
    static const double costs[] = {1, 2, 3, 4, 9};
    static const struct prior_run prior_runs = {5, choices, costs};
    struct bench bench;
    struct error error = {0};
    open_bench(&bench, 400);
    struct model_setup with = bench.model.setup;
    struct model *model = &bench.model;
    model_close(model);
    bench.setup.prior_runs = &prior_runs;
    bench.setup.prior_run_count = 1;
    CU_ASSERT_EQUAL_FATAL(model_open(model, &with, &error), 0);
    for (uint64_t i = 0; i < TOLD; i++) {
        const struct cost cost = {.ok = true, .value = 2 + (double)(i % 2)};
        archive_tell(&bench.archive, 9 * i, &cost);
    }
    CU_ASSERT_FATAL(model_keep_up(model, TOLD));
    CU_ASSERT_EQUAL_FATAL(model->gp.count, TOLD);
    for (size_t row = 0; row < TOLD; row++) {
        const float *terms = model->entry_terms + model->row_entry[row] * model->transfer.terms;
        double explained = transfer_expect(&model->transfer, terms);
        CU_ASSERT(explained != 0);
        CU_ASSERT_DOUBLE_EQUAL(model->gp.y[row], log(2 + (double)(row % 2)) - explained, 1e-9);
    }
    close_bench(&bench);
}

CU_TestInfo tests_model[] = {{"follows the archive", follows_the_archive},
                             {"begins with all in flight", begins_in_flight},
                             {"censored values are uncertain", stopped_early},
                             {"configurations in flight have rows, and take some", rows_in_flight},
                             {"rows are bounded before there are outcomes", crowded},
                             {"expects effects", expects_effects},
                             {"learns what landscapes leave", learns_the_rest},
                             CU_TEST_INFO_NULL};
