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
static const struct space space = {.kernel_count = 2, .kernels = kernels, .kernel_titles = kernels};

/* A sequence of two kernels: each has its own shape, resources and spills. */
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
        /* a resident grid is one wave */
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

/* Spills are unknown without the assembler's report. A launch that does not fit has no waves. */
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

/* The bytes and copies of a pipeline; the last chunk is smaller. */
static void pipelines(void)
{
    static const struct {
        struct launch_pipeline pipeline;
        const char *expected;
    } rows[] = {
        {{.chunk_length = 600, .streams = 1, .pieces = 1, .host_memory = HOST_PAGEABLE},
         "chunks=1 streams=1 transfers=2 in_bytes=2400 out_bytes=2400 host_locked=0 in_place=0 managed=0 allocations=0 "
         "pooled=0 host_work_ns=0"},
        {{.chunk_length = 250, .streams = 2, .pieces = 1000, .host_memory = HOST_PINNED, .allocation = ALLOCATION_EACH},
         "chunks=3 streams=2 transfers=4800 in_bytes=2400 out_bytes=2400 host_locked=1 in_place=0 managed=0 "
         "allocations=2 pooled=0 host_work_ns=0"},
        {{.chunk_length = 250,
          .streams = 2,
          .pieces = 7,
          .packed = 1,
          .host_memory = HOST_REGISTERED,
          .allocation = ALLOCATION_POOL},
         "chunks=3 streams=2 transfers=6 in_bytes=2400 out_bytes=2400 host_locked=1 in_place=0 managed=0 allocations=2 "
         "pooled=1 host_work_ns=0"},
        {{.chunk_length = 200, .streams = 1, .pieces = 1, .host_memory = HOST_MAPPED, .host_work_ns = 500},
         "chunks=3 streams=1 transfers=0 in_bytes=2400 out_bytes=2400 host_locked=1 in_place=1 managed=0 allocations=0 "
         "pooled=0 host_work_ns=500"},
        {{.chunk_length = 300, .streams = 1, .pieces = 9, .host_memory = HOST_MANAGED},
         "chunks=2 streams=1 transfers=4 in_bytes=2400 out_bytes=2400 in_place=0 managed=1 allocations=0 pooled=0 "
         "host_work_ns=0"},
    };
    const struct element_type *type = element_types;
    while (strcmp(type->name, "float") != 0)
        type++;
    struct buffer buffers[] = {{.name = "in", .type = type, .count = 600},
                               {.name = "out", .type = type, .count = 600, .role = BUFFER_OUTPUT}};
    const struct space own = {
        .kernel_count = 2, .kernels = kernels, .kernel_titles = kernels, .buffer_count = 2, .buffers = buffers};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct launch launch = {.kernel_count = 1, .step_count = 1, .pipeline = rows[i].pipeline};
        struct compile_result result = {.lowered_names = "_first", .resources = {{.registers = 32}}, .log = ""};
        const struct work_amounts amounts = {.work = NAN, .bytes = NAN, .flops = NAN};
        struct evidence evidence;
        struct text text = {0};
        launch.steps[0] = (struct launch_step){.block = {64, 1, 1}, .grid = {1, 1, 1}, .repeat = 1};
        launch.pipeline.total = 600;
        launch.pipeline.copy_count = 2;
        launch.pipeline.copies[0] = (struct launch_copy){0, 1, 0};
        launch.pipeline.copies[1] = (struct launch_copy){1, 0, 1};
        launch_evidence(&own, &h200, &launch, &result, &amounts, &evidence);
        evidence_append(&text, &evidence);
        const char *found = strstr(text_string(&text), "chunks=");
        CU_ASSERT_PTR_NOT_NULL_FATAL(found);
        if (strcmp(found, rows[i].expected) != 0)
            fprintf(stderr, "\n%s\nexpected\n%s\n", found, rows[i].expected);
        CU_ASSERT_STRING_EQUAL(found, rows[i].expected);
        text_free(&text);
    }
}

CU_TestInfo tests_launch_evidence[] = {
    {"sequence", sequence}, {"unknown", unknown}, {"pipelines", pipelines}, CU_TEST_INFO_NULL};
