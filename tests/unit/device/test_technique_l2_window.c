/* The window exists only during the configuration's runs. */
#include "device/launch.h"
#include "device/techniques.h"
#include "device/verify.h"
#include "fake_gpu.h"

static struct gpu gpu; /* large */

static void expect_window(unsigned long long bytes, unsigned long long set_aside)
{
    CU_ASSERT_EQUAL(fake.window_bytes, bytes);
    CU_ASSERT_EQUAL(fake.set_aside, set_aside);
}

static struct gpu_kernel load(uint64_t bytes)
{
    struct gpu_kernel kernel = test_kernel("fake: letter=k");
    test_gpu_open(&gpu, FILL_NONE);
    kernel.launch.window = (struct launch_window){
        .bytes = bytes, .set_aside_bytes = 512, .hit_ratio = 0.5, .buffer = TEST_IN, .hit = L2_PERSISTING};
    CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
    fake.windows = fake.resets = 0;
    return kernel;
}

static void close_all(struct gpu_kernel *kernel)
{
    CU_ASSERT_PTR_NULL(fake.misuse);
    gpu_unload(kernel);
    test_gpu_close(&gpu);
}

static void around_runs(void)
{
    struct gpu_kernel kernel = load(1024);
    struct error error = {0};
    struct measurement measurement = measurement_unknown(STATUS_OK);
    CU_ASSERT_EQUAL(gpu_verify(&gpu, &kernel, &measurement, &error), 0);
    CU_ASSERT_EQUAL(measurement.status, STATUS_OK);
    CU_ASSERT_EQUAL(fake.windows, 1);
    CU_ASSERT_EQUAL(fake.resets, 1);
    expect_window(0, 0);
    CU_ASSERT_EQUAL(gpu_enter(&gpu, &kernel), cudaSuccess);
    expect_window(1024, 512);
    CU_ASSERT_EQUAL(gpu_leave(&gpu, &kernel), cudaSuccess);
    expect_window(0, 0);
    close_all(&kernel);
}

static void none(void)
{
    struct gpu_kernel kernel = load(0);
    CU_ASSERT_EQUAL(gpu_enter(&gpu, &kernel), cudaSuccess);
    expect_window(0, 0);
    CU_ASSERT_EQUAL(gpu_leave(&gpu, &kernel), cudaSuccess);
    CU_ASSERT_EQUAL(fake.windows, 0);
    CU_ASSERT_EQUAL(fake.resets, 0);
    close_all(&kernel);
}

/* A pipeline creates its streams first, so that they get the window, too. */
static void streams_of_a_pipeline(void)
{
    struct gpu_kernel kernel = load(1024);
    kernel.launch.pipeline = (struct launch_pipeline){.total = TEST_COUNT,
                                                      .chunk_length = TEST_COUNT,
                                                      .streams = 2,
                                                      .pieces = 1,
                                                      .host_memory = HOST_PINNED,
                                                      .copy_count = 1,
                                                      .copies = {{TEST_IN, 1, 0}}};
    CU_ASSERT_EQUAL(gpu_enter(&gpu, &kernel), cudaSuccess);
    CU_ASSERT_EQUAL(fake.windows, 3);
    expect_window(1024, 512);
    CU_ASSERT_EQUAL(gpu_leave(&gpu, &kernel), cudaSuccess);
    expect_window(0, 0);
    close_all(&kernel);
}

CU_TestInfo tests_technique_l2_window[] = {
    {"around runs", around_runs}, {"none", none}, {"streams of a pipeline", streams_of_a_pipeline}, CU_TEST_INFO_NULL};
