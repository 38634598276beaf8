/* Starts and ends device processes. */
#include "device/start.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/process.h"

static const int64_t start_timeout_ns = 60000000000;

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

/* Uses the process that was started ahead, if it was opened alike. */
static int start(struct device *device, struct device_opening *opening, struct error *error)
{
    struct device_guard *guard = &device->guard;
    if (!guard->spare.pid || memcmp(&guard->spare_opening, opening, sizeof *opening) != 0)
        return worker_start(&device->worker, device_process, opening, error);
    text_free(&device->worker.channel.received);
    device->worker = guard->spare;
    guard->spare = (struct worker){0};
    return 0;
}

void device_start_spare(struct device *device)
{
    struct device_guard *guard = &device->guard;
    if (guard->spare.pid || !guard->guarding.on || guard->guarding.shared)
        return;
    guard->spare_opening = device->opening;
    worker_start(&guard->spare, device_process, &guard->spare_opening, NULL); /* the next restart reports an error */
}

int device_restart(struct device *device, struct error *error)
{
    struct device_opening opening = device->opening; /* the process has a copy */
    opening.streams |= device->has_job && device->is_library;
    int code = start(device, &opening, error);
    device_start_spare(device);
    device->state = STATE_STARTING;
    device->current = 0;
    device->deferred = false;
    for (size_t s = 0; s < SPACE_SETS_MAX; s++)
        device->sets[s].known = s == 0; /* the set-up includes set 0 */
    if (!code)
        worker_expect(&device->worker, start_timeout_ns);
    return code;
}

int device_start(struct device **result, const char *name, bool streams, struct error *error)
{
    struct device *device = *result = calloc(1, sizeof *device);
    if (!device)
        return error_memory(error);
    snprintf(device->opening.name, sizeof device->opening.name, "%s", name);
    device->opening.streams = streams;
    device->calibration = (struct gpu_calibration){{NAN, NAN, NAN, NAN}, NAN, event_timer_unknown, false};
    reap();
    int code = device_restart(device, error);
    if (code) {
        device_close(device);
        *result = NULL;
    }
    return code;
}

static void leave(struct worker *worker)
{
    if (worker->pid && left_count < LEFT_MAX)
        left_pids[left_count++] = worker_leave(worker);
}

void device_leave(struct device *device)
{
    if (device && device->guard.referee)
        device_leave(device->guard.referee);
    if (device && (device->state == STATE_OPEN || device->state == STATE_READY))
        leave(&device->worker);
    if (device)
        leave(&device->guard.spare);
}

void device_close(struct device *device)
{
    if (!device)
        return;
    worker_stop(&device->worker);
    device_guard_close(&device->guard);
    text_free(&device->inputs);
    text_free(&device->setup);
    text_free(&device->job);
    for (size_t s = 0; s < SPACE_SETS_MAX; s++) {
        text_free(&device->sets[s].message);
        free(device->sets[s].refusal);
    }
    free(device);
}

/* ---- Facts ---- */

bool device_answered(const struct device *device)
{
    return device->answered;
}

bool device_is_set_up(const struct device *device)
{
    return device->state >= STATE_READY;
}

bool device_idle(const struct device *device)
{
    return !device->has_job;
}

const struct device_limits *device_limits(const struct device *device)
{
    return &device->limits;
}

const struct ceilings *device_ceilings(const struct device *device)
{
    return &device->calibration.ceilings;
}

const struct event_timer *device_timer(const struct device *device)
{
    return &device->calibration.timer;
}

struct worker *device_worker(struct device *device)
{
    return &device->worker;
}
