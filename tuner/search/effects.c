#include "search/effects.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "search/constants.h"

/* FOLDS: of the outcomes; effects learned from the others are tested on each. */
enum { ROUNDS = 4, FOLDS = 4, ALL = FOLDS };

/* Outcomes to learn from. */
struct sample {
    const struct encoding *encoding;
    size_t count, total; /* total: values of all parameters */
    uint32_t *choices;   /* count x parameters: values by dimension */
    double *target;      /* value to learn */
    double *rest;        /* target minus mean and effects */
    uint8_t *fold;
    double prior;    /* the weight of the prior of an effect, in outcomes */
    bool apart;      /* values are independent of each other */
    size_t left_out; /* the held-out fold; ALL: none */
    double mean;
    double *effects; /* total, and four times as many as scratch */
};

static void sample_free(struct sample *sample)
{
    free(sample->choices);
    free(sample->target);
    free(sample->fold);
    free(sample->effects);
}

/* Makes room for `room` outcomes. */
static bool sample_open(struct sample *sample, size_t room, const struct encoding *encoding)
{
    *sample = (struct sample){.encoding = encoding, .prior = PRIOR, .left_out = ALL};
    for (size_t d = 0; d < encoding->count; d++)
        sample->total += encoding->dimensions[d].values;
    sample->choices = malloc((room * encoding->count + 1) * sizeof *sample->choices);
    sample->target = malloc((2 * room + 1) * sizeof *sample->target);
    sample->rest = sample->target ? sample->target + room : NULL;
    sample->fold = malloc(room + 1);
    sample->effects = calloc(5 * sample->total + 1, sizeof *sample->effects);
    return sample->choices && sample->target && sample->fold && sample->effects;
}

static void add(struct sample *sample, const uint32_t *choices, uint64_t key, double target)
{
    const struct encoding *encoding = sample->encoding;
    for (size_t d = 0; d < encoding->count; d++)
        sample->choices[sample->count * encoding->count + d] = choices[encoding->dimensions[d].parameter];
    sample->fold[sample->count] = random_mix(0, key) % FOLDS;
    sample->target[sample->count++] = target;
}

static void add_entry(struct sample *sample, const struct archive *archive, uint64_t index, double target)
{
    uint32_t choices[SPACE_PARAMETERS_MAX];
    valid_set_get(archive->set, index, choices);
    add(sample, choices, index, target);
}

/* Returns the weight of an outcome with one value for the effect of another. */
static double likeness(const struct encoding *encoding, size_t dimension, uint32_t a, uint32_t b)
{
    return a == b ? 1 : exp(-encoding_squared(encoding, dimension, a, b) / (2 * WIDTH * WIDTH));
}

/* Improves the effects of one parameter's values, given those of the others, by kernel regression. The prior of an
 * effect is 0. Values without outcomes are included only with `everywhere`. */
static void improve(struct sample *sample, size_t dimension, bool everywhere, double *effects)
{
    size_t width = sample->encoding->count;
    const uint32_t *choices = sample->choices + dimension;
    uint32_t values = sample->encoding->dimensions[dimension].values;
    double *sums = sample->effects + sample->total, *counts = sums + values, *before = counts + values,
           *present = before + values;
    for (uint32_t v = 0; v < values; v++) {
        sums[v] = counts[v] = 0;
        present[v] = everywhere;
        before[v] = effects[v];
    }
    for (size_t i = 0; i < sample->count; i++) {
        uint32_t v = choices[i * width];
        present[v] = 1;
        if (sample->fold[i] == sample->left_out)
            continue;
        sums[v] += sample->rest[i] + before[v];
        counts[v]++;
    }
    for (uint32_t v = 0; v < values; v++) {
        double sum = 0, weight = sample->prior;
        for (uint32_t other = 0; other < values && present[v] > 0; other++)
            if (counts[other] > 0) {
                double like = sample->apart ? v == other : likeness(sample->encoding, dimension, v, other);
                sum += like * sums[other];
                weight += like * counts[other];
            }
        effects[v] = sum / weight;
    }
    for (size_t i = 0; i < sample->count; i++)
        sample->rest[i] += before[choices[i * width]] - effects[choices[i * width]];
}

