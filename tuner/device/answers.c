/* Handles the answers of the device process: keeps it running and set up, with at most one job. */
#include "device/answers.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "device/messages.h"

static const int64_t setup_timeout_ns = 600000000000;
/* A waiting process reads a message at once; one that does not has hung. */
static const int64_t send_timeout_ns = 5000000000;
/* consecutive attempts to restart a broken device */
enum { RESTARTS_MAX = 3 };

void device_send(struct device *device, uint32_t kind, uint64_t id, const struct text *text, int64_t timeout_ns)
{
    worker_send(&device->worker, kind, id, text->bytes, text->length, clock_now_ns() + send_timeout_ns, NULL);
    worker_expect(&device->worker, timeout_ns);
}

/* Finds a set that the process must compute before the job, within its own time limit. That is an unknown set, or the
 * set of the only kernel if it is not the current one, because another may have taken its memory. */
static bool must_expect(const struct device *device, uint32_t *set)
{
    for (size_t k = 0; k < device->kernel_count && !device->deferred && !device->guard.guarding.on; k++) {
        *set = device->job_sets[k];
        if (!device->sets[*set].known || (device->kernel_count == 1 && *set != device->current))
            return true;
    }
    return false;
}

/* Returns the set that is in use after the job; SPACE_SETS_MAX: uncertain. */
static uint32_t set_after(const struct device *device)
{
    for (size_t k = 1; k < device->kernel_count; k++)
        if (device->job_sets[k] != device->job_sets[0])
            return SPACE_SETS_MAX;
    return device->job_sets[0];
}

void device_feed(struct device *device)
{
    if (device->state == STATE_OPEN && device->inputs.length) {
        device->state = STATE_INPUTS;
        device_send(device, MESSAGE_INPUTS, 0, &device->inputs, setup_timeout_ns);
    }
    if (device->state == STATE_OPEN && device->setup.length) {
        device->state = STATE_SETUP;
        device->deferred = device->has_job && device->has_checksums;
        device_send(device, MESSAGE_SETUP, device->deferred, &device->setup, setup_timeout_ns);
    }
    if (device->state == STATE_READY && device->has_job && must_expect(device, &device->expected)) {
        static const struct text nothing; /* the process already has the kernels */
        const struct device_set *set = &device->sets[device->expected];
        device->state = STATE_EXPECT;
        device_send(device, MESSAGE_EXPECT, device->expected, set->known ? &nothing : &set->message, setup_timeout_ns);
    } else if (device->state == STATE_READY && device->has_job) {
        device->state = STATE_BUSY;
        device->current = set_after(device);
        device_guard_begin(device);
        device_send(device, device->judges ? MESSAGE_JUDGE : MESSAGE_MEASURE, device->job_id, &device->job,
                    device->job_timeout_ns);
    }
}

/* Gives all kernels of an unanswered job the same outcome. */
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

/* Records that the job's expected results cannot be computed, so that later jobs are refused too. The kernels of a
 * play-off may need different sets, so all are CRASHED. */
static void refuse_set(struct device *device, enum status status, struct measurement *measurements, const char *why)
{
    struct measurement *refusal = calloc(1, sizeof *refusal); /* NULL: later jobs compute them again */
    bool alone = device->kernel_count == 1;
    device->has_job = false;
    give_up(device, measurements, alone ? status : STATUS_CRASHED, "no expected results: %s", why);
    if (!refusal)
        return;
    *refusal = measurement_unknown(status);
    measurement_explain(refusal, "no expected results: %s", why);
    free(device->sets[device->expected].refusal);
    device->sets[device->expected].refusal = refusal;
}

/* Judges the job whose process ended. After the first end it is tried again, because someone may have killed or stopped
 * the process. A second end in the same way is the job's fault. */
