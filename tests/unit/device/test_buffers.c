/* Contents of buffers before a run, over the fake runtime: fills, initial contents, poison. */
#include <stdlib.h>

#include "device/buffers.h"
#include "device/clock.h"
#include "device/fill.h"
#include "device/host.h"
#include "device/launch.h"
#include "device/measure.h"
#include "device/techniques.h"
#include "device/verdict.h"
#include "device/verify.h"
#include "device/verify_timed.h"
#include "fake_gpu.h"

enum { N = 700 };

static struct gpu gpu; /* large */

/* data[i] *= 2 over one inout buffer of N floats. */
static struct gpu_kernel in_place(const char *script)
{
    const int count = N;
    struct gpu_kernel kernel = {.cubin = script, .names = "double_in_place"};
    kernel.launch = test_launch();
    kernel.launch.argument_count = kernel.launch.steps[0].argument_count = 2;
    kernel.launch.arguments[0].buffer = 0;
    kernel.launch.arguments[1] = (struct launch_argument){.buffer = -1, .bytes = sizeof count};
    test_put(&kernel.launch, 1, &count, sizeof count);
    return kernel;
}

static void open_in_place(enum buffer_fill fill)
{
    struct error error = {0};
    struct gpu_kernel reference = in_place("fake: letter=r");
    test_gpu_begin(&gpu, fill);
    /* Keeps only the output, in other memory. */
    gpu.buffers[0] = gpu.buffers[TEST_OUT];
    gpu.buffers[0].count = N;
    gpu.buffers[0].bytes = N * sizeof(float);
    gpu.buffer_count = 1;
    test_gpu_refill(&gpu);
    test_gpu_refer(&gpu, &reference);
    CU_ASSERT_EQUAL_FATAL(gpu_settle(&gpu, &error), 0);
    fake_trace_clear();
}

static struct gpu_kernel loaded(const char *script)
{
    struct gpu_kernel kernel = in_place(script);
    CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
    return kernel;
}

/* Frees memory that the runtime does not know. */
static void free_pages(void)
{
    free(gpu.pipeline.hosts[HOST_PAGEABLE].regions[0]);
    free(gpu.pipeline.hosts[HOST_REGISTERED].regions[0]);
    memset(gpu.pipeline.hosts, 0, sizeof gpu.pipeline.hosts);
}

/* Inout buffers are restored before every run, including untimed ones: C or s restores, F flushes, E is an event, k the
 * kernel, c the clock. */
static void restored_before_every_run(void)
{
    static const struct {
        enum buffer_fill fill;
        bool warm;
        const char *trace; /* of a batch of two */
    } rows[] = {{FILL_IOTA, false, "CFEkECFEkEc"},
                {FILL_RANDOM, false, "CFEkECFEkEc"},
                {FILL_ZERO, false, "sFEkEsFEkEc"},
                {FILL_IOTA, true, "CkhCEkECEkEtc"},
                {FILL_ZERO, true, "skhsEkEsEkEtc"}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        double samples_ns[2];
        struct measurement measurement = measurement_unknown(STATUS_OK);
        open_in_place(rows[i].fill);
        gpu.sampling.warm = rows[i].warm;
        struct gpu_kernel kernel = loaded("fake: time_ns=5000");
        const struct gpu_timed timed = gpu_timed_kernel(&gpu, &kernel);
        fake_trace_clear();
        CU_ASSERT_EQUAL(gpu_run_batch(&gpu, &timed, 2, INT64_MAX, samples_ns, &measurement), cudaSuccess);
        CU_ASSERT_STRING_EQUAL(fake_trace(), rows[i].trace);
        CU_ASSERT_EQUAL(samples_ns[0], 5000);
        CU_ASSERT_EQUAL(samples_ns[1], 5000);
        gpu_unload(&kernel);
    }
    test_gpu_close(&gpu);
}

