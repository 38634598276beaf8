#include "device/guarding.h"

#include <math.h>
#include <sys/random.h>

#include "base/clock.h"
#include "device/answers.h"
#include "device/messages.h"
#include "device/special.h"
#include "device/verify_timed.h"

/* The first two launches are not timed. So a median of up to 15 samples cannot move by samples that are not compared. A
 * median of more needs at least 8 of those, and all escape with a probability below 0.04, which falls with each. */
const struct guarding device_guarding = {.on = true, .compared_least = 10, .share = 1.0 / 3};

/* A process that asks for more launches than any series has is refused. */
enum { LAUNCHES_MAX = 4 * SERIES_SAMPLES_MAX };
static const int64_t send_timeout_ns = 5000000000;

/* ---- Lots ---- */

/* Nobody can foresee the number. False: the system has none. */
static bool draw(uint64_t *number)
{
    return getrandom(number, sizeof *number, 0) == (ssize_t)sizeof *number;
}

/* True if the last launch is compared. Without a random number, it is. */
static bool is_drawn(const struct device_guard *guard)
{
    uint64_t number = 0;
    if (guard->launches <= guard->guarding.compared_least || guard->over)
        return true;
    return !draw(&number) || (double)(number >> 11) * 0x1p-53 < guard->guarding.share;
}

/* `slower`: the kernel was stopped early, and cannot gain by cheating. */
static bool has_enough(const struct device_guard *guard, bool slower)
{
    return guard->compared_after > 0 && (slower || guard->compared >= guard->guarding.compared_least);
}

/* ---- The referee ---- */

/* Copies the set-up without all that tells right results. */
static int pack_candidate(struct device *device, const struct device_setup *setup, struct error *error)
{
    struct device_setup candidate = *setup;
    struct device_kernel fillers[SPACE_FILL_KERNELS_MAX];
    for (size_t i = 0; i < setup->fill_count; i++) {
        fillers[i] = setup->fills[i];
        if (!fillers[i].cubin) {
            fillers[i].cubin = setup->first.reference.cubin;
            fillers[i].cubin_bytes = setup->first.reference.cubin_bytes;
        }
    }
    candidate.fills = fillers;
    candidate.first = (struct device_expected){.reference_name = ""};
    candidate.expected = NULL;
    candidate.accept_command = NULL;
    return message_pack_setup(&device->setup, &candidate, "", error);
}

static int start_referee(struct device *device, const struct device_setup *setup, struct error *error)
{
    struct device_guard *guard = &device->guard;
    struct device_setup whole = *setup;
    int code = guard->referee ? device_renew(guard->referee, error)
                              : device_start(&guard->referee, device->opening.name, setup->streams, error);
    whole.sampling.guarding = (struct guarding){.on = false};
    if (!code)
        code = device_await(guard->referee, error);
    return code ? code : device_setup(guard->referee, &whole, error);
}

int device_guard_setup(struct device *device, const struct device_setup *setup, struct error *error)
{
    struct device_guard *guard = &device->guard;
    int code = start_referee(device, setup, error);
    if (code)
        return code;
    guard->guarding = setup->sampling.guarding;
    guard->setup_seed = setup->seed;
    guard->fixed = false;
    guard->special = setup->sampling.special;
    guard->inout_bytes = 0;
    guard->renews = false;
    for (size_t i = 0; i < setup->space->buffer_count; i++) {
        guard->renews |= setup->space->buffers[i].fill == FILL_RANDOM;
        if (setup->space->buffers[i].role == BUFFER_INOUT)
            guard->inout_bytes += setup->space->buffers[i].count * setup->space->buffers[i].type->bytes;
    }
    for (size_t i = 0; i < setup->space->buffer_count && setup->expected; i++)
        guard->fixed |= setup->expected[i].path != NULL;
    device->calibration = guard->referee->calibration;
    device_start_spare(device);
    return pack_candidate(device, setup, error);
}

bool device_renews_inputs(const struct device *device)
{
    return device->guard.guarding.on && device->guard.renews && !device->guard.fixed;
}

void device_guard_close(struct device_guard *guard)
{
    worker_stop(&guard->spare);
    device_close(guard->referee);
    text_free(&guard->kernel);
    *guard = (struct device_guard){0};
}

/* Sends the job to the referee, which begins it once it has computed other expected results. */
static int submit(struct device *device, struct error *error)
{
    struct device_guard *guard = &device->guard;
    struct device *referee = guard->referee;
    text_clear(&referee->job);
    pack_struct(&referee->job, &judge_table, &(struct judge_message){guard->seed});
    text_append(&referee->job, guard->kernel.bytes, guard->kernel.length);
    if (referee->job.failed)
        return error_memory(error);
    referee->judges = true;
    referee->wants_contents = false;
    referee->again = true; /* the results that it needs are sent once */
    referee->has_job = true;
    referee->has_checksums = false;
    referee->kernel_count = 1;
    referee->job_sets[0] = device->job_sets[0];
    referee->job_id++;
    referee->job_timeout_ns = device->job_timeout_ns;
    if (referee->rests) {
        referee->rests = false;
        return device_restart(referee, error);
    }
    device_feed(referee);
    return 0;
}

