/* Exchange between simultaneous runs for several devices: struct run_setup's `exchange`. */
#include "../evaluate/synthetic.h"
#include "../scratch.h"

#include "evaluate/eval_synth.h"
#include "run/run.h"

enum { VALID = 80, SEED = 11, FOUND = 2, ASKED_MAX = 8 };
static const uint64_t found[FOUND] = {70, 71};

struct watched {
    size_t measured, asked_count;
    size_t asked[ASKED_MAX]; /* number of evaluations at each exchange */
    uint64_t order[VALID];
    enum proposer proposers[VALID];
};

/* The evaluator, with few configurations at a time, of which the last ends first. */
static const struct evaluator_ops *synth_ops;
static size_t in_flight, in_flight_most;
static uint64_t middle; /* of those in flight */

static size_t few(void *state, bool learns_at_once)
{
    (void)state, (void)learns_at_once;
    return in_flight_most - in_flight;
}

static int count_submitted(void *state, uint64_t index, bool exact, size_t device, struct error *error)
{
    CU_ASSERT(in_flight < in_flight_most);
    if (in_flight++ == in_flight_most / 2)
        middle = index;
    return synth_ops->submit(state, index, exact, device, error);
}

static int count_done(void *state, int64_t until_ns, struct evaluation *done, size_t room, size_t *count,
                      struct error *error)
{
    (void)room;
    int code = synth_ops->wait(state, until_ns, done, 1, count, error);
    in_flight -= *count;
    return code;
}

static int hear(void *context, const struct run_event *event, struct error *error)
{
    struct watched *watched = context;
    (void)error;
    if (!event->fresh || event->measurement->proposer == PROPOSER_RESUME)
        return 0;
    CU_ASSERT_FATAL(watched->measured < VALID);
    watched->order[watched->measured] = event->index;
    watched->proposers[watched->measured++] = event->measurement->proposer;
    return 0;
}

/* Finds two configurations that are new to the run, after one of its own. */
static int find(void *context, uint64_t *indices, size_t room, size_t *count, struct error *error)
{
    struct watched *watched = context;
    (void)error;
    CU_ASSERT_FATAL(watched->asked_count < ASKED_MAX && room > FOUND);
    watched->asked[watched->asked_count++] = watched->measured + in_flight;
    indices[0] = middle;
    memcpy(indices + 1, found, sizeof found);
    *count = 1 + FOUND;
    return 0;
}

static int fail_to_find(void *context, uint64_t *indices, size_t room, size_t *count, struct error *error)
{
    (void)context, (void)indices, (void)room;
    *count = 0;
    return error_memory(error);
}

/* Makes a run over a formula. `path`: of its journal; NULL: none. */
static int run(struct run_setup setup, const char *path, const char *strategy, struct run_progress *progress)
{
    struct space *space = synthetic_space("param A = 1..20\nparam B = 1, 2, 4, 8\ndefault A=4 B=2\n");
    struct valid_set *set = NULL;
    struct journal *journal = NULL;
    struct evaluator evaluator;
    struct error error = {0};
    struct journal_header header = journal_header_unknown();
    header.parameter_count = 2;
    header.parameters = (const char *[]){"A", "B"};
    CU_ASSERT_EQUAL_FATAL(valid_set_build(&set, space, VALID_SET_DEFAULT_BYTES, &error), 0);
    CU_ASSERT_EQUAL_FATAL(valid_set_count(set), VALID);
    const struct synth_setup synth = {.set = set, .seed = SEED};
    CU_ASSERT_EQUAL_FATAL(evaluator_open_synth(&evaluator, &synth, &error), 0);
    struct evaluator_ops ops = *(synth_ops = evaluator.ops);
    ops.room = few;
    ops.submit = count_submitted;
    ops.wait = count_done;
    evaluator.ops = &ops;
    in_flight = 0;
    if (path)
        CU_ASSERT_EQUAL_FATAL(journal_open(&journal, path, &header, &error), 0);
    setup.space = space;
    setup.set = set;
    setup.strategy = strategy_find(strategy, &error);
    setup.evaluator = &evaluator;
    setup.journal = journal;
    setup.on = hear;
    int code = run_tune(&setup, progress, &error);
    journal_close(journal, &error);
    evaluator_close(&evaluator);
    valid_set_free(set);
    space_free(space);
    return code;
}

/* A configuration from another run is evaluated next, once, unless it is known or in flight here. The run asks each
 * time that the evaluations have doubled, and when it resumes. */
static void tries_what_others_found(void)
{
    static const size_t wanted[] = {5, 10, 20, 40};
    static const struct {
        size_t in_flight;
        bool resumed;
    } rows[] = {{1, false}, {1, true}, {3, false}};
    struct scratch scratch = scratch_open("k.csv");
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const bool resumed = rows[r].resumed;
        struct watched watched = {0};
        struct run_progress progress;
        const struct run_setup setup = {
            .exchange = find, .max_evals = resumed ? 60 : 50, .seed = 3, .context = &watched};
        in_flight_most = rows[r].in_flight;
        if (!resumed)
            unlink(scratch.path);
        CU_ASSERT_EQUAL(run(setup, scratch.path, "random", &progress), 0);
        CU_ASSERT_EQUAL(watched.measured, resumed ? 10 : 50);
        CU_ASSERT_EQUAL_FATAL(watched.asked_count, resumed ? 1 : 4);
        for (size_t i = 0; i < watched.asked_count && !resumed; i++)
            CU_ASSERT_EQUAL(watched.asked[i], wanted[i]);
        CU_ASSERT_EQUAL(watched.asked[0], resumed ? 0 : RUN_EXCHANGE);
        for (size_t i = 0; i < watched.measured; i++) {
            const size_t ended = i + rows[r].in_flight - 1;
            bool theirs = watched.order[i] == found[0] || watched.order[i] == found[1];
            CU_ASSERT_EQUAL(theirs, !resumed && (ended == RUN_EXCHANGE || ended == RUN_EXCHANGE + 1));
            CU_ASSERT_EQUAL(theirs, watched.proposers[i] == PROPOSER_WARM_START);
        }
    }
    scratch_close(&scratch);
}

/* A strategy that evaluates everything does not ask; an error ends the run. */
static void asks_nobody_without_need(void)
{
    struct watched watched = {0};
    struct run_progress progress;
    const struct run_setup setup = {.exchange = fail_to_find, .context = &watched};
    in_flight_most = 1;
    CU_ASSERT_EQUAL(run(setup, NULL, "exhaustive", &progress), 0);
    CU_ASSERT_EQUAL(progress.evaluated, VALID);
    watched = (struct watched){0};
    CU_ASSERT_EQUAL(run(setup, NULL, "random", &progress), ERROR_MEMORY);
    CU_ASSERT_EQUAL(progress.evaluated, RUN_EXCHANGE);
}

CU_TestInfo tests_exchange[] = {{"tries what others found", tries_what_others_found},
                                {"asks nobody without need", asks_nobody_without_need},
                                CU_TEST_INFO_NULL};
