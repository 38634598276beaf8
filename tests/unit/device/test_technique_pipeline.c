/* Pipelines without a device, over a runtime that executes queued work as late and in as mixed an order as allowed. The
 * kernel computes out[i] = 2 * in[i] by chunks. */
#include <stdlib.h>

#include "device/buffers.h"
#include "device/launch.h"
#include "device/reference.h"
#include "device/techniques.h"
#include "device/verify.h"
#include "device/verify_timed.h"
#include "fake_gpu.h"

enum { N = 600, IN = 0, OUT = 1, TABLE = 2, BUFFERS = 3 };

/* ---- The tested kernels ---- */

#define POINTER(value) ((void *)(uintptr_t)(value))

static void twice(const uint64_t *a)
{
    float *out = POINTER(a[0]);
    const float *in = POINTER(a[1]);
    fake_check_kernel_memory(out, N * sizeof *out);
    fake_check_kernel_memory(in, N * sizeof *in);
    for (uint64_t i = a[2]; i < a[2] + a[3]; i++)
        out[i] = 2 * in[i];
}

static void forgets_offset(const uint64_t *a)
{
    float *out = POINTER(a[0]);
    const float *in = POINTER(a[1]);
    for (uint64_t i = 0; i < a[3]; i++)
        out[i] = 2 * in[i];
}

static void full_last_chunk(const uint64_t *a) /* ignores the length */
{
    float *out = POINTER(a[0]);
    const float *in = POINTER(a[1]);
    for (uint64_t i = a[2]; i < a[2] + 250; i++)
        out[i] = 2 * in[i];
}

static void writes_input(const uint64_t *a)
{
    float *in = POINTER(a[1]);
    twice(a);
    in[a[2]] += 1;
}

static void writes_beside(const uint64_t *a)
{
    float *out = POINTER(a[0]);
    twice(a);
    if (a[2] == 0)
        out[-1] = 0;
}

static void reads_ahead(const uint64_t *a) /* reads the next chunk, which may not have arrived */
{
    float *out = POINTER(a[0]);
    const float *in = POINTER(a[1]);
    twice(a);
    for (uint64_t i = a[2]; i < a[2] + a[3]; i++)
        out[i] += 0 * in[(i + N / 2) % N] + (in[(i + N / 2) % N] != (float)((i + N / 2) % N));
}

static const struct fake_kernel good = {.run = twice, .arguments = "pppp"};

/* ---- A process's state ---- */

static struct gpu gpu; /* large */
static const char *const names[BUFFERS] = {"in", "out", "table"};

static void close_gpu(void)
{
    fake_finish();
    for (size_t i = 0; i < SPACE_COPIES_MAX; i++) /* the runtime does not know this memory */
        for (int kind = HOST_PAGEABLE; kind <= HOST_REGISTERED; kind += HOST_REGISTERED - HOST_PAGEABLE) {
            free(gpu.pipeline.hosts[kind].regions[i]);
            free(gpu.pipeline.hosts[kind].staging[i]);
        }
    test_gpu_close(&gpu);
}

/* The kernel for a launch with "out, in, long chunk_offset, long chunk_length". */
static struct gpu_kernel make_kernel(const struct fake_kernel *function)
{
    struct gpu_kernel kernel = {.functions = {(cudaKernel_t)(uintptr_t)function},
                                .launch = {.kernel_count = 1, .step_count = 1, .argument_count = 4}};
    kernel.launch.steps[0] =
        (struct launch_step){.block = {32, 1, 1}, .grid = {1, 1, 1}, .repeat = 1, .argument_count = 4};
    struct launch_argument *arguments = kernel.launch.arguments;
    arguments[0].buffer = OUT;
    arguments[1].buffer = IN;
    arguments[2] = (struct launch_argument){.buffer = -1, .role = ARGUMENT_CHUNK_OFFSET, .bytes = 8};
    arguments[3] = (struct launch_argument){.buffer = -1, .role = ARGUMENT_CHUNK_LENGTH, .bytes = 8};
    return kernel;
}

