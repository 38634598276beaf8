/* Outcomes determined by the compilers alone. */
#include "../scratch.h"
#include "world.h"

/* A result from the cache has no compile time. */
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

CU_TestInfo tests_gpu_compile[] = {{"from the cache", from_the_cache}, CU_TEST_INFO_NULL};
