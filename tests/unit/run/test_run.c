#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "disk.h"
#include "evaluate/eval_replay.h"
#include "evaluate/eval_synth.h"
#include "evaluate/rows.h"
#include "run/run.h"

static const char text[] = "space 2\nkernel k \"k.cu\"\nproblem N = 64\n"
                           "param A = 1..20\nparam B = 1, 2, 4, 8\nparam C = x, y\nrequire A % B == 0\n"
                           "buffer out float[N] output\nargs out\nblock 32\ngrid 1\n"
                           "reference r block 32 grid 1\ndefault A=4 B=2 C=x\n";
enum { VALID = 74, SEED = 11 };

struct world {
    struct space *space;
    struct valid_set *set;
    struct synth_setup synth;
    struct evaluator_setup replay; /* of the journal, if any */
    struct evaluator evaluator;
    struct run_setup run;
    char folder[32], path[64];
    struct journal *journal;
    uint64_t order[512];          /* measured configurations in order of completion, including the play-off */
    enum proposer proposers[512]; /* and their proposers */
    size_t measured, again;       /* again: measurements of an earlier run's best, which show the device's speed */
    size_t *shared;               /* the same number, shared with another process; NULL: not needed */
    volatile sig_atomic_t stop;
    size_t stop_after;
};

static int hear(void *context, const struct run_event *event, struct error *error)
{
    struct world *world = context;
    (void)error;
    world->again += event->fresh && event->measurement->proposer == PROPOSER_RESUME;
    if (event->fresh && event->measurement->proposer != PROPOSER_RESUME) {
        world->order[world->measured] = event->index;
        world->proposers[world->measured++] = event->measurement->proposer;
    }
    if (world->shared)
        *world->shared = world->measured;
    if (world->stop_after && world->measured >= world->stop_after)
        world->stop = 1;
    return 0;
}

static struct journal_header header_of(const struct world *world, const char **names)
{
    for (size_t p = 0; p < world->space->parameter_count; p++)
        names[p] = world->space->parameters[p].name;
    struct journal_header header = journal_header_unknown();
    header.provenance.kernel = "k";
    header.provenance.problem = "N=64";
    header.provenance.fingerprint = "f";
    header.provenance.source_hash = "s";
    header.provenance.space_hash = "t";
    header.provenance.ceilings.copy = 1e12;
    header.parameter_count = world->space->parameter_count;
    header.parameters = names;
    return header;
}

static void open_world(struct world *world, const char *strategy)
{
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(space_parse_text(&world->space, "t.space", text, strlen(text), "A B C", &error), 0);
    CU_ASSERT_EQUAL_FATAL(space_bind(world->space, NULL, 0, NULL, &error), 0);
    CU_ASSERT_EQUAL_FATAL(valid_set_build(&world->set, world->space, VALID_SET_DEFAULT_BYTES, &error), 0);
    world->replay.space = world->space;
    world->replay.set = world->synth.set = world->set;
    world->synth.seed = SEED;
    CU_ASSERT_EQUAL_FATAL(world->replay.journal ? evaluator_open_replay(&world->evaluator, &world->replay, &error)
                                                : evaluator_open_synth(&world->evaluator, &world->synth, &error),
                          0);
    world->run = (struct run_setup){.space = world->space,
                                    .set = world->set,
                                    .strategy = strategy_find(strategy, &error),
                                    .evaluator = &world->evaluator,
                                    .seed = 3,
                                    .stop = &world->stop,
                                    .on = hear,
                                    .context = world};
    CU_ASSERT_PTR_NOT_NULL_FATAL(world->run.strategy);
}

static void close_world(struct world *world)
{
    evaluator_close(&world->evaluator);
    valid_set_free(world->set);
    space_free(world->space);
}

static void record_to(struct world *world, const char *path)
{
    struct error error = {0};
    const char *names[SPACE_PARAMETERS_MAX];
    struct journal_header header = header_of(world, names);
    CU_ASSERT_EQUAL_FATAL(journal_open(&world->journal, path, &header, &error), 0);
    world->run.journal = world->journal;
}