/* Waits for the referee's verdict, or, with `begins`, until it takes results. 1: the verdict; 0: it takes results, or
 * wants their contents; -1: error. */
static int await(struct device *device, bool begins, struct error *error)
{
    struct device *referee = device->guard.referee;
    struct measurement measurements[DEVICE_KERNELS_MAX];
    uint64_t id;
    for (;;) {
        int got = device_next(referee, &id, measurements, error);
        if (got > 0) {
            device->guard.verdict = measurements[0];
            if (measurements[0].status != STATUS_OK && measurements[0].status != STATUS_WRONG_RESULT)
                measurement_explain(&device->guard.verdict, "the referee: %s", measurements[0].message);
            return 1;
        }
        if (got < 0)
            return -1;
        if (referee->wants_contents || (begins && referee->state == STATE_BUSY))
            return 0;
        worker_wait((struct worker *[]){&referee->worker}, 1, INT64_MAX);
    }
}

/* ---- The coordinator's clock ---- */

/* A burst takes about BURST_NS. It is too long if it exceeds the time of its launches and these allowances: for a share
 * of that time, for each launch of a run, for restoring buffers, and once for the host. */
enum { BURST_NS = 20000000, BURST_MOST = 512, BURST_TRIES = 3 };
static const double allowed_share = 0.5, launch_allowed_ns = 20000, restored_bytes_per_ns = 100, host_allowed_ns = 20e6;

static bool is_too_long(const struct device_burst *burst, double value_ns)
{
    return burst->took_ns != INT64_MAX &&
           (double)burst->took_ns >
               burst->count * (value_ns * (1 + allowed_share) + burst->allowed_ns) + host_allowed_ns;
}

/* A burst that seems too long is repeated, because the host may have been busy. */
static bool wants_burst(const struct device_guard *guard)
{
    const struct device_burst *burst = &guard->burst;
    return guard->over && burst->possible && guard->value_ns > 0 && burst->tries < BURST_TRIES &&
           (!burst->tries || is_too_long(burst, guard->value_ns));
}

static uint32_t begin_burst(struct device_guard *guard)
{
    const double fit = BURST_NS / guard->value_ns;
    guard->burst.count = fit < 2 ? 2 : fit > BURST_MOST ? BURST_MOST : (uint32_t)fit;
    guard->burst.tries++;
    return guard->burst.count;
}

static void end_burst(struct device_guard *guard)
{
    struct device_burst *burst = &guard->burst;
    const int64_t took_ns = clock_now_ns() - burst->begin_ns;
    if (burst->begin_ns && took_ns < burst->took_ns)
        burst->took_ns = took_ns;
    guard->times.row_ns += burst->begin_ns ? took_ns : 0;
    burst->begin_ns = 0;
}

/* ---- The process that measures ---- */

static bool answer(struct device *device, enum permit permit, uint64_t seed, uint32_t count)
{
    struct text text = {0};
    pack_struct(&text, &permit_table, &(struct permit_message){permit, seed, count, device->guard.contents});
    bool good = !text.failed;
    if (good)
        device_send(device, MESSAGE_LAUNCH, 0, &text, device->job_timeout_ns);
    text_free(&text);
    return good;
}

/* Permits another launch unless the verdict stands or enough launches are compared. */
static bool permit(struct device *device)
{
    struct device_guard *guard = &device->guard;
    uint64_t seed = guard->setup_seed;
    guard->over = guard->asked_over;
    const bool burst = wants_burst(guard);
    if (guard->verdict.status != STATUS_OK || (guard->over && has_enough(guard, !(guard->value_ns > 0)) && !burst))
        return answer(device, PERMIT_STOP, 0, 0);
    do
        if (!guard->fixed && !draw(&seed))
            return false;
    while (guard->special && !guard->fixed && !special_suits(seed, guard->launches));
    guard->seed = seed;
    guard->launches++;
    return answer(device, PERMIT_LAUNCH, seed, burst ? begin_burst(guard) : 1);
}

static void count_compared(struct device_guard *guard)
{
    guard->compared++;
    guard->compared_after += guard->over;
}

bool device_guard_launch(struct device *device, const struct message *message, int *lost, struct error *error)
{
    struct device_guard *guard = &device->guard;
    struct launch_message asked;
    if (device->state != STATE_BUSY || !guard->guarding.on || guard->handing_over || guard->launches >= LAUNCHES_MAX ||
        !unpack_whole(message->bytes, message->length, &asking_table, &asked) || asked.launches != guard->launches)
        return false;
    if (asked.ready) {
        const bool answered =
            guard->burst.count && !guard->burst.begin_ns && answer(device, PERMIT_LAUNCH, 0, guard->burst.count);
        guard->burst.begin_ns = clock_now_ns();
        return answered;
    }
    end_burst(guard);
    guard->asked_over = asked.over;
    guard->value_ns = asked.value_ns;
    if (!guard->launches || !is_drawn(guard))
        return permit(device);
    const int64_t begin_ns = clock_now_ns();
    *lost = submit(device, error) ? -1 : await(device, true, error);
    guard->handing_ns = clock_now_ns();
    guard->times.reference_ns += guard->handing_ns - begin_ns;
    if (*lost < 0)
        return true;
    const bool decided = *lost > 0; /* the referee has no expected results */
    *lost = 0;
    guard->handing_over = !decided;
    return decided ? permit(device) : answer(device, PERMIT_COMPARE, 0, 0);
}

