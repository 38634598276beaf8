/* Messages between the coordinator and a device process, and the refusal of invalid ones. */
#include "../base/pack_check.h"
#include "device/device.h"
#include "device/messages.h"

#include "device_kit.h"

static void messages_travel(void)
{
    static const struct pack_left_out job_left[] = {LEFT_OUT(struct device_job, id),
                                                    LEFT_OUT(struct device_job, kernels)};
    const struct gpu_calibration calibration = {{1, NAN, 3, 4}, 1980, {2800, 32}, 3};
    const struct device_job job = {
        .playoff = true, .kernel_count = DEVICE_KERNELS_MAX, .incumbent_ns = INFINITY, .timeout_ns = 5};
    struct setup_message setup = {.seed = 1,
                                  .sampling = test_sampling,
                                  .buffer_count = 2,
                                  .accept_name = "count_wrong<4>",
                                  .inputs_folder = "/tmp/a",
                                  .helpers = "helpers",
                                  .helpers_bytes = 7,
                                  .fill_count = SPACE_FILL_KERNELS_MAX};
    setup.buffers[0] =
        (struct setup_buffer){.type = 3, .count = 9, .fill = FILL_FILE, .name = "a", .path = "a.npy", .expected = ""};
    setup.buffers[0].accepted = true;
    setup.buffers[0].tolerance = (struct tolerance){1e-5, 1e-6, 4};
    setup.buffers[0].ignored = 8;
    setup.buffers[1] = (struct setup_buffer){
        .role = BUFFER_INOUT, .name = "b", .path = "", .expected_offset = 128, .expected = "b.npy"};
    const struct set_message set = {.referenced = true, .has_accept = true, .reference_name = "the reference kernel"};
    struct error error = {.code = ERROR_BUSY, .message = "what", .hint = "do"};
    expect_complete("calibration", &calibration_table, NULL, 0);
    expect_travels("calibration", &calibration_table, &calibration);
    expect_complete("job", &job_table, job_left, COUNT(job_left));
    expect_travels("job", &job_table, &job);
    expect_complete("set", &set_table, NULL, 0);
    expect_travels("set", &set_table, &set);
    expect_complete("setup", &setup_table, NULL, 0);
    expect_travels("setup", &setup_table, &setup);
    expect_travels("error", &error_table, &error);
}

static void guarded_messages_travel(void)
{
    const struct launch_message launch = {.launches = 9, .over = true, .ready = true, .value_ns = 1.5};
    const struct permit_message permit = {.permit = PERMIT_STOP, .seed = UINT64_MAX, .count = 512};
    const struct results_message results = {.buffer = 3, .at = 4096, .bytes = "bytes", .length = 5};
    const struct judge_message judge = {.seed = UINT64_MAX};
    expect_complete("launch", &asking_table, NULL, 0);
    expect_travels("launch", &asking_table, &launch);
    expect_complete("permit", &permit_table, NULL, 0);
    expect_travels("permit", &permit_table, &permit);
    expect_complete("results", &results_table, NULL, 0);
    expect_travels("results", &results_table, &results);
    expect_complete("judge", &judge_table, NULL, 0);
    expect_travels("judge", &judge_table, &judge);
}

static void measurements_are_as_many_as_asked_for(void)
{
    struct measurement from[2] = {measurement_unknown(STATUS_OK), measurement_unknown(STATUS_SLOWER)}, to[3];
    struct text text = {0};
    message_pack_measurements(&text, from, NULL, 2, "5000*3 6000");
    for (size_t count = 0; count <= 3; count++) {
        const struct message message = {.bytes = text.bytes, .length = text.length};
        const char *samples = NULL;
        bool whole = message_unpack_measurements(&message, to, NULL, count, &samples);
        CU_ASSERT_EQUAL(whole, count == 2);
        CU_ASSERT(!whole || strcmp(samples, "5000*3 6000") == 0);
    }
    const struct message cut = {.bytes = text.bytes, .length = text.length - 1};
    CU_ASSERT(!message_unpack_measurements(&cut, to, NULL, 2, &(const char *){NULL}));
    CU_ASSERT(to[0].status == STATUS_OK && isnan(to[0].value));
    text_free(&text);
}

/* Packs a job with one kernel. */
static void pack_job(struct text *text, const char *script)
{
    struct launch launch = test_launch();
    struct device_kernel kernel = test_device_kernel(script, &launch);
    const struct device_job job = {.kernel_count = 1, .incumbent_ns = INFINITY, .timeout_ns = 5000000000};
    pack_struct(text, &job_table, &job);
    message_pack_kernel(text, &kernel);
}

/* Packs a set of expected results with a reference. */
static void pack_set(struct text *text)
{
    const struct set_message set = {.referenced = true, .reference_name = "the reference kernel"};
    struct launch launch = test_launch();
    struct device_kernel kernel = test_device_kernel("fake: letter=r", &launch);
    pack_struct(text, &set_table, &set);
    message_pack_kernel(text, &kernel);
}

/* Packs a set-up of 17 buffers without a fill. The first `scratch` of them are scratch. The kernel of a fill may be
 * missing. */
