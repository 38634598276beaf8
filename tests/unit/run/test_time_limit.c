/* The time limit of a run, on the simulated clock of a replay: configurations that are not being measured are dropped,
 * and a compilation that cannot end in time is not begun. A later run evaluates the rest. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "../scratch.h"
#include "base/clock.h"
#include "evaluate/eval_replay.h"
#include "evaluate/eval_synth.h"
#include "evaluate/rows.h"
#include "run/run.h"

#define S INT64_C(1000000000)

struct row {
    const char *name;
    int64_t compile_ns, measure_ns; /* of each configuration; compile_ns -1: unknown */
    size_t jobs;                    /* compilers; 0: configurations follow one another */
    int64_t limit_ns;
    uint64_t evaluated;
    bool withdraws;
    int64_t end_ns;
};

enum { CONFIGURATIONS = 40 };

static const struct row rows[] = {
    /* at 12 s, four pairs are compiled, and another takes until 15 s */
    {"slow compilers", 3 * S, S / 10, 2, 14 * S, 8, true, 14 * S},
    {"less than a compilation", 3 * S, S / 10, 2, 2 * S, 0, true, 2 * S},
    {"a compilation that just ends", 3 * S, S / 10, 1, 12 * S, 3, true, 12 * S},
    {"a measurement under way ends", S, 5 * S, 1, 7 * S, 2, true, 11 * S},
    {"compiled ahead, but not measured", S, 5 * S, 8, 17 * S, 4, true, 21 * S},
    {"one after the other", S, S, 0, 9 * S, 4, true, 9 * S},
    {"nothing is begun in vain", 3 * S, S, 0, 10 * S, 2, false, 8 * S},
    {"time for everything", S / 10, S / 10, 2, 100 * S, CONFIGURATIONS, false, 41 * S / 10},
    {"unknown times", -1, S, 1, 5 * S, 5, true, 5 * S},
    {"no limit", 3 * S, S / 10, 2, 0, CONFIGURATIONS, false, 0},
};

struct world {
    struct space *space;
    struct valid_set *set;
    struct journal *recorded;
    struct evaluator_setup setup;
};

static void open_world(struct world *world, const struct row *row)
{
    struct error error = {0};
    struct text text = {0};
    uint32_t *choices;
    *world = (struct world){0};
    text_printf(&text, "# cutune journal 1\n# kernel = k\n# fingerprint = f\n# parameters = 1\n"
                       "A,status,time_ns,compile_ns,measure_ns\n");
    for (int i = 0; i < CONFIGURATIONS; i++) {
        text_printf(&text, "%d,ok,%d,", i, 1000 + i);
        if (row->compile_ns >= 0)
            text_printf(&text, "%lld", (long long)row->compile_ns);
        text_printf(&text, ",%lld\n", (long long)row->measure_ns);
    }
    CU_ASSERT_EQUAL_FATAL(journal_parse(&world->recorded, "j.csv", text.bytes, text.length, &error), 0);
    CU_ASSERT_EQUAL_FATAL(rows_space(&world->space, world->recorded, &error), 0);
    CU_ASSERT_EQUAL_FATAL(rows_choices(world->space, world->recorded, &choices, &error), 0);
    CU_ASSERT_EQUAL_FATAL(valid_set_from_list(&world->set, world->space, choices, CONFIGURATIONS, &error), 0);
    world->setup = (struct evaluator_setup){
        .space = world->space, .set = world->set, .journal = world->recorded, .jobs = row->jobs};
    free(choices);
    text_free(&text);
}

static void close_world(struct world *world)
{
    journal_close(world->recorded, NULL);
    valid_set_free(world->set);
    space_free(world->space);
}

/* Runs within the limit, or continues the run of this journal. Counts new outcomes in `fresh`. */
static void run(const struct world *world, struct run_setup setup, const char *path, struct run_progress *progress)
{
    struct evaluator evaluator = {0};
    struct journal *journal = NULL;
    struct error error = {0};
    struct journal_header header = journal_header_unknown();
    header.provenance.kernel = "k";
    header.provenance.fingerprint = "f";
    header.parameter_count = 1;
    header.parameters = (const char *const[]){"A"};
    CU_ASSERT_EQUAL_FATAL(journal_open(&journal, path, &header, &error), 0);
    CU_ASSERT_EQUAL_FATAL(evaluator_open_replay(&evaluator, &world->setup, &error), 0);
    setup.space = world->space;
    setup.set = world->set;
    setup.evaluator = &evaluator;
    setup.journal = journal;
    CU_ASSERT_EQUAL(run_tune(&setup, progress, &error), 0);
    evaluator_close(&evaluator);
    CU_ASSERT_EQUAL(journal_close(journal, &error), 0);
}

