/* Configurations from the compiler to the device and back, over the fake runtime. */
#include "world.h"

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
        CU_ASSERT(isnan(rows[i].time_ns) ? isnan(got->time_ns) : got->time_ns == rows[i].time_ns);
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

static struct measurement evaluate_one(struct world *world, const char *configuration, bool exact)
{
    struct evaluation outcome = {.measurement = measurement_unknown(STATUS_COUNT)};
    struct error error = {0};
    uint64_t index = index_of(world, configuration);
    expect_done(configuration, evaluate(world, &index, 1, exact, &outcome, &error), &error);
    return outcome.measurement;
}

/* The same machine code and launch are measured once, whether the other one is over, on its way, or has failed. */
static void same_code(void)
{
    static const char *const configurations[] = {"TIME=5000 ASIDE=0",   "TIME=5000 ASIDE=1",  "FAULT=wrong ASIDE=0",
                                                 "FAULT=wrong ASIDE=1", "TIME=20000 ASIDE=0", "FAULT=kill ASIDE=1",
                                                 "FAULT=kill ASIDE=0"};
    struct world world;
    struct evaluation outcomes[COUNT(configurations)];
    uint64_t indices[COUNT(configurations)];
    struct error error = {0};
    fake_reset();
    open_world(&world, NULL);
    for (size_t i = 0; i < COUNT(configurations); i++)
        indices[i] = index_of(&world, configurations[i]);
    expect_done("evaluating", evaluate(&world, indices, COUNT(indices), false, outcomes, &error), &error);
    unsigned launches = fake_launches("fake: time_ns=5000 none=1 id=0");
    CU_ASSERT(launches > 0);
    for (size_t pair = 0; pair < COUNT(configurations); pair += pair == 2 ? 3 : 2) {
        const struct measurement *a = &outcomes[pair].measurement, *b = &outcomes[pair + 1].measurement;
        bool second = strstr(b->message, "the same machine code and launch as") != NULL;
        const struct measurement *first = second ? a : b, *duplicate = second ? b : a;
        CU_ASSERT(begins(duplicate->message, "the same machine code and launch as TIME="));
        CU_ASSERT_EQUAL(duplicate->status, first->status == STATUS_OK ? STATUS_DUPLICATE : first->status);
        CU_ASSERT(duplicate->time_ns == first->time_ns || isnan(first->time_ns));
        CU_ASSERT_EQUAL(duplicate->measure_ns, 0);
        CU_ASSERT(duplicate->compile_ns > 0);
        CU_ASSERT_PTR_NOT_NULL(strstr(duplicate->message, first->message));
    }
    CU_ASSERT_EQUAL(outcomes[4].measurement.status, STATUS_OK);
    struct measurement later = evaluate_one(&world, "TIME=20000 ASIDE=1", false);
    CU_ASSERT_EQUAL(later.status, STATUS_DUPLICATE);
    CU_ASSERT_EQUAL(later.time_ns, 20000);
    CU_ASSERT_EQUAL(fake_launches("fake: time_ns=5000 none=1 id=0"), launches);
    close_world(&world);
}

/* What is certainly slower than the incumbent is stopped early, but for what must be known exactly. */
static void stopped_early(void)
{
    struct world world;
    fake_reset();
    open_world(&world, NULL);
    CU_ASSERT_EQUAL(evaluate_one(&world, "TIME=5000", false).status, STATUS_OK);
    world.evaluator.ops->incumbent(world.evaluator.state, 5000);
    CU_ASSERT_EQUAL(evaluate_one(&world, "TIME=20000", false).status, STATUS_SLOWER);
    struct measurement exact = evaluate_one(&world, "TIME=6000", true);
    CU_ASSERT_EQUAL(exact.status, STATUS_OK);
    CU_ASSERT_EQUAL(exact.time_ns, 6000);
    close_world(&world);
}

