/* Clusters: the configuration of a launch, and a device without room for any. */
#include "device/launch.h"
#include "fake_gpu.h"

static struct gpu gpu; /* large */

static void shape(void)
{
    struct launch launch = test_launch();
    cudaLaunchAttribute attributes[GPU_ATTRIBUTES_MAX];
    CU_ASSERT_EQUAL(gpu_configure(&launch.steps[0], NULL, attributes).numAttrs, 0);
    memcpy(launch.steps[0].cluster, (uint32_t[]){2, 3, 4}, sizeof launch.steps[0].cluster);
    cudaLaunchConfig_t config = gpu_configure(&launch.steps[0], NULL, attributes);
    CU_ASSERT_EQUAL_FATAL(config.numAttrs, 1);
    CU_ASSERT_EQUAL(config.attrs[0].id, cudaLaunchAttributeClusterDimension);
    CU_ASSERT_EQUAL(config.attrs[0].val.clusterDim.x, 2);
    CU_ASSERT_EQUAL(config.attrs[0].val.clusterDim.y, 3);
    CU_ASSERT_EQUAL(config.attrs[0].val.clusterDim.z, 4);
}

static void does_not_fit(void)
{
    static const struct {
        uint32_t cluster;
        int clusters; /* number that fits the device */
        enum status status;
        const char *message;
    } rows[] = {
        {2, 1, STATUS_OK, ""},
        {2, 0, STATUS_PRUNED_LIMIT, "no cluster of 8 blocks fits the device"},
        {3, 1, STATUS_OK, ""},
        {0, 0, STATUS_OK, ""},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct gpu_kernel kernel = test_kernel("fake: letter=k");
        struct measurement measurement = measurement_unknown(STATUS_OK);
        test_gpu_open(&gpu, FILL_NONE);
        for (int axis = 0; axis < 3; axis++)
            kernel.launch.steps[0].cluster[axis] = rows[i].cluster;
        CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
        CU_ASSERT_EQUAL(fake.attributes[cudaFuncAttributeNonPortableClusterSizeAllowed], rows[i].cluster > 2);
        fake.clusters = rows[i].clusters;
        gpu_attach(&gpu, &kernel, &measurement);
        CU_ASSERT_EQUAL(measurement.status, rows[i].status);
        expect_text(measurement.message, rows[i].message);
        gpu_unload(&kernel);
        test_gpu_close(&gpu);
    }
}

CU_TestInfo tests_technique_cluster[] = {{"shape", shape}, {"does not fit", does_not_fit}, CU_TEST_INFO_NULL};
