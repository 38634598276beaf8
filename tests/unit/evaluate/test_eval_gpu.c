/* Configurations from the compiler to the device and back, over the fake runtime. */
#include "world.h"

/* Each configuration has the outcome of its own fault, regardless of the others. */
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
        {"FAULT=wrong FROM=2", STATUS_WRONG_RESULT, "right on the first launch, wrong on a later one: out: 1 of 1000",
         NAN},
        {"FAULT=nan", STATUS_WRONG_RESULT, "out: 1 of 1000 values differ from the reference, all of them NaN", NAN},
        {"FAULT=beside", STATUS_WRONG_RESULT, "writes outside a buffer: 4 bytes beside out", NAN},
        {"FAULT=input", STATUS_WRONG_RESULT, "writes to in, which is not an output", NAN},
        {"FAULT=refuse", STATUS_LAUNCH_ERROR, "too many resources requested for launch", NAN},
        {"FAULT=invalid", STATUS_LAUNCH_ERROR, "loading: device kernel image is invalid", NAN},
        {"FAULT=sticky", STATUS_CRASHED, "an illegal memory access was encountered", NAN},
        {"FAULT=sticky FROM=4", STATUS_CRASHED, "correct at first, then failed when repeated: an illegal memory access",
         NAN},
        {"FAULT=kill", STATUS_CRASHED, "the device process was killed by signal 11", NAN},
        {"FAULT=broken", STATUS_COMPILE_ERROR, "", NAN},
        {"FAULT=bounded", STATUS_PRUNED_LIMIT, "64 threads per block, but the kernel is compiled for at most 32", NAN},
        {"SHARED=100000", STATUS_PRUNED_OCCUPANCY, "occupancy 0.0625, limited by shared memory", NAN},
    };
    struct world world;
    struct evaluation outcomes[COUNT(rows)];
    uint64_t indices[COUNT(rows)];
    struct error error = {0};
    int64_t measure_ns = 0;
    fake_reset();
    open_world(&world, NULL);
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
        CU_ASSERT(isnan(rows[i].time_ns) ? isnan(got->value) : got->value == rows[i].time_ns);
        CU_ASSERT_EQUAL(outcomes[i].log != NULL, got->status == STATUS_COMPILE_ERROR);
        measure_ns += got->measure_ns > 0 ? got->measure_ns : 0;
    }
    struct evaluator_usage usage;
    world.evaluator.ops->usage(world.evaluator.state, &usage);
    CU_ASSERT_EQUAL(usage.compilers, 2);
    CU_ASSERT_EQUAL(usage.compiled, COUNT(rows));
    CU_ASSERT(usage.compile_ns > 0 && usage.compile_wall_ns > 0 && usage.phase_ns > 0);
    CU_ASSERT_EQUAL(usage.phase_measure_ns, measure_ns);
    CU_ASSERT(measure_ns > 0);
    close_world(&world);
}

/* A device filled by others ends the evaluation, without an outcome of the configuration. */
static void device_lost(void)
{
    struct world world;
    struct evaluation outcome = {.measurement.status = STATUS_COUNT};
    struct error error = {0};
    fake_reset();
    open_world(&world, NULL);
    CU_ASSERT_EQUAL(evaluate_one(&world, "TIME=5000", false).status, STATUS_OK);
    uint64_t index = index_of(&world, "FAULT=nomemory");
    CU_ASSERT_NOT_EQUAL(evaluate(&world, &index, 1, false, &outcome, &error), 0);
    CU_ASSERT_EQUAL(error.code, ERROR_BUSY);
    CU_ASSERT_EQUAL(outcome.measurement.status, STATUS_COUNT);
    close_world(&world);
}

/* It also ends a play-off. */
static void device_lost_in_playoff(void)
{
    struct world world;
    struct measurement finals[2];
    struct error error = {0};
    bool played = true;
    fake_reset();
    open_world(&world, NULL);
    const uint64_t indices[2] = {index_of(&world, "TIME=5000"), index_of(&world, "FAULT=nomemory")};
    CU_ASSERT_NOT_EQUAL(world.evaluator.ops->playoff(world.evaluator.state, indices, 2, finals, &played, &error), 0);
    CU_ASSERT_EQUAL(error.code, ERROR_BUSY);
    CU_ASSERT_FALSE(played);
    close_world(&world);
}

/* The ceilings are known before any configuration. */
static void ceilings(void)
{
    struct world world;
    struct ceilings ceilings;
    struct event_timer timer;
    struct error error = {0};
    fake_reset();
    fake.device_room = 40 << 20;
    open_world(&world, NULL);
    expect_done("ceilings", world.evaluator.ops->device->ceilings(world.evaluator.state, &ceilings, &timer, &error),
                &error);
    CU_ASSERT_DOUBLE_EQUAL(ceilings.copy, 1e12, 1e9);
    CU_ASSERT(isnan(ceilings.link_both));
    close_world(&world);
}

/* Different devices cannot share a search. */
static void devices_are_alike(void)
{
    static const char *const unlike[] = {"name", "cc", "l2_bytes"};
    for (size_t i = 0; i <= COUNT(unlike); i++) {
        struct world world;
        struct evaluator evaluator = {0};
        struct error error = {0};
        char expected[1000] = "";
        fake_reset();
        fake.devices = 2;
        open_world_on(&world, 2, NULL);
        struct device_limits *limits = (struct device_limits *)device_limits(world.devices[1]);
        limits->uuid[0] = '?'; /* each device has its own */
        if (i < COUNT(unlike)) {
            const struct limit_row *row = limit_find(unlike[i]);
            if (row)
                limit_put(limits, row, limit_get(limits, row) + 1);
            else
                limits->name[0]++;
            snprintf(expected, sizeof expected, "the devices %s and %s differ in %s: they cannot share a search",
                     device_limits(world.devices[0])->name, limits->name, unlike[i]);
        }
        CU_ASSERT_EQUAL(evaluator_open_gpu(&evaluator, &world.setup, &error), *expected ? ERROR_USAGE : 0);
        CU_ASSERT_STRING_EQUAL(error.message, expected);
        evaluator_close(&evaluator);
        close_world(&world);
    }
}

CU_TestInfo tests_eval_gpu[] = {{"outcomes", outcomes},
                                {"device lost", device_lost},
                                {"device lost in a play-off", device_lost_in_playoff},
                                {"ceilings", ceilings},
                                {"devices are alike", devices_are_alike},
                                CU_TEST_INFO_NULL};
