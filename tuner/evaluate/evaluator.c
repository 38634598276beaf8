#include "evaluate/evaluator.h"

#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"

int evaluator_open(struct evaluator *evaluator, const struct evaluator_ops *ops, const void *setup, struct error *error)
{
    *evaluator = (struct evaluator){.ops = ops, .state = calloc(1, ops->state_size)};
    if (!evaluator->state)
        return error_memory(error);
    int code = ops->open(evaluator->state, setup, error);
    if (code)
        evaluator_close(evaluator);
    return code;
}

void evaluator_close(struct evaluator *evaluator)
{
    if (evaluator->state)
        evaluator->ops->close(evaluator->state);
    free(evaluator->state);
    memset(evaluator, 0, sizeof *evaluator);
}

size_t evaluator_one_device(const void *state)
{
    (void)state;
    return 1;
}

size_t evaluator_watch_nothing(void *state, int *descriptors, size_t room)
{
    (void)state, (void)descriptors, (void)room;
    return 0;
}

double evaluator_busy_unknown(const void *state, double compile_s, double measure_s)
{
    (void)state, (void)compile_s, (void)measure_s;
    return NAN;
}

void evaluator_ignore_incumbent(void *state, size_t device, double value)
{
    (void)state, (void)device, (void)value;
}

int evaluator_withdraw_nothing(void *state, enum evaluation_stage stage, struct error *error)
{
    (void)state, (void)stage, (void)error;
    return 0;
}

void evaluator_ignore_limit(void *state, int64_t at_ns)
{
    (void)state, (void)at_ns;
}

void evaluator_ignore_leave_out(void *state, size_t device)
{
    (void)state, (void)device;
}

bool evaluator_lose_none(const void *state, size_t device)
{
    (void)state, (void)device;
    return false;
}

int64_t evaluator_real_time(void *state)
{
    (void)state;
    return clock_now_ns();
}

void evaluator_no_usage(const void *state, struct evaluator_usage *usage)
{
    (void)state;
    *usage = (struct evaluator_usage){0};
}

void evaluator_await(const struct evaluator *evaluator, bool in_flight, struct channel *const *channels, size_t count,
                     int64_t until_ns)
{
    enum { DESCRIPTORS_MAX = 1024 };
    /* limits the delay in noticing a late process */
    static const int64_t slice_ns = 100000000;
    int descriptors[DESCRIPTORS_MAX];
    struct pollfd polls[DESCRIPTORS_MAX];
    size_t used = 0;
    if (in_flight && !(used = evaluator->ops->watch(evaluator->state, descriptors, DESCRIPTORS_MAX)))
        return;
    for (size_t i = 0; i < count && used < DESCRIPTORS_MAX; i++) {
        if (channel_has_more(channels[i]))
            return;
        descriptors[used++] = channels[i]->socket;
    }
    for (size_t i = 0; i < used; i++)
        polls[i] = (struct pollfd){.fd = descriptors[i], .events = POLLIN};
    int64_t left = until_ns - clock_now_ns();
    struct timespec timeout = {.tv_nsec = left < 0 ? 0 : left < slice_ns ? left : slice_ns};
    ppoll(polls, used, &timeout, NULL);
}