bool device_guard_results(struct device *device, const struct message *message, int *lost, struct error *error)
{
    struct device_guard *guard = &device->guard;
    if (device->state != STATE_BUSY || !guard->handing_over)
        return false;
    /* A referee that is gone is noticed below. */
    worker_send(&guard->referee->worker, MESSAGE_RESULTS, message->id, message->bytes, message->length,
                clock_now_ns() + send_timeout_ns, NULL);
    worker_expect(&device->worker, device->job_timeout_ns);
    if (!message->id)
        return true;
    const int judged = await(device, false, error);
    *lost = judged < 0 ? -1 : 0;
    if (judged < 0)
        return true;
    if (!judged) { /* once for all */
        guard->referee->wants_contents = false;
        guard->contents = true;
        return answer(device, PERMIT_COMPARE, 0, 0);
    }
    guard->handing_over = false;
    guard->times.compare_ns += clock_now_ns() - guard->handing_ns;
    count_compared(guard);
    return permit(device);
}

/* True if a run neither copies over the host link nor waits for the host. */
static bool is_launches(const struct launch *launch)
{
    return !launch->pipeline.total && !launch->until_count;
}

int device_guard_submit(struct device *device, const struct device_job *job, struct error *error)
{
    struct device_guard *guard = &device->guard;
    if (job->playoff || job->energy)
        return error_set(error, ERROR_VALUE, "%s cannot be guarded", job->energy ? "an energy" : "a play-off");
    struct device_kernel kernel = job->kernels[0];
    kernel.cubin = "";
    kernel.cubin_bytes = 0;
    text_clear(&guard->kernel);
    message_pack_kernel(&guard->kernel, &kernel);
    device->has_checksums = false;
    guard->burst.possible = !kernel.library && is_launches(kernel.launch);
    guard->burst.allowed_ns = (double)guard->inout_bytes / restored_bytes_per_ns;
    if (guard->burst.possible)
        guard->burst.allowed_ns += launch_allowed_ns * (double)space_launch_count(kernel.launch);
    return guard->kernel.failed ? error_memory(error) : 0;
}

void device_guard_begin(struct device *device)
{
    struct device_guard *guard = &device->guard;
    if (!guard->guarding.on)
        return;
    if (guard->referee->has_job) { /* its results will not come */
        worker_stop(&guard->referee->worker);
        guard->referee->has_job = false;
        guard->referee->rests = true;
    }
    guard->launches = guard->compared = guard->compared_after = 0;
    guard->over = guard->handing_over = false;
    guard->burst.count = guard->burst.tries = 0;
    guard->burst.begin_ns = 0;
    guard->burst.took_ns = INT64_MAX;
    guard->verdict = measurement_unknown(STATUS_OK);
    guard->times = (struct guard_times){0};
}

/* ---- The outcome ---- */

static void fail(struct measurement *measurement, enum status status, bool later)
{
    measurement->status = status;
    measurement->value = measurement->low = measurement->high = measurement->mean_ns = NAN;
    measurement->verified = later ? VERIFIED_FIRST : VERIFIED_NONE;
}

void device_guard_conclude(struct device *device, struct measurement *measurement)
{
    const struct device_guard *guard = &device->guard;
    const struct measurement *verdict = &guard->verdict;
    const bool later = guard->compared > 1;
    measurement->launches = (uint32_t)guard->launches;
    measurement->compared = guard->compared;
    measurement->guard_times.reference_ns = guard->times.reference_ns;
    measurement->guard_times.compare_ns = guard->times.compare_ns;
    measurement->guard_times.row_ns = guard->times.row_ns;
    if (verdict->status != STATUS_OK) {
        fail(measurement, verdict->status, later);
        measurement->suspicions |= verdict->suspicions;
        if (later && verdict->status == STATUS_WRONG_RESULT)
            measurement->suspicions |= 1u << SUSPICION_later_launch;
        measurement_explain(measurement, "%s%s", later && verdict->status == STATUS_WRONG_RESULT ? gpu_wrong_later : "",
                            verdict->message);
    } else if (status_class(measurement->status) != OUTCOME_FAILED &&
               !has_enough(guard, measurement->status == STATUS_SLOWER)) {
        fail(measurement, STATUS_CRASHED, later);
        measurement_explain(measurement, "the device process ended before enough launches were compared");
    } else if (status_class(measurement->status) != OUTCOME_FAILED) {
        measurement->verified = VERIFIED_TIMED;
        if (is_too_long(&guard->burst, measurement->value))
            measurement_suspect(measurement, SUSPICION_wall, "");
    }
}
