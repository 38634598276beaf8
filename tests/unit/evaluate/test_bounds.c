/* Configurations with the same machine code and launch: their duplicates and originals. */
#include "world.h"

#include "evaluate/duplicates.h"

static void keeps_the_first_that_is_no_bound(void)
{
    static const char code[HASH_HEX_BYTES] = "a";
    struct duplicates duplicates = {0};
    struct duplicate duplicate = {.code = "a", .index = 1, .measurement = measurement_unknown(STATUS_SLOWER)};
    struct error error = {0};
    CU_ASSERT_PTR_NULL(duplicates_find(&duplicates, code));
    CU_ASSERT_EQUAL(duplicates_add(&duplicates, &duplicate, &error), 0);
    CU_ASSERT_EQUAL(duplicates_find(&duplicates, code)->index, 1);
    duplicate.index = 2;
    duplicate.measurement.status = STATUS_OK;
    CU_ASSERT_EQUAL(duplicates_add(&duplicates, &duplicate, &error), 0);
    CU_ASSERT_EQUAL(duplicates_find(&duplicates, code)->index, 2);
    duplicate.index = 3;
    CU_ASSERT_EQUAL(duplicates_add(&duplicates, &duplicate, &error), 0);
    CU_ASSERT_EQUAL(duplicates_find(&duplicates, code)->index, 2);
    CU_ASSERT_EQUAL(duplicates.count, 1);
    duplicates_free(&duplicates);
}

static void whom_an_outcome_serves(void)
{
    static const struct {
        enum status status;
        double low;
        bool exact;
        double incumbent_ns;
        bool serves;
    } cases[] = {
        {STATUS_OK, 100, true, 50, true},        {STATUS_CRASHED, NAN, true, 50, true},
        {STATUS_SLOWER, 100, false, 50, true},   {STATUS_SLOWER, 100, true, 50, false},
        {STATUS_SLOWER, 100, false, 100, false}, {STATUS_SLOWER, 100, false, INFINITY, false},
        {STATUS_SLOWER, NAN, false, 50, false},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct duplicate duplicate = {.measurement = measurement_unknown(cases[i].status)};
        duplicate.measurement.low = cases[i].low;
        CU_ASSERT_EQUAL(duplicate_serves(&duplicate, cases[i].exact, cases[i].incumbent_ns), cases[i].serves);
    }
}

/* Evaluates one configuration and checks its outcome. */
static void expect(struct world *world, const char *configuration, bool exact, enum status status, const char *message)
{
    struct evaluation outcome;
    struct error error = {0};
    uint64_t index = index_of(world, configuration);
    expect_done("evaluating", evaluate(world, &index, 1, exact, &outcome, &error), &error);
    if (outcome.measurement.status != status)
        fprintf(stderr, "\n%s is %s, %s\n", configuration, status_name(outcome.measurement.status),
                outcome.measurement.message);
    CU_ASSERT_EQUAL(outcome.measurement.status, status);
    CU_ASSERT(begins(outcome.measurement.message, message));
    if (status == STATUS_OK || status == STATUS_DUPLICATE)
        CU_ASSERT_EQUAL(outcome.measurement.value, 20000);
}

/* A censored time does not serve a configuration that must be timed to the end, such as the default; nor any other
 * after its reference time has proved wrong. */
static void bounds_are_not_times(void)
{
    struct world world;
    fake_reset();
    open_world(&world, NULL);
    world.evaluator.ops->incumbent(world.evaluator.state, EVALUATOR_ANY_DEVICE, 6000);
    expect(&world, "TIME=20000 ASIDE=0", false, STATUS_SLOWER, "");
    expect(&world, "TIME=20000 ASIDE=1", false, STATUS_SLOWER, "the same machine code and launch as TIME=20000 ");
    expect(&world, "TIME=20000 ASIDE=1", true, STATUS_OK, "");
    expect(&world, "TIME=20000 ASIDE=0", false, STATUS_DUPLICATE, "the same machine code and launch as TIME=20000 ");
    close_world(&world);
    fake_reset();
    open_world(&world, NULL);
    world.evaluator.ops->incumbent(world.evaluator.state, EVALUATOR_ANY_DEVICE, 6000);
    expect(&world, "TIME=20000 ASIDE=0", false, STATUS_SLOWER, "");
    world.evaluator.ops->incumbent(world.evaluator.state, EVALUATOR_ANY_DEVICE, 30000);
    expect(&world, "TIME=20000 ASIDE=1", false, STATUS_OK, "");
    close_world(&world);
}

/* The same holds while one of the two is in progress. */
static void waits_for_a_time(void)
{
    struct world world;
    struct evaluation done[16];
    struct error error = {0};
    size_t got, ended = 0;
    fake_reset();
    open_world(&world, NULL);
    const struct evaluator_ops *ops = world.evaluator.ops;
    uint64_t default_ = index_of(&world, "TIME=20000 ASIDE=1");
    ops->incumbent(world.evaluator.state, EVALUATOR_ANY_DEVICE, 6000);
    CU_ASSERT_EQUAL(
        ops->submit(world.evaluator.state, index_of(&world, "TIME=20000 ASIDE=0"), false, EVALUATOR_ANY_DEVICE, &error),
        0);
    CU_ASSERT_EQUAL(ops->submit(world.evaluator.state, default_, true, EVALUATOR_ANY_DEVICE, &error), 0);
    while (ended < 2) {
        expect_done("waiting", ops->wait(world.evaluator.state, INT64_MAX, done, COUNT(done), &got, &error), &error);
        for (size_t i = 0; i < got; i++, ended++)
            if (done[i].index == default_)
                CU_ASSERT(done[i].measurement.status == STATUS_OK || done[i].measurement.status == STATUS_DUPLICATE);
    }
    close_world(&world);
}

/* A kernel that fails alone in a play-off has failed, because no other can have broken it. */
static void fails_alone(void)
{
    static const struct {
        const char *configuration;
        enum status status;
        bool played;
    } cases[] = {{"FAULT=wrong", STATUS_WRONG_RESULT, true},
                 {"FAULT=refuse", STATUS_LAUNCH_ERROR, true},
                 {"FAULT=sticky", STATUS_CRASHED, true},
                 {"TIME=5000", STATUS_OK, true}};
    struct world world;
    fake_reset();
    open_world(&world, NULL);
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint64_t index = index_of(&world, cases[i].configuration);
        struct measurement final;
        struct error error = {0};
        bool played = false;
        expect_done("play-off", world.evaluator.ops->playoff(world.evaluator.state, &index, 1, &final, &played, &error),
                    &error);
        CU_ASSERT_EQUAL(final.status, cases[i].status);
        CU_ASSERT_EQUAL(played, cases[i].played);
    }
    close_world(&world);
}

CU_TestInfo tests_bounds[] = {{"the first outcome that is no bound is kept", keeps_the_first_that_is_no_bound},
                              {"whom an outcome serves", whom_an_outcome_serves},
                              {"a bound is no time", bounds_are_not_times},
                              {"one that waits gets a time", waits_for_a_time},
                              {"what fails alone has failed", fails_alone},
                              CU_TEST_INFO_NULL};
