#include "evaluate/evaluator.h"

#include <stdbool.h>

#include <CUnit/Basic.h>

#include "base/clock.h"

struct state {
    int opened, untouched;
};

static int closed;

static int open_state(void *given, const void *setup, struct error *error)
{
    struct state *state = given;
    state->opened++;
    return *(const bool *)setup ? 0 : error_set(error, ERROR_NO_DEVICE, "none");
}

static void close_state(void *given)
{
    const struct state *state = given;
    CU_ASSERT(state->opened == 1 && state->untouched == 0);
    closed++;
}

static const struct evaluator_ops ops = {.state_size = sizeof(struct state), .open = open_state, .close = close_state};

/* The state is zeroed, and closed exactly once, even after a failed opening. */
static void opens_and_closes(void)
{
    static const bool works[] = {true, false};
    for (size_t i = 0; i < 2; i++) {
        struct evaluator evaluator;
        struct error error = {0};
        closed = 0;
        CU_ASSERT_EQUAL(evaluator_open(&evaluator, &ops, &works[i], &error), works[i] ? 0 : ERROR_NO_DEVICE);
        CU_ASSERT_EQUAL(closed, !works[i]);
        CU_ASSERT_EQUAL(evaluator.state != NULL, works[i]);
        evaluator_close(&evaluator);
        CU_ASSERT_EQUAL(closed, 1);
        evaluator_close(&evaluator);
        CU_ASSERT_EQUAL(closed, 1);
        CU_ASSERT_PTR_NULL(evaluator.ops);
    }
}

/* Without a wait in flight, no time passes. */
static void awaits_nothing(void)
{
    static const struct evaluator_ops at_once = {.watch = evaluator_watch_nothing};
    int64_t begin_ns = clock_now_ns();
    evaluator_await(&(struct evaluator){.ops = &at_once}, true, NULL, 0, INT64_MAX);
    CU_ASSERT(clock_now_ns() - begin_ns < 50000000);
    evaluator_await(&(struct evaluator){.ops = &at_once}, false, NULL, 0, INT64_MAX);
    CU_ASSERT(clock_now_ns() - begin_ns >= 100000000);
}

CU_TestInfo tests_evaluator[] = {
    {"opens and closes", opens_and_closes}, {"awaits nothing", awaits_nothing}, CU_TEST_INFO_NULL};
