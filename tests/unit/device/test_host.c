#include "device/buffers.h"
#include "device/host.h"
#include "fake_gpu.h"

static struct gpu gpu; /* large */

static struct launch_pipeline pipeline_of(enum host_memory kind, size_t copies, bool packed)
{
    struct launch_pipeline pipeline = {.host_memory = (uint16_t)kind, .copy_count = (uint16_t)copies, .packed = packed};
    for (size_t i = 0; i < copies; i++)
        pipeline.copies[i].buffer = (uint16_t)i;
    return pipeline;
}

/* Missing regions are allocated, and kept for the next configuration; only packed copies have staging memory. */
static void made_once(void)
{
    static const struct {
        size_t copies;
        bool packed, made;
        uint64_t regions, staging; /* number of regions afterwards */
    } rows[] = {{1, false, true, 1, 0},
                {1, false, false, 1, 0},
                {2, false, true, 2, 0},
                {2, true, false, 2, 2},
                {1, false, false, 2, 2}};
    const uint64_t bytes = TEST_COUNT * sizeof(float);
    test_gpu_open(&gpu, FILL_NONE);
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct launch_pipeline pipeline = pipeline_of(HOST_PINNED, rows[i].copies, rows[i].packed);
        const unsigned char *first = gpu.pipeline.hosts[HOST_PINNED].regions[0];
        bool made = !rows[i].made;
        CU_ASSERT_EQUAL(gpu_host_make(&gpu, &pipeline, &made), cudaSuccess);
        CU_ASSERT_EQUAL(made, rows[i].made);
        CU_ASSERT_EQUAL(gpu.pipeline.hosts[HOST_PINNED].bytes,
                        rows[i].regions * (bytes + 2 * GUARD_BYTES) + rows[i].staging * bytes);
        CU_ASSERT(!first || first == gpu.pipeline.hosts[HOST_PINNED].regions[0]);
    }
    test_gpu_close(&gpu);
}

/* If memory is short, other kinds are released; if that is not enough, it is an error. */
static void gives_way(void)
{
    const struct launch_pipeline pinned = pipeline_of(HOST_PINNED, 1, false),
                                 mapped = pipeline_of(HOST_MAPPED, 1, false);
    bool made;
    test_gpu_open(&gpu, FILL_NONE);
    fake.host_room = fake.host_used + TEST_COUNT * sizeof(float) + 2 * GUARD_BYTES;
    CU_ASSERT_EQUAL(gpu_host_make(&gpu, &pinned, &made), cudaSuccess);
    CU_ASSERT_EQUAL(gpu_host_make(&gpu, &mapped, &made), cudaSuccess);
    CU_ASSERT_PTR_NULL(gpu.pipeline.hosts[HOST_PINNED].regions[0]);
    CU_ASSERT_EQUAL(gpu.pipeline.hosts[HOST_PINNED].bytes, 0);
    CU_ASSERT_PTR_NOT_NULL(gpu.pipeline.hosts[HOST_MAPPED].regions[0]);
    fake.host_room = fake.host_used - 1;
    CU_ASSERT_EQUAL(gpu_host_make(&gpu, &pinned, &made), cudaErrorMemoryAllocation);
    CU_ASSERT_PTR_NULL(gpu.pipeline.hosts[HOST_PINNED].regions[0]);
    test_gpu_close(&gpu);
}

CU_TestInfo tests_host[] = {{"made once", made_once}, {"gives way", gives_way}, CU_TEST_INFO_NULL};
