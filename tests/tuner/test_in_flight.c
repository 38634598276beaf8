/* Configurations at the evaluator: who proposed them, their logs, and waiting. */
#include "scripted.h"

enum { LOGGED = 4 };

/* Every other call to wait has no outcome; that of LOGGED comes with a log. */
static bool idle;
static size_t looks_for_nothing, logs;
static int log_code;
static char proposers[128];

static int wait_in_turns(void *state, int64_t until_ns, struct evaluation *done, size_t space, size_t *count,
                         struct error *error)
{
    idle = !idle;
    *count = 0;
    int code = idle ? 0 : wait(state, until_ns, done, space, count, error);
    if (*count && done->index == LOGGED)
        done->log = "the whole log";
    return code;
}

static void observe(void *context, const struct run_progress *progress, uint64_t index,
                    const struct measurement *measurement, bool fresh)
{
    (void)context, (void)progress;
    size_t used = strlen(proposers);
    looks_for_nothing += !measurement;
    if (measurement && fresh && measurement->playoff == PLAYOFF_NONE)
        snprintf(proposers + used, sizeof proposers - used, "%d:%d ", (int)index, (int)measurement->proposer);
}

static int keep_log(void *context, uint64_t index, const char *log, struct error *error)
{
    (void)context;
    logs++;
    CU_ASSERT_EQUAL(index, LOGGED);
    CU_ASSERT_STRING_EQUAL(log, "the whole log");
    return log_code ? error_set(error, (enum error_code)log_code, "no room") : 0;
}

/* The proposers are the default, the warm start and the strategy, or why an outcome is measured again. A log that
 * cannot be kept ends the run, which has the outcome nevertheless. */
static void outcomes_arrive(void)
{
    static const struct evaluator_ops ops = {
        .room = room, .submit = submit, .wait = wait_in_turns, .incumbent = incumbent, .playoff = playoff};
    static const struct part parts[COUNT] = {[LOGGED] = {.status = STATUS_COMPILE_ERROR}, [6] = {.value = 1000}};
    static const uint64_t first[] = {6, LOGGED};
    static const struct {
        int log_code;
        uint64_t evaluated;
    } rows[] = {{0, COUNT}, {ERROR_IO, 3}};
    char expected[128];
    snprintf(expected, sizeof expected, "0:%d 6:%d 4:%d 1:%d 2:%d 3:%d 5:%d 7:%d ", PROPOSER_DEFAULT,
             PROPOSER_WARM_START, PROPOSER_WARM_START, PROPOSER_STRATEGY, PROPOSER_STRATEGY, PROPOSER_STRATEGY,
             PROPOSER_STRATEGY, PROPOSER_STRATEGY);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct space *space = NULL;
        struct valid_set *set = NULL;
        struct error error = {0};
        struct run_progress progress;
        struct scripted scripted = {.parts = parts, .speed = 1, .incumbent_ns = INFINITY};
        struct evaluator evaluator = {&ops, &scripted};
        idle = false;
        looks_for_nothing = logs = 0;
        log_code = rows[i].log_code;
        *proposers = '\0';
        CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "t.space", space_text, strlen(space_text), "A", &error), 0);
        CU_ASSERT_EQUAL_FATAL(space_bind(space, NULL, 0, NULL, &error), 0);
        CU_ASSERT_EQUAL_FATAL(valid_set_build(&set, space, VALID_SET_DEFAULT_BYTES, &error), 0);
        CU_ASSERT_EQUAL(run_tune(&(struct run_setup){.space = space,
                                                     .set = set,
                                                     .strategy = &strategy_exhaustive,
                                                     .evaluator = &evaluator,
                                                     .first = first,
                                                     .first_count = 2,
                                                     .observe = observe,
                                                     .keep_log = keep_log},
                                 &progress, &error),
                        rows[i].log_code);
        CU_ASSERT_EQUAL(progress.evaluated, rows[i].evaluated);
        CU_ASSERT_EQUAL(progress.counts[STATUS_COMPILE_ERROR], 1);
        CU_ASSERT_EQUAL(logs, 1);
        CU_ASSERT(looks_for_nothing >= rows[i].evaluated);
        CU_ASSERT_EQUAL(strncmp(proposers, expected, strlen(proposers)), 0);
        CU_ASSERT(*proposers && (rows[i].log_code || strcmp(proposers, expected) == 0));
        if (*proposers && strncmp(proposers, expected, strlen(proposers)) != 0)
            printf("\n    %s, not %s\n", proposers, expected);
        valid_set_free(set);
        space_free(space);
    }
}

CU_TestInfo tests_in_flight[] = {{"outcomes arrive", outcomes_arrive}, CU_TEST_INFO_NULL};
