/* Configurations from the compiler to the device and back, over the fake runtime. */
#include "world.h"

#define SCRIPTED SOURCE_FOLDER "/tests/device/scripted.space"

/* Each configuration has the outcome of its own fault, beside and behind all the others. */
static void outcomes(void)
{
    static const struct {
        const char *configuration;
        enum status status;
        const char *message;
        double time_ns;
    } rows[] = {
        {"TIME=5000", STATUS_OK, "", 5000},
        {"TIME=6000", STATUS_OK, "", 6000},
        {"TIME=20000", STATUS_OK, "", 20000},
        {"FAULT=wrong", STATUS_WRONG_RESULT, "out: 1 of 1000 values differ from the reference, the first at 0", NAN},
        {"FAULT=wrong FROM=2", STATUS_WRONG_RESULT, "right once, then wrong when repeated: out: 1 of 1000", NAN},
        {"FAULT=nan", STATUS_WRONG_RESULT, "out: 1 of 1000 values differ from the reference, all of them NaN", NAN},
        {"FAULT=beside", STATUS_WRONG_RESULT, "writes outside a buffer: 4 bytes beside out", NAN},
        {"FAULT=input", STATUS_WRONG_RESULT, "writes to in, which is not an output", NAN},
        {"FAULT=refuse", STATUS_LAUNCH_ERROR, "too many resources requested for launch", NAN},
        {"FAULT=invalid", STATUS_LAUNCH_ERROR, "loading: device kernel image is invalid", NAN},
        {"FAULT=sticky", STATUS_CRASHED, "an illegal memory access was encountered", NAN},
        {"FAULT=sticky FROM=4", STATUS_CRASHED, "right once, then failed when repeated: an illegal memory access", NAN},
        {"FAULT=kill", STATUS_CRASHED, "the device process was killed by signal 11", NAN},
        {"FAULT=broken", STATUS_COMPILE_ERROR, "", NAN},
        {"FAULT=bounded", STATUS_PRUNED_LIMIT, "64 threads a block, the kernel is compiled for at most 32", NAN},
        {"SHARED=100000", STATUS_PRUNED_OCCUPANCY, "occupancy 0.0625, limited by shared memory", NAN},
    };
    struct world world;
    struct evaluation outcomes[COUNT(rows)];
    uint64_t indices[COUNT(rows)];
    struct error error = {0};
    fake_reset();
    open_world(&world, SCRIPTED);
    world.setup.min_occupancy = 0.1;
    for (size_t i = 0; i < COUNT(rows); i++)
        indices[i] = index_of(&world, rows[i].configuration);
    expect_done("evaluating", evaluate(&world, indices, COUNT(rows), false, outcomes, &error), &error);
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct measurement *got = &outcomes[i].measurement;
        if (got->status != rows[i].status)
            fprintf(stderr, "\n%s: %s, %s\n", rows[i].configuration, status_name(got->status), got->message);
        CU_ASSERT_EQUAL(got->status, rows[i].status);
        CU_ASSERT(begins(got->message, rows[i].message));
        CU_ASSERT(isnan(rows[i].time_ns) ? isnan(got->time_ns) : got->time_ns == rows[i].time_ns);
        CU_ASSERT_EQUAL(outcomes[i].log != NULL, got->status == STATUS_COMPILE_ERROR);
    }
    struct evaluator_usage usage;
    world.evaluator.ops->usage(world.evaluator.state, &usage);
    CU_ASSERT_EQUAL(usage.compilers, 2);
    CU_ASSERT_EQUAL(usage.compiled, COUNT(rows));
    CU_ASSERT(usage.compile_ns > 0 && usage.compile_wall_ns > 0 && usage.phase_ns > 0);
    close_world(&world);
}

CU_TestInfo tests_eval_cuda[] = {{"outcomes", outcomes}, CU_TEST_INFO_NULL};
