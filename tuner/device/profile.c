#include "device/profile.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/timeline.h"
#include "device/messages.h"
#include "device/process.h"
#include "device/start.h"

/* for starting the process, opening CUPTI, and filling the buffers, which may read files */
static const int64_t start_timeout_ns = 60000000000;
static const int64_t send_timeout_ns = 5000000000;
enum { LOST_MAX = 2 }; /* consecutive kernels that end the process twice */

struct profiler {
    struct device *device;
    const volatile sig_atomic_t *stop;
    struct worker worker;
    bool ready; /* the process can count */
    bool late;  /* the last ended process did not answer in time */
    int lost;
    struct error refusal; /* result of all counts; code 0: none */
};

int profiler_open(struct profiler **result, struct device *device, const volatile sig_atomic_t *stop,
                  struct error *error)
{
    struct profiler *profiler = *result = calloc(1, sizeof *profiler);
    if (!profiler)
        return error_memory(error);
    profiler->device = device;
    profiler->stop = stop;
    return 0;
}

void profiler_close(struct profiler *profiler)
{
    if (profiler)
        worker_stop(&profiler->worker);
    free(profiler);
}

/* Waits for an answer of this kind. ERROR_WORKER if the process ends without it. */
static int receive(struct profiler *profiler, enum device_message kind, int64_t timeout_ns, struct message *message,
                   struct error *error)
{
    struct worker *worker = &profiler->worker;
    char words[128];
    int got;
    worker_expect(worker, timeout_ns);
    while ((got = worker_receive(worker, message)) == 0 && !worker_late(worker)) {
        if (profiler->stop && *profiler->stop >= 2)
            return error_set(error, ERROR_INTERRUPTED, "interrupted");
        worker_wait(&worker, 1, INT64_MAX);
    }
    if (got > 0 && message->kind == MESSAGE_ERROR)
        return message_take_error(message, error);
    if (got > 0 && message->kind == kind)
        return 0;
    bool late = profiler->late = got == 0;
    if (worker_check_version(worker, "profiler", error))
        return ERROR_WORKER;
    if (got > 0)
        worker_refuse(worker);
    worker_stop(worker);
    if (late)
        return error_set(error, ERROR_WORKER, "the profiler has not finished after %.3g s", (double)timeout_ns * 1e-9);
    return error_set(error, ERROR_WORKER, "the profiler was %s", worker_epitaph(worker, words, sizeof words));
}

static int ask(struct profiler *profiler, enum device_message kind, const struct text *text, int64_t timeout_ns,
               struct message *answer, struct error *error)
{
    /* If the process is gone, receive() reports why. */
    worker_send(&profiler->worker, kind, 0, text->bytes, text->length, clock_now_ns() + send_timeout_ns, NULL);
    return receive(profiler, kind, timeout_ns, answer, error);
}

static int start(struct profiler *profiler, struct error *error)
{
    struct device *device = profiler->device;
    struct message message;
    device_rest(device);
    worker_stop(&profiler->worker);
    int code = worker_start(&profiler->worker, device_process, &device->opening, error);
    if (!code)
        code = receive(profiler, MESSAGE_HELLO, start_timeout_ns, &message, error);
    if (!code)
        code = ask(profiler, MESSAGE_PROFILER, &device->setup, start_timeout_ns, &message, error);
    timeline("coordinator", "profiler started");
    profiler->ready = code == 0;
    return code;
}

/* Unpacks the launches' evidence, which must be the whole answer. */
static int take(struct profiler *profiler, const struct message *message, size_t count, struct evidence *launches,
                struct error *error)
{
    struct unpack unpack = unpack_start(message->bytes, message->length);
    for (size_t i = 0; i < count && !unpack.failed; i++)
        unpack_struct(&unpack, &evidence_table, &launches[i]);
    if (unpack_finished(&unpack))
        return 0;
    worker_refuse(&profiler->worker);
    return error_set(error, ERROR_WORKER, "the profiler gave a garbled answer");
}

static int count(struct profiler *profiler, const struct device_kernel *kernel, int64_t timeout_ns,
                 struct evidence *launches, struct error *error)
{
    struct text text = {0};
    struct message message;
    message_pack_kernel(&text, kernel);
    int code = text.failed ? error_memory(error) : ask(profiler, MESSAGE_COUNT, &text, timeout_ns, &message, error);
    if (!code)
        code = take(profiler, &message, kernel->launch->step_count, launches, error);
    if (code) { /* the context or the profiler may be broken */
        worker_stop(&profiler->worker);
        profiler->ready = false;
    }
    text_free(&text);
    return code;
}

/* Counts, and tries again if the process died without being late: the kernel may not be at fault. */
static int try_twice(struct profiler *profiler, const struct device_kernel *kernel, int64_t timeout_ns,
                     struct evidence *launches, struct error *error)
{
    int code = 0;
    for (int attempt = 0; attempt < 2; attempt++) {
        *error = (struct error){0};
        if (!profiler->ready && (code = start(profiler, error))) {
            worker_stop(&profiler->worker);
            profiler->refusal = *error;
            return code;
        }
        code = count(profiler, kernel, timeout_ns, launches, error);
        if (code != ERROR_WORKER || profiler->late)
            break;
    }
    profiler->lost = code == ERROR_WORKER ? profiler->lost + 1 : 0;
    if (profiler->lost >= LOST_MAX || code == ERROR_INTERRUPTED)
        profiler->refusal = *error;
    return code;
}

int profiler_count(struct profiler *profiler, const struct device_kernel *kernel, int64_t timeout_ns,
                   struct evidence *launches, struct error *error)
{
    struct error own = profiler->refusal;
    int code = (int)own.code;
    if (!code)
        code = try_twice(profiler, kernel, timeout_ns, launches, &own);
    if (code && error)
        *error = own;
    return code;
}
