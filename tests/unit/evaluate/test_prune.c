/* Judgement of compiled configurations with several launches. */
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "base/clock.h"
#include "database/limits_file.h"
#include "evaluate/prune.h"

static const char statements[] = "kernel first \"k.cu\"\nparam P = 1, 2\nbuffer out float[64] output\n"
                                 "launch first args out, int 64 block 64 grid 1\n"
                                 "launch second args out block 256 grid 1 shared 1000\n"
                                 "launch first args out, int 32 block 32 grid 1 when P == 2\n"
                                 "reference first args out, int 64 block 64 grid 1\ndefault P=1\n";

static struct space *open_space(const char *text, struct device_limits *limits)
{
    struct space *space = NULL;
    struct error error = {0};
    char file[1024], message[1024];
    snprintf(file, sizeof file, "space 2\n%s", text);
    CU_ASSERT_EQUAL_FATAL(limits_read(SOURCE_FOLDER "/space/devices/H200.csv", limits, &error), 0);
    int code = space_parse_text(&space, "t.space", file, strlen(file), "", &error);
    if (!code)
        code = space_bind(space, NULL, 0, limits, &error);
    if (code)
        fprintf(stderr, "\n%s", error_format(&error, message, sizeof message));
    CU_ASSERT_EQUAL_FATAL(code, 0);
    return space;
}

