#include "search/effects.h"

#include <math.h>

#include "set.h"

enum { EFFORTS = 12 };

/* Effort effects of A and B, A fastest, over that of the first values, after outcomes whose costs are a power of their
 * efforts. Some efforts are unknown. 0 for free effort. */
static void learn_efforts(double power, float *effort)
{
    static const double a[] = {1, 2, 8}, b[] = {1, 3, 3, 9};
    struct strategy_setup setup = set_open("param A = 1, 2, 3\nparam B = 1, 2, 3, 4\n", 1);
    struct archive archive;
    struct encoding encoding;
    struct posterior posterior;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(archive_open(&archive, &setup, &error), 0);
    CU_ASSERT_EQUAL_FATAL(encoding_make(&encoding, setup.space, &error), 0);
    CU_ASSERT_EQUAL_FATAL(posterior_open(&posterior, &encoding, EFFORTS, &error), 0);
    for (uint64_t i = 0; i < EFFORTS; i++) {
        double effort_s = 5 * a[i / 4] * b[i % 4];
        struct cost cost = {.ok = i % 5 != 1, .value = 7 * pow(effort_s, power), .effort = effort_s};
        if (i == 3)
            cost.effort = NAN;
        if (i == 4)
            cost.effort = INFINITY;
        if (i == 10)
            cost.effort = 0;
        archive_tell(&archive, i, &cost);
    }
    CU_ASSERT_FATAL(effects_learn_effort(&archive, &posterior));
    CU_ASSERT_EQUAL_FATAL(posterior.group_count, 1);
    memset(effort, 0, EFFORTS * sizeof *effort);
    if (posterior.effort)
        for (size_t c = 0; c < EFFORTS; c++)
            effort[c] = posterior.effort[c] - posterior.effort[0];
    posterior_close(&posterior);
    encoding_free(&encoding);
    archive_close(&archive);
    set_close(&setup);
}

/* Efforts that are a product of one factor per value are learned as such, from a part of the set. Unknown, infinite,
 * zero and pending ones do not count. */
static void products(void)
{
    float effort[EFFORTS];
    learn_efforts(0.1, effort);
    CU_ASSERT_DOUBLE_EQUAL(effort[1], effort[4] - effort[3], 1e-6);
    CU_ASSERT(effort[1] > 0.7 * log(2) && effort[1] < 1.4 * log(2));
    CU_ASSERT(effort[2] > 0.9 * log(8) && effort[2] < 1.1 * log(8));
    CU_ASSERT(effort[9] > 0.5 * log(9) && effort[9] < 1.1 * log(9));
}

/* No effort is saved if speed takes effort. */
static void speed_takes_effort(void)
{
    float effort[EFFORTS];
    learn_efforts(-0.1, effort);
    for (size_t v = 0; v < EFFORTS; v++)
        CU_ASSERT_EQUAL(effort[v], 0);
}

/* Contribution of each value to the score of a prior run: for itself, of all rows, and beside earlier effects. */
static void scores_prior_runs(void)
{
    struct strategy_setup setup = set_open("param A = 1, 2, 3\nparam B = 1, 2, 3, 4\n", 1);
    struct encoding encoding;
    struct error error = {0};
    static const double a[] = {-1, 2, -1}, b[] = {0, 4, -4, 0};
    uint32_t choices[24];
    double scores[12], effects[7] = {100};
    for (uint32_t i = 0; i < 12; i++) {
        choices[2 * i] = i / 4;
        choices[2 * i + 1] = i % 4;
        scores[i] = 10 + a[i / 4] + b[i % 4];
    }
    const struct prior_run prior_runs = {12, choices, NULL};
    CU_ASSERT_EQUAL_FATAL(encoding_make(&encoding, setup.space, &error), 0);
    CU_ASSERT_FATAL(effects_learn_scores(&encoding, &prior_runs, 2, scores, effects));
    for (size_t v = 0; v < 3; v++)
        CU_ASSERT_DOUBLE_EQUAL(effects[v], (v == 0 ? 100 : 0) + 0.8 * a[v],
                               1e-6); /* four outcomes, and one without effect */
    for (size_t v = 0; v < 4; v++)
        CU_ASSERT_DOUBLE_EQUAL(effects[3 + v], 0.75 * b[v], 1e-6);
    encoding_free(&encoding);
    set_close(&setup);
}