static void judge_job(struct device *device, bool late, bool stopped, struct measurement *measurements)
{
    char words[128];
    if (!device->again && (stopped || !late)) {
        device->again = true;
        return;
    }
    if (device->state == STATE_EXPECT) {
        snprintf(words, sizeof words, "%s",
                 late ? "the reference does not end" : "the reference ends the device process");
        refuse_set(device, late ? STATUS_TIMEOUT : STATUS_CRASHED, measurements, words);
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

/* Replaces a process that ended or is late. Its job is tried again or gets a status. Repeated failures to start or to
 * set up are an error. */
static int replace(struct device *device, bool late, struct measurement *measurements, struct error *error)
{
    char words[128];
    enum device_state state = device->state;
    bool stopped = late && worker_is_stopped(&device->worker);
    if (worker_check_version(&device->worker, "device", error))
        return ERROR_WORKER;
    worker_stop(&device->worker);
    if (state == STATE_BUSY || state == STATE_EXPECT)
        judge_job(device, late, stopped, measurements);
    else if (state != STATE_READY && ++device->restarts >= RESTARTS_MAX)
        return error_set(error, ERROR_WORKER, "the device process %s %d times in a row, the last time %s",
                         state == STATE_SETUP || state == STATE_INPUTS ? "fails to set up" : "does not start",
                         device->restarts,
                         late ? "without an answer" : worker_epitaph(&device->worker, words, sizeof words));
    return device_restart(device, error);
}

void device_pack_calibration(struct device *device)
{
    device->setup.length = device->setup_bytes;
    pack_struct(&device->setup, &calibration_table, &device->calibration);
}

static int take_hello(struct device *device, const struct message *message)
{
    if (!unpack_whole(message->bytes, message->length, &device_limits_table, &device->limits)) {
        worker_refuse(&device->worker);
        return 0;
    }
    device->state = STATE_OPEN;
    device->answered = true;
    worker_expect(&device->worker, INT64_MAX);
    return 0;
}

/* Starts a new process, because this one has already allocated the set-up's memory. */
static int take_inputs(struct device *device, struct error *error)
{
    if (device->state != STATE_INPUTS) {
        worker_refuse(&device->worker);
        return 0;
    }
    text_clear(&device->inputs);
    worker_stop(&device->worker);
    return device_restart(device, error) ? -1 : 0;
}

static int take_calibration(struct device *device, const struct message *message)
{
    struct gpu_calibration calibration;
    if (!unpack_whole(message->bytes, message->length, &calibration_table, &calibration)) {
        worker_refuse(&device->worker);
        return 0;
    }
    device->calibration = calibration;
    device_pack_calibration(device);
    device->state = STATE_READY;
    worker_expect(&device->worker, INT64_MAX);
    return 0;
}

static int take_expected(struct device *device, const struct message *message)
{
    if (device->state != STATE_EXPECT || message->id != device->expected) {
        worker_refuse(&device->worker);
        return 0;
    }
    device->sets[device->expected].known = true;
    device->current = device->expected;
    device->state = STATE_READY;
    worker_expect(&device->worker, INT64_MAX);
    return 0;
}

static int take_roofline(struct device *device, const struct message *message)
{
    if (device->state != STATE_ROOFLINE ||
        !unpack_whole(message->bytes, message->length, &roofline_table, &device->roofline)) {
        worker_refuse(&device->worker);
        return 0;
    }
    device->state = STATE_READY;
    worker_expect(&device->worker, INT64_MAX);
    return 0;
}

static int take_measurements(struct device *device, const struct message *message, struct measurement *measurements,
                             struct error *error)
{
    const char *samples;
    if (device->state != STATE_BUSY || message->id != device->job_id ||
        !message_unpack_measurements(message, measurements, device->measures_energy ? device->energies : NULL,
                                     device->kernel_count, &samples)) {
        worker_refuse(&device->worker);
        return 0;
    }
    text_append(&device->samples, samples, strlen(samples));
    if (device->samples.failed) {
        error_memory(error);
        return -1;
    }
    device->has_job = false;
    device->state = STATE_READY;
    worker_expect(&device->worker, INT64_MAX);
    if (device->guard.guarding.on)
        device_guard_conclude(device, &measurements[0]);
    if (!measurement_has_value(&measurements[0]))
        text_clear(&device->samples);
    if (message->kind != MESSAGE_LAST)
        return 1;
    worker_stop(&device->worker);
    return device_restart(device, error) ? -1 : 1;
}

/* Replaces the process by one that computes the expected results, which then does the job. */
static int take_difference(struct device *device, struct error *error)
{
    if (device->state != STATE_BUSY || !device->deferred) {
        worker_refuse(&device->worker);
        return 0;
    }
    device->has_checksums = false;
    worker_stop(&device->worker);
    return device_restart(device, error) ? -1 : 0;
}

static int take_failure(struct device *device, const struct message *message, struct measurement *measurements,
                        struct error *error)
{
    struct error said = {0};
    message_take_error(message, &said);
    /* Another process holds memory that the job needs, so this is not the job's outcome. */
    if ((device->state != STATE_BUSY && device->state != STATE_EXPECT) || said.code == ERROR_BUSY) {
        if (error && error->code == ERROR_NONE)
            *error = said;
        return -1;
    }
    /* The failure belongs to the job. If the device itself is lost, the next start reports it. */
    if (device->state == STATE_EXPECT)
        refuse_set(device, STATUS_WRONG_RESULT, measurements, said.message);
    else
        give_up(device, measurements, STATUS_CRASHED, "%s", said.message);
    device->has_job = false;
    worker_stop(&device->worker);
    return device_restart(device, error) ? -1 : 1;
}

/* Handles a message of a guarded process in the midst of its job, or the referee's wish in it. */
static int take_guarded(struct device *device, const struct message *message, struct error *error)
{
    int lost = 0;
    if (device->judges && device->state == STATE_BUSY && message->kind == MESSAGE_RESULTS) {
        device->wants_contents = true;
        return 0;
    }
    if (!(message->kind == MESSAGE_LAUNCH ? device_guard_launch : device_guard_results)(device, message, &lost, error))
        worker_refuse(&device->worker);
    return lost;
}

/* Handles one message. Returns 1 if it finished the job, 0 if not, and -1 after an error that ends the device. A
 * senseless message spoils the process. */
static int handle(struct device *device, const struct message *message, struct measurement *measurements,
                  struct error *error)
{
    /* A greeting is not yet success: the process may fail in every set-up. */
    if (message->kind != MESSAGE_HELLO)
        device->restarts = 0;
    switch (message->kind) {
    case MESSAGE_HELLO:
        return take_hello(device, message);
    case MESSAGE_INPUTS:
        return take_inputs(device, error);
    case MESSAGE_SETUP:
        return take_calibration(device, message);
    case MESSAGE_EXPECT:
        return take_expected(device, message);
    case MESSAGE_ROOFLINE:
        return take_roofline(device, message);
    case MESSAGE_LAUNCH:
    case MESSAGE_RESULTS:
        return take_guarded(device, message, error);
    case MESSAGE_MEASURE:
    case MESSAGE_JUDGE:
    case MESSAGE_LAST:
        return take_measurements(device, message, measurements, error);
    case MESSAGE_DIFFERS:
        return take_difference(device, error);
    case MESSAGE_ERROR:
        return take_failure(device, message, measurements, error);
    default:
        worker_refuse(&device->worker);
        return 0;
    }
}

int device_next(struct device *device, uint64_t *id, struct measurement measurements[DEVICE_KERNELS_MAX],
                struct error *error)
{
    struct message message;
    if (device->rests)
        return 0;
    for (;;) {
        *id = device->job_id;
        int got = worker_receive(&device->worker, &message), finished = 0;
        if (got > 0) {
            finished = handle(device, &message, measurements, error);
        } else if (got < 0 || device->worker.channel.spoiled || worker_late(&device->worker)) {
            bool had_job = device->has_job;
            if (replace(device, got == 0 && !device->worker.channel.spoiled, measurements, error))
                return -1;
            finished = had_job && !device->has_job;
        } else {
            return 0;
        }
        if (finished >= 0)
            device_feed(device);
        if (finished)
            return finished;
    }
}
