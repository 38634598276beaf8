/* Starts and ends device processes. */
#include "device/start.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "device/gpu.h"

static const int64_t start_timeout_ns = 60000000000;
static const int64_t renew_timeout_ns = 300000000;

/* ---- Processes left by device_leave ---- */

enum { LEFT_MAX = 64 };
static pid_t left_pids[LEFT_MAX];
static size_t left_count;

static void reap(void)
{
    while (left_count)
        worker_reap(left_pids[--left_count]);
}

/* ---- Starting and ending ---- */

int device_restart(struct device *device, struct error *error)
{
    struct device_opening opening = device->opening; /* the process has a copy */
    opening.streams |= device->has_job && device->is_library;
    int code = worker_start(&device->worker, device_process, &opening, error);
    device->state = STATE_STARTING;
    device->current = 0;
    for (size_t s = 0; s < SPACE_SETS_MAX; s++)
        device->sets[s].known = s == 0; /* the set-up includes set 0 */
    if (!code)
        worker_expect(&device->worker, start_timeout_ns);
    return code;
}

int device_wait_for(struct device *device, enum device_state state, const volatile sig_atomic_t *stop,
                    struct error *error)
{
    uint64_t id;
    struct measurement measurements[DEVICE_KERNELS_MAX]; /* stays empty without a job */
    for (;;) {
        if (device_next(device, &id, measurements, error) < 0)
            return error ? (int)error->code : ERROR_WORKER;
        if (device->state == state)
            return 0;
        if (stop && *stop >= 2)
            return error_set(error, ERROR_INTERRUPTED, "interrupted while the device was set up");
        worker_wait((struct worker *[]){&device->worker}, 1, INT64_MAX);
    }
}

int device_start(struct device **result, const char *name, bool streams, struct error *error)
{
    struct device *device = *result = calloc(1, sizeof *device);
    if (!device)
        return error_memory(error);
    snprintf(device->opening.name, sizeof device->opening.name, "%s", name);
    device->opening.streams = streams;
    device->calibration = (struct gpu_calibration){{NAN, NAN, NAN, NAN}, NAN};
    reap();
    int code = device_restart(device, error);
    if (code) {
        device_close(device);
        *result = NULL;
    }
    return code;
}

bool device_answered(const struct device *device)
{
    return device->answered;
}

int device_await(struct device *device, struct error *error)
{
    struct error own = {0};
    int code = device->answered ? 0 : device_wait_for(device, STATE_OPEN, NULL, &own);
    if (code && error)
        *error = own;
    return code;
}

int device_open(struct device **device, const char *name, struct error *error)
{
    int code = device_start(device, name, false, error);
    if (!code && (code = device_await(*device, error))) {
        device_close(*device);
        *device = NULL;
    }
    return code;
}

static void forget(struct device *device)
{
    device->has_job = device->again = device->rests = false;
    device->restarts = 0;
    text_clear(&device->inputs);
    text_clear(&device->setup);
    device->current = 0;
    for (size_t s = 0; s < SPACE_SETS_MAX; s++) {
        struct device_set *set = &device->sets[s];
        text_clear(&set->message);
        free(set->refusal);
        set->refusal = NULL;
        set->known = s == 0;
    }
}

/* Waits for a job whose result is no longer wanted, at most as long as a new process takes to start. */
static void finish(struct device *device)
{
    uint64_t id;
    struct measurement measurements[DEVICE_KERNELS_MAX];
    int64_t until_ns = clock_now_ns() + renew_timeout_ns;
    while (device->has_job && clock_now_ns() < until_ns && device_next(device, &id, measurements, NULL) == 0)
        worker_wait((struct worker *[]){&device->worker}, 1, until_ns);
}

int device_renew(struct device *device, struct error *error)
{
    finish(device);
    bool idle = (device->state == STATE_STARTING || device->state == STATE_OPEN || device->state == STATE_READY) &&
                !device->has_job && !device->rests && !device->worker.channel.spoiled;
    forget(device);
    if (idle) {
        if (device->state == STATE_READY)
            device->state = STATE_OPEN;
        return 0;
    }
    worker_stop(&device->worker);
    return device_restart(device, error);
}

void device_leave(struct device *device)
{
    if (device && device->worker.pid && left_count < LEFT_MAX &&
        (device->state == STATE_OPEN || device->state == STATE_READY))
        left_pids[left_count++] = worker_leave(&device->worker);
}

void device_close(struct device *device)
{
    if (!device)
        return;
    worker_stop(&device->worker);
    text_free(&device->inputs);
    text_free(&device->setup);
    text_free(&device->job);
    for (size_t s = 0; s < SPACE_SETS_MAX; s++) {
        text_free(&device->sets[s].message);
        free(device->sets[s].refusal);
    }
    free(device);
}

int device_count(int *count, struct error *error)
{
    struct worker worker = {0};
    struct message message;
    char words[128];
    int code = worker_start(&worker, device_count_process, NULL, error), got;
    if (code)
        return code;
    *count = 0;
    worker_expect(&worker, start_timeout_ns);
    while ((got = worker_receive(&worker, &message)) == 0 && !worker_late(&worker))
        worker_wait((struct worker *[]){&worker}, 1, INT64_MAX);
    if (got > 0 && message.kind == MESSAGE_HELLO) {
        struct unpack unpack = unpack_start(message.bytes, message.length);
        *count = (int)unpack_u64(&unpack);
    } else if (got > 0) {
        code = message_take_error(&message, error);
    } else {
        code = worker_check_version(&worker, "device", error);
    }
    worker_stop(&worker);
    if (got <= 0 && !code)
        code = error_set(error, ERROR_WORKER, "the process that counts the devices was %s",
                         worker_epitaph(&worker, words, sizeof words));
    return code;
}
