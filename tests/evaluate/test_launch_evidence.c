#include "evaluate/launch_evidence.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

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
static const char *const kernels[] = {"first", "second<4>"};
static const struct space space = {.kernel_count = 2, .kernels = kernels};

/* A sequence of two kernels: shape, resources and spills belong to the right one. */
static void sequence(void)
{
    struct launch launch = {.kernel_count = 2, .kernels = {1, 0}, .step_count = 3};
    launch.steps[0] = (struct launch_step){.kernel = 0, .block = {16, 16, 1}, .grid = {100, 2, 3}, .repeat = 1};
    launch.steps[1] = (struct launch_step){.kernel = 1, .block = {1024, 1, 1}, .repeat = 5, .shared_bytes = 100000};
    launch.steps[2] = (struct launch_step){.kernel = 0, .block = {64, 1, 1}, .grid = {1, 1, 1}, .repeat = 1};
    struct compile_result result = {
        .lowered_names = "_second\0_first",
        .resources = {{.registers = 64, .shared_bytes = 1024}, {.registers = 40, .local_bytes = 32}},
        .log = "Function properties for _first\n    32 bytes stack frame, 24 bytes spill stores, 28 bytes spill loads\n"
               "Function properties for _second\n    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"};
    const struct work_amounts amounts = {.work = NAN, .bytes = 1e6, .flops = NAN};
    struct evidence launches[3];
    launch_evidence(&space, &h200, &launch, &result, &amounts, launches);
    static const char *const expected[] = {
        "kernel=second<4> launch=0 repeats=1 bytes_needed=1000000 threads=256 blocks=600 sm_count=132 registers=64 "
        "shared_bytes=1024 local_bytes=0 spill_store_bytes=0 spill_load_bytes=0 occupancy=0.5 blocks_sm=4 "
        "blocks_sm_registers=4 blocks_sm_shared=114 blocks_sm_warps=8 blocks_sm_most=32 waves=1.1363636363636365",
        /* the grid is as large as fits the device: one wave */
        "kernel=first launch=1 repeats=5 bytes_needed=1000000 threads=1024 blocks=132 sm_count=132 registers=40 "
        "shared_bytes=100000 local_bytes=32 spill_store_bytes=24 spill_load_bytes=28 occupancy=0.5 blocks_sm=1 "
        "blocks_sm_registers=1 blocks_sm_shared=2 blocks_sm_warps=2 blocks_sm_most=32 waves=1",
        "kernel=second<4> launch=2 repeats=1 bytes_needed=1000000 threads=64 blocks=1 sm_count=132 registers=64 "
        "shared_bytes=1024 local_bytes=0 spill_store_bytes=0 spill_load_bytes=0 occupancy=0.5 blocks_sm=16 "
        "blocks_sm_registers=16 blocks_sm_shared=114 blocks_sm_warps=32 blocks_sm_most=32 "
        "waves=0.0004734848484848485"};
    for (size_t s = 0; s < 3; s++) {
        struct text text = {0};
        evidence_append(&text, &launches[s]);
        if (strcmp(text_string(&text), expected[s]) != 0)
            fprintf(stderr, "\n%s\nexpected\n%s\n", text_string(&text), expected[s]);
        CU_ASSERT_STRING_EQUAL(text_string(&text), expected[s]);
        text_free(&text);
    }
}

/* Without the assembler's report spills are unknown; what does not fit has no waves. */
static void unknown(void)
{
    struct launch launch = {.kernel_count = 1, .step_count = 1};
    launch.steps[0] = (struct launch_step){.block = {1024, 1, 1}, .grid = {7, 1, 1}, .repeat = 1};
    struct compile_result result = {.lowered_names = "_first", .resources = {{.registers = 255}}, .log = ""};
    const struct work_amounts amounts = {.work = NAN, .bytes = NAN, .flops = 5};
    struct evidence evidence;
    launch_evidence(&space, &h200, &launch, &result, &amounts, &evidence);
    CU_ASSERT(isnan(evidence.spill_store_bytes));
    CU_ASSERT(isnan(evidence.spill_load_bytes));
    CU_ASSERT(isnan(evidence.bytes_needed));
    CU_ASSERT(isnan(evidence.waves));
    CU_ASSERT_EQUAL(evidence.flops_needed, 5);
    CU_ASSERT_EQUAL(evidence.blocks, 7);
    CU_ASSERT_EQUAL(evidence.blocks_sm, 0);
    CU_ASSERT_FALSE(evidence_has(&evidence, EVIDENCE_CODE));
    CU_ASSERT_FALSE(evidence_has(&evidence, EVIDENCE_COUNTER));
}

CU_TestInfo tests_launch_evidence[] = {{"sequence", sequence}, {"unknown", unknown}, CU_TEST_INFO_NULL};
