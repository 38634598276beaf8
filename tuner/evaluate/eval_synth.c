/* An analytic function with a known optimum and seeded noise, for tests of searches and runs without a GPU or a
 * recording. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/statistics.h"
#include "evaluate/eval_synth.h"
#include "evaluate/evaluators.h"

enum { SYNTH_BATCH = 8, SYNTH_SAMPLES = 9, SYNTH_FAILURE = 16, SYNTH_FAILURE_AGAIN = 8 };

/* State of one of several devices. */
struct synth_member {
    uint64_t measured;
    double limit; /* limit for stopping early */
    bool left_out;
};

struct synth_pending {
    uint64_t index;
    bool exact;
    size_t device;
};

struct synth {
    struct synth_setup setup;
    struct synth_member *members; /* NULL: one device */
    size_t pending, room;
    struct synth_pending *queue;
    bool withdrawn; /* all pending ones are */
};

uint64_t synth_optimum(const struct valid_set *set, uint64_t seed)
{
    struct random random;
    random_seed(&random, seed);
    return valid_set_sample(set, &random);
}

double synth_time_ns(const struct valid_set *set, uint64_t seed, uint64_t index)
{
    uint32_t best[SPACE_PARAMETERS_MAX], here[SPACE_PARAMETERS_MAX];
    double excess = 0;
    valid_set_get(set, synth_optimum(set, seed), best);
    valid_set_get(set, index, here);
    for (size_t p = 0; p < valid_set_parameter_count(set); p++) {
        double apart = fabs((double)here[p] - (double)best[p]) / (double)valid_set_value_count(set, p);
        double weight = 0.25 + (double)(random_mix(seed, p) % 16) / 8;
        excess += weight * apart;
    }
    return 1e6 * (1 + excess);
}

bool synth_fails(const struct valid_set *set, uint64_t seed, uint64_t index)
{
    return random_mix(seed + 1, index) % SYNTH_FAILURE == 0 && index != synth_optimum(set, seed);
}

bool synth_fails_again(const struct valid_set *set, uint64_t seed, uint64_t index)
{
    return random_mix(seed + 3, index) % SYNTH_FAILURE_AGAIN == 0 && index != synth_optimum(set, seed);
}

/* `factor`: multiplies the time; `seed`: of the noise */
static struct measurement measure(const struct synth_setup *setup, uint64_t index, double factor, uint64_t seed)
{
    struct measurement measurement = measurement_unknown(STATUS_OK);
    double samples_ns[SYNTH_SAMPLES], value = factor * synth_time_ns(setup->set, setup->seed, index);
    struct random random;
    if (synth_fails(setup->set, setup->seed, index)) {
        measurement.status = STATUS_COMPILE_ERROR;
        measurement_explain(&measurement, "synthetic failure");
        return measurement;
    }
    random_seed(&random, random_mix(seed, index));
    for (size_t i = 0; i < SYNTH_SAMPLES; i++)
        samples_ns[i] = value * (1 + setup->noise * random_normal(&random));
    statistics_sort(samples_ns, SYNTH_SAMPLES);
    struct interval interval = statistics_median_interval(samples_ns, SYNTH_SAMPLES, 0.95);
    measurement.value = statistics_median(samples_ns, SYNTH_SAMPLES);
    measurement.low = interval.low;
    measurement.high = interval.high;
    measurement.samples = SYNTH_SAMPLES;
    measurement.verified = VERIFIED_TIMED; /* a formula has no wrong results */
    return measurement;
}

/* Converts the measurement to the work of the configuration, if the space has `work`. */
static int count_work(const struct synth_setup *setup, uint64_t index, struct measurement *measurement,
                      struct error *error)
{
    struct work_amounts amounts;
    uint32_t choices[SPACE_PARAMETERS_MAX];
    if (!setup->space)
        return 0;
    valid_set_get(setup->set, index, choices);
    int code = space_work(setup->space, choices, &amounts, error);
    if (!code)
        measurement_per_work(measurement, &amounts);
    return code;
}

static void close_synth(void *state)
{
    struct synth *synth = state;
    free(synth->members);
    free(synth->queue);
}

