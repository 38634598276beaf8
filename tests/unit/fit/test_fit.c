/* Fits over sizes, from a table of times to text and quality. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "base/random.h"
#include "fit/fit.h"

enum { SIZES = 40, CONFIGURATIONS = 5 };

static const char *const names[] = {"ROWS", "COLS"};
static const char *const texts[] = {"TILE=16 V=1", "TILE=32 V=1", "TILE=32 V=4", "TILE=64 V=4", "TILE=8 V=1"};
static const char *const conditions[] = {"", "", "((COLS % 4) == 0)", "((COLS % 4) == 0)", ""};

/* A landscape: small problems prefer small tiles, and vectors are faster if allowed. */
static double time_of(int64_t rows, int64_t cols, size_t configuration)
{
    static const int64_t tile[] = {16, 32, 32, 64, 8}, vector[] = {1, 1, 4, 4, 1};
    int64_t t = tile[configuration], v = vector[configuration];
    double blocks = (double)((rows + t - 1) / t * ((cols + t - 1) / t));
    if (v == 4 && cols % 4)
        return FIT_INVALID;
    return 1000 + (blocks / 132 + 0.5) * (double)(t * t) * (v == 4 ? 0.6 : 1) * (1 + 8.0 / (double)t);
}

static void make_table(int64_t *sizes, double *times, uint64_t seed, size_t count)
{
    struct random random;
    random_seed(&random, seed);
    for (size_t s = 0; s < count; s++) {
        for (size_t n = 0; n < 2; n++)
            sizes[s * 2 + n] = (int64_t)(64 * pow(256, random_unit(&random)));
        if (s % 2)
            sizes[s * 2 + 1] &= ~(int64_t)7;
        for (size_t c = 0; c < CONFIGURATIONS; c++)
            times[s * CONFIGURATIONS + c] = time_of(sizes[s * 2], sizes[s * 2 + 1], c);
    }
}

static struct fit_table table_of(const int64_t *sizes, const double *times, size_t count)
{
    return (struct fit_table){.name_count = 2,
                              .size_count = count,
                              .configuration_count = CONFIGURATIONS,
                              .names = names,
                              .sizes = sizes,
                              .configurations = texts,
                              .conditions = conditions,
                              .times = times,
                              .sm_count = 132,
                              .l2_bytes = 50 << 20};
}

/* The fit is nearly as good on 100 other sizes as its cross-validation predicts, and better than any single
 * configuration. */
static void test_other_sizes(void)
{
    enum { OTHERS = 100 };
    int64_t sizes[SIZES * 2], others[OTHERS * 2];
    double times[SIZES * CONFIGURATIONS], other_times[OTHERS * CONFIGURATIONS], sum = 0, alone = INFINITY;
    struct fit fit;
    make_table(sizes, times, 1, SIZES);
    make_table(others, other_times, 2, OTHERS);
    const struct fit_table table = table_of(sizes, times, SIZES);
    CU_ASSERT_EQUAL_FATAL(fit_make(&fit, &table, &(struct fit_options){.regret_percent = 3}, NULL), 0);
    CU_ASSERT(fit.holds);
    CU_ASSERT(fit.worst_percent <= 3);
    for (size_t s = 0; s < OTHERS; s++) {
        const double *of = other_times + s * CONFIGURATIONS;
        double best = INFINITY;
        size_t taken = size_fit_choose(fit.sizes, others + s * 2, 132, 50 << 20, UINT32_MAX);
        CU_ASSERT_FATAL(taken < fit.sizes->configuration_count);
        for (size_t c = 0; c < CONFIGURATIONS; c++)
            best = isfinite(of[c]) ? fmin(best, of[c]) : best;
        CU_ASSERT_FATAL(isfinite(of[fit.chosen[taken]])); /* valid there */
        sum += log(of[fit.chosen[taken]] / best);
    }
    for (size_t c = 0; c < CONFIGURATIONS; c++) {
        double lost = 0;
        for (size_t s = 0; s < OTHERS; s++) {
            const double *of = other_times + s * CONFIGURATIONS;
            double best = INFINITY;
            for (size_t o = 0; o < CONFIGURATIONS; o++)
                best = isfinite(of[o]) ? fmin(best, of[o]) : best;
            lost += isfinite(of[c]) ? log(of[c] / best) : 9;
        }
        alone = fmin(alone, lost);
    }
    CU_ASSERT(sum < alone / 2);
    CU_ASSERT(exp(-sum / OTHERS) > 0.97);
    CU_ASSERT_DOUBLE_EQUAL(exp(-sum / OTHERS), fit.held.mean, 0.02);
    CU_ASSERT(fit.held.mean <= fit.sample.mean + 1e-9);
    CU_ASSERT(fit.sample.worst <= fit.sample.fifth && fit.sample.fifth <= 1);
    fit_free(&fit);
}

