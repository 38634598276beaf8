/* Shared by the suites over the fake runtime: out[i] = 2 * in[i] over TEST_COUNT floats, by the kernel `twice` of
 * fake_kernels.cu, through a device process (test_device_open). */
#ifndef CUTUNE_TESTS_DEVICE_KIT_H
#define CUTUNE_TESTS_DEVICE_KIT_H

#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "base/clock.h"
#include "base/worker.h"
#include "device/device.h"
#include "fake_cuda.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
enum { TEST_COUNT = 1000, TEST_IN = 0, TEST_OUT = 1, TEST_BUFFERS = 2 };

static const struct sampling test_sampling = {.samples = 40, .confidence = 0.95, .target_interval = 0.005};

/* Gives an argument a value of its own in the pool. */
static inline void test_put(struct launch *launch, size_t argument, const void *value, size_t bytes)
{
    launch->arguments[argument].word = (uint32_t)launch->word_count;
    memcpy(&launch->words[launch->word_count], value, bytes);
    launch->word_count += LAUNCH_WORDS(bytes);
}

/* out, in, int TEST_COUNT */
static inline struct launch test_launch(void)
{
    const int count = TEST_COUNT;
    struct launch launch = {.kernel_count = 1, .step_count = 1, .argument_count = 3};
    launch.steps[0] = (struct launch_step){.block = {32, 1, 1}, .grid = {1, 1, 1}, .repeat = 1, .argument_count = 3};
    launch.arguments[0].buffer = TEST_OUT;
    launch.arguments[1].buffer = TEST_IN;
    launch.arguments[2] = (struct launch_argument){.buffer = -1, .bytes = sizeof count};
    test_put(&launch, 2, &count, sizeof count);
    return launch;
}

/* ---- Checks ---- */

/* Fails and shows both texts if they differ. */
static inline void expect_text(const char *actual, const char *expected)
{
    if (strcmp(actual, expected) != 0)
        fprintf(stderr, "\n'%s', expected '%s'\n", actual, expected);
    CU_ASSERT_STRING_EQUAL(actual, expected);
}

/* Likewise for the beginning of a text. */
static inline void expect_start(const char *actual, const char *expected)
{
    if (strncmp(actual, expected, strlen(expected)) != 0)
        fprintf(stderr, "\n'%s', expected '%s...'\n", actual, expected);
    CU_ASSERT_EQUAL(strncmp(actual, expected, strlen(expected)), 0);
}

static inline void expect_number(const char *what, double actual, double expected)
{
    bool same = actual == expected || (isnan(actual) && isnan(expected));
    if (!same)
        fprintf(stderr, "\n%s: %.17g, expected %.17g\n", what, actual, expected);
    CU_ASSERT(same);
}

/* ---- Through a device process ---- */

static inline struct device_kernel test_device_kernel(const char *script, const struct launch *launch)
{
    return (struct device_kernel){.cubin = script,
                                  .cubin_bytes = strlen(script) + 1,
                                  .lowered_names = "twice",
                                  .name_count = 1,
                                  .launch = launch,
                                  .work = 1};
}

/* The set-up for measuring `twice`; `launch` is the reference's. */
static inline struct device_setup test_setup(struct space *space, struct buffer buffers[TEST_BUFFERS],
                                             const struct launch *launch)
{
    const struct element_type *type = element_types;
    while (strcmp(type->name, "float") != 0)
        type++;
    buffers[TEST_IN] = (struct buffer){.name = "in", .type = type, .count = TEST_COUNT, .fill = FILL_RANDOM};
    buffers[TEST_OUT] = (struct buffer){.name = "out", .type = type, .count = TEST_COUNT, .role = BUFFER_OUTPUT};
    *space = (struct space){.buffer_count = TEST_BUFFERS, .buffers = buffers};
    return (struct device_setup){
        .space = space,
        .sampling = test_sampling,
        .first = {.reference_name = "the reference kernel", .reference = test_device_kernel("fake: letter=r", launch)},
        .helpers = {.cubin = "fake:", .cubin_bytes = 6},
        .seed = 1};
}

/* Opens and sets up a device process. */
static inline struct device *test_device_open(const struct sampling *sampling)
{
    struct error error = {0};
    struct device *device = NULL;
    struct space space;
    struct buffer buffers[TEST_BUFFERS];
    struct launch launch = test_launch();
    struct device_setup setup = test_setup(&space, buffers, &launch);
    setup.sampling = *sampling;
    CU_ASSERT_EQUAL_FATAL(device_open(&device, "0", &error), 0);
    CU_ASSERT_EQUAL_FATAL(device_setup(device, &setup, &error), 0);
    fake_trace_clear();
    return device;
}

/* Waits for the job's end as a coordinator does; returns the result of device_next. */
static inline int test_wait(struct device *device, uint64_t *id, struct measurement *measurements, struct error *error)
{
    int got;
    while ((got = device_next(device, id, measurements, error)) == 0)
        worker_wait((struct worker *[]){device_worker(device)}, 1, INT64_MAX);
    return got;
}

static const int64_t test_patience_ns = 5000000000;

/* Measures one configuration; status STATUS_COUNT if the device is lost. */
static inline struct measurement test_measure(struct device *device, const char *script, double incumbent_ns,
                                              int64_t timeout_ns)
{
    struct launch launch = test_launch();
    struct device_kernel kernel = test_device_kernel(script, &launch);
    struct device_job job = {
        .id = 7, .kernels = &kernel, .kernel_count = 1, .incumbent_ns = incumbent_ns, .timeout_ns = timeout_ns};
    struct measurement measurements[DEVICE_KERNELS_MAX] = {{.status = STATUS_COUNT}};
    struct error error = {0};
    uint64_t id = 0;
    CU_ASSERT_EQUAL(device_submit(device, &job, &error), 0);
    CU_ASSERT_FALSE(device_idle(device));
    CU_ASSERT_NOT_EQUAL(device_submit(device, &job, &error), 0); /* one job at a time */
    error = (struct error){0};
    int got = test_wait(device, &id, measurements, &error);
    CU_ASSERT_EQUAL(id, 7);
    CU_ASSERT(device_idle(device) || got < 0);
    if (got < 0) {
        measurements[0].status = STATUS_COUNT;
        measurement_explain(&measurements[0], "%s", error.message);
    }
    return measurements[0];
}

/* Waits at most ten seconds until `expected` device processes have begun, because they begin late on a loaded machine,
 * and returns their number. */
static inline unsigned test_lives(unsigned expected)
{
    for (int tries = 0; tries < 1000 && fake_lives() < expected; tries++)
        poll(NULL, 0, 10);
    return fake_lives();
}

#endif
