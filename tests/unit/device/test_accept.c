/* The accept kernel: the checks of a set-up, and its judgement of other kernels. */
#include <stdio.h>

#include "device/launch.h"
#include "device/reference.h"
#include "device/verify.h"
#include "device/verify_timed.h"
#include "fake_gpu.h"

static struct gpu gpu; /* large */
static struct gpu_kernel judge;

/* Makes count_wrong over the output the accept kernel. */
static void open_accept(const char *script, int most, int touched)
{
    const int count = TEST_COUNT;
    judge = test_kernel(script);
    gpu.accept = &judge;
    struct launch *launch = &judge.launch;
    const uint64_t counter = 0;
    judge.names = "count_wrong";
    strcpy(gpu.accept_name, "count_wrong");
    launch->argument_count = launch->steps[0].argument_count = 6;
    launch->arguments[0] = (struct launch_argument){.buffer = -1, .bytes = sizeof counter};
    launch->arguments[1] = (struct launch_argument){.buffer = TEST_IN};
    launch->arguments[2] = (struct launch_argument){.buffer = TEST_OUT};
    for (size_t a = 3; a < 6; a++)
        launch->arguments[a] = (struct launch_argument){.buffer = -1, .bytes = sizeof(int)};
    test_put(launch, 0, &counter, sizeof counter);
    test_put(launch, 3, &count, sizeof count);
    test_put(launch, 4, &most, sizeof most);
    test_put(launch, 5, &touched, sizeof touched);
}

/* Sets up a process whose output is judged by count_wrong alone. */
static int begin_accepted(enum buffer_fill fill, const char *script, int most, int touched, struct error *error)
{
    test_gpu_begin(&gpu, fill);
    gpu.buffers[TEST_OUT].accepted = true;
    test_gpu_refill(&gpu);
    open_accept(script, most, touched);
    int code = gpu_reference(&gpu, NULL, "", error);
    return code ? code : gpu_open_accept(&gpu, error);
}

/* A set-up rejects accept kernels that verify nothing or do forbidden things. */
static void accept_checked(void)
{
    static const struct {
        enum buffer_fill fill; /* of the output; FILL_NONE: a pure output */
        const char *script;
        int most, touched;
        const char *message;
    } rows[] = {
        {FILL_NONE, "fake:", TEST_COUNT, -1, ""},
        {FILL_NONE, "fake:", 1, -1, ""},
        {FILL_RANDOM, "fake:", TEST_COUNT, -1, ""},
        {FILL_NONE, "fake:", 0, -1,
         "the accept kernel count_wrong counts nothing wrong in outputs that nobody has written"},
        {FILL_RANDOM, "fake: unwritten=1", TEST_COUNT, -1,
         "the accept kernel count_wrong counts nothing wrong in outputs that nobody has written"},
        {FILL_NONE, "fake: stale=2", TEST_COUNT, -1,
         "the accept kernel count_wrong counts nothing wrong in outputs that nobody has written, when it is launched "
         "for "
         "the second time"},
        {FILL_NONE, "fake:", TEST_COUNT, 0, "the accept kernel count_wrong writes to an output that it judges"},
        {FILL_NONE, "fake:", TEST_COUNT, TEST_COUNT - 1,
         "the accept kernel count_wrong writes to an output that it judges"},
        {FILL_RANDOM, "fake:", TEST_COUNT, 7, "the accept kernel count_wrong writes to an output that it judges"},
        {FILL_NONE, "fake:", TEST_COUNT, TEST_COUNT,
         "the accept kernel count_wrong writes outside a buffer: 4 bytes beside out"},
        {FILL_NONE, "fake: input=1", TEST_COUNT, -1,
         "the accept kernel count_wrong writes to in, which is not an output"},
        {FILL_NONE, "fake: refuse=1", TEST_COUNT, -1,
         "accept count_wrong: too many resources requested for launch, over outputs that nobody has written"},
        {FILL_NONE, "fake: sticky=1", TEST_COUNT, -1,
         "accept count_wrong: an illegal memory access was encountered, over outputs that nobody has written"},
        {FILL_NONE, "fake: invalid=1", TEST_COUNT, -1, "loading the accept kernel: device kernel image is invalid"},
    };
    for (size_t r = 0; r < COUNT(rows); r++) {
        struct error error = {0};
        int code = begin_accepted(rows[r].fill, rows[r].script, rows[r].most, rows[r].touched, &error);
        CU_ASSERT_EQUAL(code == 0, *rows[r].message == '\0');
        expect_start(error.message, rows[r].message);
        gpu_unload(gpu.accept);
    }
    test_gpu_close(&gpu);
}