static void open_gpu(void)
{
    struct error error = {0};
    struct gpu_kernel reference = make_kernel(&good);
    const uint64_t whole = N;
    close_gpu();
    gpu.limits.sm_count = 1;
    gpu.limits.l2_bytes = 4096;
    gpu.buffer_count = BUFFERS;
    for (size_t i = 0; i < BUFFERS; i++) {
        snprintf(gpu.buffers[i].name, sizeof gpu.buffers[i].name, "%s", names[i]);
        gpu.buffers[i].scalar = SCALAR_float;
        gpu.buffers[i].count = N;
        gpu.buffers[i].bytes = N * sizeof(float);
        gpu.buffers[i].fill = i == OUT ? FILL_NONE : FILL_IOTA;
        gpu.buffers[i].role = i == OUT ? BUFFER_OUTPUT : BUFFER_INPUT;
    }
    CU_ASSERT_EQUAL_FATAL(gpu_load_helpers(&gpu, "fake:", &error), 0);
    cudaStreamCreateWithFlags(&gpu.stream, 0);
    reference.launch.arguments[2].role = reference.launch.arguments[3].role = ARGUMENT_PLAIN;
    reference.launch.word_count = 2;
    reference.launch.words[1].bits = whole;
    reference.launch.arguments[3].word = 1;
    test_gpu_refill(&gpu);
    CU_ASSERT_EQUAL_FATAL(gpu_reference(&gpu, &reference, "the reference kernel", &error), 0);
}

static struct gpu_kernel make_pipeline(const struct fake_kernel *function, enum host_memory kind)
{
    struct gpu_kernel kernel = make_kernel(function);
    kernel.launch.pipeline = (struct launch_pipeline){.total = N,
                                                      .chunk_length = 250,
                                                      .streams = 2,
                                                      .pieces = 1,
                                                      .host_memory = (uint16_t)kind,
                                                      .copy_count = 2,
                                                      .copies = {{IN, 1, 0}, {OUT, 0, 1}}};
    return kernel;
}

static struct measurement verify(struct gpu_kernel *kernel)
{
    struct error error = {0};
    struct measurement measurement = measurement_unknown(STATUS_OK);
    CU_ASSERT_EQUAL(gpu_verify(&gpu, kernel, &measurement, &error), 0);
    CU_ASSERT_EQUAL(error.code, ERROR_NONE);
    return measurement;
}

static cudaError_t settle(struct gpu_kernel *kernel)
{
    return gpu_way_of(&kernel->launch)->settle(&gpu, kernel);
}

/* Runs between gpu_enter and gpu_leave, as timing does, then verifies again. */
static struct measurement repeat(struct gpu_kernel *kernel)
{
    struct error error = {0};
    struct measurement measurement = measurement_unknown(STATUS_OK);
    CU_ASSERT_EQUAL(gpu_enter(&gpu, kernel), cudaSuccess);
    for (int i = 0; i < 2; i++) {
        CU_ASSERT_EQUAL(settle(kernel), cudaSuccess);
        CU_ASSERT_EQUAL(gpu_launch(&gpu, kernel), cudaSuccess);
    }
    CU_ASSERT_EQUAL(gpu_leave(&gpu, kernel), cudaSuccess);
    CU_ASSERT_EQUAL(gpu_verify_timed(&gpu, kernel, &measurement, 1, &error), 0);
    return measurement;
}

static void expect_no_misuse(void)
{
    if (fake.misuse)
        fprintf(stderr, "\n%s", fake.misuse);
    CU_ASSERT_PTR_NULL(fake.misuse);
}

/* ---- Tests ---- */

/* All kinds of pipelines give the reference's results and leave inputs and device unchanged. */
static void every_pipeline(void)
{
    static const uint64_t lengths[] = {N, 250, 100};
    static const struct {
        uint32_t pieces;
        uint16_t packed;
    } ways[] = {{1, 0}, {3, 0}, {1, 1}, {7, 1}};
    unsigned seed = 0;
    open_gpu();
    for (int kind = 0; kind < HOST_COUNT; kind++)
        for (uint16_t order = ORDER_DEPTH; order <= ORDER_BREADTH; order++)
            for (size_t length = 0; length < COUNT(lengths); length++)
                for (uint32_t streams = 1; streams <= 3; streams++)
                    for (size_t way = 0; way < COUNT(ways); way++)
                        for (uint16_t allocation = 0; allocation <= ALLOCATION_POOL; allocation++) {
                            struct gpu_kernel kernel = make_pipeline(&good, (enum host_memory)kind);
                            struct launch_pipeline *pipeline = &kernel.launch.pipeline;
                            pipeline->order = order;
                            pipeline->chunk_length = lengths[length];
                            pipeline->streams = streams;
                            pipeline->pieces = kind < HOST_MAPPED ? ways[way].pieces : 1;
                            pipeline->packed = kind < HOST_MAPPED ? ways[way].packed : 0;
                            pipeline->allocation = kind < HOST_MAPPED ? allocation : ALLOCATION_REUSE;
                            fake.seed = seed++;
                            CU_ASSERT_EQUAL(verify(&kernel).status, STATUS_OK);
                            CU_ASSERT_EQUAL(repeat(&kernel).status, STATUS_OK);
                        }
    CU_ASSERT_FALSE(gpu.spoiled);
    expect_no_misuse();
    close_gpu();
}