/* Verified, timed and verified again: the results stay right, because every run starts from the same data. */
static void right_when_repeated(void)
{
    static const struct {
        const char *script;
        enum status status, status_after;
    } rows[] = {{"fake:", STATUS_OK, STATUS_OK},
                {"fake: wrong=1", STATUS_WRONG_RESULT, STATUS_COUNT},
                {"fake: wrong=2", STATUS_OK, STATUS_WRONG_RESULT}};
    for (enum buffer_fill fill = FILL_NONE; fill < FILL_COUNT; fill++) {
        if (fill != FILL_RANDOM && fill != FILL_IOTA && fill != FILL_ZERO)
            continue;
        for (size_t i = 0; i < COUNT(rows); i++) {
            struct error error = {0};
            struct measurement measurement = measurement_unknown(STATUS_OK);
            open_in_place(fill);
            struct gpu_kernel kernel = loaded(rows[i].script);
            CU_ASSERT_EQUAL(gpu_verify(&gpu, &kernel, &measurement, &error), 0);
            CU_ASSERT_EQUAL(measurement.status, rows[i].status);
            if (rows[i].status_after != STATUS_COUNT) {
                gpu_measure(&gpu, &kernel, gpu_no_incumbent, INT64_MAX / 2, &measurement);
                CU_ASSERT_EQUAL(measurement.status, STATUS_OK);
                CU_ASSERT_EQUAL(gpu_verify_timed(&gpu, &kernel, &measurement, 1, &error), 0);
                CU_ASSERT_EQUAL(measurement.status, rows[i].status_after);
            }
            CU_ASSERT_FALSE(gpu.spoiled);
            CU_ASSERT_PTR_NULL(fake.misuse);
            gpu_unload(&kernel);
        }
    }
    test_gpu_close(&gpu);
}

/* The same holds through a pipeline: the host's copy of an inout buffer is restored, too. */
static void right_when_repeated_by_chunks(void)
{
    for (int kind = 0; kind < HOST_COUNT; kind++)
        for (uint16_t allocation = 0; allocation <= ALLOCATION_POOL; allocation++)
            for (int cold = 0; cold < 2; cold++) {
                struct error error = {0};
                struct measurement measurement = measurement_unknown(STATUS_OK);
                double samples_ns[3];
                open_in_place(FILL_IOTA);
                gpu.sampling.warm = !cold;
                struct gpu_kernel kernel = in_place("fake:");
                kernel.names = "twice_chunk";
                kernel.launch.argument_count = kernel.launch.steps[0].argument_count = 4;
                kernel.launch.arguments[1].buffer = 0;
                kernel.launch.arguments[2] =
                    (struct launch_argument){.buffer = -1, .role = ARGUMENT_CHUNK_OFFSET, .bytes = 8};
                kernel.launch.arguments[3] =
                    (struct launch_argument){.buffer = -1, .role = ARGUMENT_CHUNK_LENGTH, .bytes = 8};
                kernel.launch.pipeline =
                    (struct launch_pipeline){.total = N,
                                             .chunk_length = 250,
                                             .streams = 2,
                                             .pieces = 1,
                                             .host_memory = (uint16_t)kind,
                                             .allocation = kind < HOST_MAPPED ? allocation : ALLOCATION_REUSE,
                                             .copy_count = 1,
                                             .copies = {{0, 1, 1}}};
                CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
                CU_ASSERT_EQUAL(gpu_verify(&gpu, &kernel, &measurement, &error), 0);
                CU_ASSERT_EQUAL(measurement.status, STATUS_OK);
                CU_ASSERT_EQUAL(gpu_enter(&gpu, &kernel), cudaSuccess);
                const struct gpu_timed timed = gpu_timed_kernel(&gpu, &kernel);
                CU_ASSERT_EQUAL(gpu_run_batch(&gpu, &timed, 3, INT64_MAX, samples_ns, &measurement), cudaSuccess);
                CU_ASSERT_EQUAL(gpu_leave(&gpu, &kernel), cudaSuccess);
                CU_ASSERT_EQUAL(gpu_verify_timed(&gpu, &kernel, &measurement, 1, &error), 0);
                CU_ASSERT_EQUAL(measurement.status, STATUS_OK);
                CU_ASSERT_PTR_NULL(fake.misuse);
                gpu_unload(&kernel);
                free_pages();
            }
    test_gpu_close(&gpu);
}

