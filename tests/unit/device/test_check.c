/* Failed calls become errors, or the status of a configuration. */
#include "fake_gpu.h"

static struct gpu gpu; /* large */

static void errors(void)
{
    struct error error = {0};
    CU_ASSERT_EQUAL(gpu_check(cudaSuccess, "nothing", &error), 0);
    CU_ASSERT_EQUAL(error.code, ERROR_NONE);
    CU_ASSERT_EQUAL(gpu_check(cudaErrorNotSupported, "making a view", &error), ERROR_DEVICE);
    expect_start(error.message, "making a view: ");
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, cudaGetErrorString(cudaErrorNotSupported)));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, cudaGetErrorName(cudaErrorNotSupported)));
}

/* A refusal explains itself and is recorded. */
static void refusals(void)
{
    struct measurement measurement = measurement_unknown(STATUS_OK);
    test_gpu_open(&gpu, FILL_NONE);
    gpu_refuse(&gpu, cudaErrorNotSupported, &measurement, "the %s of %d", "view", 7);
    CU_ASSERT_EQUAL(measurement.status, STATUS_LAUNCH_ERROR);
    CU_ASSERT_EQUAL(gpu.refusal, cudaErrorNotSupported);
    expect_start(measurement.message, "the view of 7: ");
    CU_ASSERT(strlen(measurement.message) > strlen("the view of 7: "));
    test_gpu_close(&gpu);
}

CU_TestInfo tests_check[] = {{"errors", errors}, {"refusals", refusals}, CU_TEST_INFO_NULL};