static void finds_the_optimum(void)
{
    for (size_t i = 0; i < strategy_count; i++) {
        struct world world = {0};
        struct run_progress progress;
        struct error error = {0};
        uint64_t failures = 0, default_;
        uint32_t choices[SPACE_PARAMETERS_MAX];
        open_world(&world, strategies[i]->name);
        CU_ASSERT_EQUAL(run_tune(&world.run, &progress, &error), 0);
        for (uint64_t index = 0; index < VALID; index++)
            failures += synth_fails(world.set, SEED, index);
        CU_ASSERT(failures > 0);
        CU_ASSERT_EQUAL(progress.evaluated, VALID);
        CU_ASSERT_EQUAL(progress.fresh, VALID);
        CU_ASSERT_EQUAL(world.measured, VALID);
        CU_ASSERT_EQUAL(progress.counts[STATUS_COMPILE_ERROR], failures);
        CU_ASSERT_EQUAL(progress.counts[STATUS_OK], VALID - failures);
        CU_ASSERT(progress.has_best);
        CU_ASSERT_EQUAL(progress.best_index, synth_optimum(world.set, SEED));
        CU_ASSERT_DOUBLE_EQUAL(progress.best.value, 1e6, 1);
        space_default(world.space, choices);
        CU_ASSERT_FATAL(valid_set_find(world.set, choices, &default_));
        CU_ASSERT_EQUAL(progress.default_index, default_);
        CU_ASSERT_EQUAL(progress.has_default, !synth_fails(world.set, SEED, default_));
        close_world(&world);
    }
}

/* The default and the first configurations, then the strategy: each once, within the budget, and summarised. */
static void begins_with_what_comes_first(void)
{
    static const uint64_t budgets[] = {0, 2, 5, 30};
    for (size_t i = 0; i < strategy_count * 4; i++) {
        struct world world = {0};
        struct run_progress progress;
        struct error error = {0};
        uint64_t first[5], optimum, budget = budgets[i % 4];
        unsigned times[VALID] = {0};
        open_world(&world, strategies[i / 4]->name);
        optimum = synth_optimum(world.set, SEED);
        first[0] = (optimum + 1) % VALID;
        for (first[1] = 0; !synth_fails(world.set, SEED, first[1]);)
            first[1]++;
        first[2] = optimum;
        first[3] = (optimum + 2) % VALID;
        first[4] = optimum; /* twice */
        world.run.first = first;
        world.run.first_count = 5;
        world.run.max_evals = budget;
        CU_ASSERT_EQUAL(run_tune(&world.run, &progress, &error), 0);
        CU_ASSERT_EQUAL(progress.evaluated, budget ? budget : VALID);
        CU_ASSERT_EQUAL(world.measured, progress.evaluated);
        for (size_t k = 0; k < world.measured; k++) {
            uint64_t index = world.order[k];
            bool is_first = index == first[0] || index == first[1] || index == optimum || index == first[3];
            CU_ASSERT_EQUAL(++times[index], 1);
            CU_ASSERT_EQUAL(world.proposers[k], index == progress.default_index ? PROPOSER_DEFAULT
                                                : is_first                      ? PROPOSER_WARM_START
                                                                                : PROPOSER_STRATEGY);
        }
        /* Answers come in any order; a learning strategy waits for them. */
        CU_ASSERT_EQUAL(times[progress.default_index], 1);
        for (size_t k = 0; k < 4 && k + 1 < world.measured; k++)
            CU_ASSERT_EQUAL(times[first[k]], 1);
        for (size_t k = 0; k < 5 && k < world.measured && strategies[i / 4]->tell; k++)
            CU_ASSERT(world.order[k] == progress.default_index || world.order[k] == first[0] ||
                      world.order[k] == first[1] || world.order[k] == first[2] || world.order[k] == first[3]);
        CU_ASSERT_EQUAL(progress.first_count, budget == 2 ? 1 : 5);
        CU_ASSERT_EQUAL(progress.first_index, budget == 2 ? first[0] : optimum);
        CU_ASSERT_DOUBLE_EQUAL(progress.first.value, synth_time_ns(world.set, SEED, progress.first_index), 1);
        close_world(&world);
    }
}

