/* The coordinator's side: keeps the process alive, set up and busy with at most one job. */
#include "device/device.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "device/gpu.h"

#include "device_kernels.inc"

const char *const device_kernels_source = device_kernels;
const char *const device_kernels_entry = "cutune_checksum";

enum state {
    STATE_STARTING, /* forked, has not said hello */
    STATE_OPEN,     /* said hello; nobody has asked for a set-up */
    STATE_SETUP,    /* setting up */
    STATE_READY,    /* can take a job */
    STATE_BUSY      /* has one */
};

static const int64_t start_timeout_ns = 60000000000, setup_timeout_ns = 600000000000;
/* A process that waits for a message reads at once: one that takes longer hangs. */
static const int64_t send_timeout_ns = 5000000000;
/* A device that does not come back after a kernel broke it is given up after so many tries in a row. */
enum { RESTARTS_MAX = 3 };

struct device {
    struct worker worker;
    int ordinal;
    enum state state;
    struct device_limits limits;
    struct text setup; /* the message, kept for a process that is started again; empty: not set up yet */
    struct gpu_calibration calibration;
    int restarts;        /* since the last answer but a greeting */
    bool has_job;        /* waits for the process, or is with it */
    bool again;          /* the job is tried for the second time */
    size_t kernel_count; /* of the job */
    uint64_t job_id;
    int64_t job_timeout_ns;
    struct text job;
};

/* ---- Errors that come as messages ---- */

static int unpack_error(const struct message *message, struct error *error)
{
    struct unpack unpack = unpack_message(message);
    enum error_code number = (enum error_code)unpack_u64(&unpack);
    const char *words = unpack_string(&unpack), *hint = unpack_string(&unpack);
    int code = error_set(error, number == ERROR_NONE ? ERROR_WORKER : number, "%s", words);
    if (*hint)
        error_hint(error, "%s", hint);
    return code;
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
        struct unpack unpack = unpack_message(&message);
        *count = (int)unpack_u64(&unpack);
    } else if (got > 0) {
        code = unpack_error(&message, error);
    }
    worker_stop(&worker);
    if (got <= 0)
        code = error_set(error, ERROR_WORKER, "the process that counts the devices was %s",
                         worker_epitaph(&worker, words, sizeof words));
    return code;
}

/* ---- Life of the process ---- */

static int start(struct device *device, struct error *error)
{
    int code = worker_start(&device->worker, device_process, &device->ordinal, error);
    device->state = STATE_STARTING;
    if (!code)
        worker_expect(&device->worker, start_timeout_ns);
    return code;
}

/* A process that takes nothing is found spoiled by device_next, which knows what to do. */
static void send(struct device *device, uint32_t kind, uint64_t id, const struct text *text, int64_t timeout_ns)
{
    worker_send(&device->worker, kind, id, text->bytes, text->length, clock_now_ns() + send_timeout_ns, NULL);
    worker_expect(&device->worker, timeout_ns);
}

/* Gives the process what it can take now. */
static void feed(struct device *device)
{
    if (device->state == STATE_OPEN && device->setup.length) {
        device->state = STATE_SETUP;
        send(device, MESSAGE_SETUP, 0, &device->setup, setup_timeout_ns);
    }
    if (device->state == STATE_READY && device->has_job) {
        device->state = STATE_BUSY;
        send(device, MESSAGE_MEASURE, device->job_id, &device->job, device->job_timeout_ns);
    }
}

/* Of a job that had no answer: the same is said of all its kernels. */
static void give_up(const struct device *device, struct measurement *measurements, enum status status,
                    const char *format, ...) __attribute__((format(printf, 4, 5)));
static void give_up(const struct device *device, struct measurement *measurements, enum status status,
                    const char *format, ...)
{
    char words[256];
    va_list arguments;
    va_start(arguments, format);
    text_vformat(words, sizeof words, format, arguments);
    va_end(arguments);
    for (size_t k = 0; k < device->kernel_count; k++) {
        measurements[k] = measurement_unknown(status);
        measurement_explain(&measurements[k], "%s", words);
    }
}

/* What the end of the process says of its job: nothing at first, since somebody may have killed or stopped it. A second
 * process that ends the same way was ended by the job. */
