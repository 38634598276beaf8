/* Outcome counts of a run, and the limits for the evaluator. */
#include "scripted.h"

/* The search may stop configurations above the interval of the best early; with a play-off, those above its reach. */
static void what_may_be_stopped_early(void)
{
    static const struct part parts[COUNT] = {{.value = 3000}, {.value = 1000}, {.value = 1001}};
    for (size_t finalists = 0; finalists < 5; finalists += 4) {
        struct scripted scripted = {.parts = parts, .speed = 1};
        struct run_progress progress;
        struct stage stage;
        set_up(&stage);
        session(&stage, &scripted, &(struct limits){.finalists = finalists}, &progress);
        CU_ASSERT_EQUAL(scripted.asked[0].incumbent_ns, INFINITY);
        CU_ASSERT_DOUBLE_EQUAL(scripted.asked[1].incumbent_ns, finalists ? 1.02 * 3030 + 100 : 3030, 1e-6);
        CU_ASSERT_DOUBLE_EQUAL(scripted.asked[2].incumbent_ns, finalists ? 1.02 * 1010 + 100 : 1010, 1e-6);
        CU_ASSERT_DOUBLE_EQUAL(scripted.asked[7].incumbent_ns, finalists ? 1.02 * 1010 + 100 : 1010, 1e-6);
        clear(&stage);
    }
}

/* A time without an interval is its own limit, with and without a play-off. */
static void times_without_intervals(void)
{
    static const struct part parts[COUNT] = {
        {.value = 3000, .bare = true}, {.value = 1000, .bare = true}, {.value = 900}};
    for (size_t finalists = 0; finalists < 5; finalists += 4) {
        struct scripted scripted = {.parts = parts, .speed = 1};
        struct run_progress progress;
        struct stage stage;
        set_up(&stage);
        session(&stage, &scripted, &(struct limits){.finalists = finalists}, &progress);
        CU_ASSERT_EQUAL(scripted.asked[1].incumbent_ns, 3000);
        CU_ASSERT_EQUAL(scripted.asked[2].incumbent_ns, 1000);
        CU_ASSERT_DOUBLE_EQUAL(scripted.asked[3].incumbent_ns, finalists ? 1000 : 909, 1e-6); /* 900 reaches 1017 */
        clear(&stage);
    }
}

/* Duplicates are not measured and cost no budget. */
static void duplicates_are_free(void)
{
    static const struct part parts[COUNT] = {
        {.value = 1000}, {.duplicate = 1}, {.duplicate = 1}, {.value = 900}, {.duplicate = 4}};
    struct scripted scripted = {.parts = parts, .speed = 1};
    struct run_progress progress;
    struct stage stage;
    set_up(&stage);
    session(&stage, &scripted, &(struct limits){.max_evals = 3}, &progress);
    check_asked(&scripted, "A=1! A=2 A=3 A=4 A=5 A=6");
    CU_ASSERT_EQUAL(progress.counts[STATUS_DUPLICATE], 3);
    session(&stage, &scripted, &(struct limits){.max_evals = 4}, &progress);
    check_asked(&scripted, "A=4! A=7");
    clear(&stage);
}