static void playoffs(void)
{
    enum { FINALS = 3 };
    static const struct {
        const char *configurations[FINALS];
        bool played;
        struct {
            enum status status;
            enum playoff playoff;
            double time_ns;
        } finals[FINALS];
    } rows[] = {
        {{"TIME=6000", "TIME=5000", "TIME=20000"},
         true,
         {{STATUS_OK, PLAYOFF_LOST, 6000}, {STATUS_OK, PLAYOFF_LEADER, 5000}, {STATUS_OK, PLAYOFF_LOST, 20000}}},
        /* duplicates play for themselves */
        {{"TIME=5000", "TIME=5000 ASIDE=1", "TIME=6000"},
         true,
         {{STATUS_OK, PLAYOFF_LEADER, 5000}, {STATUS_OK, PLAYOFF_TIED, 5000}, {STATUS_OK, PLAYOFF_LOST, 6000}}},
        {{"FAULT=broken", "TIME=5000", "FAULT=wrong"},
         true,
         {{STATUS_COMPILE_ERROR, PLAYOFF_NONE, NAN},
          {STATUS_OK, PLAYOFF_LEADER, 5000},
          {STATUS_WRONG_RESULT, PLAYOFF_NONE, NAN}}},
        {{"TIME=5000", "TIME=6000", "FAULT=kill"},
         false,
         {{STATUS_CRASHED, PLAYOFF_NONE, NAN},
          {STATUS_CRASHED, PLAYOFF_NONE, NAN},
          {STATUS_CRASHED, PLAYOFF_NONE, NAN}}},
        {{"FAULT=broken", "FAULT=bounded", "FAULT=broken FROM=2"},
         false,
         {{STATUS_COMPILE_ERROR, PLAYOFF_NONE, NAN},
          {STATUS_PRUNED_LIMIT, PLAYOFF_NONE, NAN},
          {STATUS_COMPILE_ERROR, PLAYOFF_NONE, NAN}}},
    };
    struct world world;
    fake_reset();
    open_world(&world, NULL);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct measurement finals[FINALS];
        struct error error = {0};
        uint64_t indices[FINALS];
        bool played = !rows[i].played;
        for (size_t k = 0; k < FINALS; k++)
            indices[k] = index_of(&world, rows[i].configurations[k]);
        expect_done("play-off",
                    world.evaluator.ops->playoff(world.evaluator.state, indices, FINALS, finals, &played, &error),
                    &error);
        CU_ASSERT_EQUAL(played, rows[i].played);
        for (size_t k = 0; k < FINALS; k++) {
            CU_ASSERT_EQUAL(finals[k].status, rows[i].finals[k].status);
            CU_ASSERT_EQUAL(finals[k].playoff, rows[i].finals[k].playoff);
            CU_ASSERT(isnan(rows[i].finals[k].time_ns) ? isnan(finals[k].time_ns)
                                                       : finals[k].time_ns == rows[i].finals[k].time_ns);
        }
        CU_ASSERT(world.evaluator.ops->room(world.evaluator.state) > 0); /* nothing is left of it */
    }
    close_world(&world);
}

/* What the compiler says of all configurations, without a measurement. */
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
    /* its time is over: nothing is taken up */
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
    CU_ASSERT_EQUAL(world.evaluator.ops->room(world.evaluator.state), 2 * world.setup.jobs + 4);
    CU_ASSERT_EQUAL(fake_launches("fake: time_ns=5000 none=1 id=0"), 0);
    close_world(&world);
}

/* A device that others have filled ends the evaluation: that is no outcome of the configuration. */
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

/* It ends a play-off, too. */
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

/* What the device reaches is known without a configuration. */
static void ceilings(void)
{
    struct world world;
    struct ceilings ceilings;
    struct error error = {0};
    fake_reset();
    fake.device_room = 40 << 20;
    open_world(&world, NULL);
    expect_done("ceilings", world.evaluator.ops->ceilings(world.evaluator.state, &ceilings, &error), &error);
    CU_ASSERT_DOUBLE_EQUAL(ceilings.copy, 1e12, 1e9);
    CU_ASSERT(isnan(ceilings.link_both));
    close_world(&world);
}

CU_TestInfo tests_eval_cuda[] = {{"outcomes", outcomes},
                                 {"same code", same_code},
                                 {"stopped early", stopped_early},
                                 {"playoffs", playoffs},
                                 {"compiler metrics", compiler_metrics},
                                 {"device lost", device_lost},
                                 {"device lost in a play-off", device_lost_in_playoff},
                                 {"ceilings", ceilings},
                                 CU_TEST_INFO_NULL};
