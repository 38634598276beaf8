#include "search/diverse.h"

#include "set.h"

/* Candidates are all of 8 x 8 x 2 configurations. */
struct bench {
    struct strategy_setup setup;
    struct archive archive;
    struct encoding encoding;
    struct candidates candidates;
    struct random random;
    struct gp gp;
};

static void open_bench(struct bench *bench, const char *parameters)
{
    struct error error = {0};
    *bench = (struct bench){.setup = set_open(parameters, 3)};
    CU_ASSERT_EQUAL_FATAL(archive_open(&bench->archive, &bench->setup, &error), 0);
    CU_ASSERT_EQUAL_FATAL(encoding_make(&bench->encoding, bench->setup.space, &error), 0);
    CU_ASSERT_EQUAL_FATAL(gp_open(&bench->gp, &bench->encoding, &error), 0);
    const struct candidates_setup of = {
        .archive = &bench->archive, .encoding = &bench->encoding, .whole = 1000, .random = &bench->random};
    CU_ASSERT_EQUAL_FATAL(candidates_open(&bench->candidates, &of, &error), 0);
    CU_ASSERT_FATAL(gp_refactor(&bench->gp));
    CU_ASSERT_FATAL(posterior_rebuild(&bench->candidates.posterior, &bench->gp, (const bool[1]){false}));
}

static void close_bench(struct bench *bench)
{
    candidates_close(&bench->candidates);
    gp_close(&bench->gp);
    encoding_free(&bench->encoding);
    archive_close(&bench->archive);
    set_close(&bench->setup);
}

static const char parameters[] = "param A = 0..7\nparam B = 0..7\nparam C = 0..1\nparam D = 5\n";

static void know(struct bench *bench, uint64_t index)
{
    archive_tell(&bench->archive, index, &(struct cost){.ok = true, .value = 1});
}

/* The fastest is the one with the least mean among those that differ from all known ones in so many values. Here the
 * mean falls with the index. */
static void differs_from_all(void)
{
    enum { A = 16, B = 2, LAST = 127 };
    static const struct {
        uint64_t known[3];
        size_t known_count;
        uint64_t fastest[4]; /* by values */
    } rows[] = {
        {{0}, 0, {LAST, LAST, LAST, LAST}},
        {{LAST}, 1, {LAST, LAST - 1, LAST - 1 - B, LAST - 1 - B - A}},
        {{LAST, LAST - 1 - B - A}, 2, {LAST, LAST - 1, LAST - 1 - 2 * B, SIZE_MAX}},
        {{LAST, LAST - 1 - B, LAST - A}, 3, {LAST, LAST - 1, LAST - A - 1 - 2 * B, SIZE_MAX}},
        {{LAST, LAST - B}, 2, {LAST, LAST - 1, LAST - 1 - 2 * B, LAST - A - 1 - 2 * B}},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct bench bench;
        open_bench(&bench, parameters);
        for (size_t i = 0; i < rows[r].known_count; i++)
            know(&bench, rows[r].known[i]);
        for (size_t c = 0; c <= LAST; c++)
            bench.candidates.posterior.mean[c] = -(float)c;
        for (size_t values = 0; values < 4; values++)
            CU_ASSERT_EQUAL(diverse_fastest(&bench.candidates, &bench.gp, values), rows[r].fastest[values]);
        CU_ASSERT(!bench.archive.failed);
        close_bench(&bench);
    }
}

/* The best differ from each better one of them in this many values; failures never count. */
static void best_differ(void)
{
    enum { A = 16, B = 2 };
    static const uint64_t from_best_on[] = {0, 1, B, A + 1, A + B, 3 * A + 3 * B + 1, A + B + 1, 5 * A};
    static const struct {
        size_t values, most, count;
        size_t best[8]; /* numbers in that list */
    } rows[] = {{0, 8, 7, {0, 1, 2, 3, 4, 6, 7}},
                {1, 8, 7, {0, 1, 2, 3, 4, 6, 7}},
                {2, 8, 3, {0, 3, 4}},
                {2, 2, 2, {0, 3}},
                {3, 8, 2, {0, 6}},
                {4, 8, 1, {0}},
                {2, 1, 1, {0}},
                {0, 3, 3, {0, 1, 2}}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct bench bench;
        size_t best[8], entries = sizeof from_best_on / sizeof *from_best_on;
        open_bench(&bench, parameters);
        for (size_t i = entries; i-- > 0;)
            archive_tell(&bench.archive, from_best_on[i], &(struct cost){.ok = i != 5, .value = 1 + (double)i});
        size_t count = diverse_best(&bench.candidates, rows[r].values, best, rows[r].most);
        CU_ASSERT_EQUAL_FATAL(count, rows[r].count);
        for (size_t i = 0; i < count; i++)
            CU_ASSERT_EQUAL(best[i], entries - 1 - rows[r].best[i]);
        close_bench(&bench);
    }
}

/* Outcomes that the posterior has not learned yet count. */
static void catches_up(void)
{
    enum { LAST = 255 };
    struct bench bench;
    struct posterior *posterior = &bench.candidates.posterior;
    static const bool failed[2] = {false};
    open_bench(&bench, "param A = 0..7\nparam B = 0..7\nparam C = 0..3\n");
    CU_ASSERT_EQUAL_FATAL(posterior->blocks, 2);
    for (uint32_t i = 0; i < 2; i++) {
        know(&bench, i ? LAST : 0);
        CU_ASSERT_FATAL(gp_add(&bench.gp, i ? (const uint32_t[]){7, 7, 3} : (const uint32_t[]){0, 0, 0}));
        gp_observe(&bench.gp, i, i ? 1 : 2, 0);
        CU_ASSERT_FATAL(posterior_update(posterior, &bench.gp, failed));
    }
    CU_ASSERT(posterior->rows_in[0] == 0 && posterior->rows_in[1] == 0);
    size_t fastest = diverse_fastest(&bench.candidates, &bench.gp, 1);
    CU_ASSERT(posterior->rows_in[0] == 2 && posterior->rows_in[1] == 2);
    for (size_t c = 0; c < LAST; c++)
        CU_ASSERT(posterior->mean[fastest] <= posterior->mean[c] || c == 0);
    close_bench(&bench);
}

CU_TestInfo tests_diverse[] = {{"differs from all that are known", differs_from_all},
                               {"the best that differ", best_differ},
                               {"outcomes that are not in the posterior yet count", catches_up},
                               CU_TEST_INFO_NULL};