/* Host memory of several kinds is kept up to a limit; a kind beyond it evicts the others. */
static void host_memory_is_bounded(void)
{
    const uint64_t bytes = (uint64_t)3 << 30;  /* of a region; never touched */
    static const size_t regions[] = {1, 2, 1}; /* present after each kind */
    static const enum host_memory kinds[] = {HOST_PINNED, HOST_WRITE_COMBINED, HOST_MAPPED};
    open_in_place(FILL_ZERO);
    gpu.buffers[0].bytes = bytes;
    for (size_t i = 0; i < COUNT(kinds); i++) {
        const struct launch_pipeline pipeline = {
            .host_memory = (uint16_t)kinds[i], .copy_count = 1, .copies = {{0, 1, 0}}};
        bool made = false;
        CU_ASSERT_EQUAL(gpu_host_make(&gpu, &pipeline, &made), cudaSuccess);
        CU_ASSERT(made);
        CU_ASSERT_EQUAL(gpu_host_make(&gpu, &pipeline, &made), cudaSuccess);
        CU_ASSERT_FALSE(made);
        size_t there = 0;
        for (int kind = 0; kind < HOST_COUNT; kind++)
            there += gpu.pipeline.hosts[kind].regions[0] != NULL;
        CU_ASSERT_EQUAL(there, regions[i]);
    }
    test_gpu_close(&gpu);
}

/* Changes of initial contents are detected, although these are outside the kernels' reach. */
static void initial_contents_are_guarded(void)
{
    struct error error = {0};
    struct measurement measurement = measurement_unknown(STATUS_OK);
    open_in_place(FILL_IOTA);
    struct gpu_kernel kernel = loaded("fake:");
    CU_ASSERT_PTR_NOT_NULL_FATAL(gpu.buffers[0].initial);
    gpu.buffers[0].initial[N * sizeof(float) - 1] ^= 1;
    CU_ASSERT_EQUAL(gpu_verify(&gpu, &kernel, &measurement, &error), 0);
    CU_ASSERT_EQUAL(measurement.status, STATUS_WRONG_RESULT);
    CU_ASSERT(gpu.spoiled);
    gpu_unload(&kernel);
    test_gpu_close(&gpu);
}

/* All fills use one stream: a memset on the legacy stream could run after fills on another stream. */
static void fills_come_behind_the_canary(void)
{
    struct error error = {0};
    open_in_place(FILL_IOTA);
    memset(gpu.tested, 1, gpu.tested_bytes);
    CU_ASSERT_EQUAL(gpu_fill_all(&gpu, &error), 0);
    cudaDeviceSynchronize();
    const float *data = (const float *)(const void *)gpu.buffers[0].data;
    for (int i = 0; i < N; i++)
        CU_ASSERT_EQUAL(data[i], (float)i);
    CU_ASSERT_EQUAL(memcmp(data, gpu.buffers[0].initial, N * sizeof(float)), 0);
    CU_ASSERT_EQUAL(gpu_check_guards(&gpu, "", &error), 0);
    test_gpu_close(&gpu);
}