/* The text of a fit reads back and chooses the same, and rules and taken agree. */
static void test_text(void)
{
    int64_t sizes[SIZES * 2];
    double times[SIZES * CONFIGURATIONS];
    struct fit fit;
    struct arena arena = {0};
    struct text text = {0};
    struct size_fit read;
    size_t ruled = 0;
    make_table(sizes, times, 3, SIZES);
    const struct fit_table table = table_of(sizes, times, SIZES);
    CU_ASSERT_EQUAL_FATAL(fit_make(&fit, &table, &(struct fit_options){0}, NULL), 0);
    size_fit_print(fit.sizes, &text);
    CU_ASSERT_EQUAL_FATAL(size_fit_parse(&arena, text_string(&text), &read, NULL), 0);
    for (size_t s = 0; s < SIZES; s++) {
        CU_ASSERT_EQUAL(size_fit_choose(&read, sizes + s * 2, 132, 50 << 20, UINT32_MAX), fit.taken[s]);
        CU_ASSERT(!size_fit_extrapolates(&read, sizes + s * 2));
        CU_ASSERT(fit.held_of[s] > 0 && fit.held_of[s] <= 1);
    }
    text_clear(&text);
    fit_region_text(&fit, &text);
    CU_ASSERT_PTR_NOT_NULL(strstr(text_string(&text), " COLS="));
    text_clear(&text);
    fit_quality_text(&fit, &text);
    CU_ASSERT_PTR_EQUAL(strstr(text_string(&text), "sizes=40 mean="), text_string(&text));
    const char *held = strstr(text_string(&text), " limit_percent=5 held=");
    CU_ASSERT_PTR_NOT_NULL_FATAL(held);
    size_t listed = 1;
    for (const char *at = held; *at; at++)
        listed += *at == '/';
    CU_ASSERT_EQUAL(listed, SIZES);
    for (size_t c = 0; c < fit.sizes->configuration_count; c++)
        ruled += fit.rules[c];
    CU_ASSERT_EQUAL(ruled, SIZES);
    text_free(&text);
    arena_free(&arena);
    fit_free(&fit);
}

static void test_too_few_configurations(void)
{
    int64_t sizes[SIZES * 2];
    double times[SIZES * CONFIGURATIONS];
    struct fit fit;
    make_table(sizes, times, 3, SIZES);
    const struct fit_table table = table_of(sizes, times, SIZES);
    CU_ASSERT_EQUAL_FATAL(
        fit_make(&fit, &table, &(struct fit_options){.configurations_max = 1, .regret_percent = 1}, NULL), 0);
    CU_ASSERT(!fit.holds);
    CU_ASSERT_EQUAL(fit.sizes->configuration_count, 1);
    CU_ASSERT(fit.worst_percent > 1);
    CU_ASSERT_EQUAL(fit.sizes->node_count, 1);
    fit_free(&fit);
}