static void limits(void)
{
    static const struct strategy_ops *const kinds[] = {&strategy_random, &strategy_exhaustive, &strategy_surrogate};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t s = 0; s < sizeof kinds / sizeof *kinds; s++) {
            const struct row *row = &rows[i];
            struct scratch scratch = scratch_open("k.csv");
            struct run_progress progress;
            struct world world;
            open_world(&world, row);
            const struct run_setup setup = {.strategy = kinds[s], .seed = 1};
            struct run_setup limited = setup;
            limited.max_time_ns = row->limit_ns;
            run(&world, limited, scratch.path, &progress);
            if (progress.evaluated != row->evaluated || (row->end_ns && progress.search_ns != row->end_ns))
                printf("\n    %s, %s: %d evaluated in %.1f s\n", row->name, kinds[s]->name, (int)progress.evaluated,
                       (double)progress.search_ns * 1e-9);
            CU_ASSERT_EQUAL(progress.evaluated, row->evaluated);
            CU_ASSERT_EQUAL(progress.withdrawn > 0, row->withdraws);
            CU_ASSERT(!row->end_ns || progress.search_ns == row->end_ns);
            run(&world, setup, scratch.path, &progress);
            CU_ASSERT_EQUAL(progress.evaluated, CONFIGURATIONS);
            CU_ASSERT_EQUAL(progress.fresh, CONFIGURATIONS - row->evaluated);
            CU_ASSERT_EQUAL(progress.withdrawn, 0);
            close_world(&world);
            scratch_close(&scratch);
        }
}

/* Withdrawn configurations cost no budget: the same command continues. */
static void budgets(void)
{
    struct scratch scratch = scratch_open("k.csv");
    struct run_progress progress;
    struct world world;
    open_world(&world, &rows[0]);
    const struct run_setup setup = {
        .strategy = &strategy_random, .seed = 1, .max_evals = 12, .max_time_ns = rows[0].limit_ns};
    run(&world, setup, scratch.path, &progress);
    CU_ASSERT_EQUAL(progress.evaluated, 8);
    run(&world, setup, scratch.path, &progress);
    CU_ASSERT_EQUAL(progress.evaluated, 12);
    CU_ASSERT_EQUAL(progress.fresh, 4);
    CU_ASSERT_EQUAL(progress.withdrawn, 0);
    close_world(&world);
    scratch_close(&scratch);
}

/* A newcomer to an open run is evaluated although the time of the search is over. */
static void newcomers(void)
{
    for (uint64_t index = 0; index < CONFIGURATIONS; index++) {
        struct evaluator evaluator = {0};
        struct search_run *opened;
        struct run_progress progress;
        struct error error = {0};
        struct world world;
        open_world(&world, &rows[0]);
        CU_ASSERT_EQUAL_FATAL(evaluator_open_replay(&evaluator, &world.setup, &error), 0);
        const struct run_setup setup = {.space = world.space,
                                        .set = world.set,
                                        .evaluator = &evaluator,
                                        .strategy = &strategy_exhaustive,
                                        .max_time_ns = rows[0].limit_ns};
        CU_ASSERT_EQUAL(run_open(&opened, &setup, &progress, &error), 0);
        CU_ASSERT_EQUAL(progress.evaluated, rows[0].evaluated);
        const uint64_t fresh = progress.fresh;
        const int64_t elapsed_ns = progress.elapsed_ns;
        CU_ASSERT_EQUAL(run_play_again(opened, index, &error), 0);
        CU_ASSERT(progress.evaluated == rows[0].evaluated || progress.evaluated == rows[0].evaluated + 1);
        CU_ASSERT_EQUAL(progress.fresh - fresh, progress.evaluated - rows[0].evaluated);
        CU_ASSERT_EQUAL(progress.elapsed_ns > elapsed_ns, progress.evaluated > rows[0].evaluated);
        CU_ASSERT_EQUAL(progress.plan.limit_ns, rows[0].limit_ns);
        CU_ASSERT_EQUAL(progress.best_index, 0);
        run_close(opened);
        evaluator_close(&evaluator);
        close_world(&world);
    }
}