/* Learns mean and effects from all outcomes outside the left-out fold. */
static void learn(struct sample *sample, size_t left_out)
{
    size_t learned = 0;
    sample->left_out = left_out;
    sample->mean = 0;
    for (size_t i = 0; i < sample->count; i++)
        if (sample->fold[i] != left_out) {
            sample->mean += sample->target[i];
            learned++;
        }
    sample->mean /= learned ? (double)learned : 1;
    for (size_t i = 0; i < sample->count; i++)
        sample->rest[i] = sample->target[i] - sample->mean;
    memset(sample->effects, 0, sample->total * sizeof *sample->effects);
    for (int round = 0; round < ROUNDS; round++) {
        double *effects = sample->effects;
        for (size_t d = 0; d < sample->encoding->count; d++) {
            improve(sample, d, left_out == ALL && round == ROUNDS - 1, effects);
            effects += sample->encoding->dimensions[d].values;
        }
    }
}

/* Returns the part of the target's variance that effects predict in held-out folds; below 0 if they predict worse than
 * the mean. */
static double predicted(struct sample *sample)
{
    double wrong = 0, all = 0;
    for (size_t fold = 0; fold < FOLDS; fold++) {
        learn(sample, fold);
        for (size_t i = 0; i < sample->count; i++)
            if (sample->fold[i] == fold) {
                double away = sample->target[i] - sample->mean;
                wrong += sample->rest[i] * sample->rest[i];
                all += away * away;
            }
    }
    return all > 0 ? 1 - wrong / all : 0;
}

bool effects_learn_effort(const struct archive *archive, struct posterior *posterior)
{
    struct sample sample;
    double count = 0, efforts = 0, costs = 0,
           products = 0; /* sums over feasible outcomes: logarithms and their products */
    bool whole = sample_open(&sample, archive->count, posterior->encoding);
    sample.prior = PRIOR_EFFORT;
    for (size_t i = 0; i < archive->count && whole; i++) {
        const struct archive_entry *entry = &archive->entries[i];
        if (!entry->told || !(entry->effort > 0 && isfinite(entry->effort)))
            continue;
        double effort = log(entry->effort), cost = entry->ok ? log(entry->value) : 0;
        add_entry(&sample, archive, entry->index, effort);
        count += entry->ok;
        efforts += entry->ok ? effort : 0;
        costs += cost;
        products += effort * cost;
    }
    bool saves = count * products > efforts * costs; /* positive covariance */
    if (whole && saves)
        learn(&sample, ALL);
    whole = whole && posterior_set_effort(posterior, saves ? sample.effects : NULL);
    sample_free(&sample);
    return whole;
}

/* Finds the next greater cause of a failure after `cause`; false: none. */
static bool next_cause(const struct archive *archive, int64_t *cause)
{
    int64_t least = INT64_MAX;
    for (size_t i = 0; i < archive->count; i++) {
        const struct archive_entry *entry = &archive->entries[i];
        if (entry->told && !entry->ok && entry->cause > *cause && entry->cause < least)
            least = entry->cause;
    }
    *cause = least;
    return least < INT64_MAX;
}

/* Sets the target to 1 for outcomes that failed for this cause, else to 0. */
static void aim_at(struct sample *sample, const struct archive *archive, int64_t cause)
{
    size_t at = 0;
    for (size_t i = 0; i < archive->count; i++)
        if (archive->entries[i].told)
            sample->target[at++] = !archive->entries[i].ok && archive->entries[i].cause == cause;
}

bool effects_learn_failures(const struct archive *archive, struct posterior *posterior)
{
    struct sample sample = {0};
    int64_t cause = -1;
    bool whole = true;
    posterior->cause_count = 0;
    while (whole && posterior->cause_count < POSTERIOR_CAUSES_MAX && next_cause(archive, &cause)) {
        if (!sample.encoding) {
            whole = sample_open(&sample, archive->count, posterior->encoding);
            for (size_t i = 0; i < archive->count && whole; i++)
                if (archive->entries[i].told)
                    add_entry(&sample, archive, archive->entries[i].index, 0);
        }
        if (!whole)
            break;
        aim_at(&sample, archive, cause);
        if (predicted(&sample) < PREDICTED)
            continue;
        learn(&sample, ALL);
        whole = posterior_add_cause(posterior, sample.mean, sample.effects);
    }
    sample_free(&sample);
    return whole;
}

bool effects_learn_scores(const struct encoding *encoding, const struct prior_run *prior_runs, size_t width,
                          const double *scores, double *effects)
{
    struct sample sample;
    bool whole = sample_open(&sample, prior_runs->count, encoding);
    sample.apart = true;
    for (size_t i = 0; i < prior_runs->count && whole; i++)
        add(&sample, prior_runs->choices + i * width, i, scores[i]);
    if (whole)
        learn(&sample, ALL);
    for (size_t v = 0; v < sample.total && whole; v++)
        effects[v] += sample.effects[v];
    sample_free(&sample);
    return whole;
}
