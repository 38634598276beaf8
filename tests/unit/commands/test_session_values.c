/* The golden cases of `tune` and `fit` test the output of these functions. */
#include "commands/session_values.h"

#include <string.h>

#include <CUnit/Basic.h>

#include "terminal/stop.h"

struct example_values {
    const char *before;
    struct session_values session;
    const char *after;
};

static const struct option_row rows[] = {
    SESSION_DEVICE_OPTION(struct example_values),
    SESSION_JOURNAL_OPTION(struct example_values),
    SESSION_STRATEGY_OPTION(struct example_values),
    SESSION_MAX_EVALS_OPTION(struct example_values, "100", "at most"),
    SESSION_SEED_OPTION(struct example_values, "all"),
    SESSION_JOBS_OPTION(struct example_values, ", or more"),
    SESSION_NO_CACHE_OPTION(struct example_values),
    SESSION_QUIET_OPTION(struct example_values),
    SET_OPTION(struct example_values, session.sets),
    SPACE_MEMORY_OPTION(struct example_values, session.space_memory_mib),
#define CONDITION(...) CONDITIONS_ROW(offsetof(struct example_values, session.conditions), __VA_ARGS__),
#include "session/conditions.def"
#undef CONDITION
};
enum { ROWS = sizeof rows / sizeof *rows };

/* Sets an option by its name: NULL for a flag. */
static void give(struct example_values *values, const char *name, const char *argument)
{
    struct error error = {0};
    size_t i = 0;
    while (i < ROWS && strcmp(rows[i].name, name) != 0)
        i++;
    CU_ASSERT_FATAL(i < ROWS);
    CU_ASSERT_EQUAL(option_set(&rows[i], values, argument, &error), 0);
}

static void defaults(void)
{
    struct example_values values = {.before = "b", .after = "a"};
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(option_defaults(rows, ROWS, &values, &error), 0);
    const struct session_request request = session_values_request(&values.session);
    CU_ASSERT_STRING_EQUAL(request.device, "0");
    CU_ASSERT_STRING_EQUAL(request.journal, "cutune.d");
    CU_ASSERT_STRING_EQUAL(request.strategy, "auto");
    CU_ASSERT_STRING_EQUAL(request.conditions.cache, "cold");
    CU_ASSERT_EQUAL(request.max_evals, 100);
    CU_ASSERT_EQUAL(request.seed, 1);
    CU_ASSERT_EQUAL(request.jobs, 0);
    CU_ASSERT_EQUAL(request.set_count, 0);
    CU_ASSERT_EQUAL(request.space_memory_bytes, (size_t)1 << 30);
    CU_ASSERT(!request.no_cache && !values.session.quiet);
    CU_ASSERT_STRING_EQUAL(values.before, "b");
    CU_ASSERT_STRING_EQUAL(values.after, "a");
}

/* Each option reaches its own member. */
static void given(void)
{
    static const struct {
        const char *name, *argument;
    } options[] = {{"device", "1,2"},    {"journal", "journals"}, {"strategy", "random"}, {"max-evals", "7"},
                   {"seed", "9"},        {"jobs", "3"},           {"no-cache", NULL},     {"quiet", NULL},
                   {"set", "TILE=1,2"},  {"set", "PAD=0"},        {"cache", "warm"},      {"samples", "11"},
                   {"space-memory", "2"}};
    struct example_values values = {0};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        give(&values, options[i].name, options[i].argument);
    const struct session_request request = session_values_request(&values.session);
    CU_ASSERT_STRING_EQUAL(request.device, "1,2");
    CU_ASSERT_STRING_EQUAL(request.journal, "journals");
    CU_ASSERT_STRING_EQUAL(request.strategy, "random");
    CU_ASSERT_STRING_EQUAL(request.conditions.cache, "warm");
    CU_ASSERT_EQUAL(request.conditions.samples, 11);
    CU_ASSERT_EQUAL(request.max_evals, 7);
    CU_ASSERT_EQUAL(request.seed, 9);
    CU_ASSERT_EQUAL(request.jobs, 3);
    CU_ASSERT_EQUAL_FATAL(request.set_count, 2);
    CU_ASSERT_STRING_EQUAL(request.sets[0], "TILE=1,2");
    CU_ASSERT_STRING_EQUAL(request.sets[1], "PAD=0");
    CU_ASSERT_EQUAL(request.space_memory_bytes, (size_t)2 << 20);
    CU_ASSERT(request.no_cache && values.session.quiet);
    CU_ASSERT_PTR_EQUAL(request.stop, stop_requests);
}

CU_TestInfo tests_session_values[] = {{"defaults", defaults}, {"given", given}, CU_TEST_INFO_NULL};