static void pack_setup(struct text *text, size_t scratch, enum buffer_fill fill)
{
    struct setup_message setup = {
        .buffer_count = SPACE_SCRATCH_MAX + 1, .helpers = "", .accept_name = "", .inputs_folder = ""};
    const struct gpu_calibration calibration = {{1, 2, 3, 4}, 1980, {2800, NAN}, 0};
    const struct set_message set = {.referenced = true, .reference_name = ""};
    struct launch launch = test_launch();
    struct device_kernel kernel = test_device_kernel("fake:", &launch);
    for (size_t i = 0; i < setup.buffer_count; i++)
        setup.buffers[i] = (struct setup_buffer){
            .count = 1, .role = i < scratch ? BUFFER_SCRATCH : BUFFER_OUTPUT, .name = "b", .path = "", .expected = ""};
    setup.buffers[SPACE_SCRATCH_MAX].fill = fill;
    pack_struct(text, &setup_table, &setup);
    pack_struct(text, &set_table, &set);
    message_pack_kernel(text, &kernel);
    pack_struct(text, &calibration_table, &calibration);
}

/* The process reports any unreadable message and ends. */
static void the_process_refuses(void)
{
    struct text job = {0}, longer = {0}, empty = {0}, none = {0}, scratch = {0}, unfilled = {0}, set = {0},
                set_longer = {0};
    pack_setup(&scratch, SPACE_SCRATCH_MAX + 1, FILL_NONE);
    pack_setup(&unfilled, SPACE_SCRATCH_MAX, FILL_KERNEL);
    pack_job(&job, "fake: time_ns=5000");
    pack_job(&longer, "fake: time_ns=5000");
    text_append(&longer, "", 1);
    pack_set(&set);
    pack_set(&set_longer);
    text_append(&set_longer, "", 1);
    pack_struct(&none, &job_table, &(struct device_job){.timeout_ns = 1}); /* a job without kernels */
    const struct {
        uint32_t kind;
        const struct text *text;
        size_t length;
    } rows[] = {{MESSAGE_MEASURE, &empty, 0},
                {MESSAGE_MEASURE, &job, job.length - 1},
                {MESSAGE_MEASURE, &job, 8},
                {MESSAGE_MEASURE, &longer, longer.length},
                {MESSAGE_MEASURE, &none, none.length},
                {MESSAGE_JUDGE, &empty, 0},
                {MESSAGE_JUDGE, &job, 8},
                {MESSAGE_SETUP, &empty, 0},
                {MESSAGE_SETUP, &job, job.length},
                {MESSAGE_SETUP, &scratch, scratch.length},
                {MESSAGE_SETUP, &unfilled, unfilled.length},
                {MESSAGE_EXPECT, &empty, 0},
                {MESSAGE_EXPECT, &job, job.length},
                {MESSAGE_EXPECT, &set, set.length - 1},
                {MESSAGE_EXPECT, &set_longer, set_longer.length}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        fake_reset();
        struct device *device = test_device_open(&test_sampling);
        struct measurement measurements[DEVICE_KERNELS_MAX];
        struct error error = {0};
        uint64_t id;
        CU_ASSERT_EQUAL(worker_send(device_worker(device), rows[i].kind, 1, text_string(rows[i].text), rows[i].length,
                                    INT64_MAX, &error),
                        0);
        CU_ASSERT_EQUAL(test_wait(device, &id, measurements, &error), -1);
        CU_ASSERT_EQUAL(error.code, ERROR_WORKER);
        expect_text(error.message, "the device process does not understand its coordinator");
        device_close(device);
    }
    text_free(&set_longer);
    text_free(&set);
    text_free(&unfilled);
    text_free(&scratch);
    text_free(&none);
    text_free(&longer);
    text_free(&job);
}

/* An answer for another job marks the process as broken; another process does the job. */
static void the_coordinator_refuses(void)
{
    struct text other = {0};
    pack_job(&other, "fake: time_ns=7000");
    fake_reset();
    struct device *device = test_device_open(&test_sampling);
    struct measurement measurements[DEVICE_KERNELS_MAX];
    struct error error = {0};
    struct launch launch = test_launch();
    struct device_kernel kernel = test_device_kernel("fake: time_ns=5000", &launch);
    struct device_job job = {
        .id = 7, .kernels = &kernel, .kernel_count = 1, .incumbent_ns = INFINITY, .timeout_ns = 5000000000};
    uint64_t id;
    CU_ASSERT_EQUAL(
        worker_send(device_worker(device), MESSAGE_MEASURE, 99, other.bytes, other.length, INT64_MAX, &error), 0);
    CU_ASSERT_EQUAL(device_submit(device, &job, &error), 0);
    CU_ASSERT_EQUAL_FATAL(test_wait(device, &id, measurements, &error), 1);
    CU_ASSERT_EQUAL(id, 7);
    expect_number("time", measurements[0].value, 5000);
    CU_ASSERT_EQUAL(test_lives(2), 2);
    device_close(device);
    text_free(&other);
}

/* A process of another version is an error of the device process, not the job's outcome. */
static void another_version_ends_the_device(void)
{
    fake_reset();
    struct device *device = test_device_open(&test_sampling);
    struct measurement measurements[DEVICE_KERNELS_MAX];
    struct error error = {0};
    uint64_t id;
    device_worker(device)->channel.version = 7;
    worker_refuse(device_worker(device));
    CU_ASSERT_EQUAL(device_next(device, &id, measurements, &error), -1);
    CU_ASSERT_EQUAL(error.code, ERROR_WORKER);
    expect_start(error.message, "the device process has messages of version 7, this program of version ");
    device_close(device);
}

CU_TestInfo tests_messages[] = {{"messages travel", messages_travel},
                                {"guarded messages travel", guarded_messages_travel},
                                {"measurements are as many as asked for", measurements_are_as_many_as_asked_for},
                                {"the process refuses", the_process_refuses},
                                {"the coordinator refuses", the_coordinator_refuses},
                                {"another version ends the device", another_version_ends_the_device},
                                CU_TEST_INFO_NULL};
