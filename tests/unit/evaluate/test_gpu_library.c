/* Comparison of the winner with a library, over the fake runtime. tests/cli/fake/library.case has the library's
 * faults. */
#include "world.h"

#define DEFAULT "TIME=6000 FAULT=none FROM=1 ASIDE=0 SHARED=0\n"

static void comparisons(void)
{
    static const struct {
        const char *default_, *configuration;
        enum status library, winner;
        double library_value, winner_value;
        const char *message;
    } rows[] = {
        {DEFAULT "library \"" FAKE_LIBRARY "\"", "TIME=5000", STATUS_OK, STATUS_OK, 4000, 5000, "Fake library 1.0"},
        /* the library does the default's work, 2; the configuration 1 */
        {WORLD_WORK "\nlibrary \"" FAKE_LIBRARY "\"", "TIME=5000", STATUS_OK, STATUS_OK, 2000, 5000,
         "Fake library 1.0"},
        {DEFAULT "library \"none.so\"", "TIME=5000", STATUS_COMPILE_ERROR, STATUS_OK, NAN, NAN, "cannot open "},
        {DEFAULT "library \"" FAKE_LIBRARY "\"", "FAULT=wrong", STATUS_OK, STATUS_WRONG_RESULT, NAN, NAN, ""},
        {DEFAULT "library \"" FAKE_LIBRARY "\"", "FAULT=broken", STATUS_COMPILE_ERROR, STATUS_COMPILE_ERROR, NAN, NAN,
         ""},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct world world;
        struct evaluator_library measured;
        struct error error = {0};
        fake_reset();
        open_world(&world, rows[i].default_);
        uint64_t index = index_of(&world, rows[i].configuration);
        const struct evaluator_ops *ops = world.evaluator.ops;
        expect_done("library", ops->device->library(world.evaluator.state, index, &measured, &error), &error);
        CU_ASSERT_EQUAL(measured.library.status, rows[i].library);
        CU_ASSERT_EQUAL(measured.winner.status, rows[i].winner);
        if (!isnan(rows[i].library_value)) {
            CU_ASSERT_EQUAL(measured.library.value, rows[i].library_value);
            CU_ASSERT_EQUAL(measured.winner.value, rows[i].winner_value);
        }
        CU_ASSERT(begins(measured.library.message, rows[i].message));
        /* another process measures, because this one has ended */
        CU_ASSERT_EQUAL(evaluate_one(&world, "TIME=5000 ASIDE=1", true).status, STATUS_OK);
        close_world(&world);
    }
}

static void stops(void)
{
    struct world world;
    struct evaluator_library measured;
    struct error error = {0};
    fake_reset();
    open_world(&world, DEFAULT "library \"" FAKE_LIBRARY "\"");
    evaluate_one(&world, "TIME=5000", true); /* the devices are set up */
    world.stop = 2;
    CU_ASSERT_EQUAL(world.evaluator.ops->device->library(world.evaluator.state, 0, &measured, &error),
                    ERROR_INTERRUPTED);
    close_world(&world);
}

CU_TestInfo tests_gpu_library[] = {{"comparisons", comparisons}, {"stops", stops}, CU_TEST_INFO_NULL};