/* The same values in a struct, { out, in, long chunk_offset, long chunk_length }. */
static void in_structs(void)
{
    static const struct fake_kernel function = {.run = twice, .arguments = "s"};
    open_gpu();
    for (int kind = 0; kind < HOST_COUNT; kind++) {
        struct gpu_kernel kernel = make_pipeline(&function, (enum host_memory)kind);
        struct launch *launch = &kernel.launch;
        for (uint32_t i = 0; i < 4; i++) {
            launch->parts[i] = launch->arguments[i];
            launch->parts[i].at = i * 8;
        }
        launch->part_count = launch->word_count = 4;
        launch->arguments[0] = (struct launch_argument){.buffer = -1, .bytes = 32, .part_count = 4};
        launch->argument_count = launch->steps[0].argument_count = 1;
        CU_ASSERT_EQUAL(verify(&kernel).status, STATUS_OK);
        CU_ASSERT_EQUAL(repeat(&kernel).status, STATUS_OK);
    }
    CU_ASSERT_FALSE(gpu.spoiled);
    expect_no_misuse();
    close_gpu();
}

/* Number of transfers and allocations per run. */
static void counts(void)
{
    static const struct {
        enum host_memory kind;
        uint32_t pieces;
        uint16_t packed, allocation;
        unsigned long copies, launches, mallocs, pool_mallocs;
    } rows[] = {
        {HOST_PINNED, 1, 0, ALLOCATION_REUSE, 6, 3, 0, 0},  {HOST_PINNED, 5, 0, ALLOCATION_EACH, 30, 3, 2, 0},
        {HOST_PAGEABLE, 5, 1, ALLOCATION_POOL, 6, 3, 0, 2}, {HOST_MAPPED, 1, 0, ALLOCATION_REUSE, 0, 3, 0, 0},
        {HOST_MANAGED, 1, 0, ALLOCATION_REUSE, 6, 3, 0, 0}, {HOST_REGISTERED, 1000, 0, ALLOCATION_REUSE, 4800, 3, 0, 0},
    };
    open_gpu();
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct gpu_kernel kernel = make_pipeline(&good, rows[i].kind);
        kernel.launch.pipeline.pieces = rows[i].pieces;
        kernel.launch.pipeline.packed = rows[i].packed;
        kernel.launch.pipeline.allocation = rows[i].allocation;
        CU_ASSERT_EQUAL(verify(&kernel).status, STATUS_OK);
        CU_ASSERT_EQUAL(gpu_enter(&gpu, &kernel), cudaSuccess);
        fake.copies = fake.launches = fake.mallocs = fake.pool_mallocs = 0;
        long live = fake.live;
        CU_ASSERT_EQUAL(gpu_launch(&gpu, &kernel), cudaSuccess);
        fake_finish();
        CU_ASSERT_EQUAL(fake.copies, rows[i].copies);
        CU_ASSERT_EQUAL(fake.launches, rows[i].launches);
        CU_ASSERT_EQUAL(fake.mallocs, rows[i].mallocs);
        CU_ASSERT_EQUAL(fake.pool_mallocs, rows[i].pool_mallocs);
        CU_ASSERT_EQUAL(fake.live, live);
        CU_ASSERT_EQUAL(gpu_leave(&gpu, &kernel), cudaSuccess);
    }
    expect_no_misuse();
    close_gpu();
}

/* When a timed run begins, managed inputs are on the host and managed outputs on the device. Other memory does not
 * move. */
static void settled(void)
{
    open_gpu();
    for (int kind = 0; kind < HOST_COUNT; kind++) {
        struct gpu_kernel kernel = make_pipeline(&good, (enum host_memory)kind);
        CU_ASSERT_EQUAL(verify(&kernel).status, STATUS_OK);
        fake.copies = fake.to_host = fake.to_device = 0;
        CU_ASSERT_EQUAL(settle(&kernel), cudaSuccess);
        CU_ASSERT_EQUAL(fake.to_host, kind == HOST_MANAGED);
        CU_ASSERT_EQUAL(fake.to_device, kind == HOST_MANAGED);
        CU_ASSERT_EQUAL(fake.copies, fake.to_host + fake.to_device);
    }
    expect_no_misuse();
    close_gpu();
}

