/* The play-off times kernels that are too close to call in turn, round by round, in changing order, so that drift of
 * the device affects all alike. It compares times per unit of work within rounds. The interval of the reported median
 * comes from the medians of the rounds, because samples of one round are correlated. */
#include "device/playoff.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/random.h"
#include "base/statistics.h"
#include "base/stop_rules.h"
#include "device/buffers.h"
#include "device/clock.h"
#include "device/gpu.h"
#include "device/launch.h"
#include "device/measure.h"
#include "device/rest.h"
#include "device/steadiness.h"
#include "device/techniques.h"
#include "device/timer.h"
#include "device/verify.h"
#include "device/verify_timed.h"

enum {
    SUSTAIN_LOOKS = 8,            /* readings of a settled clock */
    SUSTAIN_LEAST_NS = 500000000, /* load before a sustained play-off, in which a power cap takes effect */
    MOVE_ROUNDS = 2,              /* interval at which code and buffers get other addresses */
    ROUND_SAMPLES = 16,           /* most samples of a kernel; short kernels need them */
    ROUND_NS = 500000,            /* target time of a kernel's part of a round */
    FLUSH_NS = 30000              /* approximate time of a sample without the kernel */
};

struct finalist {
    double rounds_ns[ROUNDS_MAX], sorted_ns[ROUNDS_MAX];
    size_t batch, samples;
    double run_ns; /* of a first run */
    double median_ns;
    struct interval interval;
};

struct field {
    struct gpu *gpu;
    struct gpu_kernel *kernels;
    struct measurement *measurements;
    struct finalist *finalists;
    size_t count, rounds;
    size_t at;                           /* the kernel being loaded or run */
    int64_t longest_ns;                  /* of a round, including reloading */
    int64_t places_ns, until_ns, end_ns; /* ends: of a decided play-off, of an undecided one, of any */
    bool further;                        /* another process has played: only the medians matter here */
};

static bool takes_part(const struct field *field, size_t k)
{
    return field->measurements[k].status == STATUS_OK;
}

/* `rest_for_ns`: duration of the batch if it may need a rest before; 0: it needs none. */
static cudaError_t run_batch(struct field *field, size_t k, size_t batch, int64_t rest_for_ns, double *samples_ns,
                             struct measurement *measurement)
{
    const struct gpu_timed timed = gpu_timed_kernel(field->gpu, &field->kernels[k]);
    field->at = k;
    cudaError_t result = gpu_enter(field->gpu, &field->kernels[k]);
    if (!result)
        result = rest_for_ns && gpu_rests(field->gpu)
                     ? gpu_run_rested(field->gpu, &timed, batch, rest_for_ns, field->end_ns, samples_ns, measurement)
                     : gpu_run_batch(field->gpu, &timed, batch, field->until_ns, samples_ns, measurement);
    cudaError_t left = gpu_leave(field->gpu, &field->kernels[k]);
    return result ? result : left;
}

/* Runs a kernel's part of a round without a result. */
static cudaError_t load(struct field *field, size_t k)
{
    double samples_ns[ROUND_SAMPLES];
    struct measurement unused = measurement_unknown(STATUS_OK);
    cudaError_t result = run_batch(field, k, field->finalists[k].batch, 0, samples_ns, &unused);
    field->measurements[k].discarded += unused.discarded;
    return result;
}

/* Plays one kernel's part of a round, in the state of the play-off: under load, or after a rest if the power cap was
 * seen. */
static cudaError_t play(struct field *field, size_t k)
{
    struct finalist *finalist = &field->finalists[k];
    double samples_ns[ROUND_SAMPLES];
    const int64_t part_ns = (int64_t)((double)finalist->batch * finalist->run_ns);
    cudaError_t result = field->gpu->sampling.sustained ? load(field, k) : cudaSuccess;
    if (!result)
        result = run_batch(field, k, finalist->batch, part_ns, samples_ns, &field->measurements[k]);
    if (result)
        return result;
    statistics_sort(samples_ns, finalist->batch);
    finalist->rounds_ns[field->rounds] = statistics_middle_mean(samples_ns, finalist->batch);
    finalist->samples += finalist->batch;
    return cudaSuccess;
}

