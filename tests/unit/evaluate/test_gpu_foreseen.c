/* Compiling ahead of submission: each configuration is compiled once, with the same outcome. */
#include "world.h"

static struct evaluator_usage usage_of(const struct world *world)
{
    struct evaluator_usage usage;
    world->evaluator.ops->usage(world->evaluator.state, &usage);
    return usage;
}

/* Configurations may be foreseen or not, submitted or not, and compiled by then or not. */
static void outcomes(void)
{
    static const struct {
        const char *configuration;
        bool foreseen, submitted;
        enum status status;
        const char *message;
    } rows[] = {
        {"TIME=5000", true, true, STATUS_OK, ""},
        {"TIME=20000", true, false, STATUS_OK, ""},
        {"FAULT=broken", true, true, STATUS_COMPILE_ERROR, ""},
        {"FAULT=bounded", true, true, STATUS_PRUNED_LIMIT, "64 threads per block, but"},
        {"TIME=6000", false, true, STATUS_OK, ""},
        {"FAULT=kill", true, true, STATUS_CRASHED, "the device process was killed"},
        {"TIME=5000 ASIDE=1", true, true, STATUS_DUPLICATE, "the same machine code and launch as TIME=5000"},
        {"FAULT=wrong", true, true, STATUS_WRONG_RESULT, "out: 1 of 1000"},
    };
    enum { ROWS = sizeof rows / sizeof *rows, FIRST = 0, TWIN = 6 };
    for (int at_once = 0; at_once < 2; at_once++) {
        struct world world;
        struct evaluation got[ROWS];
        uint64_t foreseen[ROWS], submitted[ROWS];
        size_t row_of[ROWS], foreseen_count = 0, count = 0;
        struct ceilings ceilings;
        struct event_timer timer;
        struct error error = {0};
        fake_reset();
        open_world(&world, NULL);
        for (size_t i = 0; i < ROWS; i++) {
            uint64_t index = index_of(&world, rows[i].configuration);
            if (rows[i].foreseen)
                foreseen[foreseen_count++] = index;
            if (rows[i].submitted) {
                row_of[count] = i;
                submitted[count++] = index;
            }
        }
        foreseen[foreseen_count++] = foreseen[0]; /* a repetition is ignored */
        expect_done("foreseeing", evaluator_gpu_foresee(&world.evaluator, foreseen, foreseen_count, &error), &error);
        if (!at_once) /* the set-up leaves time to compile some */
            expect_done("ceilings",
                        world.evaluator.ops->device->ceilings(world.evaluator.state, &ceilings, &timer, &error),
                        &error);
        expect_done("evaluating", evaluate(&world, submitted, count, false, got, &error), &error);
        /* The twin that is compiled first is the original. */
        const bool swapped = got[0].measurement.status == STATUS_DUPLICATE;
        for (size_t k = 0; k < count; k++) {
            const struct measurement *measurement = &got[k].measurement;
            size_t row = row_of[k];
            if (swapped && (row == FIRST || row == TWIN))
                row = FIRST + TWIN - row;
            CU_ASSERT_EQUAL(measurement->status, rows[row].status);
            CU_ASSERT(begins(measurement->message, rows[row].message));
            CU_ASSERT(measurement->compile_ns >= 0);
            CU_ASSERT_EQUAL(got[k].log != NULL, measurement->status == STATUS_COMPILE_ERROR);
        }
        uint64_t compiled = usage_of(&world).compiled;
        CU_ASSERT(compiled == count || compiled == count + 1); /* TIME=20000 may have been compiled, too */
        close_world(&world);
    }
}