/* The play-off has fewer finalists if its end is near, and at the end nothing more happens. */
static void ends(void)
{
    static const uint64_t incumbent = 1;
    static const struct {
        int64_t end_ns; /* from now */
        size_t finalists, most;
        const uint64_t *incumbent; /* plays, too */
        bool plays;
        const char *unplayed;
    } cases[] = {{600 * S, 8, 8, NULL, true, ""},
                 {5 * (int64_t)EVALUATOR_PLAYOFF_NS, 8, 4, NULL, true, ""},
                 {3 * EVALUATOR_PLAYOFF_NS / 2, 8, 0, NULL, false, "the time limit leaves no time for it"},
                 {5 * EVALUATOR_PLAYOFF_NS / 2, 8, 0, &incumbent, false, "the time limit leaves no time for it"},
                 {3 * EVALUATOR_PLAYOFF_NS / 2, 0, 0, NULL, false, ""},
                 {-S, 8, 0, NULL, false, ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct run_progress progress;
        struct world world;
        struct evaluator evaluator;
        struct error error = {0};
        open_world(&world, &rows[0]);
        const struct synth_setup synth = {.set = world.set, .seed = 1};
        CU_ASSERT_EQUAL_FATAL(evaluator_open_synth(&evaluator, &synth, &error), 0);
        CU_ASSERT_EQUAL(run_tune(&(struct run_setup){.space = world.space,
                                                     .set = world.set,
                                                     .strategy = &strategy_random,
                                                     .evaluator = &evaluator,
                                                     .finalists = cases[i].finalists,
                                                     .incumbent = cases[i].incumbent,
                                                     .seed = 1,
                                                     .end_ns = clock_now_ns() + cases[i].end_ns},
                                 &progress, &error),
                        0);
        CU_ASSERT(progress.finalists <= cases[i].most);
        CU_ASSERT(!cases[i].plays || progress.finalists > 0 || *progress.unplayed);
        CU_ASSERT(cases[i].plays || strcmp(progress.unplayed, cases[i].unplayed) == 0);
        CU_ASSERT(cases[i].end_ns > 0 || progress.evaluated == 0);
        evaluator_close(&evaluator);
        close_world(&world);
    }
}

/* Only a limit that was set is followed by an announced play-off. */
static void announcements(void)
{
    const struct {
        int64_t max_time_ns;
        size_t finalists, processes;
        bool sustained;
        int64_t announced_ns;
        int64_t whole_ns; /* limit of search and play-off together; 0: none */
    } cases[] = {{14 * S, 8, 0, false, 9 * (int64_t)EVALUATOR_PLAYOFF_NS, 0},
                 {14 * S, 8, 1, false, 9 * (int64_t)EVALUATOR_PLAYOFF_NS, 0},
                 {14 * S, 8, 1, true, 9 * (int64_t)EVALUATOR_PLAYOFF_NS + 2 * S, 0},
                 {14 * S, 8, 6, false, run_playoff_ns(8, 6, false), 0},
                 {14 * S, 8, 6, true, run_playoff_ns(8, 6, false) + 12 * S, 0},
                 {14 * S, 64, 0, false, (CONFIGURATIONS + 1) * (int64_t)EVALUATOR_PLAYOFF_NS, 0},
                 {14 * S, 0, 6, true, 0, 0},
                 {14 * S, 8, 6, true, 6 * S, 20 * S},
                 {0, 8, 6, true, 0, 0}};
    CU_ASSERT(run_playoff_ns(8, 6, false) > run_playoff_ns(8, 1, false));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scratch scratch = scratch_open("k.csv");
        struct run_progress progress;
        struct world world;
        open_world(&world, &rows[0]);
        run(&world,
            (struct run_setup){.strategy = &strategy_random,
                               .seed = 1,
                               .max_time_ns = cases[i].max_time_ns,
                               .finalists = cases[i].finalists,
                               .playoff_processes = cases[i].processes,
                               .sustained = cases[i].sustained,
                               .end_ns = cases[i].whole_ns ? clock_now_ns() + cases[i].whole_ns : 0},
            scratch.path, &progress);
        const int64_t passed_ns = cases[i].announced_ns - progress.announced_ns;
        CU_ASSERT(cases[i].whole_ns ? passed_ns >= 0 && passed_ns < S : passed_ns == 0);
        close_world(&world);
        scratch_close(&scratch);
    }
}

CU_TestInfo tests_time_limit[] = {{"dropped now, evaluated later", limits},
                                  {"budgets", budgets},
                                  {"newcomers", newcomers},
                                  {"the end of everything", ends},
                                  {"announcements", announcements},
                                  CU_TEST_INFO_NULL};