/* A best value at least as good as the target ends the search. */
static void target_ends(void)
{
    static const struct part parts[COUNT] = {{.value = 3}, {.value = 1}, {.value = 0.5}, {.value = 1}};
    static const struct {
        double target; /* 0: none */
        const char *asked;
    } rows[] = {{0, "A=1! A=2 A=3 A=4 A=5 A=6 A=7 A=8"},
                {0.4, "A=1! A=2 A=3 A=4 A=5 A=6 A=7 A=8"},
                {0.5, "A=1! A=2 A=3"},
                {0.75, "A=1! A=2 A=3"},
                {1, "A=1! A=2"},
                {2, "A=1! A=2"},
                {3, "A=1!"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct scripted scripted = {.parts = parts, .speed = 1};
        struct run_progress progress;
        struct stage stage;
        set_up(&stage);
        session(&stage, &scripted, &(struct limits){.target = rows[i].target}, &progress);
        check_asked(&scripted, rows[i].asked);
        clear(&stage);
    }
}

static void samples_are_discarded(void)
{
    static const struct part parts[COUNT] = {{.value = 1000}, {.value = 1010}};
    struct scripted scripted = {.parts = parts, .speed = 1, .discarded = 3};
    struct run_progress progress;
    struct stage stage;
    set_up(&stage);
    session(&stage, &scripted, &(struct limits){.finalists = 8}, &progress);
    CU_ASSERT_EQUAL(progress.discarded, 3 * (COUNT + 2));
    clear(&stage);
}

/* A strategy that proposes everything in order and records the costs. */
static struct cost costs[COUNT];
static uint64_t proposed;

static int recorder_start(void *state, const struct strategy_setup *setup, struct error *error)
{
    (void)state, (void)setup, (void)error;
    proposed = 0;
    return 0;
}

static int recorder_ask(void *state, uint64_t *configs, size_t space, size_t *count, struct error *error)
{
    (void)state, (void)error;
    for (*count = 0; *count < space && proposed < COUNT; ++*count)
        configs[*count] = proposed++;
    return 0;
}

static size_t recorder_opening(const void *state)
{
    (void)state;
    return COUNT;
}

static void recorder_tell(void *state, uint64_t config, const struct cost *cost)
{
    (void)state;
    costs[config] = *cost;
}

/* A censored time is an estimate, and the better end of its interval a bound. Failures of one status are of one kind.
 * Compilations count while compiling has taken longer than measuring. */
static void what_the_strategy_is_told(void)
{
    static const struct strategy_ops recorder = {.name = "recorder",
                                                 .state_size = 1,
                                                 .opening = recorder_opening,
                                                 .start = recorder_start,
                                                 .ask = recorder_ask,
                                                 .tell = recorder_tell};
    static const struct part parts[COUNT] = {{.value = 1000, .compile_ns = 2000000000, .measure_ns = 1000000000},
                                             {.value = 3000, .compile_ns = 500000000, .measure_ns = 1000000000},
                                             {.status = STATUS_WRONG_RESULT},
                                             {.status = STATUS_CRASHED, .compile_ns = 250000000},
                                             {.status = STATUS_WRONG_RESULT, .compile_ns = 1, .measure_ns = 1000000000},
                                             {.value = 900, .compile_ns = 500000000}};
    struct scripted scripted = {.parts = parts, .speed = 1, .learner = true};
    struct run_progress progress;
    struct stage stage;
    set_up(&stage);
    session(&stage, &scripted, &(struct limits){.strategy = &recorder}, &progress);
    static const struct {
        bool ok, censored;
        double value, effort;
    } rows[COUNT] = {{true, false, 1000, 2},  {true, true, 3000, 0.5}, {false, false, 0, NAN},
                     {false, false, 0, 0.25}, {false, false, 0, NAN},  {true, false, 900, 0.5}};
    for (size_t i = 0; i < 6; i++) {
        CU_ASSERT_EQUAL(costs[i].ok, rows[i].ok);
        CU_ASSERT_EQUAL(costs[i].censored, rows[i].censored);
        CU_ASSERT(isnan(rows[i].effort) ? isnan(costs[i].effort) : costs[i].effort == rows[i].effort);
        CU_ASSERT_EQUAL(costs[i].cause > 0, !rows[i].ok);
        if (rows[i].ok)
            CU_ASSERT_EQUAL(costs[i].value, rows[i].value);
    }
    CU_ASSERT_DOUBLE_EQUAL(costs[1].least, 0.99 * 3000, 1e-9);
    CU_ASSERT_EQUAL(costs[2].cause, costs[4].cause);
    CU_ASSERT_NOT_EQUAL(costs[2].cause, costs[3].cause);
    clear(&stage);
}

CU_TestInfo tests_outcome_counts[] = {{"what may be stopped early", what_may_be_stopped_early},
                                      {"times without intervals", times_without_intervals},
                                      {"duplicates are not charged", duplicates_are_free},
                                      {"a target ends the search", target_ends},
                                      {"the strategy's outcomes", what_the_strategy_is_told},
                                      {"discarded samples are counted", samples_are_discarded},
                                      CU_TEST_INFO_NULL};
