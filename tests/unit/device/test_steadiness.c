/* Finalists whose times vary more than the leader's. */
#include "device/steadiness.h"

#include <CUnit/Basic.h>

#include "base/stop_rules.h"

static const double percent = 0.01;

/* Times around 1000 ns: alternately above and below by up to `spread`, in equal steps. */
static void fill(double *rounds_ns, size_t count, double spread, double scale)
{
    for (size_t i = 0; i < count; i++)
        rounds_ns[i] = scale * 1000 * (1 + (i % 2 ? 1 : -1) * spread * (double)(i + 1) / (double)count);
}

static void verdicts(void)
{
    static const struct {
        size_t count;
        double spread, leader_spread; /* per cent; the median deviation is half of it */
        bool unsteady;
    } rows[] = {
        {40, 4, 1, true},       {40, 1, 4, false},        {40, 1, 1, false},
        {40, 0, 0, false},      {40, 4, 0, true},         {40, 1.9, 1, false}, /* less than twice as much */
        {40, 0.8, 0.01, false},                                                /* within the target interval */
        {3, 9, 0.1, false},                                                    /* too few rounds to tell */
        {7, 9, 0.1, true},      {ROUNDS_MAX, 4, 1, true},
    };
    const struct sampling sampling = {.confidence = 0.95, .target_interval = 0.5 * percent};
    static double rounds_ns[ROUNDS_MAX], leader_ns[ROUNDS_MAX];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (double scale = 1; scale <= 1000; scale *= 1000) { /* deviations are relative */
            fill(rounds_ns, rows[i].count, rows[i].spread * percent, scale);
            fill(leader_ns, rows[i].count, rows[i].leader_spread * percent, 1);
            CU_ASSERT_EQUAL(gpu_unsteady(rounds_ns, leader_ns, rows[i].count, &sampling), rows[i].unsteady);
        }
}

/* The rank test decides if the medians differ by chance. */
static void confidence(void)
{
    static const struct {
        double confidence;
        bool unsteady;
    } rows[] = {{0.5, true}, {0.95, false}, {0.9999, false}};
    static const double rounds_ns[] = {1000, 1005, 985, 1030, 970, 1030, 970},
                        leader_ns[] = {1000, 1010, 990, 1010, 988, 1012, 950};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct sampling sampling = {.confidence = rows[i].confidence, .target_interval = 0.1 * percent};
        CU_ASSERT_EQUAL(gpu_unsteady(rounds_ns, leader_ns, 7, &sampling), rows[i].unsteady);
    }
}

/* A few slow rounds in a row are no unsteadiness, whenever they come. */
static void interruptions(void)
{
    enum { ROUNDS = 40, SLOW = 4 };
    const struct sampling sampling = {.confidence = 0.95, .target_interval = 0.5 * percent};
    double rounds_ns[ROUNDS], leader_ns[ROUNDS];
    for (size_t first = 0; first + SLOW <= ROUNDS; first++) {
        fill(leader_ns, ROUNDS, percent, 1);
        fill(rounds_ns, ROUNDS, percent, 1);
        for (size_t i = first; i < first + SLOW; i++)
            rounds_ns[i] = 1100;
        CU_ASSERT_FALSE(gpu_unsteady(rounds_ns, leader_ns, ROUNDS, &sampling));
    }
}

CU_TestInfo tests_steadiness[] = {
    {"verdicts", verdicts}, {"interruptions", interruptions}, {"confidence", confidence}, CU_TEST_INFO_NULL};
