#include "evaluate/evaluator.h"

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

void evaluator_await(const struct evaluator *evaluator, bool in_flight, struct channel *const *channels, size_t count,
                     int64_t until_ns)
{
    enum { DESCRIPTORS_MAX = 1024 };
    /* Processes that are late are noticed within a tenth of a second. */
    static const int64_t slice_ns = 100000000;
    int descriptors[DESCRIPTORS_MAX];
    struct pollfd polls[DESCRIPTORS_MAX];
    size_t used = 0;
    if (in_flight && !evaluator->ops->watch)
        return;
    if (in_flight)
        used = evaluator->ops->watch(evaluator->state, descriptors, DESCRIPTORS_MAX);
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
