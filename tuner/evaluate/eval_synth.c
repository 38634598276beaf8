/* An analytic function with a known optimum and seeded noise: for tests of searches and runs without a GPU or a
 * recording. */
#include <math.h>
#include <stdlib.h>

#include "base/statistics.h"
#include "evaluate/eval_synth.h"

enum { SYNTH_BATCH = 8, SYNTH_SAMPLES = 9, SYNTH_FAILURE = 16, SYNTH_FAILURE_AGAIN = 8 };

struct synth {
    const struct synth_setup *setup;
    size_t pending;
    uint64_t indices[SYNTH_BATCH];
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

static struct measurement measure(const struct synth_setup *setup, uint64_t index)
{
    struct measurement measurement = measurement_unknown(STATUS_OK);
    double samples_ns[SYNTH_SAMPLES], value = synth_time_ns(setup->set, setup->seed, index);
    struct random random;
    if (synth_fails(setup->set, setup->seed, index)) {
        measurement.status = STATUS_COMPILE_ERROR;
        measurement_explain(&measurement, "synthetic failure");
        return measurement;
    }
    random_seed(&random, random_mix(setup->seed + 2, index));
    for (size_t i = 0; i < SYNTH_SAMPLES; i++)
        samples_ns[i] = value * (1 + setup->noise * random_normal(&random));
    statistics_sort(samples_ns, SYNTH_SAMPLES);
    struct interval interval = statistics_median_interval(samples_ns, SYNTH_SAMPLES, 0.95);
    measurement.value = statistics_median(samples_ns, SYNTH_SAMPLES);
    measurement.low = interval.low;
    measurement.high = interval.high;
    measurement.samples = SYNTH_SAMPLES;
    return measurement;
}

/* Counts the work of the configuration. */
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

static int open_synth(void *state, const void *setup, struct error *error)
{
    struct synth *synth = state;
    (void)error;
    synth->setup = setup;
    return 0;
}

static size_t room(void *state, bool learns_at_once)
{
    (void)learns_at_once;
    struct synth *synth = state;
    return SYNTH_BATCH - synth->pending;
}

static int submit(void *state, uint64_t index, bool exact, size_t device, struct error *error)
{
    struct synth *synth = state;
    (void)device, (void)exact, (void)error;
    synth->indices[synth->pending++] = index;
    return 0;
}

/* Returns evaluations out of order, as real workers do. */
static int wait(void *state, int64_t until_ns, struct evaluation *done, size_t space, size_t *count,
                struct error *error)
{
    struct synth *synth = state;
    int code = 0;
    (void)until_ns;
    for (*count = 0; *count < space && synth->pending && !code; ++*count) {
        uint64_t index = synth->indices[--synth->pending];
        done[*count] = (struct evaluation){.index = index, .device = 0, .measurement = measure(synth->setup, index)};
        code = count_work(synth->setup, index, &done[*count].measurement, error);
    }
    return code;
}

/* Without noise; one in 8 of the configurations that worked fails when measured again. */
static int playoff(void *state, const uint64_t *indices, size_t count, struct measurement *finals, bool *played,
                   struct error *error)
{
    struct synth *synth = state;
    const struct synth_setup *setup = synth->setup;
    double least = INFINITY;
    int code = 0;
    *played = true;
    for (size_t i = 0; i < count && !code; i++) {
        double value = synth_time_ns(setup->set, setup->seed, indices[i]);
        finals[i] = measure(setup, indices[i]);
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

static void close_synth(void *state)
{
    (void)state;
}

static const struct evaluator_ops ops = {.state_size = sizeof(struct synth),
                                         .open = open_synth,
                                         .room = room,
                                         .submit = submit,
                                         .wait = wait,
                                         .playoff = playoff,
                                         .close = close_synth};

int evaluator_open_synth(struct evaluator *evaluator, const struct synth_setup *setup, struct error *error)
{
    return evaluator_open(evaluator, &ops, setup, error);
}