/* Poison is half the range of integers away, or NaN for floats, so that no smaller tolerance accepts it. */
static void poison_is_out_of_reach(void)
{
    static const struct {
        enum scalar scalar;
        size_t bytes;
        double tolerance; /* the largest that still distinguishes the values */
    } rows[] = {{SCALAR_char, 1, 127},      {SCALAR_uchar, 1, 127},      {SCALAR_short, 2, 32767},
                {SCALAR_ushort, 2, 32767},  {SCALAR_int, 4, 2e9},        {SCALAR_uint, 4, 2e9},
                {SCALAR_long, 8, 9e18},     {SCALAR_ulong, 8, 9e18},     {SCALAR_half, 2, 1e9},
                {SCALAR_bfloat16, 2, 1e30}, {SCALAR_float, 4, INFINITY}, {SCALAR_double, 8, INFINITY}};
    enum { VALUES = 256 };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct error error = {0};
        unsigned char *memory = NULL;
        struct gpu_verdict *verdict;
        open_in_place(FILL_ZERO);
        struct tolerance tolerance = {.absolute = rows[i].tolerance};
        CU_ASSERT_EQUAL_FATAL(cudaMalloc((void **)&memory, 2 * VALUES * 8 + sizeof *verdict), cudaSuccess);
        unsigned char *from = memory, *to = memory + VALUES * 8;
        for (size_t v = 0; v < VALUES; v++) /* all patterns of the highest byte, every other pattern of the others */
            for (size_t b = 0; b < rows[i].bytes; b++)
                from[v * rows[i].bytes + b] = (unsigned char)(b + 1 < rows[i].bytes ? v * 37 + b : v);
        verdict = (struct gpu_verdict *)(void *)(memory + 2 * VALUES * 8);
        memset(verdict, 0, sizeof *verdict);
        const struct gpu_buffer buffer = {.scalar = rows[i].scalar, .count = VALUES};
        CU_ASSERT_EQUAL(gpu_poison(&gpu, &buffer, to, from, &error), 0);
        unsigned long long count = VALUES;
        int scalar = (int)rows[i].scalar, poisoned = 1, nan = 0;
        void *arguments[] = {&to,       &from, &count,  &scalar, &tolerance.relative, &tolerance.absolute,
                             &poisoned, &nan,  &verdict};
        CU_ASSERT_EQUAL(gpu_helper(&gpu, HELPER_COMPARE, count, arguments, &error), 0);
        fake_finish();
        CU_ASSERT_EQUAL(verdict->different, VALUES);
        CU_ASSERT_EQUAL(verdict->unwritten, VALUES);
        CU_ASSERT_EQUAL(verdict->nan, 0);
        cudaFree(memory);
    }
    test_gpu_close(&gpu);
}

/* The regions of several buffers do not overlap, and all are device memory. */
static void apart(void)
{
    static const struct {
        uint64_t bytes;
        enum buffer_fill fill;
        enum buffer_role role;
    } rows[] = {{4, FILL_RANDOM, BUFFER_INPUT}, {4000, FILL_NONE, BUFFER_OUTPUT}, {513, FILL_IOTA, BUFFER_INOUT},
                {512, FILL_ZERO, BUFFER_INOUT}, {100, FILL_NONE, BUFFER_OUTPUT},  {1000, FILL_RANDOM, BUFFER_INOUT}};
    struct error error = {0};
    struct {
        const unsigned char *at;
        uint64_t bytes;
    } regions[3 * COUNT(rows) + 1];
    size_t count = 0;
    test_gpu_begin(&gpu, FILL_NONE);
    gpu.buffer_count = COUNT(rows);
    for (size_t i = 0; i < COUNT(rows); i++)
        gpu.buffers[i] = (struct gpu_buffer){.scalar = SCALAR_uchar,
                                             .count = rows[i].bytes,
                                             .bytes = rows[i].bytes,
                                             .fill = rows[i].fill,
                                             .role = rows[i].role};
    CU_ASSERT_EQUAL_FATAL(gpu_allocate(&gpu, &error), 0);
    regions[count].at = (const unsigned char *)gpu.verdicts;
    regions[count++].bytes = COUNT(rows) * sizeof *gpu.verdicts;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct gpu_buffer *buffer = &gpu.buffers[i];
        regions[count].at = buffer->data - GUARD_BYTES;
        regions[count++].bytes = buffer->bytes + 2 * GUARD_BYTES;
        CU_ASSERT_EQUAL(buffer->reference != NULL, rows[i].role != BUFFER_INPUT);
        CU_ASSERT_EQUAL(buffer->initial != NULL,
                        rows[i].role == BUFFER_INOUT && (rows[i].fill == FILL_IOTA || rows[i].fill == FILL_RANDOM));
        for (int kept = 0; kept < 2; kept++)
            if ((regions[count].at = kept ? buffer->initial : buffer->reference))
                regions[count++].bytes = buffer->bytes;
    }
    for (size_t i = 0; i < count; i++) {
        fake_check_kernel_memory(regions[i].at, regions[i].bytes);
        for (size_t k = 0; k < count; k++)
            CU_ASSERT(k == i || regions[i].at + regions[i].bytes <= regions[k].at ||
                      regions[k].at + regions[k].bytes <= regions[i].at);
    }
    CU_ASSERT_PTR_NULL(fake.misuse);
    test_gpu_close(&gpu);
}