static void same_seed_same_sequence(void)
{
    struct world worlds[3] = {0};
    for (size_t i = 0; i < 3; i++) {
        struct run_progress progress;
        struct error error = {0};
        open_world(&worlds[i], "random");
        worlds[i].run.max_evals = 40;
        worlds[i].run.seed = i == 2 ? 4 : 3;
        CU_ASSERT_EQUAL(run_tune(&worlds[i].run, &progress, &error), 0);
        CU_ASSERT_EQUAL(progress.evaluated, 40);
        CU_ASSERT_EQUAL(worlds[i].measured, 40);
    }
    CU_ASSERT_EQUAL(memcmp(worlds[0].order, worlds[1].order, sizeof worlds[0].order), 0);
    CU_ASSERT_NOT_EQUAL(memcmp(worlds[0].order, worlds[2].order, sizeof worlds[0].order), 0);
    for (size_t i = 0; i < 3; i++)
        close_world(&worlds[i]);
}

/* Stopped, resumed with a larger budget, resumed to the end: each configuration is measured exactly once. */
static void resumes_with(const char *strategy)
{
    char folder[] = "/tmp/cutune-run-XXXXXX", path[64];
    size_t measured = 0;
    unsigned times[VALID] = {0};
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/j.csv", folder);
    for (size_t round = 0; round < 4; round++) {
        struct world world = {0};
        struct run_progress progress;
        struct error error = {0};
        open_world(&world, round == 3 ? "exhaustive" : strategy);
        record_to(&world, path);
        world.stop_after = round == 0 ? 9 : 0;
        world.run.max_evals = round == 1 ? 30 : 0;
        CU_ASSERT_EQUAL(run_tune(&world.run, &progress, &error), 0);
        for (size_t i = 0; i < world.measured; i++)
            times[world.order[i]]++;
        measured += world.measured;
        /* The best again, first, if anything remains to be measured. */
        CU_ASSERT_EQUAL(world.again, round == 1 || round == 2);
        if (round == 0)
            CU_ASSERT(measured >= 9 && measured < VALID / 2); /* pending configurations are finished */
        if (round == 1)
            CU_ASSERT_EQUAL(progress.evaluated, 30);
        if (round >= 2)
            CU_ASSERT_EQUAL(progress.evaluated, VALID);
        if (round == 3)
            CU_ASSERT_EQUAL(world.measured, 0);
        if (round >= 2)
            CU_ASSERT_EQUAL(progress.best_index, synth_optimum(world.set, SEED));
        CU_ASSERT_EQUAL(journal_close(world.journal, &error), 0);
        close_world(&world);
    }
    CU_ASSERT_EQUAL(measured, VALID);
    for (size_t i = 0; i < VALID; i++)
        CU_ASSERT_EQUAL(times[i], 1);
    unlink(path);
    rmdir(folder);
}

/* Searching a recorded run again gives the same numbers, on a set of recorded configurations. */
static void resumes(void)
{
    for (size_t s = 0; s < strategy_count; s++)
        resumes_with(strategies[s]->name);
}

static void replays(void)
{
    char folder[] = "/tmp/cutune-run-XXXXXX", path[64];
    struct world recorded = {0}, replayed = {0};
    struct run_progress first, second;
    struct error error = {0};
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/j.csv", folder);
    open_world(&recorded, "exhaustive");
    record_to(&recorded, path);
    CU_ASSERT_EQUAL(run_tune(&recorded.run, &first, &error), 0);
    CU_ASSERT_EQUAL(journal_close(recorded.journal, &error), 0);
    CU_ASSERT_EQUAL_FATAL(journal_read(&replayed.journal, path, &error), 0);
    replayed.replay.journal = replayed.journal;
    open_world(&replayed, "random");
    CU_ASSERT_EQUAL(run_tune(&replayed.run, &second, &error), 0);
    CU_ASSERT_EQUAL(second.evaluated, VALID);
    CU_ASSERT_EQUAL(first.best_index, second.best_index);
    CU_ASSERT_EQUAL(first.best.value, second.best.value);
    CU_ASSERT_EQUAL(memcmp(first.counts, second.counts, sizeof first.counts), 0);
    journal_close(replayed.journal, NULL);
    close_world(&recorded);
    close_world(&replayed);
    unlink(path);
    rmdir(folder);
}

/* With noise, the fastest of the search is often not the fastest; the play-off finds it. Finalists that fail lose their
 * place, and a second run finds everything in the journal. */
