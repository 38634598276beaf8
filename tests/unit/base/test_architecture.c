#include "base/architecture.h"

#include <math.h>

#include <CUnit/Basic.h>

static void test_limits(void)
{
    static const struct {
        const char *limit;
        int64_t cc, value;
    } rows[] = {
        {"cc", 80, 80},
        {"cc", 0, LIMIT_UNKNOWN},
        {"max_threads", 75, 1024},
        {"max_threads", 0, 1024}, /* the same on all */
        {"max_threads", 999, 1024},
        {"max_threads_sm", 75, 1024},
        {"max_threads_sm", 86, 1536},
        {"max_threads_sm", 0, LIMIT_UNKNOWN},
        {"shared_limit", 75, 65536},
        {"shared_limit", 80, 166912},
        {"shared_limit", 89, 101376},
        {"shared_limit", 90, 232448},
        {"shared_limit", 120, 101376},
        {"shared_sm", 70, 98304},
        {"shared_reserved", 75, 0},
        {"shared_reserved", 80, 1024},
        {"max_blocks_sm", 89, 24},
        {"cluster_launch", 89, 0},
        {"cluster_launch", 100, 1},
        {"l2_persisting_bytes", 75, 0},
        {"l2_persisting_bytes", 80, LIMIT_UNKNOWN},
        {"sm_count", 90, LIMIT_UNKNOWN},
        {"memory_bytes", 90, LIMIT_UNKNOWN},
        {"texture_width", 90, 0},
        {"max_grid_x", 90, 2147483647},
        {"max_grid_y", 0, 65535},
        {"max_grid_z", 0, 65535},
        {"shared_default", 0, 49152},
        {"managed_concurrent", 0, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CU_ASSERT_EQUAL(architecture_limit(limit_find(rows[i].limit), rows[i].cc), rows[i].value);
}

static void test_least(void)
{
    static const struct {
        const char *limit;
        int64_t value;
    } rows[] = {{"shared_limit", 65536},
                {"max_threads_sm", 1024},
                {"max_threads", 1024},
                {"cluster_launch", 0},
                {"l2_persisting_bytes", LIMIT_UNKNOWN},
                {"sm_count", LIMIT_UNKNOWN},
                {"cc", LIMIT_UNKNOWN}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CU_ASSERT_EQUAL(architecture_least(limit_find(rows[i].limit)), rows[i].value);
}

static void test_order(void)
{
    for (size_t i = 0; i < architecture_count; i++) {
        CU_ASSERT(i == 0 || architectures[i - 1] < architectures[i]);
        CU_ASSERT_EQUAL(architecture_limit(limit_find("cc"), architectures[i]), architectures[i]);
    }
}

/* The peaks of published data sheets, of dense or sparse numbers of four or eight bits, are never exceeded. */
static void test_peak(void)
{
    static const struct {
        int64_t cc, sm_count, clock_khz;
        double peak; /* operations/s */
    } rows[] = {
        {70, 80, 1530000, 125e12},     /* V100: fp16 */
        {80, 108, 1410000, 2496e12},   /* A100: int4, sparse */
        {89, 128, 2520000, 2642e12},   /* RTX 4090: int4, sparse */
        {90, 132, 1830000, 3958e12},   /* H100: fp8, sparse */
        {100, 148, 1850000, 17900e12}, /* B200: fp4, sparse */
        {120, 170, 2407000, 3352e12},  /* RTX 5090: fp4, sparse */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct device_limits device = {
            .cc = rows[i].cc, .sm_count = rows[i].sm_count, .sm_clock_khz = rows[i].clock_khz};
        CU_ASSERT_DOUBLE_EQUAL(architecture_peak(&device), rows[i].peak, 0.01 * rows[i].peak);
    }
    CU_ASSERT(isnan(architecture_peak(&(struct device_limits){.cc = 999, .sm_count = 1, .sm_clock_khz = 1})));
    CU_ASSERT(isnan(architecture_peak(&(struct device_limits){.cc = 90, .sm_count = 1})));
}

CU_TestInfo tests_architecture[] = {
    {"limits", test_limits}, {"least", test_least}, {"order", test_order}, {"peak", test_peak}, CU_TEST_INFO_NULL};
