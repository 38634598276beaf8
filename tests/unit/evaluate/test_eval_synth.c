#include "evaluate/eval_synth.h"

#include "synthetic.h"

enum { VALID = 20 * 11, SEED = 5 };

static struct valid_set *open_set(struct space **space)
{
    struct valid_set *set = NULL;
    struct error error = {0};
    *space = synthetic_space("param A = 1..20\nparam B = 0..10\n");
    CU_ASSERT_EQUAL_FATAL(valid_set_build(&set, *space, VALID_SET_DEFAULT_BYTES, &error), 0);
    CU_ASSERT_EQUAL_FATAL(valid_set_count(set), VALID);
    return set;
}

/* The optimum takes a millisecond and never fails; about 1 in 16 of the others fails. */
static void formula(void)
{
    struct space *space;
    struct valid_set *set = open_set(&space);
    size_t failures = 0, again = 0;
    for (uint64_t seed = 0; seed < 10; seed++) {
        uint64_t optimum = synth_optimum(set, seed);
        CU_ASSERT_EQUAL(synth_time_ns(set, seed, optimum), 1e6);
        CU_ASSERT_FALSE(synth_fails(set, seed, optimum) || synth_fails_again(set, seed, optimum));
        for (uint64_t i = 0; i < VALID; i++) {
            CU_ASSERT(i == optimum || synth_time_ns(set, seed, i) > 1e6);
            failures += synth_fails(set, seed, i);
            again += synth_fails_again(set, seed, i);
        }
    }
    CU_ASSERT(failures > 80 && failures < 200); /* 138 +- 11 expected */
    CU_ASSERT(again > 200 && again < 350);      /* 275 +- 16 expected */
    valid_set_free(set);
    space_free(space);
}

/* All submissions are evaluated, the last first. The same set-up gives the same outcomes. */
static void answers(void)
{
    struct space *space;
    struct valid_set *set = open_set(&space);
    const struct synth_setup setups[] = {{.set = set, .seed = SEED}, {.set = set, .seed = SEED, .noise = 0.05}};
    for (size_t s = 0; s < 2; s++) {
        double first[3] = {0};
        for (int round = 0; round < 2; round++) {
            struct evaluator evaluator;
            struct evaluation done[8];
            struct error error = {0};
            size_t count = 0;
            CU_ASSERT_EQUAL_FATAL(evaluator_open_synth(&evaluator, &setups[s], &error), 0);
            size_t room = evaluator.ops->room(evaluator.state, false);
            CU_ASSERT_FATAL(room >= 3);
            for (uint64_t i = 0; i < 3; i++)
                CU_ASSERT_EQUAL(evaluator.ops->submit(evaluator.state, 30 + i, false, EVALUATOR_ANY_DEVICE, &error), 0);
            CU_ASSERT_EQUAL(evaluator.ops->room(evaluator.state, false), room - 3);
            CU_ASSERT_EQUAL(evaluator.ops->wait(evaluator.state, 0, done, 8, &count, &error), 0);
            CU_ASSERT_EQUAL_FATAL(count, 3);
            for (size_t i = 0; i < 3; i++) {
                const struct measurement *measurement = &done[i].measurement;
                CU_ASSERT_EQUAL(done[i].index, 32 - i);
                bool fails = synth_fails(set, SEED, done[i].index);
                CU_ASSERT_EQUAL(measurement->status, fails ? STATUS_COMPILE_ERROR : STATUS_OK);
                double exact = synth_time_ns(set, SEED, done[i].index);
                CU_ASSERT(fails || fabs(measurement->value / exact - 1) <= 4 * setups[s].noise);
                CU_ASSERT(fails || (measurement->low <= measurement->value && measurement->value <= measurement->high));
                CU_ASSERT(round == 0 || fails || measurement->value == first[i]);
                first[i] = measurement->value;
            }
            evaluator_close(&evaluator);
        }
    }
    valid_set_free(set);
    space_free(space);
}