/* Without known efforts, effort is free, whatever was set before. */
static void nothing_known(void)
{
    struct strategy_setup setup = set_open("param A = 1, 2, 3\n", 1);
    struct archive archive;
    struct encoding encoding;
    struct posterior posterior;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(archive_open(&archive, &setup, &error), 0);
    CU_ASSERT_EQUAL_FATAL(encoding_make(&encoding, setup.space, &error), 0);
    CU_ASSERT_EQUAL_FATAL(posterior_open(&posterior, &encoding, 3, &error), 0);
    archive_tell(&archive, 1, &(struct cost){.ok = true, .value = 1, .effort = NAN});
    CU_ASSERT_FATAL(posterior_set_effort(&posterior, (double[]){0, 1, 2}));
    CU_ASSERT_PTR_NOT_NULL(posterior.effort);
    CU_ASSERT_FATAL(effects_learn_effort(&archive, &posterior));
    CU_ASSERT_PTR_NULL(posterior.effort);
    posterior_close(&posterior);
    encoding_free(&encoding);
    archive_close(&archive);
    set_close(&setup);
}

/* Outcomes of configurations of A and B, each 0..7: cause 1 fails a large A, cause 9 a small B, cause 5 at random. */
static unsigned by_value(uint64_t index)
{
    return index / 8 >= 6 ? 1 : index % 8 < 2 ? 9 : 0;
}

static unsigned at_random(uint64_t index)
{
    return random_mix(5, index) % 4 == 0 ? 5 : 0;
}

static unsigned large(uint64_t index)
{
    return index / 8 >= 6 ? 1 : 0;
}

static unsigned never(uint64_t index)
{
    (void)index;
    return 0;
}

static unsigned always(uint64_t index)
{
    (void)index;
    return 1;
}

/* Distinguishes causes that depend on values; a cause that does not has no effect. */
static void causes(void)
{
    static const struct {
        unsigned (*cause)(uint64_t index);
        size_t count;
    } rows[] = {{by_value, 2}, {large, 1}, {at_random, 0}, {never, 0}, {always, 0}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct strategy_setup setup = set_open("param A = 0..7\nparam B = 0..7\n", 1);
        struct archive archive;
        struct encoding encoding;
        struct posterior posterior;
        struct error error = {0};
        double feasible[2] = {0}, count[2] = {0};
        CU_ASSERT_EQUAL_FATAL(archive_open(&archive, &setup, &error), 0);
        CU_ASSERT_EQUAL_FATAL(encoding_make(&encoding, setup.space, &error), 0);
        CU_ASSERT_EQUAL_FATAL(posterior_open(&posterior, &encoding, 64, &error), 0);
        for (uint32_t i = 0; i < 64; i++)
            posterior_place(&posterior, i, (uint32_t[]){i / 8, i % 8});
        for (uint64_t i = 0; i < 40; i++) {
            uint64_t index = i * 19 % 64;
            unsigned cause = rows[r].cause(index);
            archive_tell(&archive, index, &(struct cost){.ok = !cause, .value = 1, .cause = cause, .effort = NAN});
        }
        CU_ASSERT_FATAL(effects_learn_failures(&archive, &posterior));
        CU_ASSERT_EQUAL(posterior.cause_count, rows[r].count);
        posterior_clear(&posterior, 0);
        for (uint64_t i = 40; i < 64; i++) {
            uint64_t index = i * 19 % 64;
            bool fails = rows[r].cause(index) > 0;
            feasible[fails] += posterior.feasible[index];
            count[fails]++;
        }
        for (size_t fails = 0; fails < 2 && !rows[r].count; fails++)
            CU_ASSERT_EQUAL(feasible[fails], count[fails]);
        if (rows[r].count)
            CU_ASSERT(feasible[0] / count[0] > 0.7 && feasible[1] / count[1] < 0.45);
        posterior_close(&posterior);
        encoding_free(&encoding);
        archive_close(&archive);
        set_close(&setup);
    }
}

CU_TestInfo tests_effects[] = {
    {"scores elsewhere", scores_prior_runs},         {"products of factors are learned", products},
    {"speed that takes effort", speed_takes_effort}, {"nothing known", nothing_known},
    {"failures are learned by cause", causes},       CU_TEST_INFO_NULL};
