/* The ceilings of evidence, over the fake runtime with real compilers. */
#include "evaluate/gpu_evaluator.h"
#include "world.h"

/* The ceilings are measured once, and unknown without a device. */
static void ceilings(void)
{
    struct world world;
    struct error error = {0};
    struct ceilings measured;
    fake_reset();
    fake.device_room = (size_t)64 << 20; /* for the copy ceiling */
    open_world(&world, NULL);
    struct gpu_evaluator *gpu = world.evaluator.state;
    CU_ASSERT_EQUAL_FATAL(world.evaluator.ops->device->ceilings(gpu, &measured, &error), 0);
    CU_ASSERT_EQUAL_FATAL(gpu_roofline_measure(gpu, &error), 0);
    const struct evidence *found = &gpu->roofline.ceilings;
    CU_ASSERT(measured.copy > 0);
    CU_ASSERT_EQUAL(found->ceiling_dram, measured.copy);
    CU_ASSERT(found->ceiling_l2 > 0);
    CU_ASSERT(found->ceiling_shared > 0);
    CU_ASSERT(found->ceiling_issue > 0);
    CU_ASSERT(found->ceiling_fma > 0);
    CU_ASSERT(found->ceiling_tensor > 0);
    fake_trace_clear();
    CU_ASSERT_EQUAL(gpu_roofline_measure(gpu, &error), 0);
    CU_ASSERT_STRING_EQUAL(fake_trace(), "");
    close_world(&world);
}

static void stops(void)
{
    struct world world;
    struct error error = {0};
    fake_reset();
    open_world(&world, NULL);
    struct gpu_evaluator *gpu = world.evaluator.state;
    CU_ASSERT_EQUAL_FATAL(gpu_start(gpu, &error), 0);
    world.stop = 2;
    CU_ASSERT_EQUAL(gpu_roofline_measure(gpu, &error), ERROR_INTERRUPTED);
    close_world(&world);
}

CU_TestInfo tests_gpu_roofline[] = {{"ceilings", ceilings}, {"stops", stops}, CU_TEST_INFO_NULL};