/* Waits until the compilers are idle: two compilers, and a slow set-up. */
static void used_and_dropped(void)
{
    struct world world;
    struct error error = {0};
    fake_reset();
    open_world(&world, NULL);
    const uint64_t foreseen[] = {index_of(&world, "TIME=5000"), index_of(&world, "TIME=20000")};
    expect_done("foreseeing", evaluator_gpu_foresee(&world.evaluator, foreseen, 2, &error), &error);
    CU_ASSERT_EQUAL(evaluate_one(&world, "TIME=5000", false).status, STATUS_OK);
    CU_ASSERT_EQUAL(evaluate_one(&world, "TIME=6000", false).status, STATUS_OK);
    uint64_t compiled = usage_of(&world).compiled;
    CU_ASSERT_EQUAL(evaluate_one(&world, "TIME=20000", false).value, 20000);
    CU_ASSERT(usage_of(&world).compiled <= 3 && usage_of(&world).compiled >= compiled);
    close_world(&world);
}

/* Two devices may measure one configuration at the same time; both get the outcome. */
static void wanted_twice(void)
{
    for (int compiled = 0; compiled < 2; compiled++) {
        struct world world;
        struct evaluation got[2];
        struct ceilings ceilings;
        struct event_timer timer;
        struct error error = {0};
        fake_reset();
        open_world(&world, NULL);
        const uint64_t indices[] = {index_of(&world, "TIME=5000"), index_of(&world, "TIME=5000")};
        expect_done("foreseeing", evaluator_gpu_foresee(&world.evaluator, indices, 1, &error), &error);
        if (compiled)
            expect_done("ceilings",
                        world.evaluator.ops->device->ceilings(world.evaluator.state, &ceilings, &timer, &error),
                        &error);
        expect_done("evaluating", evaluate(&world, indices, 2, false, got, &error), &error);
        CU_ASSERT_EQUAL(got[0].measurement.value, 5000);
        CU_ASSERT_EQUAL(got[1].measurement.value, 5000);
        close_world(&world);
    }
}

/* A play-off waits for a foreseen compilation. */
static void played_off(void)
{
    struct world world;
    struct measurement finals[2];
    struct error error = {0};
    bool played = false;
    fake_reset();
    open_world(&world, NULL);
    const uint64_t indices[] = {index_of(&world, "TIME=5000"), index_of(&world, "TIME=6000")};
    expect_done("foreseeing", evaluator_gpu_foresee(&world.evaluator, indices, 2, &error), &error);
    expect_done("playing off", world.evaluator.ops->playoff(world.evaluator.state, indices, 2, finals, &played, &error),
                &error);
    CU_ASSERT(played);
    CU_ASSERT_EQUAL(finals[0].value, 5000);
    CU_ASSERT_EQUAL(finals[1].value, 6000);
    close_world(&world);
}

/* Submissions do not wait for useless compilations. One compiler without a cache starts the foreseen configuration
 * after the set-up's kernels, and seldom ends it before the submission: of several tries, one is in time. */
static void abandoned(void)
{
    enum { TRIES = 20 };
    uint64_t compiled = 0;
    for (int tries = 0; tries < TRIES && compiled != 1; tries++) {
        struct world world;
        struct error error = {0};
        fake_reset();
        open_world(&world, NULL);
        evaluator_close(&world.evaluator);
        world.setup.jobs = 1;
        world.setup.cache = NULL;
        expect_done("evaluator", evaluator_open_gpu(&world.evaluator, &world.setup, &error), &error);
        const uint64_t index = index_of(&world, "TIME=20000");
        expect_done("foreseeing", evaluator_gpu_foresee(&world.evaluator, &index, 1, &error), &error);
        CU_ASSERT_EQUAL(evaluate_one(&world, "TIME=5000", false).value, 5000);
        compiled = usage_of(&world).compiled;
        CU_ASSERT_EQUAL(evaluate_one(&world, "TIME=20000", false).value, 20000); /* if abandoned, compiled again */
        CU_ASSERT_EQUAL(usage_of(&world).compiled, 2);
        close_world(&world);
    }
    CU_ASSERT_EQUAL(compiled, 1);
}

CU_TestInfo tests_gpu_foreseen[] = {
    {"abandoned", abandoned},       {"outcomes", outcomes},     {"used and dropped", used_and_dropped},
    {"wanted twice", wanted_twice}, {"played off", played_off}, CU_TEST_INFO_NULL};