static void plays_off(void)
{
    char folder[] = "/tmp/cutune-run-XXXXXX", path[64];
    uint64_t failed = 0;
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/j.csv", folder);
    for (size_t round = 0; round < 3; round++) {
        struct world world = {0};
        struct run_progress progress;
        struct error error = {0};
        double least = INFINITY;
        world.synth.noise = 0.4;
        open_world(&world, "exhaustive");
        record_to(&world, path);
        world.run.finalists = round == 0 ? 0 : FINALISTS_MAX;
        CU_ASSERT_EQUAL(run_tune(&world.run, &progress, &error), 0);
        CU_ASSERT_EQUAL(progress.evaluated, VALID);
        CU_ASSERT(progress.has_best);
        for (uint64_t i = 0; i < VALID; i++)
            if (!synth_fails(world.set, SEED, i) && synth_time_ns(world.set, SEED, i) < least)
                least = synth_time_ns(world.set, SEED, i);
        if (round == 0) {
            CU_ASSERT_EQUAL(progress.finalists, 0);
            CU_ASSERT_EQUAL(world.measured, VALID);
            CU_ASSERT_NOT_EQUAL(progress.best.value, least);
        } else {
            CU_ASSERT(progress.finalists > 1 && progress.finalists < VALID);
            CU_ASSERT_EQUAL(progress.tied, 0);
            CU_ASSERT_EQUAL(progress.best_index, synth_optimum(world.set, SEED));
            CU_ASSERT_EQUAL(progress.best.value, least);
            CU_ASSERT_EQUAL(progress.best.playoff, PLAYOFF_LEADER);
        }
        if (round == 1) {
            failed = progress.counts[STATUS_CRASHED];
            CU_ASSERT(failed > 0);
            CU_ASSERT(world.measured >= progress.finalists + failed);
        }
        if (round == 2) {
            CU_ASSERT_EQUAL(world.measured, 0);
            CU_ASSERT_EQUAL(progress.counts[STATUS_CRASHED], failed);
        }
        CU_ASSERT_EQUAL(journal_close(world.journal, &error), 0);
        close_world(&world);
    }
    unlink(path);
    rmdir(folder);
}

/* A replay returns the recorded play-off. */
static void replays_the_playoff(void)
{
    char folder[] = "/tmp/cutune-run-XXXXXX", path[64];
    struct world recorded = {0}, replayed = {0};
    struct run_progress first, second;
    struct error error = {0};
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/j.csv", folder);
    recorded.synth.noise = 0.05;
    open_world(&recorded, "exhaustive");
    record_to(&recorded, path);
    recorded.run.finalists = 16;
    CU_ASSERT_EQUAL(run_tune(&recorded.run, &first, &error), 0);
    CU_ASSERT_EQUAL(journal_close(recorded.journal, &error), 0);
    CU_ASSERT_EQUAL_FATAL(journal_read(&replayed.journal, path, &error), 0);
    replayed.replay.journal = replayed.journal;
    open_world(&replayed, "random");
    replayed.run.finalists = 16;
    CU_ASSERT_EQUAL(run_tune(&replayed.run, &second, &error), 0);
    CU_ASSERT_EQUAL(first.best_index, second.best_index);
    CU_ASSERT_EQUAL(first.best.value, second.best.value);
    CU_ASSERT_EQUAL(first.finalists, second.finalists);
    journal_close(replayed.journal, NULL);
    close_world(&recorded);
    close_world(&replayed);
    unlink(path);
    rmdir(folder);
}

/* A run whose disk fails or whose coordinator is killed at the n-th operation: all observed outcomes are in the
 * journal, and repeating the run finds the right winner and measures nothing twice. */