/* Sizes without a time are left out; few sizes are not held out. */
static void test_little_data(void)
{
    const int64_t sizes[] = {64, 64, 128, 128, 1 << 20, 1};
    const double times[] = {
        5,          6, FIT_UNMEASURED, FIT_FAILED,     9,          7,          6,         FIT_UNMEASURED,
        FIT_FAILED, 9, FIT_FAILED,     FIT_UNMEASURED, FIT_FAILED, FIT_FAILED, FIT_FAILED};
    struct fit_table table = table_of(sizes, times, 3);
    struct fit fit;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(fit_make(&fit, &table, &(struct fit_options){.regret_percent = 50}, NULL), 0);
    CU_ASSERT_EQUAL(fit.sizes->configuration_count, 1);
    CU_ASSERT_EQUAL(fit.chosen[0], 0);
    CU_ASSERT_EQUAL(fit.sizes->sizes[0].most, 128);
    CU_ASSERT(isnan(fit.held.mean) && isnan(fit.held_of[0]));
    CU_ASSERT_DOUBLE_EQUAL(fit.sample.worst, 6.0 / 7, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(fit.taken_percent, 100.0 / 6, 1e-9);
    fit_free(&fit);
    table.sizes += 4;
    table.times += 2 * CONFIGURATIONS;
    table.size_count = 1;
    CU_ASSERT_EQUAL(fit_make(&fit, &table, &(struct fit_options){0}, &error), ERROR_DATA);
    table = table_of(sizes, (const double[]){1, 2, 0, 3, 4}, 1);
    error_clear(&error);
    CU_ASSERT_EQUAL(fit_make(&fit, &table, &(struct fit_options){0}, &error), ERROR_VALUE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "TILE=32 V=4"));
}

/* A fit has at least one size and one configuration, and a limit of both. */
static void test_limits(void)
{
    static const struct {
        size_t names, configurations;
        const char *message;
    } rows[] = {{0, 2, "1 to 16 problem sizes, not 0"},
                {17, 2, "1 to 16 problem sizes, not 17"},
                {2, 33, "at most 32 configurations, not 33"}};
    const int64_t sizes[17] = {64, 64};
    const double times[] = {5, 6, 7, 8, 9};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fit fit;
        struct error error = {0};
        struct fit_table table = table_of(sizes, times, 1);
        table.name_count = rows[i].names;
        CU_ASSERT_EQUAL(
            fit_make(&fit, &table, &(struct fit_options){.configurations_max = rows[i].configurations}, &error),
            ERROR_VALUE);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.message, rows[i].message));
    }
}

/* ---- Probed sizes ---- */

enum { SEARCHED = 10, PROBED = 40, PROBED_CONFIGURATIONS = 3 };

/* Two configurations on either side of a border, and a third that is never the best at searched sizes. */
struct probing {
    int64_t sizes[SEARCHED + PROBED];
    double times[(SEARCHED + PROBED) * PROBED_CONFIGURATIONS];
    bool probed[SEARCHED + PROBED];
    struct fit_table table;
};

static void set_times(struct probing *probing, size_t size, double a, double b, double c)
{
    double *times = probing->times + size * PROBED_CONFIGURATIONS;
    times[0] = a;
    times[1] = b;
    times[2] = c;
}

/* The searched sizes leave a gap from 200 to 20000, which contains the probed ones. */
static void open_probing(struct probing *probing, double border, size_t probed)
{
    static const int64_t searched[SEARCHED] = {16, 32, 64, 128, 200, 20000, 40000, 60000, 80000, 100000};
    static const char *const size[] = {"N"}, *const configurations[] = {"W=1", "W=2", "W=3"};
    for (size_t i = 0; i < SEARCHED + probed; i++) {
        int64_t n = i < SEARCHED ? searched[i] : (int64_t)(200 * pow(100, ((double)(i - SEARCHED) + 0.5) / PROBED));
        bool small = (double)n <= border;
        probing->sizes[i] = n;
        probing->probed[i] = i >= SEARCHED;
        set_times(probing, i, small ? 100 : 200, small ? 200 : 100, i < SEARCHED ? 150 : FIT_UNMEASURED);
    }
    probing->table = (struct fit_table){.name_count = 1,
                                        .size_count = SEARCHED + probed,
                                        .configuration_count = PROBED_CONFIGURATIONS,
                                        .names = size,
                                        .sizes = probing->sizes,
                                        .configurations = configurations,
                                        .times = probing->times,
                                        .probed = probing->probed};
}

