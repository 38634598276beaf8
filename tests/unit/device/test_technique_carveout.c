/* The carve-out: an attribute of a loaded kernel. */
#include "device/launch.h"
#include "fake_gpu.h"

static struct gpu gpu; /* large */

static void attribute(void)
{
    static const struct {
        bool given;
        uint16_t percent;
        int expected;
    } rows[] = {{true, 50, 50}, {true, 0, 0}, {false, 50, -1}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct gpu_kernel kernel = test_kernel("fake: letter=k");
        test_gpu_open(&gpu, FILL_NONE);
        kernel.launch.has_carveout = rows[i].given;
        kernel.launch.carveout = rows[i].percent;
        fake.attributes[cudaFuncAttributePreferredSharedMemoryCarveout] = -1;
        CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
        CU_ASSERT_EQUAL(fake.attributes[cudaFuncAttributePreferredSharedMemoryCarveout], rows[i].expected);
        gpu_unload(&kernel);
        test_gpu_close(&gpu);
    }
}

CU_TestInfo tests_technique_carveout[] = {{"attribute", attribute}, CU_TEST_INFO_NULL};
