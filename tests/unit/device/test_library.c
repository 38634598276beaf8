/* A library instead of kernels, in a device process. tests/cli/fake/library.case has its faults. */
#include "base/file.h"

#include "device_kit.h"

static const struct sampling sampling = {.samples = 40, .confidence = 0.95, .target_interval = 0.005};

/* Runs a play-off of a kernel and a library, which is a file or, with `bytes`, part of the message. */
static void play(const char *script, const char *path, const char *bytes, size_t byte_count,
                 struct measurement measurements[DEVICE_KERNELS_MAX])
{
    struct device *device = test_device_open(&sampling);
    struct launch launch = test_launch();
    struct device_kernel kernels[2] = {test_device_kernel(script, &launch),
                                       {.cubin = bytes,
                                        .cubin_bytes = byte_count,
                                        .library = path,
                                        .work = 1,
                                        .sizes = {TEST_COUNT},
                                        .size_count = 1}};
    struct device_job job = {.id = 7,
                             .playoff = true,
                             .kernels = kernels,
                             .kernel_count = 2,
                             .incumbent_ns = INFINITY,
                             .timeout_ns = test_patience_ns};
    struct error error = {0};
    uint64_t id = 0;
    CU_ASSERT_EQUAL_FATAL(device_submit(device, &job, &error), 0);
    CU_ASSERT_EQUAL(test_wait(device, &id, measurements, &error), 1);
    device_close(device);
}

static void in_turn(void)
{
    struct measurement measurements[DEVICE_KERNELS_MAX];
    struct text bytes = {0};
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(file_read(FAKE_LIBRARY, 1 << 24, &bytes, &error), 0);
    for (int in_message = 0; in_message < 2; in_message++) {
        fake_reset();
        play("fake: time_ns=5000 letter=k", FAKE_LIBRARY, in_message ? bytes.bytes : NULL,
             in_message ? bytes.length : 0, measurements);
        CU_ASSERT_EQUAL(measurements[0].status, STATUS_OK);
        CU_ASSERT_EQUAL(measurements[1].status, STATUS_OK);
        expect_number("kernel", measurements[0].value, 5000);
        expect_number("library", measurements[1].value, 4000);
        expect_text(measurements[1].message, "Fake library 1.0");
        expect_text(measurements[0].message, "");
        CU_ASSERT_EQUAL(measurements[1].playoff, PLAYOFF_LEADER);
        CU_ASSERT_PTR_NOT_NULL(strstr(fake_trace(), "k"));
        CU_ASSERT_PTR_NOT_NULL(strstr(fake_trace(), "l"));
    }
    text_free(&bytes);
}

static void refused(void)
{
    static const struct {
        const char *path, *bytes, *message;
    } rows[] = {
        {"/none/a.so", NULL, "it cannot be loaded; install its dependencies, or set LD_LIBRARY_PATH: /none/a.so: "},
        {"a.so", NULL, "it cannot be loaded; install its dependencies, or set LD_LIBRARY_PATH: ./a.so: "},
        {"a.cu", "no object", "it cannot be loaded; install its dependencies, or set LD_LIBRARY_PATH: /proc/self/fd/"},
        {FAKE_LIBRARY_WITHOUT_RUN, NULL, "it has no function `run`, which must be extern \"C\""}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct measurement measurements[DEVICE_KERNELS_MAX];
        fake_reset();
        play("fake: time_ns=5000", rows[i].path, rows[i].bytes, rows[i].bytes ? strlen(rows[i].bytes) : 0,
             measurements);
        CU_ASSERT_EQUAL(measurements[1].status, STATUS_LAUNCH_ERROR);
        expect_start(measurements[1].message, rows[i].message);
        CU_ASSERT(isnan(measurements[1].value));
        expect_number("kernel", measurements[0].value, 5000);
    }
}

CU_TestInfo tests_library[] = {{"in_turn", in_turn}, {"refused", refused}, CU_TEST_INFO_NULL};