/* Plans the samples of each kernel per round from a first launch. Its time is a result only if no round fits. */
static cudaError_t plan(struct field *field)
{
    cudaError_t result = cudaSuccess;
    for (size_t k = 0; k < field->count && !result; k++) {
        struct finalist *finalist = &field->finalists[k];
        int64_t start_ns = clock_now_ns();
        if (!takes_part(field, k))
            continue;
        result = run_batch(field, k, 1, 0, &finalist->rounds_ns[0], &field->measurements[k]);
        finalist->run_ns = finalist->rounds_ns[0];
        field->end_ns -= clock_now_ns() - start_ns; /* reserves the time of verifying the kernel again */
        double fit = ROUND_NS / (finalist->rounds_ns[0] + FLUSH_NS);
        finalist->batch = fit < 1 ? 1 : fit > ROUND_SAMPLES ? ROUND_SAMPLES : (size_t)fit;
        field->longest_ns += (clock_now_ns() - start_ns) * (int64_t)finalist->batch;
    }
    return result;
}

/* Returns the quantity by which finalists are compared. */
static double per_work(const struct field *field, size_t k, double run_ns)
{
    return run_ns / field->kernels[k].work;
}

/* Computes all medians and intervals and returns the leader. */
static size_t rank(struct field *field)
{
    size_t leader = field->count;
    for (size_t k = 0; k < field->count; k++) {
        struct finalist *finalist = &field->finalists[k];
        if (!takes_part(field, k))
            continue;
        memcpy(finalist->sorted_ns, finalist->rounds_ns, field->rounds * sizeof *finalist->rounds_ns);
        statistics_sort(finalist->sorted_ns, field->rounds);
        finalist->median_ns = statistics_median(finalist->sorted_ns, field->rounds);
        finalist->interval =
            statistics_median_interval(finalist->sorted_ns, field->rounds, field->gpu->sampling.confidence);
        if (leader == field->count ||
            per_work(field, k, finalist->median_ns) < per_work(field, leader, field->finalists[leader].median_ns))
            leader = k;
    }
    return leader;
}

/* Returns the interval of the median ratio of a kernel's times per work to the leader's, round by round. Its times
 * count a tick less, because the timer cannot tell such times apart. */
static struct interval ratio_interval(const struct field *field, size_t k, size_t leader)
{
    const double tick_ns = gpu_timer_tick(&field->gpu->calibration.timer);
    double ratios[ROUNDS_MAX];
    for (size_t i = 0; i < field->rounds; i++)
        ratios[i] = per_work(field, k, field->finalists[k].rounds_ns[i] - tick_ns) /
                    per_work(field, leader, field->finalists[leader].rounds_ns[i]);
    statistics_sort(ratios, field->rounds);
    return statistics_median_interval(ratios, field->rounds, field->gpu->sampling.confidence);
}

/* True if more rounds would not change the result. Each kernel must have lost, or be as close to the leader as
 * requested (or undecided after TIE_ROUNDS) and have a time of the requested precision. */
static bool decided(struct field *field)
{
    const struct sampling *sampling = &field->gpu->sampling;
    size_t leader = rank(field);
    for (size_t k = 0; k < field->count; k++) {
        const struct finalist *finalist = &field->finalists[k];
        if (!takes_part(field, k))
            continue;
        struct interval ratio = ratio_interval(field, k, leader);
        if (ratio.low > 1)
            continue;
        bool close = ratio.high - 1 <= sampling->target_interval || field->rounds >= TIE_ROUNDS;
        if (!close || !stop_rules_precise(sampling->target_interval, finalist->interval, finalist->median_ns))
            return false;
    }
    return true;
}

