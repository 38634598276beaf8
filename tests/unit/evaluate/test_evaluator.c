#include "evaluate/evaluator.h"

#include <stdbool.h>
#include <sys/socket.h>
#include <unistd.h>

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

/* An evaluator that watches one end of a pair of sockets. */
static size_t watch(void *state, int *descriptors, size_t room)
{
    CU_ASSERT_FATAL(room > 0);
    descriptors[0] = *(const int *)state;
    return 1;
}

/* Work ends the wait, be it of the evaluator in flight or of a channel, even of one that has received it before. */
static void awaits_work(void)
{
    enum { MS = 1000000 };
    enum work { NONE, OF_EVALUATOR, OF_CHANNEL, RECEIVED };
    static const struct {
        enum work work;
        bool in_flight;
        int64_t until_ms; /* from now */
        bool waits;
    } rows[] = {{OF_EVALUATOR, true, 1000, false},
                {OF_EVALUATOR, false, 1000, true},
                {OF_CHANNEL, true, 1000, false},
                {OF_CHANNEL, false, 1000, false},
                {RECEIVED, true, 1000, false},
                {NONE, true, 1000, true},
                {NONE, true, 0, false},
                {NONE, false, -1000, false}};
    static const struct evaluator_ops watched = {.watch = watch};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int of_evaluator[2], of_channel[2], idle[2];
        struct message message;
        CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_STREAM, 0, of_evaluator), 0);
        CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_STREAM, 0, of_channel), 0);
        CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_STREAM, 0, idle), 0);
        struct channel first = channel_open(idle[0]), near = channel_open(of_channel[0]),
                       far = channel_open(of_channel[1]);
        struct channel *const channels[] = {&first, &near};
        const struct evaluator evaluator = {.ops = &watched, .state = of_evaluator};
        if (rows[i].work == OF_EVALUATOR)
            CU_ASSERT_EQUAL(write(of_evaluator[1], "x", 1), 1);
        for (int k = 0; k < 2 && rows[i].work >= OF_CHANNEL; k++)
            CU_ASSERT(channel_send(&far, 1, 7, "x", 1, INT64_MAX));
        if (rows[i].work == RECEIVED) /* both of them */
            CU_ASSERT_EQUAL(channel_receive(&near, &message), 1);
        int64_t begin_ns = clock_now_ns();
        evaluator_await(&evaluator, rows[i].in_flight, channels, 2, begin_ns + rows[i].until_ms * MS);
        CU_ASSERT_EQUAL(clock_now_ns() - begin_ns >= 100 * MS, rows[i].waits);
        channel_close(&first);
        channel_close(&near);
        channel_close(&far);
        close(idle[1]);
        close(of_evaluator[0]);
        close(of_evaluator[1]);
    }
    CU_ASSERT_EQUAL(evaluator_watch_nothing(NULL, NULL, 1), 0);
}

CU_TestInfo tests_evaluator[] = {{"opens and closes", opens_and_closes},
                                 {"awaits nothing", awaits_nothing},
                                 {"awaits work", awaits_work},
                                 CU_TEST_INFO_NULL};
