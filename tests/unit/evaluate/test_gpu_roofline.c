/* The ceilings of evidence, over the fake runtime with real compilers. */
#include "world.h"

static int take(void *context, const struct evaluator_evidence *evidence, struct error *error)
{
    struct evidence *found = context;
    (void)error;
    CU_ASSERT_EQUAL_FATAL(evidence->launch_count, 1);
    *found = evidence->launches[0];
    return 0;
}

static int collect(struct world *world, struct evidence *found, struct error *error)
{
    const uint64_t index = index_of(world, "TIME=6000");
    *found = evidence_unknown();
    return world->evaluator.ops->device->evidence(world->evaluator.state, &index, 1, INT64_MAX, take, found, error);
}

/* The ceilings are measured once, for the first evidence. tests/unit/evaluate/test_gpu_evidence.c collects evidence
 * without a device. */
static void ceilings(void)
{
    struct world world;
    struct error error = {0};
    struct ceilings measured;
    struct event_timer timer;
    struct evidence found, again;
    fake_reset();
    fake.device_room = (size_t)64 << 20; /* for the copy ceiling */
    open_world(&world, NULL);
    CU_ASSERT_EQUAL_FATAL(world.evaluator.ops->device->ceilings(world.evaluator.state, &measured, &timer, &error), 0);
    CU_ASSERT_EQUAL_FATAL(collect(&world, &found, &error), 0);
    CU_ASSERT(measured.copy > 0);
    CU_ASSERT_EQUAL(found.ceiling_dram, measured.copy);
    CU_ASSERT(found.ceiling_l2 > 0);
    CU_ASSERT(found.ceiling_shared > 0);
    CU_ASSERT(found.ceiling_issue > 0);
    CU_ASSERT(found.ceiling_fma > 0);
    CU_ASSERT(found.ceiling_tensor > 0);
    fake_trace_clear();
    CU_ASSERT_EQUAL_FATAL(collect(&world, &again, &error), 0);
    CU_ASSERT_STRING_EQUAL(fake_trace(), "");
    CU_ASSERT_EQUAL(again.ceiling_l2, found.ceiling_l2);
    close_world(&world);
}

CU_TestInfo tests_gpu_roofline[] = {{"ceilings", ceilings}, CU_TEST_INFO_NULL};