/* A stage alone does its part of a run: copies, launches and allocations. Managed memory is where the kernel or the
 * copies to the host expect it. */
static void stages_alone(void)
{
    static const struct {
        enum host_memory kind;
        uint32_t pieces;
        uint16_t packed, allocation;
        unsigned long copies[STAGES]; /* 0 without a launch: a run lacks the stage */
    } rows[] = {
        {HOST_PINNED, 5, 0, ALLOCATION_REUSE, {0, 15, 0, 15}}, {HOST_PAGEABLE, 5, 1, ALLOCATION_EACH, {0, 3, 0, 3}},
        {HOST_PINNED, 1, 0, ALLOCATION_POOL, {0, 3, 0, 3}},    {HOST_MAPPED, 1, 0, ALLOCATION_REUSE, {0, 0, 0, 0}},
        {HOST_MANAGED, 1, 0, ALLOCATION_REUSE, {0, 3, 0, 3}},
    };
    open_gpu();
    for (size_t i = 0; i < COUNT(rows); i++)
        for (enum gpu_stage stage = STAGE_ALLOCATE; stage < STAGES; stage++) {
            struct gpu_kernel kernel = make_pipeline(&good, rows[i].kind);
            const struct gpu_way *way = gpu_way_of(&kernel.launch);
            kernel.launch.pipeline.pieces = rows[i].pieces;
            kernel.launch.pipeline.packed = rows[i].packed;
            kernel.launch.pipeline.allocation = rows[i].allocation;
            bool allocates = stage == STAGE_ALLOCATE && rows[i].allocation != ALLOCATION_REUSE;
            CU_ASSERT_EQUAL(way->has_stage(&kernel.launch, stage),
                            allocates || stage == STAGE_KERNEL || rows[i].copies[stage] > 0);
            CU_ASSERT_EQUAL(gpu_enter(&gpu, &kernel), cudaSuccess);
            fake.to_device = 0;
            CU_ASSERT_EQUAL(way->settle_stage(&gpu, &kernel, stage), cudaSuccess);
            CU_ASSERT_EQUAL(fake.to_device, rows[i].kind != HOST_MANAGED ? 0 : stage > STAGE_IN ? 4 : 1);
            fake.copies = fake.launches = fake.mallocs = fake.pool_mallocs = 0;
            long live = fake.live;
            unsigned char *region = gpu.pipeline.hosts[rows[i].kind].regions[1] + GUARD_BYTES;
            memset(region, 0x11, N * sizeof(float));
            CU_ASSERT_EQUAL(way->run_stage(&gpu, &kernel, stage), cudaSuccess);
            fake_finish();
            if (stage == STAGE_OUT && rows[i].kind <= HOST_PINNED) /* packed data is unpacked, too */
                CU_ASSERT_EQUAL(memcmp(region, gpu.buffers[OUT].data, N * sizeof(float)), 0);
            CU_ASSERT_EQUAL(fake.copies, rows[i].copies[stage]);
            CU_ASSERT_EQUAL(fake.launches, stage == STAGE_KERNEL ? 3 : 0);
            CU_ASSERT_EQUAL(fake.mallocs, allocates && rows[i].allocation == ALLOCATION_EACH ? 2 : 0);
            CU_ASSERT_EQUAL(fake.pool_mallocs, allocates && rows[i].allocation == ALLOCATION_POOL ? 2 : 0);
            CU_ASSERT_EQUAL(fake.live, live);
            CU_ASSERT_EQUAL(gpu_leave(&gpu, &kernel), cudaSuccess);
        }
    expect_no_misuse();
    close_gpu();
}