/* The searched sizes do not determine the border; the probed ones do. */
static void test_probed_border(void)
{
    static const struct {
        double border, found; /* without probed sizes: in the middle of the gap */
        size_t probed;
    } rows[] = {{300, 2000, 0}, {12000, 2000, 0}, {300, 300, PROBED}, {1500, 1500, PROBED}, {12000, 12000, PROBED}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct probing probing;
        struct fit fit;
        const int64_t below = (int64_t)(rows[i].found * 0.88), above = (int64_t)(rows[i].found * 1.13);
        open_probing(&probing, rows[i].border, rows[i].probed);
        CU_ASSERT_EQUAL_FATAL(fit_make(&fit, &probing.table, &(struct fit_options){0}, NULL), 0);
        CU_ASSERT_EQUAL(fit.chosen[size_fit_choose(fit.sizes, &below, 0, 0, UINT32_MAX)], 0);
        CU_ASSERT_EQUAL(fit.chosen[size_fit_choose(fit.sizes, &above, 0, 0, UINT32_MAX)], 1);
        CU_ASSERT_EQUAL(fit.size_count, SEARCHED);
        CU_ASSERT_EQUAL(fit.probed_count, rows[i].probed);
        CU_ASSERT_EQUAL(fit.rules[0] + fit.rules[1], SEARCHED + rows[i].probed);
        CU_ASSERT_EQUAL(fit.sizes->sizes[0].least, 16);
        CU_ASSERT_EQUAL(fit.sizes->sizes[0].most, 100000);
        fit_free(&fit);
    }
}

/* A probed size's times of other configurations, and its losses, change neither cover nor quality. A probed size
 * without a chosen configuration has no effect. */
