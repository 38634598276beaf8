/* Compilers and devices start side by side. */
#include "world.h"

/* Replaces the world's device by one that has not answered, and the evaluator by one with given limits. */
static void start_again(struct world *world, struct device_limits *limits)
{
    struct error error = {0};
    *limits = *device_limits(world->devices[0]);
    evaluator_close(&world->evaluator);
    device_close(world->devices[0]);
    expect_done("device", device_start(&world->devices[0], "0", false, &error), &error);
    CU_ASSERT_FALSE(device_answered(world->devices[0]));
    world->setup.limits = limits;
    expect_done("evaluator", evaluator_open_gpu(&world->evaluator, &world->setup, &error), &error);
}

/* The compilers need no device. */
static void side_by_side(void)
{
    struct world world;
    struct device_limits limits;
    struct evaluator_usage usage;
    struct error error = {0};
    fake_reset();
    open_world(&world, NULL);
    fake.start_ms = 1000;
    start_again(&world, &limits);
    uint64_t index = index_of(&world, "TIME=5000");
    expect_done("foreseeing", evaluator_gpu_foresee(&world.evaluator, &index, 1, &error), &error);
    CU_ASSERT_FALSE(device_answered(world.devices[0]));
    expect_done("waiting", evaluator_gpu_await(&world.evaluator, &error), &error);
    CU_ASSERT(device_answered(world.devices[0]));
    CU_ASSERT_STRING_EQUAL(device_limits(world.devices[0])->name, limits.name);
    CU_ASSERT_EQUAL(evaluate_one(&world, "TIME=5000", false).value, 5000);
    world.evaluator.ops->usage(world.evaluator.state, &usage);
    CU_ASSERT_EQUAL(usage.compiled, 1);
    close_world(&world);
}

/* The set-up waits for the answer by itself. */
static void at_once(void)
{
    struct world world;
    struct device_limits limits;
    fake_reset();
    open_world(&world, NULL);
    fake.start_ms = 300;
    start_again(&world, &limits);
    CU_ASSERT_EQUAL(evaluate_one(&world, "TIME=5000", false).value, 5000);
    close_world(&world);
}

static void no_device(void)
{
    struct world world;
    struct device_limits limits;
    struct error error = {0};
    fake_reset();
    open_world(&world, NULL);
    fake.devices = 0;
    start_again(&world, &limits);
    expect_done("foreseeing", evaluator_gpu_foresee(&world.evaluator, NULL, 0, &error), &error);
    CU_ASSERT_EQUAL(evaluator_gpu_await(&world.evaluator, &error), ERROR_NO_DEVICE);
    CU_ASSERT_STRING_EQUAL(error.message, "no CUDA device: the driver lists none");
    close_world(&world);
}

static void given_up(void)
{
    struct world world;
    struct device_limits limits;
    struct error error = {0};
    fake_reset();
    open_world(&world, NULL);
    fake.start_ms = 60000;
    start_again(&world, &limits);
    world.stop = 2;
    CU_ASSERT_EQUAL(evaluator_gpu_await(&world.evaluator, &error), ERROR_INTERRUPTED);
    CU_ASSERT_STRING_EQUAL(error.message, "interrupted while the device was opened");
    close_world(&world);
}

/* A failed start can be repeated. */
static void again(void)
{
    struct world world;
    struct ceilings ceilings;
    struct event_timer timer;
    fake_reset();
    open_world(&world, NULL);
    int64_t timeout_ns = world.setup.timeout_ns;
    for (int attempt = 0; attempt < 3; attempt++) {
        struct error error = {0};
        world.setup.timeout_ns = attempt < 2 ? 0 : timeout_ns;
        CU_ASSERT_EQUAL(world.evaluator.ops->device->ceilings(world.evaluator.state, &ceilings, &timer, &error),
                        attempt < 2 ? ERROR_USAGE : 0);
    }
    CU_ASSERT_EQUAL(evaluate_one(&world, "TIME=5000", false).value, 5000);
    close_world(&world);
}

CU_TestInfo tests_gpu_start[] = {{"again", again},         {"side by side", side_by_side}, {"at once", at_once},
                                 {"no device", no_device}, {"given up", given_up},         CU_TEST_INFO_NULL};