static int open_synth(void *state, const void *given, struct error *error)
{
    struct synth *synth = state;
    const struct synth_setup *setup = given;
    synth->setup = *setup;
    bool several = setup->device_count > 1;
    synth->room = SYNTH_BATCH * (several ? setup->device_count : 1);
    synth->queue = calloc(synth->room, sizeof *synth->queue);
    synth->members = several ? calloc(setup->device_count, sizeof *synth->members) : NULL;
    for (size_t d = 0; synth->members && d < setup->device_count; d++)
        synth->members[d].limit = INFINITY;
    return synth->queue && (synth->members || !several) ? 0 : error_memory(error);
}

static size_t room(void *state, bool learns_at_once)
{
    (void)learns_at_once;
    struct synth *synth = state;
    return synth->room - synth->pending;
}

static int submit(void *state, uint64_t index, bool exact, size_t device, struct error *error)
{
    struct synth *synth = state;
    if (synth->pending == synth->room)
        return error_set(error, ERROR_BUSY, "more than %zu configurations at once", synth->room);
    synth->queue[synth->pending++] = (struct synth_pending){index, exact, device};
    return 0;
}

/* Returns evaluations out of order, as real workers do. */
static int wait_for_one(struct synth *synth, struct evaluation *done, size_t space, size_t *count, struct error *error)
{
    const struct synth_setup *setup = &synth->setup;
    int code = 0;
    for (*count = 0; *count < space && synth->pending && !code; ++*count) {
        uint64_t index = synth->queue[--synth->pending].index;
        done[*count] = (struct evaluation){
            .index = index, .original = OUTCOME_NO_DUPLICATE, .measurement = measure(setup, index, 1, setup->seed + 2)};
        code = count_work(setup, index, &done[*count].measurement, error);
    }
    return code;
}

/* ---- Several devices ---- */

/* Returns the ratio of the device's time to the formula's. */
static double factor_of(const struct synth_setup *setup, size_t number, uint64_t index, uint64_t measured)
{
    const struct synth_device *device = &setup->devices[number];
    double length = (double)device->drift_end - (double)device->drift_begin;
    double part =
        length > 0 ? ((double)measured - (double)device->drift_begin) / length : measured >= device->drift_begin;
    struct random random;
    random_seed(&random, random_mix(setup->seed + 5 + number, index));
    return (1 + device->excess) * (1 + device->scatter * random_normal(&random)) *
           (1 + device->drift * fmin(fmax(part, 0), 1));
}

static int evaluate(struct synth *synth, const struct synth_pending *job, size_t number, struct evaluation *done,
                    struct error *error)
{
    const struct synth_setup *setup = &synth->setup;
    const struct synth_device *device = &setup->devices[number];
    struct synth_member *member = &synth->members[number];
    double factor = factor_of(setup, number, job->index, member->measured);
    uint64_t seed = random_mix(random_mix(setup->seed + 4, number), member->measured++);
    *done = (struct evaluation){.index = job->index, .device = number, .original = OUTCOME_NO_DUPLICATE};
    struct measurement *measurement = &done->measurement;
    *measurement = measure(setup, job->index, factor, seed);
    if (measurement->status == STATUS_COMPILE_ERROR)
        done->device = EVALUATOR_ANY_DEVICE;
    else if (device->broken)
        *measurement = measurement_unknown(STATUS_CRASHED);
    snprintf(measurement->uuid, sizeof measurement->uuid, "GPU-%zu", number);
    measurement->discarded = device->throttled;
    int code = count_work(setup, job->index, measurement, error);
    if (!job->exact && measurement->low > member->limit)
        measurement->status = STATUS_SLOWER;
    return code;
}

/* Lets each device measure its oldest configuration. All evaluations take equally long. */
static int wait_for_several(struct synth *synth, struct evaluation *done, size_t space, size_t *count,
                            struct error *error)
{
    int code = 0;
    *count = 0;
    for (size_t d = 0; d < synth->setup.device_count && *count < space && !code; d++) {
        size_t i = 0;
        while (i < synth->pending && synth->queue[i].device != EVALUATOR_ANY_DEVICE && synth->queue[i].device != d &&
               !synth->members[synth->queue[i].device].left_out)
            i++;
        if (i == synth->pending || synth->members[d].left_out)
            continue;
        const struct synth_pending job = synth->queue[i];
        for (synth->pending--; i < synth->pending; i++)
            synth->queue[i] = synth->queue[i + 1];
        code = evaluate(synth, &job, d, &done[(*count)++], error);
    }
    return code;
}