static void test_probed_apart(void)
{
    static const struct {
        double a, b, c; /* at one probed size of those that choose the first */
        size_t probed;
        int taken; /* per cent that the tree loses there */
    } rows[] = {{100, 200, 1, PROBED, 0},
                {100, 200, FIT_INVALID, PROBED, 0},
                {130, 100, FIT_UNMEASURED, PROBED, 30},
                {FIT_UNMEASURED, 100, 100, PROBED - 1, 0},
                {100, FIT_UNMEASURED, FIT_UNMEASURED, PROBED - 1, 0},
                {FIT_UNMEASURED, FIT_UNMEASURED, 100, PROBED - 1, 0},
                {FIT_UNMEASURED, FIT_UNMEASURED, FIT_UNMEASURED, PROBED - 1, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct probing probing;
        struct fit fit;
        struct text text = {0};
        open_probing(&probing, 1500, PROBED);
        set_times(&probing, SEARCHED + 3, rows[i].a, rows[i].b, rows[i].c);
        CU_ASSERT_EQUAL_FATAL(fit_make(&fit, &probing.table, &(struct fit_options){.regret_percent = 40}, NULL), 0);
        CU_ASSERT_EQUAL(fit.sizes->configuration_count, 2);
        CU_ASSERT_EQUAL(fit.chosen[0] + fit.chosen[1], 1);
        CU_ASSERT(fit.holds && fit.worst_percent < 1e-9);
        CU_ASSERT_EQUAL(fit.probed_count, rows[i].probed);
        fit_quality_text(&fit, &text);
        struct text expected = {0};
        text_printf(&expected,
                    "sizes=10 probed=%zu mean=1 fifth=1 worst=1 held_mean=1 held_fifth=1 held_worst=1 loss_percent=0 "
                    "taken_percent=%d limit_percent=40 held=1/1/1/1/1/1/1/1/1/1",
                    rows[i].probed, rows[i].taken);
        CU_ASSERT_STRING_EQUAL(text_string(&text), text_string(&expected));
        text_free(&expected);
        text_free(&text);
        fit_free(&fit);
    }
}

/* Probed sizes choose between configurations that searched sizes do not distinguish, unless too many of them lack
 * one. */
static void test_probed_choose(void)
{
    static const struct {
        size_t lacking, probed, second;
    } rows[] = {
        {0, PROBED, 2}, {PROBED / 10, PROBED - PROBED / 10, 2}, {PROBED / 10 + 1, PROBED, 1}, {PROBED, PROBED, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct probing probing;
        struct fit fit;
        open_probing(&probing, 1500, PROBED);
        for (size_t s = 0; s < SEARCHED; s++)
            set_times(&probing, s, s < 5 ? 100 : 200, s < 5 ? 200 : 100, s < 5 ? 200 : s == 9 ? 99.9 : 100.1);
        for (size_t s = 0; s < PROBED; s++) {
            bool small = probing.sizes[SEARCHED + s] <= 1500;
            set_times(&probing, SEARCHED + s, small ? 100 : 200, small ? 200 : 110,
                      s % 2 * PROBED / 2 + s / 2 < rows[i].lacking ? FIT_UNMEASURED
                      : small                                      ? 200
                                                                   : 100);
        }
        CU_ASSERT_EQUAL_FATAL(fit_make(&fit, &probing.table, &(struct fit_options){.configurations_max = 2}, NULL), 0);
        CU_ASSERT_EQUAL_FATAL(fit.sizes->configuration_count, 2);
        CU_ASSERT_EQUAL(fit.chosen[fit.taken[0]], 0);
        CU_ASSERT_EQUAL(fit.chosen[fit.taken[8]], rows[i].second);
        CU_ASSERT_EQUAL(fit.probed_count, rows[i].probed);
        CU_ASSERT_EQUAL_FATAL(fit.candidate_count, 3);
        CU_ASSERT_EQUAL(fit.candidates[2], 2); /* last proposal of the searched sizes */
        CU_ASSERT(fit.holds && fit.sample.worst > 0.99);
        fit_free(&fit);
    }
}

/* A configuration that only one searched size wants is in the cover, and probed sizes determine where it is the best.
 * Holding the size out removes it. */
static void test_probed_held(void)
{
    enum { WANTS = 4 };
    struct probing probing;
    struct fit fit;
    open_probing(&probing, 1500, PROBED);
    set_times(&probing, WANTS, 200, 200, 100);
    for (size_t i = SEARCHED; i < SEARCHED + PROBED; i++) {
        bool wants = probing.sizes[i] < 300, small = probing.sizes[i] <= 1500;
        set_times(&probing, i, small && !wants ? 100 : 200, small ? 200 : 100, wants ? 100 : 200);
    }
    CU_ASSERT_EQUAL_FATAL(fit_make(&fit, &probing.table, &(struct fit_options){0}, NULL), 0);
    CU_ASSERT_EQUAL(fit.sizes->configuration_count, 3);
    CU_ASSERT_EQUAL(fit.probed_count, PROBED);
    CU_ASSERT_EQUAL(fit.chosen[fit.taken[WANTS]], 2);
    CU_ASSERT_EQUAL(fit.sample.worst, 1);
    CU_ASSERT_DOUBLE_EQUAL(fit.held_of[WANTS], 0.5, 1e-12);
    for (size_t s = WANTS + 1; s < SEARCHED; s++)
        CU_ASSERT_DOUBLE_EQUAL(fit.held_of[s], 1, 1e-12);
    for (size_t s = SEARCHED; s < SEARCHED + PROBED; s++)
        CU_ASSERT(isnan(fit.held_of[s]));
    fit_free(&fit);
}

/* A fit without searched sizes is refused. */
static void test_probed_alone(void)
{
    struct probing probing;
    struct fit fit;
    struct error error = {0};
    open_probing(&probing, 1500, PROBED);
    probing.table.size_count = PROBED;
    probing.table.sizes += SEARCHED;
    probing.table.probed += SEARCHED;
    probing.table.times += SEARCHED * PROBED_CONFIGURATIONS;
    CU_ASSERT_EQUAL(fit_make(&fit, &probing.table, &(struct fit_options){0}, &error), ERROR_DATA);
}

CU_TestInfo tests_fit[] = {{"other sizes", test_other_sizes},
                           {"text", test_text},
                           {"too few configurations", test_too_few_configurations},
                           {"little data", test_little_data},
                           {"limits", test_limits},
                           {"probed sizes tell a border", test_probed_border},
                           {"probed sizes leave what searched ones tell", test_probed_apart},
                           {"probed sizes choose", test_probed_choose},
                           {"a held out size leaves no trace", test_probed_held},
                           {"probed sizes alone", test_probed_alone},
                           CU_TEST_INFO_NULL};