static void judge_job(struct device *device, bool late, bool stopped, struct measurement *measurements)
{
    char words[128];
    if (!device->again && (stopped || !late)) {
        device->again = true;
        return;
    }
    device->has_job = false;
    if (stopped)
        give_up(device, measurements, STATUS_TIMEOUT, "the device process was stopped, twice in a row");
    else if (late)
        give_up(device, measurements, STATUS_TIMEOUT, "not finished after %.3g s",
                (double)device->job_timeout_ns * 1e-9);
    else
        give_up(device, measurements, STATUS_CRASHED, "the device process was %s",
                worker_epitaph(&device->worker, words, sizeof words));
}

/* The process is gone, or is ended now because it is late. What it was doing decides what that means: a job is tried
 * again or gets its status, and a new process is started; one that cannot even start or be set up is an error after a
 * few tries. */
static int replace(struct device *device, bool late, struct measurement *measurements, struct error *error)
{
    char words[128];
    enum state state = device->state;
    bool stopped = late && worker_is_stopped(&device->worker);
    worker_stop(&device->worker);
    if (state == STATE_BUSY)
        judge_job(device, late, stopped, measurements);
    else if (state != STATE_READY && ++device->restarts >= RESTARTS_MAX)
        return error_set(error, ERROR_WORKER, "the device process %s %d times in a row, the last time %s",
                         state == STATE_SETUP ? "fails to set up" : "does not start", device->restarts,
                         late ? "without an answer" : worker_epitaph(&device->worker, words, sizeof words));
    return start(device, error);
}

/* Handles one message: 1 when it finished the job, 0 when it did not, -1 on an error that ends the device. */
static int handle(struct device *device, const struct message *message, struct measurement *measurements,
                  struct error *error)
{
    bool whole = message->length == device->kernel_count * sizeof *measurements;
    /* A greeting is no success: the process may end in its set-up again and again. */
    if (message->kind != MESSAGE_HELLO)
        device->restarts = 0;
    if (message->kind == MESSAGE_HELLO && message->length == sizeof device->limits) {
        memcpy(&device->limits, message->bytes, sizeof device->limits);
        device->state = STATE_OPEN;
        worker_expect(&device->worker, INT64_MAX);
    } else if (message->kind == MESSAGE_SETUP && message->length == sizeof device->calibration) {
        /* A restarted process is told what this one found out. It stands at the end of the message. */
        memcpy(&device->calibration, message->bytes, sizeof device->calibration);
        memcpy(device->setup.bytes + device->setup.length - sizeof device->calibration, &device->calibration,
               sizeof device->calibration);
        device->state = STATE_READY;
        worker_expect(&device->worker, INT64_MAX);
    } else if (message->kind == MESSAGE_MEASURE && device->has_job && whole) {
        memcpy(measurements, message->bytes, message->length);
        device->has_job = false;
        device->state = STATE_READY;
        worker_expect(&device->worker, INT64_MAX);
        return 1;
    } else if (message->kind == MESSAGE_LAST && device->has_job && whole) {
        memcpy(measurements, message->bytes, message->length);
        device->has_job = false;
        worker_stop(&device->worker);
        return start(device, error) ? -1 : 1;
    } else if (message->kind == MESSAGE_ERROR) {
        struct error said = {0};
        unpack_error(message, &said);
        /* Another process holds what the job needs: that is no outcome of the job. */
        if (device->state != STATE_BUSY || said.code == ERROR_BUSY) {
            if (error && error->code == ERROR_NONE)
                *error = said;
            return -1;
        }
        /* Whatever failed, it was with this job on the device. If the device itself is gone, the next start tells. */
        give_up(device, measurements, STATUS_CRASHED, "%s", said.message);
        device->has_job = false;
        worker_stop(&device->worker);
        return start(device, error) ? -1 : 1;
    }
    return 0;
}

int device_next(struct device *device, uint64_t *id, struct measurement measurements[DEVICE_KERNELS_MAX],
                struct error *error)
{
    struct message message;
    for (;;) {
        *id = device->job_id;
        int got = worker_receive(&device->worker, &message), finished = 0;
        if (got > 0) {
            finished = handle(device, &message, measurements, error);
        } else if (got < 0 || device->worker.spoiled || worker_late(&device->worker)) {
            bool had_job = device->has_job;
            if (replace(device, got == 0 && !device->worker.spoiled, measurements, error))
                return -1;
            finished = had_job && !device->has_job;
        } else {
            return 0;
        }
        if (finished >= 0)
            feed(device);
        if (finished)
            return finished;
    }
}