/* The message names unwritten values and distinguishes them from the kernel's own NaN. */
static void unwritten_values_are_named(void)
{
    static const struct {
        const char *script, *message;
    } rows[] = {{"fake: unwritten=1",
                 "out: 1000 of 1000 values differ from the reference, none of them was written, the first at 0"},
                {"fake: nan=1", "out: 1 of 1000 values differ from the reference, all of them NaN, the first at 0"},
                {"fake: wrong=1", "out: 1 of 1000 values differ from the reference, the first at 0"}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct error error = {0};
        struct measurement measurement = measurement_unknown(STATUS_OK);
        test_gpu_open(&gpu, FILL_NONE);
        struct gpu_kernel kernel = test_kernel(rows[i].script);
        CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
        CU_ASSERT_EQUAL(gpu_verify(&gpu, &kernel, &measurement, &error), 0);
        CU_ASSERT_STRING_EQUAL(measurement.message, rows[i].message);
        gpu_unload(&kernel);
    }
    test_gpu_close(&gpu);
}

/* Buffers that do not fit are an error; the hint mentions scratch buffers. */
static void little_memory(void)
{
    static const struct {
        enum buffer_role role;
        const char *hint;
    } rows[] = {
        {BUFFER_OUTPUT, "make the problem smaller with -D, or wait"},
        {BUFFER_SCRATCH, "make the problem smaller with -D, limit the scratch buffers with `require`, or wait"}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct error error = {0};
        test_gpu_begin(&gpu, FILL_NONE);
        gpu.buffers[TEST_OUT].role = rows[i].role;
        gpu.buffers[TEST_OUT].bytes = fake.device_room;
        CU_ASSERT_EQUAL(gpu_allocate(&gpu, &error), ERROR_DEVICE);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.hint, rows[i].hint));
    }
    test_gpu_close(&gpu);
}

