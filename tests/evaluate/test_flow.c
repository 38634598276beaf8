#include "evaluate/flow.h"

#include <CUnit/Basic.h>

static const int64_t MS = 1000000;

static struct measurement took(int64_t compile_ns, int64_t measure_ns)
{
    struct measurement measurement = measurement_unknown(STATUS_OK);
    measurement.compile_ns = compile_ns;
    measurement.measure_ns = measure_ns;
    return measurement;
}

/* Devices x (1 + 1.5 x compile / measure), and never more than all compilers and devices. */
static void depths(void)
{
    static const struct {
        size_t compilers, devices, count;
        int64_t compile_ns, measure_ns;
        size_t depth, deepest;
    } rows[] = {
        {15, 1, 0, 0, 0, 16, 34},             /* nothing known: all busy */
        {15, 1, 5, 10 * MS, 100 * MS, 2, 34}, /* one measured, one compiled meanwhile */
        {15, 1, 5, 100 * MS, 100 * MS, 3, 34},
        {15, 1, 5, 400 * MS, 100 * MS, 7, 34},
        {15, 1, 5, 990 * MS, 100 * MS, 16, 34},
        {15, 1, 5, 1010 * MS, 100 * MS, 16, 34}, /* compilers are the bottleneck */
        {15, 1, 5, 9000 * MS, 1 * MS, 16, 34},
        {15, 1, 5, 9000 * MS, 0, 16, 34}, /* none reached the device */
        {15, 1, 5, 0, 0, 16, 34},
        {15, 1, 5, -1, 100 * MS, 2, 34}, /* from the cache, or unknown */
        {1, 1, 5, 100 * MS, 100 * MS, 2, 6},
        {30, 4, 5, 100 * MS, 100 * MS, 10, 76},
        {30, 4, 5, 1 * MS, 100 * MS, 5, 76},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct flow flow = {.compilers = rows[r].compilers, .devices = rows[r].devices};
        const struct measurement measurement = took(rows[r].compile_ns, rows[r].measure_ns);
        for (size_t i = 0; i < rows[r].count; i++)
            flow_note(&flow, &measurement);
        CU_ASSERT_EQUAL(flow_depth(&flow, true), rows[r].depth);
        CU_ASSERT_EQUAL(flow_depth(&flow, false), rows[r].deepest);
        CU_ASSERT_EQUAL(flow_deepest(&flow), rows[r].deepest);
    }
}

/* The means of the first configurations; later ones replace what is long past. */
static void means(void)
{
    struct flow flow = {.compilers = 4, .devices = 1};
    flow_note(&flow, &(struct measurement){.compile_ns = 100, .measure_ns = 30});
    flow_note(&flow, &(struct measurement){.compile_ns = 300, .measure_ns = -1});
    CU_ASSERT_DOUBLE_EQUAL(flow.compile_ns, 200, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(flow.measure_ns, 15, 1e-9);
    for (int i = 0; i < 1000; i++)
        flow_note(&flow, &(struct measurement){.compile_ns = 10, .measure_ns = 20});
    CU_ASSERT_DOUBLE_EQUAL(flow.compile_ns, 10, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(flow.measure_ns, 20, 1e-6);
}

static void efforts(void)
{
    static const struct {
        size_t compilers, devices;
        int64_t compile_ns, measure_ns;
        double effort_s;
    } rows[] = {{1, 1, 1000 * MS, 500 * MS, 1.5},
                {10, 1, 1000 * MS, 500 * MS, 0.6},
                {10, 2, 1000 * MS, 500 * MS, 0.35},
                {10, 1, -1, 500 * MS, 0.5},
                {10, 1, 1000 * MS, -1, 0.1}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const struct flow flow = {.compilers = rows[r].compilers, .devices = rows[r].devices};
        const struct measurement measurement = took(rows[r].compile_ns, rows[r].measure_ns);
        CU_ASSERT_DOUBLE_EQUAL(flow_effort_s(&flow, &measurement), rows[r].effort_s, 1e-12);
    }
}

/* The bottleneck's share. */
static void busy(void)
{
    static const struct {
        size_t compilers, devices;
        double compile_s, measure_s, busy_s;
    } rows[] = {{1, 1, 3, 2, 3}, {4, 1, 3, 2, 2}, {4, 2, 40, 2, 10}, {4, 2, 3, 2, 1}, {4, 2, 0, 0, 0}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const struct flow flow = {.compilers = rows[r].compilers, .devices = rows[r].devices};
        CU_ASSERT_EQUAL(flow_busy_s(&flow, rows[r].compile_s, rows[r].measure_s), rows[r].busy_s);
    }
}

CU_TestInfo tests_flow[] = {{"as many in flight as keep the bottleneck busy", depths},
                            {"what configurations take", means},
                            {"effort", efforts},
                            {"the time of many", busy},
                            CU_TEST_INFO_NULL};
