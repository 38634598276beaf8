/* Calls of techniques; each technique has a suite of its own. */
#include "device/launch.h"
#include "device/techniques.h"
#include "fake_gpu.h"

static struct gpu gpu; /* large */

/* A launch without techniques stays unchanged. */
static void none(void)
{
    struct gpu_kernel kernel = test_kernel("fake: letter=k");
    struct measurement measurement = measurement_unknown(STATUS_OK);
    test_gpu_open(&gpu, FILL_NONE);
    CU_ASSERT_PTR_NULL(gpu_way_of(&kernel.launch));
    CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
    gpu_attach(&gpu, &kernel, &measurement);
    CU_ASSERT_EQUAL(measurement.status, STATUS_OK);
    CU_ASSERT_EQUAL(gpu_enter(&gpu, &kernel), cudaSuccess);
    CU_ASSERT_EQUAL(gpu_leave(&gpu, &kernel), cudaSuccess);
    gpu_unload(&kernel);
    test_gpu_close(&gpu);
}

/* All techniques of a launch shape it. A pipeline has a way of its own. */
static void several(void)
{
    struct launch launch = test_launch();
    cudaLaunchAttribute attributes[GPU_ATTRIBUTES_MAX];
    memcpy(launch.steps[0].cluster, (uint32_t[]){1, 1, 1}, sizeof launch.steps[0].cluster);
    CU_ASSERT_EQUAL(gpu_configure(&launch.steps[0], NULL, attributes).numAttrs, 1);
    CU_ASSERT_PTR_NULL(gpu_way_of(&launch));
    launch.pipeline.total = 64;
    CU_ASSERT_PTR_NOT_NULL(gpu_way_of(&launch));
}

CU_TestInfo tests_technique[] = {{"none", none}, {"several", several}, CU_TEST_INFO_NULL};