/* Resources of the kernels `first` and `second`, without machine code. */
static void the_worst_launch_counts(void)
{
    static const struct {
        const char *config;
        struct kernel_resources first, second;
        double min_occupancy;
        enum status status;
        const char *kernel, *message; /* beginning of the message */
        int64_t registers, shared_bytes;
    } rows[] = {
        {"P=1", {32, 0, 0, 0, 0}, {128, 24, 8, 0, 0}, 0, STATUS_OK, "second", "", 128, 1024},
        {"P=1", {32, 0, 0, 0, 0}, {16, 24, 0, 0, 0}, 0, STATUS_OK, "first", "", 32, 0},
        /* an impossible launch counts, even if it is not the worst */
        {"P=1",
         {255, 0, 0, 0, 0},
         {32, 0, 0, 0, 128},
         0,
         STATUS_PRUNED_LIMIT,
         "second",
         "256 threads per block, but the kernel is compiled for at most 128",
         32,
         1000},
        {"P=1",
         {32, 0, 0, 0, 63},
         {32, 0, 0, 0, 0},
         0,
         STATUS_PRUNED_LIMIT,
         "first",
         "64 threads per block, but",
         32,
         0},
        {"P=1",
         {32, 0, 0, 0, 0},
         {32, 232000, 0, 0, 0},
         0,
         STATUS_PRUNED_LIMIT,
         "second",
         "no block fits a multiprocessor: shared memory (256 threads, 32 registers each, 233000 bytes shared)",
         32,
         233000},
        {"P=1",
         {32, 0, 0, 0, 0},
         {128, 0, 0, 0, 0},
         0.5,
         STATUS_PRUNED_OCCUPANCY,
         "second",
         "occupancy 0.25, limited by",
         128,
         1000},
        {"P=2", {32, 0, 0, 0, 0}, {32, 0, 0, 0, 0}, 0, STATUS_OK, "first", "", 32, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct device_limits limits;
        struct space *space = open_space(statements, &limits);
        struct compile_result result = {.cubin = "",
                                        .lowered_names = "first\0second",
                                        .resources = {rows[i].first, rows[i].second},
                                        .name_count = 2};
        struct measurement measurement = measurement_unknown(STATUS_CRASHED);
        struct launch launch;
        uint32_t choices[SPACE_PARAMETERS_MAX];
        CU_ASSERT_EQUAL(space_config_parse(space, rows[i].config, choices, NULL), 0);
        CU_ASSERT_EQUAL_FATAL(space_launch(space, choices, &launch, NULL), 0);
        prune_compiled(space, &limits, &launch, &result, rows[i].min_occupancy, &measurement);
        bool good = measurement.status == rows[i].status && strcmp(measurement.kernel, rows[i].kernel) == 0 &&
                    strncmp(measurement.message, rows[i].message, strlen(rows[i].message)) == 0 &&
                    !*rows[i].message == !*measurement.message && measurement.registers == rows[i].registers &&
                    measurement.shared_bytes == rows[i].shared_bytes;
        if (!good)
            fprintf(stderr, "\nrow %zu: %d, %s: '%s', %lld registers, %lld bytes", i, (int)measurement.status,
                    measurement.kernel, measurement.message, (long long)measurement.registers,
                    (long long)measurement.shared_bytes);
        CU_ASSERT(good);
        result.status = STATUS_PRUNED_LIMIT;
        snprintf(result.message, sizeof result.message, "too much");
        prune_compiled(space, &limits, &launch, &result, 0, &measurement);
        CU_ASSERT_EQUAL(measurement.status, STATUS_PRUNED_LIMIT);
        CU_ASSERT_STRING_EQUAL(measurement.message, "too much");
        space_free(space);
    }
}

/* The arguments of every launch are compared with its kernel's machine code. */
static void arguments_are_compared(void)
{
    static const struct {
        const char *source, *message;
    } rows[] = {
        {"extern \"C\" __global__ void first(float *o, int n) {}\nextern \"C\" __global__ void second(float *o) {}",
         ""},
        {"extern \"C\" __global__ void first(float *o, long n) {}\nextern \"C\" __global__ void second(float *o) {}",
         "argument 2 of kernel 'first' has 4 bytes, but its parameter has 8"},
        {"extern \"C\" __global__ void first(float *o, int n) {}\nextern \"C\" __global__ void second(float *o, int n) "
         "{}",
         "kernel 'second' takes 2 arguments, but gets 1"},
    };
    struct compile_pool *pool = NULL;
    struct device_limits limits;
    struct space *space = open_space(statements, &limits);
    struct launch launch;
    uint32_t choices[SPACE_PARAMETERS_MAX];
    struct worker *worker;
    space_default(space, choices);
    CU_ASSERT_EQUAL_FATAL(space_launch(space, choices, &launch, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(compile_pool_open(&pool, 1, (int64_t)120 * 1000000000, NULL, NULL), 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct compile_job job = {.path = "k.cu",
                                        .source = rows[i].source,
                                        .name_expressions = "first\0second",
                                        .name_count = 2,
                                        .cc = 90,
                                        .options = ""};
        struct measurement measurement = measurement_unknown(STATUS_CRASHED);
        struct compile_result result = {.status = STATUS_CRASHED};
        CU_ASSERT_EQUAL(compile_pool_submit(pool, &job, NULL), 0);
        while (compile_pool_next(pool, &result, NULL) == 0)
            worker_wait(&worker, compile_pool_workers(pool, &worker, 1), INT64_MAX);
        prune_compiled(space, &limits, &launch, &result, 0, &measurement);
        CU_ASSERT_EQUAL(measurement.status, *rows[i].message ? STATUS_COMPILE_ERROR : STATUS_OK);
        CU_ASSERT_STRING_EQUAL(measurement.message, rows[i].message);
    }
    compile_pool_close(pool);
    space_free(space);
}

/* The outcome of a variant that does not compile has a hint. */
static void errors_have_hints(void)
{
    static const struct {
        enum status status;
        const char *message, *log, *said;
    } rows[] = {
        {STATUS_COMPILE_ERROR, "k.cu(1): error: identifier \"half\" is undefined",
         "k.cu(1): error: identifier \"half\" is undefined\n",
         "k.cu(1): error: identifier \"half\" is undefined; `half` needs #include <cuda_fp16.h>"},
        {STATUS_COMPILE_ERROR, "k.cu(1): error: x", "k.cu(1): error: x\n", "k.cu(1): error: x"},
        {STATUS_CRASHED, "died", "k.cu(1): error: identifier \"half\" is undefined\n", "died"},
    };
    struct device_limits limits;
    struct space *space = open_space(statements, &limits);
    struct launch launch = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct compile_result result = {.status = rows[i].status, .log = rows[i].log};
        struct measurement measurement = measurement_unknown(STATUS_OK);
        snprintf(result.message, sizeof result.message, "%s", rows[i].message);
        prune_compiled(space, &limits, &launch, &result, 0, &measurement);
        CU_ASSERT_EQUAL(measurement.status, rows[i].status);
        CU_ASSERT_STRING_EQUAL(measurement.message, rows[i].said);
    }
    space_free(space);
}

CU_TestInfo tests_prune[] = {{"the worst launch counts", the_worst_launch_counts},
                             {"arguments are compared", arguments_are_compared},
                             {"errors have hints", errors_have_hints},
                             CU_TEST_INFO_NULL};