static enum playoff verdict(const struct field *field, size_t k, size_t leader)
{
    const struct finalist *finalists = field->finalists;
    if (k == leader)
        return PLAYOFF_LEADER;
    if (ratio_interval(field, k, leader).low > 1)
        return PLAYOFF_LOST;
    return gpu_unsteady(finalists[k].rounds_ns, finalists[leader].rounds_ns, field->rounds, &field->gpu->sampling)
               ? PLAYOFF_UNSTEADY
               : PLAYOFF_TIED;
}

static void conclude(struct field *field, size_t least)
{
    size_t leader = rank(field);
    for (size_t k = 0; k < field->count; k++) {
        struct measurement *measurement = &field->measurements[k];
        const struct finalist *finalist = &field->finalists[k];
        if (!takes_part(field, k))
            continue;
        measurement->value = finalist->median_ns;
        measurement->low = finalist->interval.low;
        measurement->high = finalist->interval.high;
        measurement->samples = (uint32_t)finalist->samples;
        measurement->processes = 1;
        measurement->playoff = verdict(field, k, leader);
        gpu_note_unheld(field->gpu, &field->kernels[k], measurement);
        if (field->rounds < least)
            measurement_explain(measurement, "the time limit had room for %zu of at least %zu rounds%s", field->rounds,
                                least, field->further ? " in a further process" : ": the interval is their range");
    }
}

/* Carries the buffers elsewhere, unless a library may remember their addresses. The accept kernels stay loaded. */
static cudaError_t carry(struct field *field)
{
    struct gpu *gpu = field->gpu;
    const unsigned char *const before = gpu->tested;
    struct measurement attached = measurement_unknown(STATUS_OK);
    bool remembers = false;
    for (size_t k = 0; k < field->count; k++)
        remembers |= field->kernels[k].shared_object != NULL;
    if (remembers)
        return cudaSuccess;
    cudaError_t result = gpu_carry_buffers(gpu, random_mix(gpu->places, field->rounds));
    if (result || gpu->tested == before)
        return result;
    for (size_t s = 0; s < SPACE_SETS_MAX; s++)
        if (gpu->sets[s] && gpu->sets[s]->checked) {
            gpu_techniques_detach(&gpu->sets[s]->accept);
            gpu_techniques_attach(gpu, &gpu->sets[s]->accept, &attached);
        }
    if (attached.status == STATUS_OK)
        return cudaSuccess;
    return gpu->refusal ? gpu->refusal : cudaErrorUnknown;
}

/* Moves the buffers and loads the kernels in another order, which changes all addresses. Times depend on them: on
 * channels of memory and sets of the L2 cache, and because a cold cache holds no code either. Runs each kernel once
 * untimed, because the first launch waits until the host has loaded the code. */
static cudaError_t move(struct field *field)
{
    struct measurement unused = measurement_unknown(STATUS_OK);
    double first_ns;
    for (size_t k = 0; k < field->count; k++)
        if (takes_part(field, k))
            gpu_unload(&field->kernels[k]);
    cudaError_t result = carry(field);
    for (size_t i = 0; i < field->count && !result; i++) {
        size_t k = field->at = (i + field->rounds / MOVE_ROUNDS) % field->count;
        if (!takes_part(field, k))
            continue;
        result = gpu_load(&field->kernels[k]);
        if (!result)
            gpu_attach(field->gpu, &field->kernels[k], &field->measurements[k]);
        if (!result && takes_part(field, k))
            result = run_batch(field, k, 1, 0, &first_ns, &unused);
    }
    return result;
}

/* Begins the first round, perhaps again: forgets the states of planning and of discarded rounds. */
static void begin(struct field *field)
{
    for (size_t k = 0; k < field->count; k++) {
        field->finalists[k].samples = 0;
        measurement_forget_states(&field->measurements[k]);
    }
}

