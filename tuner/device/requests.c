/* Requests to the device process: set-ups, jobs and the ceilings of the roofline, and the waiting for them. */
#include <stdlib.h>

#include "base/clock.h"
#include "device/answers.h"
#include "device/board_power.h"
#include "device/messages.h"

static const int64_t renew_timeout_ns = 300000000;
static const int64_t roofline_timeout_ns = 30000000000;

/* Waits until the device is in `state`, for callers with nothing else to do. */
static int wait_for(struct device *device, enum device_state state, const volatile sig_atomic_t *stop,
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

int device_await(struct device *device, struct error *error)
{
    struct error own = {0};
    int code = device->answered ? 0 : wait_for(device, STATE_OPEN, NULL, &own);
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

int device_expect(struct device *device, uint32_t set, const struct device_expected *expected, struct error *error)
{
    struct text *text = &device->sets[set].message;
    text_clear(text);
    message_pack_set(text, expected);
    if (device->guard.referee && !text->failed)
        return device_expect(device->guard.referee, set, expected, error);
    return text->failed ? error_memory(error) : 0;
}

bool device_expects(const struct device *device, uint32_t set)
{
    return set == 0 || device->sets[set].message.length;
}

const struct measurement *device_refusal(const struct device *device, uint32_t set)
{
    return device->guard.referee ? device->guard.referee->sets[set].refusal : device->sets[set].refusal;
}

int device_write_inputs(struct device *device, const struct device_setup *setup, const char *folder,
                        struct error *error)
{
    struct error own = {0};
    int code = message_pack_setup(&device->inputs, setup, folder, error);
    if (code)
        return code;
    pack_struct(&device->inputs, &calibration_table, &device->calibration);
    if (device->inputs.failed)
        return error_memory(error);
    device_feed(device);
    code = wait_for(device, STATE_OPEN, setup->stop, &own);
    if (code && error)
        *error = own;
    return code;
}

/* Replaces the process by one for several streams. */
static int reopen(struct device *device, struct error *error)
{
    device->opening.streams = true;
    worker_stop(&device->worker);
    return device_restart(device, error);
}

/* Writes the set-up message of the process that measures. */
static int pack_setup(struct device *device, const struct device_setup *setup, struct error *error)
{
    if (setup->sampling.guarding.on)
        return device_guard_setup(device, setup, error);
    device_guard_close(&device->guard);
    return message_pack_setup(&device->setup, setup, "", error);
}

int device_begin_setup(struct device *device, const struct device_setup *setup, struct error *error)
{
    int code = pack_setup(device, setup, error);
    if (code)
        return code;
    device->setup_bytes = device->setup.length;
    device->power_ns = setup->sampling.power_ns;
    device_pack_calibration(device); /* the process measures unknown values */
    if (device->setup.failed)
        return error_memory(error);
    if (setup->streams && !device->opening.streams && (code = reopen(device, error)))
        return code;
    device_feed(device);
    return 0;
}

int device_setup(struct device *device, const struct device_setup *setup, struct error *error)
{
    struct error own = {0};
    int code = device_begin_setup(device, setup, error);
    if (!code && (code = wait_for(device, STATE_READY, setup->stop, &own)) && error)
        *error = own;
    return code;
}

void device_rest(struct device *device)
{
    if (device->state != STATE_READY || device->has_job)
        return;
    worker_stop(&device->worker);
    device->rests = true;
    worker_stop(&device->guard.spare);
    if (device->guard.referee)
        device_rest(device->guard.referee);
}

void device_displace(struct device *device, uint64_t seed)
{
    device->opening.places = seed;
}

/* Starts the process again; device_next sets it up and then sends the job. */
static int wake(struct device *device, struct error *error)
{
    device->rests = false;
    return device_restart(device, error);
}

int device_submit(struct device *device, const struct device_job *job, struct error *error)
{
    struct text *text = &device->job;
    if (device->has_job)
        return error_set(error, ERROR_WORKER, "the device is busy");
    text_clear(text);
    pack_struct(text, &job_table, job);
    for (size_t k = 0; k < job->kernel_count; k++)
        message_pack_kernel(text, &job->kernels[k]);
    if (text->failed)
        return error_memory(error);
    device->again = false;
    device->kernel_count = job->kernel_count;
    device->is_library = false;
    device->has_checksums = true;
    for (size_t k = 0; k < job->kernel_count; k++) {
        device->job_sets[k] = job->kernels[k].set;
        device->is_library |= job->kernels[k].library != NULL;
        device->has_checksums &= job->kernels[k].results_checksum != 0;
    }
    int code = device->guard.guarding.on ? device_guard_submit(device, job, error) : 0;
    if (code)
        return code;
    if (device->deferred && !device->has_checksums)
        device_rest(device);
    device->has_job = true;
    device->job_id = job->id;
    device->job_timeout_ns = job->timeout_ns + (job->playoff ? 0 : gpu_power_limit_ns(device->power_ns));
    if (device->rests)
        return wake(device, error);
    device_feed(device);
    return 0;
}

int device_measure_roofline(struct device *device, const void *cubin, size_t bytes, const volatile sig_atomic_t *stop,
                            struct roofline *roofline, struct error *error)
{
    struct error own = {0};
    struct text text = {0};
    device->roofline = *roofline = roofline_unknown;
    if (device->rests && (wake(device, error) || wait_for(device, STATE_READY, stop, &own))) {
        if (error && own.code)
            *error = own;
        return error ? (int)error->code : ERROR_DEVICE;
    }
    if (device->state != STATE_READY || device->has_job)
        return error_set(error, ERROR_WORKER, "the device is busy");
    text_append(&text, cubin, bytes);
    int code = text.failed ? error_memory(&own) : 0;
    if (!code) {
        device->state = STATE_ROOFLINE;
        device_send(device, MESSAGE_ROOFLINE, 0, &text, roofline_timeout_ns);
        code = wait_for(device, STATE_READY, stop, &own);
    }
    text_free(&text);
    if (code && error)
        *error = own;
    *roofline = device->roofline;
    return code;
}
