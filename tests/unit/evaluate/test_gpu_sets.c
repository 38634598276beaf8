/* Sets of expected results, from the configuration that needs one to the device. */
#include "world.h"

#define PER "TIME=6000 FAULT=none FROM=1 ASIDE=0 SHARED=0\nper "

/* Twins have equal machine code, but expected results of their own. */
static void not_duplicates(void)
{
    for (int per = 0; per < 2; per++) {
        struct world world;
        fake_reset();
        open_world(&world, per ? PER "ASIDE" : NULL);
        CU_ASSERT_EQUAL(evaluate_one(&world, "TIME=5000 ASIDE=0", true).status, STATUS_OK);
        CU_ASSERT_EQUAL(evaluate_one(&world, "TIME=5000 ASIDE=1", true).status, per ? STATUS_OK : STATUS_DUPLICATE);
        CU_ASSERT_EQUAL(evaluate_one(&world, "TIME=5000 ASIDE=1", true).status, STATUS_DUPLICATE);
        close_world(&world);
    }
}

/* The reference of a set is compiled with the set's values. Its faults are the outcomes of the set's configurations
 * only. */
static void outcomes(void)
{
    static const struct {
        const char *configuration;
        enum status status;
        const char *message;
    } rows[] = {
        {"TIME=5000", STATUS_OK, ""},
        {"TIME=5000 FAULT=nan", STATUS_WRONG_RESULT,
         "no expected results: the output out of the reference kernel at FAULT=nan is NaN in 1 of 1000 values"},
        {"TIME=20000 FAULT=nan", STATUS_WRONG_RESULT,
         "no expected results: the output out of the reference kernel at FAULT=nan is NaN in 1 of 1000 values"},
        {"TIME=5000 FAULT=invalid", STATUS_WRONG_RESULT,
         "no expected results: loading the reference kernel at FAULT=invalid: device kernel image is invalid"},
        {"TIME=5000 FAULT=kill", STATUS_CRASHED, "no expected results: the reference ends the device process"},
        {"TIME=20000", STATUS_OK, ""},
        {"TIME=5000 FAULT=broken", STATUS_COMPILE_ERROR, ""},
    };
    struct world world;
    struct error error = {0};
    struct evaluation done[COUNT(rows)];
    uint64_t indices[COUNT(rows)];
    fake_reset();
    fake.devices = WORLD_DEVICES;
    open_world_on(&world, WORLD_DEVICES, PER "FAULT");
    for (size_t i = 0; i < COUNT(rows); i++)
        indices[i] = index_of(&world, rows[i].configuration);
    CU_ASSERT_EQUAL_FATAL(evaluate(&world, indices, COUNT(rows), true, done, &error), 0);
    for (size_t i = 0; i < COUNT(rows); i++) {
        CU_ASSERT_EQUAL(done[i].measurement.status, rows[i].status);
        CU_ASSERT(begins(done[i].measurement.message, rows[i].message));
    }
    close_world(&world);
}

/* A play-off in a new evaluator compiles the references, too. */
static void playoffs(void)
{
    struct world world;
    struct error error = {0};
    struct measurement finals[2];
    bool played = false;
    fake_reset();
    open_world(&world, PER "TIME");
    const uint64_t indices[] = {index_of(&world, "TIME=5000"), index_of(&world, "TIME=20000")};
    CU_ASSERT_EQUAL(world.evaluator.ops->playoff(world.evaluator.state, indices, 2, finals, &played, &error), 0);
    CU_ASSERT(played);
    for (size_t k = 0; k < 2; k++)
        CU_ASSERT_EQUAL(finals[k].status, STATUS_OK);
    CU_ASSERT(finals[0].value < finals[1].value);
    close_world(&world);
}

/* The accept kernel of a set is compiled with its values, too. */
static void accepted(void)
{
    struct world world;
    fake_reset();
    open_world(&world, WORLD_ACCEPT("none") "\nper FAULT");
    CU_ASSERT_EQUAL(evaluate_one(&world, "TIME=5000", true).status, STATUS_OK);
    struct measurement measured = evaluate_one(&world, "TIME=5000 FAULT=unwritten", true);
    CU_ASSERT_EQUAL(measured.status, STATUS_WRONG_RESULT);
    CU_ASSERT(begins(measured.message, "no expected results: the accept kernel count_wrong counts nothing wrong"));
    CU_ASSERT_EQUAL(evaluate_one(&world, "TIME=20000", true).status, STATUS_OK);
    close_world(&world);
}

CU_TestInfo tests_gpu_sets[] = {{"not duplicates", not_duplicates},
                                {"outcomes", outcomes},
                                {"playoffs", playoffs},
                                {"accepted", accepted},
                                CU_TEST_INFO_NULL};