/* Waits until the device is in `state`. Used while there is nothing else to do. */
static int wait_for(struct device *device, enum state state, const volatile sig_atomic_t *stop, struct error *error)
{
    uint64_t id;
    struct measurement measurements[DEVICE_KERNELS_MAX]; /* none comes: there is no job */
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

int device_open(struct device **result, int ordinal, struct error *error)
{
    struct error own = {0};
    struct device *device = calloc(1, sizeof *device);
    *result = NULL;
    if (!device)
        return error_memory(error);
    device->ordinal = ordinal;
    device->calibration = (struct gpu_calibration){{NAN, NAN, NAN, NAN}, NAN};
    int code = start(device, &own);
    if (!code)
        code = wait_for(device, STATE_OPEN, NULL, &own);
    if (code) {
        device_close(device);
        if (error)
            *error = own;
        return code;
    }
    *result = device;
    return 0;
}

void device_close(struct device *device)
{
    if (!device)
        return;
    worker_stop(&device->worker);
    text_free(&device->setup);
    text_free(&device->job);
    free(device);
}

const struct device_limits *device_limits(const struct device *device)
{
    return &device->limits;
}

const struct ceilings *device_ceilings(const struct device *device)
{
    return &device->calibration.ceilings;
}

struct worker *device_worker(struct device *device)
{
    return &device->worker;
}

/* ---- Work ---- */

static void pack_kernel(struct text *text, const struct device_kernel *kernel)
{
    pack_bytes(text, kernel->cubin, kernel->cubin_bytes);
    pack_string(text, kernel->lowered_name);
    pack_bytes(text, kernel->launch, sizeof *kernel->launch);
}

int device_setup(struct device *device, const struct device_setup *setup, struct error *error)
{
    struct error own = {0};
    const struct space *space = setup->space;
    struct text *text = &device->setup;
    text_clear(text);
    pack_u64(text, setup->seed);
    pack_u64(text, setup->sampling.warm);
    pack_u64(text, setup->sampling.samples);
    pack_f64(text, setup->sampling.confidence);
    pack_f64(text, setup->sampling.target_interval);
    pack_f64(text, space->tolerance_relative);
    pack_f64(text, space->tolerance_absolute);
    if (space->buffer_count > GPU_BUFFERS_MAX)
        return error_set(error, ERROR_VALUE, "%zu buffers, more than %d", space->buffer_count, GPU_BUFFERS_MAX);
    pack_u64(text, space->buffer_count);
    for (size_t i = 0; i < space->buffer_count; i++) {
        const struct buffer *buffer = &space->buffers[i];
        pack_u64(text, (uint64_t)(buffer->type - element_types));
        pack_u64(text, buffer->count);
        pack_u64(text, buffer->fill);
        pack_u64(text, buffer->output);
        pack_string(text, buffer->name);
        pack_string(text, buffer->path ? buffer->path : "");
    }
    pack_bytes(text, setup->helpers.cubin, setup->helpers.cubin_bytes);
    pack_kernel(text, &setup->reference);
    text_append(text, &device->calibration, sizeof device->calibration); /* unknown: to be measured */
    if (text->failed)
        return error_memory(error);
    feed(device);
    int code = wait_for(device, STATE_READY, setup->stop, &own);
    if (code && error)
        *error = own;
    return code;
}

bool device_idle(const struct device *device)
{
    return !device->has_job;
}

int device_submit(struct device *device, const struct device_job *job, struct error *error)
{
    struct text *text = &device->job;
    if (device->has_job)
        return error_set(error, ERROR_WORKER, "the device is busy");
    text_clear(text);
    pack_u64(text, job->playoff);
    pack_f64(text, job->incumbent_ns);
    pack_u64(text, (uint64_t)job->timeout_ns);
    pack_u64(text, job->kernel_count);
    for (size_t k = 0; k < job->kernel_count; k++)
        pack_kernel(text, &job->kernels[k]);
    if (text->failed)
        return error_memory(error);
    device->has_job = true;
    device->again = false;
    device->kernel_count = job->kernel_count;
    device->job_id = job->id;
    device->job_timeout_ns = job->timeout_ns;
    feed(device);
    return 0;
}