/* In a play-off the fastest leads, unless one fails: then none has a time. */
static void playoffs(void)
{
    struct space *space;
    struct valid_set *set = open_set(&space);
    const struct synth_setup setup = {.set = set, .seed = SEED};
    uint64_t optimum = synth_optimum(set, SEED), good = 0, bad = 0;
    while (good == optimum || synth_fails(set, SEED, good) || synth_fails_again(set, SEED, good))
        good++;
    while (synth_fails(set, SEED, bad) || !synth_fails_again(set, SEED, bad))
        bad++;
    struct evaluator evaluator;
    struct measurement finals[3];
    struct error error = {0};
    bool played;
    CU_ASSERT_EQUAL_FATAL(evaluator_open_synth(&evaluator, &setup, &error), 0);
    CU_ASSERT_EQUAL(evaluator.ops->playoff(evaluator.state, (uint64_t[]){good, optimum}, 2, finals, &played, &error),
                    0);
    CU_ASSERT(played && finals[0].playoff == PLAYOFF_LOST && finals[1].playoff == PLAYOFF_LEADER);
    CU_ASSERT_EQUAL(
        evaluator.ops->playoff(evaluator.state, (uint64_t[]){good, optimum, bad}, 3, finals, &played, &error), 0);
    CU_ASSERT(finals[2].status == STATUS_CRASHED && finals[0].status == STATUS_OK && isnan(finals[0].value));
    evaluator_close(&evaluator);
    valid_set_free(set);
    space_free(space);
}

/* The same times per unit of work, which also decides a play-off. */
static void work(void)
{
    static const char text[] = "space 2\nkernel k \"k.cu\"\nparam A = 1..20\nparam B = 0..10\nbuffer o int[4] output\n"
                               "args o\nblock 1\ngrid 1\nreference r block 1 grid 1\nwork A == 20 ? 1e6 : A\n";
    struct space *space = NULL;
    struct valid_set *set = NULL;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "w.space", text, strlen(text), "", &error), 0);
    CU_ASSERT_EQUAL_FATAL(space_bind(space, NULL, 0, NULL, &error), 0);
    CU_ASSERT_EQUAL_FATAL(valid_set_build(&set, space, VALID_SET_DEFAULT_BYTES, &error), 0);
    const struct synth_setup setup = {.space = space, .set = set, .seed = SEED};
    uint64_t most = 0, other = 0; /* work */
    uint32_t choices[SPACE_PARAMETERS_MAX];
    for (uint64_t i = 0; i < valid_set_count(set); i++) {
        valid_set_get(set, i, choices);
        if (!synth_fails(set, SEED, i) && !synth_fails_again(set, SEED, i))
            *(choices[0] == 19 ? &most : &other) = i;
    }
    struct evaluator evaluator;
    struct evaluation done;
    struct measurement finals[2];
    size_t count;
    bool played;
    CU_ASSERT_EQUAL_FATAL(evaluator_open_synth(&evaluator, &setup, &error), 0);
    CU_ASSERT_EQUAL(evaluator.ops->submit(evaluator.state, most, false, EVALUATOR_ANY_DEVICE, &error), 0);
    CU_ASSERT_EQUAL(evaluator.ops->wait(evaluator.state, 0, &done, 1, &count, &error), 0);
    CU_ASSERT_DOUBLE_EQUAL(done.measurement.value * 1e6 / synth_time_ns(set, SEED, most), 1, 1e-9);
    CU_ASSERT(done.measurement.work == 1e6 && measurement_objective(&done.measurement)->per_work);
    CU_ASSERT_EQUAL(evaluator.ops->playoff(evaluator.state, (uint64_t[]){other, most}, 2, finals, &played, &error), 0);
    CU_ASSERT(finals[0].playoff == PLAYOFF_LOST && finals[1].playoff == PLAYOFF_LEADER);
    evaluator_close(&evaluator);
    valid_set_free(set);
    space_free(space);
}

/* Several devices: each has its speed, measures the configurations that require it, stops early by its own limit, and
 * measures nothing after its exclusion. */
