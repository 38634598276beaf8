/* Graphs are captured and uploaded before the first run, and again after reloading. */
#include "device/launch.h"
#include "device/measure.h"
#include "device/techniques.h"
#include "device/verify.h"
#include "fake_gpu.h"

static struct gpu gpu; /* large */

static void captured(void)
{
    struct gpu_kernel kernel = test_kernel("fake: time_ns=1000");
    struct measurement measurement = measurement_unknown(STATUS_OK);
    double samples_ns[1];
    test_gpu_open(&gpu, FILL_NONE);
    kernel.launch.graph = 1;
    kernel.launch.steps[0].repeat = 3;
    CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
    const struct gpu_timed timed = gpu_timed_kernel(&gpu, &kernel);
    fake_trace_clear();
    for (int round = 0; round < 4; round++) {
        CU_ASSERT_EQUAL(gpu_enter(&gpu, &kernel), cudaSuccess);
        CU_ASSERT_EQUAL(fake.graphs, 1);
        CU_ASSERT_EQUAL(gpu_run_batch(&gpu, &timed, 1, INT64_MAX, samples_ns, &measurement), cudaSuccess);
        CU_ASSERT_EQUAL(samples_ns[0], 3000);
        CU_ASSERT_EQUAL(gpu_leave(&gpu, &kernel), cudaSuccess);
        if (round % 2 == 0)
            continue;
        gpu_unload(&kernel);
        CU_ASSERT_EQUAL(fake.graphs, 0);
        CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
    }
    expect_text(fake_trace(), "GFEkkkEcFEkkkEcULGFEkkkEcFEkkkEcUL");
    CU_ASSERT_EQUAL(fake.graph_launches, 4);
    gpu_unload(&kernel);
    test_gpu_close(&gpu);
}

static void refused(void)
{
    struct gpu_kernel kernel = test_kernel("fake:");
    struct measurement measurement = measurement_unknown(STATUS_OK);
    struct error error = {0};
    test_gpu_open(&gpu, FILL_NONE);
    kernel.launch.graph = 1;
    CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
    fake.graph_error = cudaErrorStreamCaptureUnsupported;
    CU_ASSERT_EQUAL(gpu_verify(&gpu, &kernel, &measurement, &error), 0);
    CU_ASSERT_EQUAL(measurement.status, STATUS_LAUNCH_ERROR);
    CU_ASSERT_EQUAL(fake.launches > 0, true);
    CU_ASSERT_EQUAL(fake.graphs, 0);
    gpu_unload(&kernel);
    test_gpu_close(&gpu);
}

CU_TestInfo tests_technique_graph[] = {{"captured", captured}, {"refused", refused}, CU_TEST_INFO_NULL};
