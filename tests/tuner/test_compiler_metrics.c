/* Searches that begin with compiler metrics, in replays of journals made here. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "base/random.h"
#include "base/text.h"
#include "evaluate/eval_gpu.h"
#include "evaluate/eval_replay.h"
#include "evaluate/rows.h"
#include "tuner/run.h"

enum { SEED = 4, SIDE = 20, VALID = SIDE * SIDE, COMPILE_NS = 1000, MEASURE_NS = 10 };

struct world {
    struct journal *journal;
    struct space *space;
    struct valid_set *set;
    struct replay_setup evaluation;
    struct evaluator evaluator;
    struct strategy_choice strategy;
    struct run_setup run;
    volatile sig_atomic_t stop;
    uint64_t known; /* most known before the first outcome */
};

static void observe(void *context, const struct run_progress *progress, uint64_t index,
                    const struct measurement *measurement, bool fresh)
{
    struct world *world = context;
    (void)index, (void)measurement, (void)fresh;
    if (progress->evaluated == 0)
        world->known = progress->known;
}

/* A and B explain nothing, registers everything. `registers`: the journal has them. */
static void open_world(struct world *world, const char *strategy, bool registers)
{
    struct error error = {0};
    struct text text = {0};
    uint32_t *choices;
    text_printf(&text, "# cutune journal 1\n# kernel = k\n# parameters = 2\n"
                       "A,B,status,time_ns,registers,compile_ns,measure_ns\n");
    for (int i = 0; i < VALID; i++) {
        int rank = (int)(random_mix(SEED, (uint64_t)i) % VALID);
        text_printf(&text, "%d,%d,ok,%d,", i / SIDE, i % SIDE, 1000 + 10 * rank);
        if (registers)
            text_printf(&text, "%d", 16 + rank);
        text_printf(&text, ",%d,%d\n", COMPILE_NS, MEASURE_NS);
    }
    memset(world, 0, sizeof *world);
    CU_ASSERT_EQUAL_FATAL(journal_parse(&world->journal, "j.csv", text.bytes, text.length, &error), 0);
    CU_ASSERT_EQUAL_FATAL(rows_space(&world->space, world->journal, &error), 0);
    CU_ASSERT_EQUAL_FATAL(rows_choices(world->space, world->journal, &choices, &error), 0);
    CU_ASSERT_EQUAL_FATAL(valid_set_from_list(&world->set, world->space, choices, VALID, &error), 0);
    CU_ASSERT_EQUAL_FATAL(strategy_choose(&world->strategy, strategy, &error), 0);
    world->evaluation = (struct replay_setup){.space = world->space, .set = world->set, .journal = world->journal};
    CU_ASSERT_EQUAL_FATAL(evaluator_open_replay(&world->evaluator, &world->evaluation, &error), 0);
    world->run = (struct run_setup){.space = world->space,
                                    .set = world->set,
                                    .strategy = world->strategy.ops,
                                    .strategy_options = world->strategy.options,
                                    .evaluator = &world->evaluator,
                                    .seed = 1,
                                    .max_evals = 25,
                                    .stop = &world->stop,
                                    .observe = observe,
                                    .context = world};
    free(choices);
    text_free(&text);
}

static void close_world(struct world *world)
{
    evaluator_close(&world->evaluator);
    strategy_choice_free(&world->strategy);
    valid_set_free(world->set);
    space_free(world->space);
    journal_close(world->journal, NULL);
}

static void compiled_first(void)
{
    static const struct {
        const char *strategy;
        bool registers, known;
    } cases[] = {{"surrogate:facts=yes", true, true},
                 {"surrogate:facts=yes", false, true}, /* a journal without metrics */
                 {"surrogate", true, false},
                 {"random", true, false}};
    double best_value[4];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct world world;
        struct run_progress progress;
        struct error error = {0};
        open_world(&world, cases[i].strategy, cases[i].registers);
        CU_ASSERT_EQUAL(run_tune(&world.run, &progress, &error), 0);
        CU_ASSERT_EQUAL(progress.evaluated, 25);
        CU_ASSERT_EQUAL(progress.known, cases[i].known ? VALID : 0);
        CU_ASSERT_EQUAL(world.known, progress.known);
        CU_ASSERT_EQUAL(progress.known_ns, cases[i].known ? COMPILE_NS * VALID : 0);
        CU_ASSERT_EQUAL(progress.elapsed_ns, COMPILE_NS * (cases[i].known ? VALID : 25) + MEASURE_NS * 25);
        best_value[i] = progress.best.value;
        close_world(&world);
    }
    CU_ASSERT(best_value[0] < best_value[1] && best_value[0] < best_value[2] && best_value[0] < best_value[3]);
    CU_ASSERT(best_value[0] < 1050); /* among the best 5 of 400 */
}

static void stopped_before(void)
{
    struct world world;
    struct run_progress progress;
    struct error error = {0};
    open_world(&world, "surrogate:facts=yes", true);
    world.stop = 1;
    CU_ASSERT_EQUAL(run_tune(&world.run, &progress, &error), 0);
    CU_ASSERT_EQUAL(progress.known, 0);
    CU_ASSERT_EQUAL(progress.evaluated, 0);
    close_world(&world);
}