static void several(void)
{
    struct space *space;
    struct valid_set *set = open_set(&space);
    const struct synth_device devices[] = {
        {.excess = 0}, {.excess = 0.5}, {.drift = 1, .drift_begin = 1, .drift_end = 1}};
    const struct synth_setup setup = {.set = set, .seed = SEED, .devices = devices, .device_count = 3};
    static const double factors[2][3] = {{1, 1.5, 1}, {1, 1.5, 2}};
    uint64_t index = synth_optimum(set, SEED);
    struct evaluator evaluator;
    struct evaluation done[8];
    struct error error = {0};
    size_t count = 0;
    CU_ASSERT_EQUAL_FATAL(evaluator_open_synth(&evaluator, &setup, &error), 0);
    const struct evaluator_ops *ops = evaluator.ops;
    CU_ASSERT_EQUAL(ops->devices(evaluator.state), 3);
    for (size_t round = 0; round < 2; round++) {
        for (size_t d = 3; d-- > 0;)
            CU_ASSERT_EQUAL(ops->submit(evaluator.state, index, false, d, &error), 0);
        CU_ASSERT_EQUAL(ops->wait(evaluator.state, 0, done, 8, &count, &error), 0);
        CU_ASSERT_EQUAL_FATAL(count, 3);
        for (size_t d = 0; d < 3; d++)
            CU_ASSERT(done[d].device == d && fabs(done[d].measurement.value / 1e6 / factors[round][d] - 1) < 1e-9);
    }
    ops->incumbent(evaluator.state, 1, 1e6);
    ops->leave_out(evaluator.state, 2);
    for (int exact = 0; exact < 2; exact++)
        CU_ASSERT_EQUAL(ops->submit(evaluator.state, index, exact, 1, &error), 0);
    CU_ASSERT_EQUAL(ops->submit(evaluator.state, index, false, 2, &error), 0); /* another device measures it */
    CU_ASSERT_EQUAL(ops->wait(evaluator.state, 0, done, 8, &count, &error), 0);
    CU_ASSERT_EQUAL_FATAL(count, 2);
    CU_ASSERT(done[0].device == 0 && done[0].measurement.status == STATUS_OK);
    CU_ASSERT(done[1].device == 1 && done[1].measurement.status == STATUS_SLOWER);
    CU_ASSERT_EQUAL(ops->wait(evaluator.state, 0, done, 8, &count, &error), 0);
    CU_ASSERT(count == 1 && done[0].device == 1 && done[0].measurement.status == STATUS_OK);
    evaluator_close(&evaluator);
    valid_set_free(set);
    space_free(space);
}

/* Withdrawn configurations come back once, without an outcome, and may be submitted again. */
static void withdrawn(void)
{
    static const struct synth_device alike[2];
    struct space *space;
    struct valid_set *set = open_set(&space);
    for (size_t devices = 1; devices <= 2; devices++)
        for (enum evaluation_stage stage = STAGE_WAITING; stage <= STAGE_UNMEASURED; stage++) {
            const struct synth_setup setup = {.set = set, .seed = SEED, .devices = alike, .device_count = devices};
            struct evaluator evaluator;
            struct evaluation done[8];
            struct error error = {0};
            size_t count = 0;
            CU_ASSERT_EQUAL_FATAL(evaluator_open_synth(&evaluator, &setup, &error), 0);
            const struct evaluator_ops *ops = evaluator.ops;
            size_t room = ops->room(evaluator.state, false);
            for (int again = 0; again < 2; again++) {
                for (uint64_t i = 0; i < 2; i++)
                    CU_ASSERT_EQUAL(ops->submit(evaluator.state, i, false, EVALUATOR_ANY_DEVICE, &error), 0);
                if (!again)
                    CU_ASSERT_EQUAL(ops->withdraw(evaluator.state, stage, &error), 0);
                CU_ASSERT_EQUAL(ops->wait(evaluator.state, 0, done, 8, &count, &error), 0);
                CU_ASSERT_EQUAL_FATAL(count, 2);
                CU_ASSERT_EQUAL(done[0].index + done[1].index, 1);
                CU_ASSERT(done[0].withdrawn == !again && done[1].withdrawn == !again);
                CU_ASSERT_EQUAL(ops->room(evaluator.state, false), room);
            }
            CU_ASSERT_EQUAL(ops->withdraw(evaluator.state, stage, &error), 0); /* nothing is in flight */
            CU_ASSERT_EQUAL(ops->wait(evaluator.state, 0, done, 8, &count, &error), 0);
            CU_ASSERT_EQUAL(count, 0);
            evaluator_close(&evaluator);
        }
    valid_set_free(set);
    space_free(space);
}

CU_TestInfo tests_eval_synth[] = {{"work", work},       {"several devices", several}, {"the formula", formula},
                                  {"answers", answers}, {"play-offs", playoffs},      {"withdrawn", withdrawn},
                                  CU_TEST_INFO_NULL};