/* Every fault is detected with every kind of memory. */
static void faults(void)
{
    static const struct {
        void (*run)(const uint64_t *arguments);
        const char *message;
        bool spoils;
    } rows[] = {
        {forgets_offset, "out: 350 of 600 values differ", false},
        {full_last_chunk, "writes outside a buffer: ", true},
        {writes_input, "writes to in, which is not an output", true},
        {writes_beside, "writes outside a buffer: 4 bytes beside out", true},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        for (int kind = 0; kind < HOST_COUNT; kind++)
            for (uint16_t allocation = 0; allocation <= ALLOCATION_POOL; allocation++) {
                const struct fake_kernel bad = {.run = rows[i].run, .arguments = "pppp"};
                struct gpu_kernel kernel = make_pipeline(&bad, (enum host_memory)kind);
                kernel.launch.pipeline.allocation = kind < HOST_MAPPED ? allocation : ALLOCATION_REUSE;
                open_gpu();
                struct measurement measurement = verify(&kernel);
                CU_ASSERT_EQUAL(measurement.status, STATUS_WRONG_RESULT);
                if (strncmp(measurement.message, rows[i].message, strlen(rows[i].message)) != 0)
                    fprintf(stderr, "\n%s, expected %s", measurement.message, rows[i].message);
                CU_ASSERT_EQUAL(strncmp(measurement.message, rows[i].message, strlen(rows[i].message)), 0);
                CU_ASSERT_EQUAL(gpu.spoiled, rows[i].spoils);
            }
    close_gpu();
}

/* A kernel that uses another chunk's data is right only by chance; with one chunk it is right. */
static void needs_another_chunk(void)
{
    const struct fake_kernel ahead = {.run = reads_ahead, .arguments = "pppp"};
    int wrong = 0;
    open_gpu();
    for (unsigned seed = 0; seed < 40; seed++) {
        struct gpu_kernel kernel = make_pipeline(&ahead, HOST_PINNED);
        fake.seed = seed;
        wrong += verify(&kernel).status == STATUS_WRONG_RESULT;
        kernel.launch.pipeline.chunk_length = N;
        CU_ASSERT_EQUAL(verify(&kernel).status, STATUS_OK);
    }
    CU_ASSERT(wrong > 20);
    CU_ASSERT_FALSE(gpu.spoiled);
    close_gpu();
}

/* A failure is reported and does not affect the next configuration. */
static void failures(void)
{
    struct gpu_kernel fine = make_pipeline(&good, HOST_PAGEABLE), pinned = make_pipeline(&good, HOST_PINNED);
    open_gpu();
    fake.host_room = 0;
    CU_ASSERT_EQUAL(verify(&pinned).status, STATUS_LAUNCH_ERROR);
    CU_ASSERT_EQUAL(verify(&fine).status, STATUS_OK);
    fake.host_room = SIZE_MAX;
    for (int kind = 0; kind < HOST_COUNT; kind++) {
        struct gpu_kernel kernel = make_pipeline(&good, (enum host_memory)kind);
        CU_ASSERT_EQUAL(verify(&kernel).status, STATUS_OK);
        struct error error = {0};
        struct measurement measurement = measurement_unknown(STATUS_OK);
        fake.next_launch = cudaErrorInvalidConfiguration; /* at the first kernel, which poisons an output */
        CU_ASSERT_NOT_EQUAL(gpu_verify(&gpu, &kernel, &measurement, &error), 0);
        CU_ASSERT_EQUAL(verify(&kernel).status, STATUS_OK);
    }
    CU_ASSERT_FALSE(gpu.spoiled);
    fake.broken = cudaErrorIllegalAddress;
    struct gpu_kernel kernel = make_kernel(&good);
    CU_ASSERT_EQUAL(verify(&kernel).status, STATUS_CRASHED);
    CU_ASSERT(gpu.spoiled);
    close_gpu();
}

/* Kinds that do not fit together, used in turn as in a play-off: evicted memory is filled again. */
static void little_host_memory(void)
{
    struct gpu_kernel kernels[] = {make_pipeline(&good, HOST_PINNED), make_pipeline(&good, HOST_MAPPED),
                                   make_pipeline(&good, HOST_WRITE_COMBINED)};
    open_gpu();
    fake.host_room = fake.host_used + 2 * (N * sizeof(float) + 2 * GUARD_BYTES);
    for (size_t i = 0; i < COUNT(kernels); i++)
        CU_ASSERT_EQUAL(verify(&kernels[i]).status, STATUS_OK);
    for (int round = 0; round < 3; round++)
        for (size_t i = 0; i < COUNT(kernels); i++)
            CU_ASSERT_EQUAL(repeat(&kernels[i]).status, STATUS_OK);
    CU_ASSERT_FALSE(gpu.spoiled);
    expect_no_misuse();
    close_gpu();
}

CU_TestInfo tests_technique_pipeline[] = {{"every pipeline", every_pipeline},
                                          {"in structs", in_structs},
                                          {"counts", counts},
                                          {"settled", settled},
                                          {"stages alone", stages_alone},
                                          {"faults", faults},
                                          {"needs another chunk", needs_another_chunk},
                                          {"failures", failures},
                                          {"little host memory", little_host_memory},
                                          CU_TEST_INFO_NULL};
