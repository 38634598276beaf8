#include "evaluate/queue_depth.h"

#include <CUnit/Basic.h>

static const int64_t MS = 1000000;

static struct measurement took(int64_t compile_ns, int64_t measure_ns)
{
    struct measurement measurement = measurement_unknown(STATUS_OK);
    measurement.compile_ns = compile_ns;
    measurement.measure_ns = measure_ns;
    return measurement;
}

/* The depth is devices x (1 + 1.5 x compile / measure), and at most all compilers and devices. */
static void depths(void)
{
    static const struct {
        size_t compilers, devices, count;
        int64_t compile_ns, measure_ns;
        size_t depth, deepest;
    } rows[] = {
        {15, 1, 0, 0, 0, 16, 34},             /* no times known: keeps all busy */
        {15, 1, 5, 10 * MS, 100 * MS, 2, 34}, /* one is measured, one compiled meanwhile */
        {15, 1, 5, 100 * MS, 100 * MS, 3, 34},
        {15, 1, 5, 400 * MS, 100 * MS, 7, 34},
        {15, 1, 5, 990 * MS, 100 * MS, 16, 34},
        {15, 1, 5, 1010 * MS, 100 * MS, 16, 34}, /* the compilers are the bottleneck */
        {15, 1, 5, 9000 * MS, 1 * MS, 16, 34},
        {15, 1, 5, 9000 * MS, 0, 16, 34}, /* none reached the device */
        {15, 1, 5, 0, 0, 16, 34},
        {15, 1, 5, -1, 100 * MS, 2, 34}, /* from the cache, or unknown */
        {1, 1, 5, 100 * MS, 100 * MS, 2, 6},
        {30, 4, 5, 100 * MS, 100 * MS, 10, 76},
        {30, 4, 5, 1 * MS, 100 * MS, 5, 76},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct queue_depth queue = {.compilers = rows[r].compilers, .devices = rows[r].devices};
        const struct measurement measurement = took(rows[r].compile_ns, rows[r].measure_ns);
        for (size_t i = 0; i < rows[r].count; i++)
            queue_depth_note(&queue, &measurement);
        CU_ASSERT_EQUAL(queue_depth_wanted(&queue, true), rows[r].depth);
        CU_ASSERT_EQUAL(queue_depth_wanted(&queue, false), rows[r].deepest);
        CU_ASSERT_EQUAL(queue_depth_deepest(&queue), rows[r].deepest);
    }
}

/* A coordinator that replaces slowly has more configurations in flight, up to a deep queue. */
static void replacements(void)
{
    static const struct {
        size_t compilers, devices, at_once; /* at_once: number that end together and are then replaced one after the
                                               other */
        int64_t compile_ns, replace_ns;     /* of each; an evaluation takes 100 ms */
        size_t depth;
    } rows[] = {
        {1, 1, 1, 0, 0, 2},
        {1, 1, 1, 0, 50 * MS, 2},
        {1, 1, 1, 0, 80 * MS, 3},
        {1, 1, 1, 0, 5000 * MS, 3},
        {8, 8, 1, 0, 5 * MS, 9},
        {8, 8, 1, 0, 30 * MS, 12},
        {8, 8, 8, 0, 5 * MS, 11}, /* 22.5 ms on average */
        {8, 8, 1, 50 * MS, 30 * MS, 18},
        {2, 8, 1, 10 * MS, 5000 * MS, 22},
        {1, 8, 1, 10 * MS, 5000 * MS, 9}, /* the compilers are the bottleneck */
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct queue_depth queue = {.compilers = rows[r].compilers, .devices = rows[r].devices};
        const struct measurement measurement = took(rows[r].compile_ns, 100 * MS);
        int64_t now_ns = 1000 * MS;
        queue_depth_replace(&queue, now_ns); /* nothing to replace */
        for (size_t i = 0; i < 40; i++) {
            for (size_t k = 0; k < rows[r].at_once; k++) {
                queue_depth_note(&queue, &measurement);
                queue_depth_vacate(&queue, now_ns);
            }
            for (size_t k = 0; k < rows[r].at_once; k++)
                queue_depth_replace(&queue, now_ns += rows[r].replace_ns);
        }
        CU_ASSERT_EQUAL(queue_depth_wanted(&queue, true), rows[r].depth);
        CU_ASSERT_EQUAL(queue.vacant, 0);
    }
}

/* A vacancy that stays, because the depth has fallen, does not count as slow replacement. */
static void fewer_wanted(void)
{
    struct queue_depth queue = {.compilers = 1, .devices = 1};
    const struct measurement measurement = took(0, 100 * MS);
    int64_t now_ns = 0;
    for (int i = 0; i < 100; i++) {
        queue_depth_note(&queue, &measurement);
        queue_depth_vacate(&queue, now_ns);
    }
    for (int i = 0; i < 100; i++) {
        queue_depth_note(&queue, &measurement);
        queue_depth_vacate(&queue, now_ns += 100 * MS);
        queue_depth_replace(&queue, now_ns += MS);
    }
    CU_ASSERT_DOUBLE_EQUAL(queue.replace_ns, 1e6, 1);
    CU_ASSERT_EQUAL(queue.vacant, QUEUE_DEPTH_LATEST - 1);
}

/* The means follow the first configurations, and later forget old ones. */
static void means(void)
{
    struct queue_depth queue = {.compilers = 4, .devices = 1};
    queue_depth_note(&queue, &(struct measurement){.compile_ns = 100, .measure_ns = 30});
    queue_depth_note(&queue, &(struct measurement){.compile_ns = 300, .measure_ns = -1});
    CU_ASSERT_DOUBLE_EQUAL(queue.compile_ns, 200, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(queue.measure_ns, 15, 1e-9);
    for (int64_t took_ns = 3; took_ns <= 12; took_ns += 3) {
        queue_depth_vacate(&queue, 0);
        queue_depth_replace(&queue, took_ns);
    }
    CU_ASSERT_DOUBLE_EQUAL(queue.replace_ns, 7.5, 1e-9);
    for (int i = 0; i < 1000; i++)
        queue_depth_note(&queue, &(struct measurement){.compile_ns = 10, .measure_ns = 20});
    CU_ASSERT_DOUBLE_EQUAL(queue.compile_ns, 10, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(queue.measure_ns, 20, 1e-6);
}

/* The time is the bottleneck's. */
static void busy(void)
{
    static const struct {
        size_t compilers, devices;
        double compile_s, measure_s, busy_s;
    } rows[] = {{1, 1, 3, 2, 3}, {4, 1, 3, 2, 2}, {4, 2, 40, 2, 10}, {4, 2, 3, 2, 1}, {4, 2, 0, 0, 0}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const struct queue_depth queue = {.compilers = rows[r].compilers, .devices = rows[r].devices};
        CU_ASSERT_EQUAL(queue_depth_busy_s(&queue, rows[r].compile_s, rows[r].measure_s), rows[r].busy_s);
    }
}

CU_TestInfo tests_queue_depth[] = {{"as many in flight as keep the bottleneck busy", depths},
                                   {"a coordinator that takes its time", replacements},
                                   {"what is not replaced", fewer_wanted},
                                   {"what configurations take", means},
                                   {"the time of many", busy},
                                   CU_TEST_INFO_NULL};
