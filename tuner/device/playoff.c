/* The play-off: kernels that are too close to call are timed in turn, round by round, in an order that changes, so that
 * a drift of the device hits them alike. Times are compared round by round, and the interval of the reported median is
 * that of the rounds' medians: samples of one round are neighbours in time and know less than their number says. */
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/statistics.h"
#include "device/gpu.h"

enum {
    ROUNDS_MAX = 64,
    RELOAD_ROUNDS = 2,    /* so often the code of all is loaded anew, to other places */
    SHORT_NS = 20000,     /* a shorter kernel's time depends on its place: all rounds are played, unless */
    PLACES_NS = 40000000, /* each kernel has taken as long as this */
    ROUND_SAMPLES = 16,   /* of a kernel, at most: short ones need them */
    ROUND_NS = 500000,    /* a kernel's part of a round should not take much longer */
    FLUSH_NS = 30000,     /* about what a sample takes beside the kernel */
    KERNEL_NS = 250000000 /* what each kernel adds to the time limit */
};

struct finalist {
    double rounds_ns[ROUNDS_MAX], sorted_ns[ROUNDS_MAX];
    size_t batch, samples;
    double median_ns;
};

struct field {
    struct gpu *gpu;
    struct gpu_kernel *kernels;
    struct measurement *measurements;
    struct finalist *finalists;
    size_t count, rounds;
    bool short_kernels;
};

static bool takes_part(const struct field *field, size_t k)
{
    return field->measurements[k].status == STATUS_OK;
}

static cudaError_t run_batch(struct field *field, size_t k, size_t batch, int64_t until_ns, double *samples_ns)
{
    const struct gpu_timed timed = gpu_timed_kernel(field->gpu, &field->kernels[k]);
    cudaError_t result = gpu_enter(field->gpu, &field->kernels[k]);
    if (!result)
        result = gpu_run_batch(field->gpu, &timed, batch, until_ns, samples_ns, &field->measurements[k]);
    return result ? result : gpu_leave(field->gpu, &field->kernels[k]);
}

/* One kernel's part of a round. */
static cudaError_t play(struct field *field, size_t k, int64_t until_ns)
{
    struct finalist *finalist = &field->finalists[k];
    double samples_ns[ROUND_SAMPLES];
    cudaError_t result = run_batch(field, k, finalist->batch, until_ns, samples_ns);
    if (result)
        return result;
    statistics_sort(samples_ns, finalist->batch);
    finalist->rounds_ns[field->rounds] = statistics_middle_mean(samples_ns, finalist->batch);
    finalist->samples += finalist->batch;
    return cudaSuccess;
}

/* How many samples of each kernel a round has: known after a first launch, which does not count. */
static cudaError_t plan(struct field *field, size_t k, int64_t until_ns)
{
    struct finalist *finalist = &field->finalists[k];
    double first_ns;
    cudaError_t result = run_batch(field, k, 1, until_ns, &first_ns);
    double fit = ROUND_NS / (first_ns + FLUSH_NS);
    field->short_kernels |= first_ns < SHORT_NS;
    finalist->batch = fit < 1 ? 1 : fit > ROUND_SAMPLES ? ROUND_SAMPLES : (size_t)fit;
    return result;
}

/* Medians of all and the leader. */
static size_t rank(struct field *field)
{
    size_t leader = field->count;
    for (size_t k = 0; k < field->count; k++) {
        struct finalist *finalist = &field->finalists[k];
        if (!takes_part(field, k))
            continue;
        for (size_t i = 0; i < field->rounds; i++)
            finalist->sorted_ns[i] = finalist->rounds_ns[i];
        statistics_sort(finalist->sorted_ns, field->rounds);
        finalist->median_ns = statistics_median(finalist->sorted_ns, field->rounds);
        if (leader == field->count || finalist->median_ns < field->finalists[leader].median_ns)
            leader = k;
    }
    return leader;
}

/* Of a kernel's times over the leader's, round by round. */
static struct interval ratio_interval(const struct field *field, size_t k, size_t leader)
{
    double ratios[ROUNDS_MAX];
    for (size_t i = 0; i < field->rounds; i++)
        ratios[i] = field->finalists[k].rounds_ns[i] / field->finalists[leader].rounds_ns[i];
    statistics_sort(ratios, field->rounds);
    return statistics_median_interval(ratios, field->rounds, field->gpu->sampling.confidence);
}