/* Loads the device with the kernels until its clock has settled, if the play-off is of the sustained state. */
static cudaError_t sustain(struct field *field)
{
    const int64_t start_ns = clock_now_ns(), most_ns = (field->end_ns - start_ns) / 4;
    double mhz[SUSTAIN_LOOKS];
    cudaError_t result = cudaSuccess;
    for (size_t looks = 0; field->gpu->sampling.sustained && !result; looks++) {
        int64_t passed_ns = clock_now_ns() - start_ns;
        if (passed_ns > (LOAD_NS < most_ns ? LOAD_NS : most_ns) ||
            (passed_ns > SUSTAIN_LEAST_NS && looks >= SUSTAIN_LOOKS && gpu_agree(mhz, SUSTAIN_LOOKS)))
            break;
        for (size_t k = 0; k < field->count && !result; k++)
            if (takes_part(field, k))
                result = load(field, k);
        mhz[looks % SUSTAIN_LOOKS] = gpu_clock_read(field->gpu).mhz;
    }
    const int64_t took_ns = clock_now_ns() - start_ns;
    field->places_ns += took_ns;
    field->until_ns += took_ns;
    return result;
}

static cudaError_t play_round(struct field *field)
{
    const bool rested = gpu_rests(field->gpu);
    int64_t start_ns = clock_now_ns();
    cudaError_t result = cudaSuccess;
    if (!field->rounds)
        begin(field);
    if (field->rounds && field->rounds % MOVE_ROUNDS == 0)
        result = move(field);
    for (size_t i = 0; i < field->count && !result; i++) {
        size_t place = (i + field->rounds / 2) % field->count, k = field->rounds % 2 ? field->count - 1 - place : place;
        if (takes_part(field, k))
            result = play(field, k);
    }
    int64_t took_ns = clock_now_ns() - start_ns;
    if (!result)
        field->rounds++;
    if (!rested && gpu_rests(field->gpu)) /* the power cap came: the rounds so far may have been at it */
        field->rounds = 0;
    if (took_ns > field->longest_ns)
        field->longest_ns = took_ns;
    return result;
}

/* Returns the rule that ends the play-off; NULL: another round follows. */
static const struct stop_rule *stop(struct field *field, size_t least, size_t settled)
{
    const size_t rounds = field->rounds;
    const bool looks = rounds > 0 && (rounds < LOOK_ROUNDS || rounds % EACH_ROUNDS == 0);
    const struct stop_progress progress = {.count = rounds,
                                           .least = least,
                                           .settled = settled,
                                           .most = ROUNDS_MAX,
                                           .now_ns = clock_now_ns(),
                                           .settled_ns = field->places_ns,
                                           .until_ns = field->until_ns,
                                           .end_ns = field->end_ns,
                                           .longest_ns = field->longest_ns,
                                           .precise = !field->further && looks && decided(field)};
    return stop_rules_end(&progress);
}

int gpu_play_off(struct gpu *gpu, struct gpu_kernel *kernels, struct measurement *measurements, size_t count,
                 bool further, int64_t timeout_ns, struct error *error)
{
    static struct finalist finalists[DEVICE_KERNELS_MAX]; /* large; a process plays one play-off at a time */
    const int64_t start_ns = clock_now_ns(), kernel_count = (int64_t)count;
    struct field field = {.gpu = gpu,
                          .kernels = kernels,
                          .measurements = measurements,
                          .finalists = finalists,
                          .count = count,
                          .places_ns = start_ns + kernel_count * PLACES_NS,
                          .until_ns = start_ns + kernel_count * (further ? FURTHER_NS : KERNEL_NS),
                          .end_ns = start_ns + timeout_ns,
                          .further = further};
    const size_t settled = statistics_samples_least(gpu->sampling.confidence) + 1;
    const size_t least = further ? FURTHER_ROUNDS : settled;
    memset(finalists, 0, sizeof finalists);
    cudaError_t result = plan(&field);
    if (!result)
        result = sustain(&field);
    while (!result && !stop(&field, least, settled))
        result = play_round(&field);
    if (result) {
        gpu_note_failure(gpu, result, gpu_when_repeated, &measurements[field.at]);
        return 0;
    }
    if (field.rounds == 0) /* only the planning launches ran */
        field.rounds = 1;
    int code = gpu_verify_timed(gpu, kernels, measurements, count, error);
    if (!code && !gpu->spoiled)
        conclude(&field, least);
    return code;
}
