#include "fake_gpu.h"

static struct gpu gpu; /* large */

static void configurations(void)
{
    struct launch launch = test_launch();
    cudaLaunchAttribute attributes[TECHNIQUE_COUNT];
    launch.block[1] = 2, launch.block[2] = 3, launch.grid[0] = 4, launch.grid[1] = 5, launch.grid[2] = 6;
    launch.shared_bytes = 1 << 16;
    cudaLaunchConfig_t config = gpu_configure(&launch, (cudaStream_t)&launch, attributes);
    CU_ASSERT(config.blockDim.x == 32 && config.blockDim.y == 2 && config.blockDim.z == 3);
    CU_ASSERT(config.gridDim.x == 4 && config.gridDim.y == 5 && config.gridDim.z == 6);
    CU_ASSERT(config.dynamicSmemBytes == 1 << 16 && config.stream == (cudaStream_t)&launch && config.numAttrs == 0);
}

/* A kernel may have the shared memory that it asks for; none is asked for where it takes none. */
static void shared_memory(void)
{
    static const uint64_t bytes[] = {0, 100000};
    for (size_t i = 0; i < COUNT(bytes); i++) {
        struct gpu_kernel kernel = test_kernel("fake: letter=k");
        test_gpu_open(&gpu, FILL_NONE);
        kernel.launch.shared_bytes = (uint32_t)bytes[i];
        fake.attributes[cudaFuncAttributeMaxDynamicSharedMemorySize] = -1;
        CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
        CU_ASSERT_EQUAL(fake.attributes[cudaFuncAttributeMaxDynamicSharedMemorySize], bytes[i] ? (int)bytes[i] : -1);
        gpu_unload(&kernel);
        CU_ASSERT_PTR_NULL(kernel.library);
        gpu_unload(&kernel); /* already unloaded */
        test_gpu_close(&gpu);
    }
}

static void own_places(void)
{
    test_gpu_open(&gpu, FILL_NONE);
    struct gpu_places places = gpu_own_places(&gpu);
    for (size_t i = 0; i < TEST_BUFFERS; i++)
        CU_ASSERT(places.data[i] &&
                  (const unsigned char *)places.data[i] == (const unsigned char *)gpu.buffers[i].data);
    CU_ASSERT_PTR_NULL(places.data[TEST_BUFFERS]);
    test_gpu_close(&gpu);
}

CU_TestInfo tests_launch[] = {{"configurations", configurations},
                              {"shared memory", shared_memory},
                              {"own places", own_places},
                              CU_TEST_INFO_NULL};