/* The kernels that fill a sparse matrix run in order: the second reads the results of the first. */
static void by_kernels(void)
{
    enum { ROWS = 10, ENTRIES = 2 * 6 + 1 };
    static const struct {
        const char *rows, *columns;
        int beyond;
        const char *message;
    } cases[] = {
        {"fake:", "fake:", 0, ""},
        {"fake: refuse=1", "fake:", 0,
         "filling the buffer rows with the kernel fill_rows: too many resources requested for launch "
         "(cudaErrorLaunchOutOfResources)"},
        {"fake: invalid=1", "fake:", 0,
         "filling the buffer rows with the kernel fill_rows: device kernel image is invalid "
         "(cudaErrorInvalidKernelImage)"},
        {"fake:", "fake: sticky=1", 0,
         "filling the buffer columns with the kernel fill_columns: an illegal memory access was encountered "
         "(cudaErrorIllegalAddress)"},
        {"fake: beside=1", "fake:", 0,
         "the kernel fill_rows, which fills the buffer rows, writes outside a buffer: 4 bytes beside rows"},
        {"fake:", "fake:", 1,
         "the kernel fill_columns, which fills the buffer columns, writes outside a buffer: 4 bytes beside columns"},
    };
    for (size_t c = 0; c < COUNT(cases); c++) {
        const uint64_t counts[] = {ROWS + 1, ENTRIES};
        const int numbers[] = {ROWS, cases[c].beyond};
        struct error error = {0};
        test_gpu_begin(&gpu, FILL_NONE);
        gpu.buffer_count = 2;
        for (size_t i = 0; i < 2; i++) {
            gpu.buffers[i] = (struct gpu_buffer){
                .scalar = SCALAR_int, .count = counts[i], .bytes = counts[i] * sizeof(int), .fill = FILL_KERNEL};
            strcpy(gpu.buffers[i].name, i ? "columns" : "rows");
            struct gpu_kernel *kernel = &gpu.fills[i];
            *kernel = (struct gpu_kernel){.cubin = i ? cases[c].columns : cases[c].rows,
                                          .names = i ? "fill_columns" : "fill_rows"};
            kernel->launch = test_launch();
            kernel->launch.argument_count = kernel->launch.steps[0].argument_count = i ? 5 : 2;
            kernel->launch.arguments[0].buffer = (int)i;
            kernel->launch.arguments[1] = (struct launch_argument){.buffer = -1, .bytes = 8};
            test_put(&kernel->launch, 1, &counts[i], 8);
            kernel->launch.arguments[2] = (struct launch_argument){.buffer = 0};
            for (int k = 0; k < 2; k++) {
                kernel->launch.arguments[3 + k] = (struct launch_argument){.buffer = -1, .bytes = 4};
                test_put(&kernel->launch, 3 + (size_t)k, &numbers[k], 4);
            }
        }
        CU_ASSERT_EQUAL_FATAL(gpu_allocate(&gpu, &error), 0);
        int code = gpu_fill_all(&gpu, &error);
        expect_text(error.message, cases[c].message);
        CU_ASSERT_EQUAL(code != 0, *cases[c].message != '\0');
        if (!code) {
            static const int rows[] = {0, 0, 1, 3, 6, 6, 7, 9, 12, 12, 13};
            static const int columns[] = {1, 2, 9, 3, 0, 7, 5, 6, 3, 7, 4, 1, 9};
            CU_ASSERT_EQUAL(memcmp(gpu.buffers[0].data, rows, sizeof rows), 0);
            CU_ASSERT_EQUAL(memcmp(gpu.buffers[1].data, columns, sizeof columns), 0);
        }
        CU_ASSERT(!gpu.fills[0].libraries[0] && !gpu.fills[1].libraries[0]);
    }
    test_gpu_close(&gpu);
}

/* A seed moves the buffers: a block of its own size lies before them, unless it would leave little memory. */
static void displaced(void)
{
    static const struct {
        uint64_t seed;
        size_t room_mib;
        bool moved;
    } rows[] = {{0, 1024, false}, {1, 1024, true}, {2, 1024, true}, {3, 1024, true}, {1, 1, false}};
    size_t sizes[COUNT(rows)];
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct error error = {0};
        test_gpu_begin(&gpu, FILL_NONE);
        gpu_free_buffers(&gpu);
        fake.device_room = rows[i].room_mib << 20;
        gpu.places = rows[i].seed;
        size_t before = fake.device_used;
        CU_ASSERT_EQUAL(gpu_allocate(&gpu, &error), 0);
        sizes[i] = fake.device_used - before - (size_t)(gpu.held_bytes - gpu.flush_bytes);
        CU_ASSERT_EQUAL(gpu.spacer != NULL, rows[i].moved);
        CU_ASSERT_EQUAL(sizes[i] > 1 << 20, rows[i].moved);
        CU_ASSERT_EQUAL(cudaGetLastError(), cudaSuccess);
        before = fake.device_used;
        gpu_free_buffers(&gpu);
        CU_ASSERT_EQUAL(gpu_allocate(&gpu, &error), 0); /* the next set-up of the process */
        CU_ASSERT_EQUAL(fake.device_used, before);
    }
    CU_ASSERT(sizes[1] != sizes[2] && sizes[2] != sizes[3]);
    test_gpu_close(&gpu);
}

/* Buffers keep their contents and guards at every place, far or near. They stay if memory is scarce, or if a kernel has
 * filled one, perhaps with addresses of another. */