/* Compiling takes time: of 400 configurations, each compiler finishes 50 in the limit, which is then used up. */
static void ends_in_time(void)
{
    for (size_t jobs = 1; jobs <= 4; jobs += 3) {
        struct world world;
        struct run_progress progress;
        struct error error = {0};
        open_world(&world, "surrogate:facts=yes", true);
        evaluator_close(&world.evaluator);
        world.evaluation.jobs = jobs;
        CU_ASSERT_EQUAL_FATAL(evaluator_open_replay(&world.evaluator, &world.evaluation, &error), 0);
        world.run.max_time_ns = 50 * COMPILE_NS;
        CU_ASSERT_EQUAL(run_tune(&world.run, &progress, &error), 0);
        CU_ASSERT_EQUAL(progress.known, 50 * jobs);
        CU_ASSERT_EQUAL(progress.evaluated, 0);
        CU_ASSERT_EQUAL(progress.elapsed_ns, 50 * COMPILE_NS);
        close_world(&world);
    }
}

/* A run whose journal exhausts the budget compiles no metrics. */
static void nothing_left_to_search(void)
{
    static const char known[] = "# cutune journal 1\n# kernel = k\n# parameters = 2\nA,B,status,time_ns\n"
                                "0,0,ok,1000\n0,1,ok,2000\n0,2,ok,3000\n";
    static const struct {
        uint64_t max_evals, patience;
        double target;
        bool left;
    } cases[] = {{3, 0, 0, false}, {0, 2, 0, false}, {0, 0, 1000, false}, {4, 3, 900, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct world world;
        struct run_progress progress;
        struct journal *journal = NULL;
        struct error error = {0};
        open_world(&world, "surrogate:facts=yes", true);
        CU_ASSERT_EQUAL_FATAL(journal_parse(&journal, "k.csv", known, strlen(known), &error), 0);
        world.run.journal = journal;
        world.run.max_evals = cases[i].max_evals;
        world.run.patience = cases[i].patience;
        world.run.target = cases[i].target;
        (void)run_tune(&world.run, &progress, &error); /* a journal open for reading cannot be appended to */
        CU_ASSERT_EQUAL(progress.known, cases[i].left ? VALID : 0);
        CU_ASSERT(progress.evaluated == 3 && progress.best.value == 1000);
        journal_close(journal, NULL);
        close_world(&world);
    }
}

/* Stopped, or out of time, before the first compilation: no compilers are started. */
static void nothing_begun(void)
{
    struct world world;
    struct evaluator evaluator;
    struct error error = {0};
    double unknown[COMPILER_METRICS * VALID] = {0};
    const struct device_limits limits = {.cc = 90};
    uint64_t done = 1;
    open_world(&world, "surrogate:facts=yes", true);
    const struct gpu_setup setup = {
        .space = world.space, .set = world.set, .limits = &limits, .jobs = 1, .stop = &world.stop};
    CU_ASSERT_EQUAL_FATAL(evaluator_open_gpu(&evaluator, &setup, &error), 0);
    for (int late = 0; late < 2; late++) {
        bool more = true;
        world.stop = !late;
        CU_ASSERT_EQUAL(
            evaluator.ops->compiler_metrics(evaluator.state, late ? 0 : INT64_MAX, unknown, &done, &more, &error), 0);
        CU_ASSERT(done == 0 && !more);
    }
    evaluator_close(&evaluator);
    close_world(&world);
}

static void too_many(void)
{
    static const char text[] = "space 2\nkernel k \"k.cu\"\nparam A = 1..1000\nparam B = 1..51\n"
                               "buffer out float[64] output\nargs out\nblock 32\ngrid 1\nreference r block 32 grid 1\n";
    struct world world;
    struct run_progress progress;
    struct space *space = NULL;
    struct valid_set *set = NULL;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "t.space", text, strlen(text), "A B", &error), 0);
    CU_ASSERT_EQUAL_FATAL(space_bind(space, NULL, 0, NULL, &error), 0);
    CU_ASSERT_EQUAL_FATAL(valid_set_build(&set, space, VALID_SET_DEFAULT_BYTES, &error), 0);
    open_world(&world, "surrogate:facts=yes", true);
    world.run.space = space;
    world.run.set = set;
    CU_ASSERT_EQUAL(run_tune(&world.run, &progress, &error), ERROR_USAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "51000"));
    close_world(&world);
    valid_set_free(set);
    space_free(space);
}

CU_TestInfo tests_compiler_metrics[] = {
    {"all is compiled first, once, and learnt from", compiled_first},
    {"a stop ends it", stopped_before},
    {"a stop before there are compilers starts none", nothing_begun},
    {"it ends in time", ends_in_time},
    {"it is not begun when there is nothing left to search", nothing_left_to_search},
    {"a set that is too large is an error", too_many},
    CU_TEST_INFO_NULL};
