/* Outcomes determined by the compilers alone. */
#include "../db/scratch.h"
#include "world.h"

/* Compiler metrics of all configurations, without a measurement. */
static void compiler_metrics(void)
{
    struct world world;
    struct error error = {0};
    static double metrics[COMPILER_METRICS * 1000];
    uint64_t done = 0;
    bool more = true;
    fake_reset();
    open_world(&world, NULL);
    uint64_t valid = valid_set_count(world.set);
    CU_ASSERT_FATAL(valid <= 1000);
    for (size_t i = 0; i < COUNT(metrics); i++)
        metrics[i] = NAN;
    /* out of time: starts nothing */
    expect_done("compiler metrics",
                world.evaluator.ops->compiler_metrics(world.evaluator.state, 0, metrics, &done, &more, &error), &error);
    CU_ASSERT_EQUAL(done, 0);
    CU_ASSERT_FALSE(more);
    int64_t end_ns = clock_now_ns() + 300000000;
    do
        expect_done("compiler metrics",
                    world.evaluator.ops->compiler_metrics(world.evaluator.state, end_ns, metrics, &done, &more, &error),
                    &error);
    while (more);
    CU_ASSERT(done > 0 && done <= valid);
    uint64_t known = 0;
    for (uint64_t i = 0; i < valid; i++) {
        known += metrics[COMPILER_REGISTERS * valid + i] > 0;
        CU_ASSERT(i < done || isnan(metrics[COMPILER_REGISTERS * valid + i]));
    }
    CU_ASSERT(known > 0);
    CU_ASSERT_EQUAL(world.evaluator.ops->room(world.evaluator.state, false), 2 * world.setup.jobs + 4);
    CU_ASSERT_EQUAL(fake_launches("fake: time_ns=5000 none=1 id=0"), 0);
    close_world(&world);
}

/* A result from the cache took no compiling. */
static void from_the_cache(void)
{
    char shared[1024];
    struct scratch own = scratch_open("unused");
    snprintf(shared, sizeof shared, "%s", getenv("CUTUNE_CACHE"));
    setenv("CUTUNE_CACHE", own.folder, 1);
    for (int run = 0; run < 2; run++) {
        struct world world;
        fake_reset();
        open_world(&world, NULL);
        struct measurement measurement = evaluate_one(&world, "TIME=20000 FAULT=refuse FROM=4 ASIDE=1", false);
        CU_ASSERT_EQUAL(measurement.status, STATUS_LAUNCH_ERROR);
        CU_ASSERT(run == 0 ? measurement.compile_ns > 0 : measurement.compile_ns == 0);
        close_world(&world);
    }
    setenv("CUTUNE_CACHE", shared, 1);
    scratch_close(&own);
}

CU_TestInfo tests_gpu_compile[] = {
    {"from the cache", from_the_cache}, {"compiler metrics", compiler_metrics}, CU_TEST_INFO_NULL};