static void carried(void)
{
    enum { CARRIES = 12, MIB = 1 << 20 };
    static const struct {
        enum buffer_fill fill;
        uint64_t bytes;
        size_t room_mib;
        bool moved;
    } rows[] = {{FILL_RANDOM, 4000, 1024, true},
                {FILL_RANDOM, 9 * MIB + 4, 1024, true},
                {FILL_RANDOM, 4000, 100, true},
                {FILL_RANDOM, 4000, 80, false}, /* a quarter of it stays free */
                {FILL_KERNEL, 4000, 1024, false}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        unsigned char *before = malloc(2 * rows[i].bytes + MIB), *places[CARRIES] = {NULL};
        size_t changes = 0;
        CU_ASSERT_PTR_NOT_NULL_FATAL(before);
        test_gpu_begin(&gpu, FILL_NONE);
        gpu_free_buffers(&gpu);
        fake.device_room = rows[i].room_mib << 20;
        for (size_t b = 0; b < gpu.buffer_count; b++) {
            gpu.buffers[b].bytes = rows[i].bytes;
            gpu.buffers[b].count = rows[i].bytes / sizeof(float);
        }
        test_gpu_refill(&gpu);
        gpu.buffers[gpu.buffer_count - 1].fill = rows[i].fill;
        const size_t used = fake.device_used;
        const uint64_t held = gpu.held_bytes;
        memcpy(before, gpu.tested, gpu.tested_bytes);
        places[0] = gpu.tested;
        fake.malloc_fails = fake.allocations + 1;
        CU_ASSERT_EQUAL(gpu_carry_buffers(&gpu, 1), cudaSuccess);
        CU_ASSERT_PTR_EQUAL(gpu.tested, places[0]);
        CU_ASSERT_EQUAL(cudaGetLastError(), cudaSuccess);
        fake.malloc_fails = 0;
        for (uint64_t c = 0; c < CARRIES; c++) {
            unsigned char *last = gpu.tested;
            CU_ASSERT_EQUAL(gpu_carry_buffers(&gpu, c), cudaSuccess);
            CU_ASSERT_EQUAL(memcmp(gpu.tested, before, gpu.tested_bytes), 0);
            CU_ASSERT(gpu.buffers[TEST_IN].data > gpu.tested);
            CU_ASSERT(gpu.buffers[TEST_OUT].data + rows[i].bytes < gpu.tested + gpu.tested_bytes);
            changes += gpu.tested != last;
            places[c] = gpu.tested;
        }
        CU_ASSERT_EQUAL(changes > CARRIES / 2, rows[i].moved);
        CU_ASSERT_EQUAL(fake.device_used > used, rows[i].moved);
        CU_ASSERT_EQUAL(gpu.held_bytes - held, fake.device_used - used);
        CU_ASSERT_EQUAL(gpu_carry_buffers(&gpu, 0), cudaSuccess);
        CU_ASSERT_EQUAL(gpu_carry_buffers(&gpu, 3), cudaSuccess);
        CU_ASSERT_PTR_EQUAL(gpu.tested, places[3]); /* the seed decides */
        CU_ASSERT_PTR_NULL(fake.misuse);
        free(before);
        test_gpu_close(&gpu);
    }
}

CU_TestInfo tests_buffers[] = {{"displaced", displaced},
                               {"carried", carried},
                               {"by kernels", by_kernels},
                               {"little memory", little_memory},
                               {"apart", apart},
                               {"restored before every run", restored_before_every_run},
                               {"right when repeated", right_when_repeated},
                               {"right when repeated by chunks", right_when_repeated_by_chunks},
                               {"host memory is bounded", host_memory_is_bounded},
                               {"initial contents are guarded", initial_contents_are_guarded},
                               {"fills come behind the canary", fills_come_behind_the_canary},
                               {"poison is out of reach", poison_is_out_of_reach},
                               {"unwritten values are named", unwritten_values_are_named},
                               CU_TEST_INFO_NULL};