static void faults_lose_nothing(void)
{
    static const struct disk_plan plans[] = {{.fault = DISK_FAILS, .number = ENOSPC, .sticky = true},
                                             {.fault = DISK_HALF, .number = EIO},
                                             {.fault = DISK_KILLS},
                                             {.fault = DISK_KILLS_HALF}};
    size_t *observed = mmap(NULL, sizeof *observed, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CU_ASSERT_FATAL(observed != MAP_FAILED);
    /* Opening, the header, one row each, closing; and a play-off in every second round of the four plans. */
    for (size_t i = 0; i < 4 * (VALID + 3); i++) {
        size_t finalists = i % 8 < 4 ? 0 : FINALISTS_MAX;
        char folder[] = "/tmp/cutune-run-XXXXXX", path[64];
        struct world world = {0};
        struct run_progress progress;
        struct error error = {0};
        int status = 0;
        CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
        snprintf(path, sizeof path, "%s/j.csv", folder);
        world.synth.noise = finalists ? 0.4 : 0;
        open_world(&world, i % 2 ? "random" : "exhaustive");
        world.run.finalists = finalists;
        *observed = 0;
        pid_t child = fork();
        if (child == 0) {
            struct disk_plan plan = plans[i % 4];
            const char *names[SPACE_PARAMETERS_MAX];
            struct journal_header header = header_of(&world, names);
            plan.path = folder;
            plan.at = (long)(i / 4 + (finalists ? 12 : 0));
            disk_plan(&plan);
            world.shared = observed;
            if (journal_open(&world.journal, path, &header, &error))
                _exit(2);
            world.run.journal = world.journal;
            int code = run_tune(&world.run, &progress, &error);
            code = code ? code : journal_close(world.journal, &error);
            _exit(code ? 2 : 0);
        }
        waitpid(child, &status, 0);
        CU_ASSERT(i % 4 >= 2 ? WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL
                             : WIFEXITED(status) && WEXITSTATUS(status) == 2);
        record_to(&world, path);
        CU_ASSERT_EQUAL(journal_row_count(world.journal), *observed);
        CU_ASSERT_EQUAL(run_tune(&world.run, &progress, &error), 0);
        CU_ASSERT_EQUAL(progress.evaluated, VALID);
        CU_ASSERT(finalists ? world.measured + *observed >= VALID + 2 : world.measured + *observed == VALID);
        CU_ASSERT_EQUAL(progress.finalists > 1, finalists > 0);
        CU_ASSERT_EQUAL(progress.best_index, synth_optimum(world.set, SEED));
        CU_ASSERT_EQUAL(journal_close(world.journal, &error), 0);
        close_world(&world);
        unlink(path);
        rmdir(folder);
    }
    munmap(observed, sizeof *observed);
}

/* The clock of a replay: compilers in parallel, then one device; computed by hand for the rows in order. */
/* Searches a whole journal. */
static void replay_text(const char *recording, const struct strategy_ops *strategy, size_t jobs,
                        struct run_progress *progress)
{
    struct journal *recorded = NULL;
    struct space *space = NULL;
    struct valid_set *set = NULL;
    struct evaluator evaluator = {0};
    struct error error = {0};
    uint32_t *choices;
    CU_ASSERT_EQUAL_FATAL(journal_parse(&recorded, "j.csv", recording, strlen(recording), &error), 0);
    CU_ASSERT_EQUAL_FATAL(rows_space(&space, recorded, &error), 0);
    CU_ASSERT_EQUAL_FATAL(rows_choices(space, recorded, &choices, &error), 0);
    CU_ASSERT_EQUAL_FATAL(valid_set_from_list(&set, space, choices, journal_row_count(recorded), &error), 0);
    free(choices);
    const struct evaluator_setup setup = {.space = space, .set = set, .journal = recorded, .jobs = jobs};
    CU_ASSERT_EQUAL_FATAL(evaluator_open_replay(&evaluator, &setup, &error), 0);
    struct run_setup run = {.space = space, .set = set, .strategy = strategy, .evaluator = &evaluator};
    CU_ASSERT_EQUAL(run_tune(&run, progress, &error), 0);
    evaluator_close(&evaluator);
    valid_set_free(set);
    space_free(space);
    journal_close(recorded, NULL);
}

static void replays_in_recorded_time(void)
{
    static const char journal[] = "# cutune journal 1\n# kernel = k\n# parameters = 1\n"
                                  "A,status,time_ns,compile_ns,measure_ns\n"
                                  "1,ok,10,100,10\n2,compile_error,,30,\n3,ok,9,40,5\n4,timeout,,10,1000\n5,ok,8,,\n";
    static const struct {
        size_t jobs;
        int64_t elapsed_ns;
    } rows[] = {
        {0, 100 + 10 + 30 + 40 + 5 + 10 + 1000}, /* one after the other */
        {1, 100 + 30 + 40 + 10 + 1000},          /* measured while the next is compiled */
        /* 1 compiled at 100, 2 fails at 30; 3 compiled at 70, measured at 75; 4 at 80 and 1080; 1 measured at 1090 */
        {2, 1090},
        /* 5 has no durations; 4 compiled at 10, measured at 1010; 3 at 1015; 1 at 1025 */
        {5, 1025},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct run_progress progress;
        replay_text(journal, strategy_find("exhaustive", NULL), rows[i].jobs, &progress);
        CU_ASSERT_EQUAL(progress.evaluated, 5);
        CU_ASSERT_EQUAL(progress.elapsed_ns, rows[i].elapsed_ns);
        CU_ASSERT_EQUAL(progress.counts[STATUS_OK], 3);
        CU_ASSERT_EQUAL(progress.counts[STATUS_TIMEOUT], 1);
        CU_ASSERT(!progress.has_default && progress.best.value == 8);
    }
}

/* Outcomes that cutune never records: strategies treat them as failures. */
static void replays_what_has_no_time(void)
{
    static const char *const rows[] = {
        "A,B,status\n1,1,slower\n1,2,slower\n2,1,ok\n2,2,duplicate\n3,1,ok\n3,2,slower\n",
        "A,B,status,time_ns\n1,1,slower,\n1,2,ok,1e-9\n2,1,slower,1e-9\n2,2,ok,\n"
        "3,1,ok,1e18\n3,2,slower,1e18\n"};
    for (size_t i = 0; i < strategy_count * 2; i++) {
        struct text journal = {0};
        struct run_progress progress;
        text_printf(&journal, "# cutune journal 1\n# kernel = k\n# parameters = 2\n%s", rows[i % 2]);
        replay_text(text_string(&journal), strategies[i / 2], 1 + i % 3, &progress);
        CU_ASSERT_EQUAL(progress.evaluated, 6);
        text_free(&journal);
    }
}

static void noise_has_intervals(void)
{
    struct world world = {0};
    struct run_progress progress;
    struct error error = {0};
    world.synth.noise = 0.01;
    open_world(&world, "exhaustive");
    CU_ASSERT_EQUAL(run_tune(&world.run, &progress, &error), 0);
    CU_ASSERT(progress.best.low < progress.best.value && progress.best.value < progress.best.high);
    CU_ASSERT(synth_time_ns(world.set, SEED, progress.best_index) < 1.05e6);
    close_world(&world);
}

/* A target and a patience end the search, but not too early. */
static void stops_early(void)
{
    struct run_progress full;
    struct error error = {0};
    struct world world = {0};
    open_world(&world, "random");
    CU_ASSERT_EQUAL(run_tune(&world.run, &full, &error), 0);
    double second_ns = INFINITY;
    for (uint64_t i = 0; i < VALID; i++) {
        double value = synth_time_ns(world.set, SEED, i);
        if (i != full.best_index && !synth_fails(world.set, SEED, i) && value < second_ns)
            second_ns = value;
    }
    static const uint64_t patiences[] = {1, 5, 20};
    for (size_t i = 0; i < 3; i++) {
        struct world patient = {0};
        struct run_progress progress;
        open_world(&patient, "random");
        patient.run.patience = patiences[i];
        CU_ASSERT_EQUAL(run_tune(&patient.run, &progress, &error), 0);
        CU_ASSERT(progress.waited >= patiences[i] || progress.evaluated == VALID);
        CU_ASSERT(progress.waited < patiences[i] + 16); /* pending configurations are finished */
        close_world(&patient);
    }
    for (int optimum = 0; optimum < 2; optimum++) {
        struct world aimed = {0};
        struct run_progress progress;
        open_world(&aimed, "random");
        aimed.run.target = optimum ? full.best.value : second_ns;
        CU_ASSERT_EQUAL(run_tune(&aimed.run, &progress, &error), 0);
        CU_ASSERT(progress.best.value <= aimed.run.target * (1 + 1e-12));
        CU_ASSERT(progress.waited < 16);
        close_world(&aimed);
    }
    close_world(&world);
}

CU_TestInfo tests_run[] = {{"finds the optimum, default first", finds_the_optimum},
                           {"begins with what comes first", begins_with_what_comes_first},
                           {"the same seed gives the same sequence", same_seed_same_sequence},
                           {"resumes from its journal", resumes},
                           {"replays what was recorded", replays},
                           {"the best few are played off", plays_off},
                           {"a replay has the recorded play-off", replays_the_playoff},
                           {"faults lose nothing", faults_lose_nothing},
                           {"replays in recorded time", replays_in_recorded_time},
                           {"replays outcomes without a time", replays_what_has_no_time},
                           {"noisy times have intervals", noise_has_intervals},
                           {"a target or a patience ends the search", stops_early},
                           CU_TEST_INFO_NULL};