/* True when more rounds would change nothing that matters: who leads is known as exactly as asked for, and everyone
 * else has either lost or is as close as that. */
static bool decided(struct field *field)
{
    const struct sampling *rule = &field->gpu->sampling;
    size_t leader = rank(field);
    if (leader == field->count)
        return true;
    const struct finalist *first = &field->finalists[leader];
    struct interval interval = statistics_median_interval(first->sorted_ns, field->rounds, rule->confidence);
    if (interval.high - interval.low > 2 * rule->target_interval * first->median_ns)
        return false;
    for (size_t k = 0; k < field->count; k++) {
        if (k == leader || !takes_part(field, k))
            continue;
        struct interval ratio = ratio_interval(field, k, leader);
        if (ratio.low <= 1 && ratio.high - 1 > rule->target_interval)
            return false;
    }
    return true;
}

static void conclude(struct field *field)
{
    size_t leader = rank(field);
    for (size_t k = 0; k < field->count; k++) {
        struct measurement *measurement = &field->measurements[k];
        const struct finalist *finalist = &field->finalists[k];
        if (!takes_part(field, k))
            continue;
        struct interval interval =
            statistics_median_interval(finalist->sorted_ns, field->rounds, field->gpu->sampling.confidence);
        measurement->time_ns = finalist->median_ns;
        measurement->low_ns = interval.low;
        measurement->high_ns = interval.high;
        measurement->samples = (uint32_t)finalist->samples;
        measurement->playoff = k == leader                                 ? PLAYOFF_LEADER
                               : ratio_interval(field, k, leader).low <= 1 ? PLAYOFF_TIED
                                                                           : PLAYOFF_LOST;
    }
}

/* Where a kernel's code lies makes a difference to a short one, since a cold cache is cold for code as well. Loaded in
 * another order they change places. */
static cudaError_t reload(struct field *field)
{
    cudaError_t result = cudaSuccess;
    for (size_t k = 0; k < field->count; k++)
        if (takes_part(field, k))
            gpu_unload(&field->kernels[k]);
    for (size_t i = 0; i < field->count && !result; i++) {
        size_t k = (i + field->rounds / RELOAD_ROUNDS) % field->count;
        if (!takes_part(field, k))
            continue;
        result = gpu_load(&field->kernels[k]);
        if (!result)
            gpu_attach(field->gpu, &field->kernels[k], &field->measurements[k]);
    }
    return result;
}

void gpu_play_off(struct gpu *gpu, struct gpu_kernel *kernels, struct measurement *measurements, size_t count,
                  int64_t limit_ns)
{
    struct field field = {gpu, kernels, measurements, calloc(count, sizeof *field.finalists), count, 0, false};
    size_t least = statistics_samples_least(gpu->sampling.confidence) + 1;
    int64_t own_ns = (int64_t)count * KERNEL_NS, until_ns = clock_now_ns() + (own_ns < limit_ns ? own_ns : limit_ns);
    int64_t places_ns = clock_now_ns() + (int64_t)count * PLACES_NS;
    cudaError_t result = field.finalists ? cudaSuccess : cudaErrorMemoryAllocation;
    size_t k = 0;
    for (size_t i = 0; i < count && !result; i++)
        if (takes_part(&field, k = i))
            result = plan(&field, i, until_ns);
    while (!result && field.rounds < ROUNDS_MAX) {
        for (size_t i = 0; i < count && !result; i++) {
            size_t place = (i + field.rounds) % count;
            k = field.rounds % 2 ? count - 1 - place : place;
            if (takes_part(&field, k))
                result = play(&field, k, until_ns);
        }
        field.rounds++;
        if (!result && field.rounds % RELOAD_ROUNDS == 0)
            result = reload(&field);
        int64_t now_ns = clock_now_ns();
        bool enough = field.rounds >= least && (!field.short_kernels || now_ns >= places_ns);
        if (!result && enough && (decided(&field) || now_ns >= until_ns))
            break;
    }
    if (result)
        gpu_died(gpu, result, &measurements[k]);
    else
        conclude(&field);
    free(field.finalists);
}