/* Kernels judged by count_wrong, when verified and when repeated. */
static void accepted(void)
{
    static const struct {
        const char *accept, *kernel;
        enum status status;
        const char *message;
    } rows[] = {
        {"fake:", "fake:", STATUS_OK, ""},
        {"fake:", "fake: wrong=1", STATUS_WRONG_RESULT, "accept count_wrong counts 1 wrong"},
        {"fake:", "fake: nan=1", STATUS_WRONG_RESULT, "accept count_wrong counts 1 wrong"},
        {"fake:", "fake: unwritten=1", STATUS_WRONG_RESULT, "accept count_wrong counts 1000 wrong"},
        {"fake:", "fake: beside=1", STATUS_WRONG_RESULT, "writes outside a buffer: 4 bytes beside out"},
        {"fake:", "fake: input=1", STATUS_WRONG_RESULT, "writes to in, which is not an output"},
        {"fake: refuse=4", "fake:", STATUS_LAUNCH_ERROR, "accept count_wrong: too many resources requested for launch"},
        {"fake: sticky=3", "fake:", STATUS_CRASHED, "accept count_wrong: an illegal memory access was encountered"},
    };
    for (size_t r = 0; r < COUNT(rows); r++) {
        struct gpu_kernel kernel = test_kernel(rows[r].kernel);
        struct measurement measurement = measurement_unknown(STATUS_OK);
        struct error error = {0};
        CU_ASSERT_EQUAL_FATAL(begin_accepted(FILL_NONE, rows[r].accept, TEST_COUNT, -1, &error), 0);
        CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
        CU_ASSERT_EQUAL(gpu_verify(&gpu, &kernel, &measurement, &error), 0);
        CU_ASSERT_EQUAL(measurement.status, rows[r].status);
        expect_start(measurement.message, rows[r].message);
        if (measurement.status == STATUS_OK) {
            CU_ASSERT_EQUAL(gpu_verify_timed(&gpu, &kernel, &measurement, 1, &error), 0);
            CU_ASSERT_EQUAL(measurement.status, STATUS_OK);
            ((float *)(void *)gpu.buffers[TEST_OUT].data)[5] += 1;
            measurement.status = STATUS_SLOWER; /* not launched again */
            CU_ASSERT_EQUAL(gpu_verify_timed(&gpu, &kernel, &measurement, 1, &error), 0);
            expect_text(measurement.message,
                        "right on the first launch, wrong on a later one: accept count_wrong counts 1 wrong");
        }
        gpu_unload(&kernel);
        gpu_unload(gpu.accept);
    }
    test_gpu_close(&gpu);
}

/* The accept kernel gets the memory in which the launches left an output, here that of scratch. */
static void accepted_places(void)
{
    enum { OTHER = TEST_BUFFERS };
    for (int out = 0; out < TEST_BUFFERS; out++) {
        const int in = 1 - out;
        struct gpu_kernel kernel = test_kernel("fake:");
        struct measurement measurement = measurement_unknown(STATUS_OK);
        struct error error = {0};
        struct launch *launch = &kernel.launch;
        CU_ASSERT_EQUAL_FATAL(begin_accepted(FILL_NONE, "fake:", TEST_COUNT, -1, &error), 0);
        gpu_unload(gpu.accept);
        const struct gpu_buffer input = gpu.buffers[TEST_IN], output = gpu.buffers[TEST_OUT];
        gpu.buffer_count = OTHER + 1;
        gpu.buffers[in] = input;
        gpu.buffers[out] = gpu.buffers[OTHER] = output;
        gpu.buffers[OTHER].role = BUFFER_SCRATCH;
        gpu.buffers[OTHER].accepted = false;
        gpu.accept->launch.arguments[1].buffer = in;
        gpu.accept->launch.arguments[2].buffer = out;
        test_gpu_refill(&gpu);
        CU_ASSERT_EQUAL_FATAL(gpu_reference(&gpu, NULL, "", &error), 0);
        CU_ASSERT_EQUAL_FATAL(gpu_open_accept(&gpu, &error), 0);
        launch->arguments[0].buffer = OTHER;
        launch->arguments[1].buffer = in;
        launch->swap_count = launch->steps[0].swap_count = 1;
        launch->swaps[0] = (struct launch_swap){(uint32_t)out, OTHER};
        launch->scratch_bytes[0] = output.bytes;
        CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
        CU_ASSERT_EQUAL(gpu_verify(&gpu, &kernel, &measurement, &error), 0);
        expect_text(measurement.message, "");
        launch->swap_count = launch->steps[0].swap_count = 0;
        CU_ASSERT_EQUAL(gpu_verify(&gpu, &kernel, &measurement, &error), 0);
        expect_text(measurement.message, "accept count_wrong counts 1000 wrong");
        gpu_unload(&kernel);
        gpu_unload(gpu.accept);
    }
    test_gpu_close(&gpu);
}

/* A write by the accept kernel is not the judged kernel's fault. */
static void accept_writes(void)
{
    struct gpu_kernel kernel = test_kernel("fake:");
    struct measurement measurement = measurement_unknown(STATUS_OK);
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(begin_accepted(FILL_NONE, "fake: input=3", TEST_COUNT, -1, &error), 0);
    CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
    CU_ASSERT_EQUAL(gpu_verify(&gpu, &kernel, &measurement, &error), ERROR_VALUE);
    expect_text(error.message, "the accept kernel count_wrong writes to in, which is not an output");
    gpu_unload(&kernel);
    gpu_unload(gpu.accept);
    test_gpu_close(&gpu);
}

CU_TestInfo tests_accept[] = {{"accept checked", accept_checked},
                              {"accepted", accepted},
                              {"accepted places", accepted_places},
                              {"accept writes", accept_writes},
                              CU_TEST_INFO_NULL};