static int wait(void *state, int64_t until_ns, struct evaluation *done, size_t space, size_t *count,
                struct error *error)
{
    struct synth *synth = state;
    (void)until_ns;
    if (synth->withdrawn) {
        for (*count = 0; *count < space && synth->pending; ++*count)
            done[*count] = (struct evaluation){.index = synth->queue[--synth->pending].index, .withdrawn = true};
        synth->withdrawn = synth->pending > 0;
        return 0;
    }
    return (synth->members ? wait_for_several : wait_for_one)(synth, done, space, count, error);
}

/* Nothing takes time, so that no measurement has begun. */
static int withdraw(void *state, enum evaluation_stage stage, struct error *error)
{
    struct synth *synth = state;
    (void)stage, (void)error;
    synth->withdrawn = synth->pending > 0;
    return 0;
}

static size_t devices(const void *state)
{
    const struct synth *synth = state;
    return synth->members ? synth->setup.device_count : 1;
}

static void incumbent(void *state, size_t device, double value)
{
    struct synth *synth = state;
    for (size_t d = 0; synth->members && d < synth->setup.device_count; d++)
        if (device == d || device == EVALUATOR_ANY_DEVICE)
            synth->members[d].limit = value;
}

static void leave_out(void *state, size_t device)
{
    struct synth *synth = state;
    if (synth->members)
        synth->members[device].left_out = true;
}

/* ---- The play-off ---- */

/* Measures without noise. One in 8 configurations fails. */
static int playoff(void *state, const uint64_t *indices, size_t count, struct measurement *finals, bool *played,
                   struct error *error)
{
    struct synth *synth = state;
    const struct synth_setup *setup = &synth->setup;
    double least = INFINITY;
    int code = 0;
    *played = true;
    for (size_t i = 0; i < count && !code; i++) {
        double value = synth_time_ns(setup->set, setup->seed, indices[i]);
        finals[i] = measure(setup, indices[i], 1, setup->seed + 2);
        finals[i].value = finals[i].low = finals[i].high = value;
        if (synth_fails_again(setup->set, setup->seed, indices[i])) {
            finals[i] = measurement_unknown(STATUS_CRASHED);
            measurement_explain(&finals[i], "synthetic failure in the play-off");
            least = NAN;
        }
        code = count_work(setup, indices[i], &finals[i], error);
        least = finals[i].value < least ? finals[i].value : least;
    }
    for (size_t i = 0; i < count && !code; i++)
        if (isnan(least) && finals[i].status == STATUS_OK)
            finals[i].value = finals[i].low = finals[i].high = NAN;
        else if (finals[i].status == STATUS_OK)
            finals[i].playoff = finals[i].value == least ? PLAYOFF_LEADER : PLAYOFF_LOST;
    return code;
}

static const struct evaluator_ops ops = {.state_size = sizeof(struct synth),
                                         .open = open_synth,
                                         .room = room,
                                         .devices = devices,
                                         .submit = submit,
                                         .wait = wait,
                                         .withdraw = withdraw,
                                         .limit = evaluator_ignore_limit,
                                         .watch = evaluator_watch_nothing,
                                         .busy_s = evaluator_busy_unknown,
                                         .stops_early = true,
                                         .incumbent = incumbent,
                                         .leave_out = leave_out,
                                         .lost = evaluator_lose_none,
                                         .now = evaluator_real_time,
                                         .playoff = playoff,
                                         .usage = evaluator_no_usage,
                                         .close = close_synth};

int evaluator_open_synth(struct evaluator *evaluator, const struct synth_setup *setup, struct error *error)
{
    return evaluator_open(evaluator, &ops, setup, error);
}

static bool suits(const struct evaluator_setup *setup)
{
    return setup->synthetic;
}

static int open_kind(struct evaluator *evaluator, const struct evaluator_setup *setup, struct error *error)
{
    const struct synth_setup own = {.space = setup->space, .set = setup->set, .seed = setup->seed};
    return evaluator_open_synth(evaluator, &own, error);
}

const struct evaluator_kind evaluator_synth = {.suits = suits, .open = open_kind};
