#include <CUnit/Basic.h>

#include "device/occupancy.h"

/* Limits from the programming guide's table of compute capabilities. */
static const struct device_limits h200 = {.cc = 90,
                                          .sm_count = 132,
                                          .warp = 32,
                                          .max_threads = 1024,
                                          .max_threads_sm = 2048,
                                          .shared_default = 49152,
                                          .shared_limit = 232448,
                                          .shared_sm = 233472,
                                          .shared_reserved = 1024,
                                          .registers_block = 65536,
                                          .registers_sm = 65536};
static const struct device_limits rtx3090 = {.cc = 86,
                                             .sm_count = 82,
                                             .warp = 32,
                                             .max_threads = 1024,
                                             .max_threads_sm = 1536,
                                             .shared_default = 49152,
                                             .shared_limit = 101376,
                                             .shared_sm = 102400,
                                             .shared_reserved = 1024,
                                             .registers_block = 65536,
                                             .registers_sm = 65536};

static void table(void)
{
    static const struct {
        const struct device_limits *limits;
        int64_t threads, registers, shared_static, shared_dynamic, blocks;
        const char *limit;
    } cases[] = {
        {&h200, 256, 32, 0, 0, 8, "registers"}, /* all warps are resident: registers and warps run out together */
        {&h200, 1024, 32, 0, 0, 2, "registers"},
        {&h200, 1024, 64, 0, 0, 1, "registers"},
        {&h200, 1024, 65, 0, 0, 0, "registers"}, /* 65 is rounded up to 72: more than 65,536 for 1024 threads */
        {&h200, 1024, 255, 0, 0, 0, "registers"},
        {&h200, 32, 16, 0, 0, 32, "blocks"},
        {&h200, 256, 40, 0, 0, 6, "registers"},
        {&h200, 128, 16, 40 << 10, 0, 5, "shared memory"},
        {&h200, 128, 16, 0, 227 << 10, 1, "shared memory"},
        {&h200, 128, 16, 0, (227 << 10) + 1, 0, "shared memory"},
        {&h200, 128, 16, 1024, 227 << 10, 0, "shared memory"},
        {&h200, 1025, 16, 0, 0, 0, "threads"},
        {&h200, 0, 16, 0, 0, 0, "threads"},
        {&rtx3090, 1024, 32, 0, 0, 1, "warps"},
        {&rtx3090, 512, 32, 0, 0, 3, "warps"},
        {&rtx3090, 128, 16, 0, 99 << 10, 1, "shared memory"},
        {&rtx3090, 128, 16, 0, 100 << 10, 0, "shared memory"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct occupancy occupancy = occupancy_of(cases[i].limits, cases[i].threads, cases[i].registers,
                                                  cases[i].shared_static, cases[i].shared_dynamic);
        double warps = (double)((cases[i].threads + 31) / 32 * cases[i].blocks);
        CU_ASSERT_EQUAL(occupancy.blocks_sm, cases[i].blocks);
        CU_ASSERT_DOUBLE_EQUAL(occupancy.fraction, warps / (double)(cases[i].limits->max_threads_sm / 32), 1e-12);
        CU_ASSERT_STRING_EQUAL(occupancy.limit, cases[i].limit);
    }
}

CU_TestInfo tests_occupancy[] = {{"known kernels on known devices", table}, CU_TEST_INFO_NULL};
