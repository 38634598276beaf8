#include "search/effort.h"

#include <math.h>
#include <stdlib.h>

enum { ROUNDS = 4 };
/* Values this far apart, in positions from 0 to 1, tell about each other. */
static const double WIDTH = 0.15;

/* Outcomes of known effort. */
struct sample {
    size_t count, width;
    uint32_t *choices; /* count x width: values by dimension */
    double *rest;      /* what of the logarithm the effects do not explain */
};

static bool gather(struct sample *sample, const struct archive *archive, const struct encoding *encoding)
{
    double mean = 0;
    sample->width = encoding->parameters;
    sample->choices = malloc((archive->count * sample->width + 1) * sizeof *sample->choices);
    sample->rest = malloc((archive->count + 1) * sizeof *sample->rest);
    if (!sample->choices || !sample->rest)
        return false;
    for (size_t i = 0; i < archive->count; i++) {
        const struct archive_entry *entry = &archive->entries[i];
        uint32_t choices[SPACE_PARAMETERS_MAX];
        if (!entry->told || !(entry->effort > 0) || !isfinite(entry->effort))
            continue;
        valid_set_get(archive->set, entry->index, choices);
        for (size_t d = 0; d < sample->width; d++)
            sample->choices[sample->count * sample->width + d] = choices[encoding->dimensions[d].parameter];
        sample->rest[sample->count++] = log(entry->effort);
        mean += log(entry->effort);
    }
    for (size_t i = 0; i < sample->count; i++)
        sample->rest[i] -= mean / (double)sample->count;
    return true;
}

/* The weight of an outcome with one value for the effect of another. */
static double likeness(const struct encoding *encoding, size_t dimension, uint32_t a, uint32_t b)
{
    return a == b ? 1 : exp(-encoding_squared(encoding, dimension, a, b) / (2 * WIDTH * WIDTH));
}

/* Improves the effects of one parameter's values, given those of the others, by kernel regression. The prior of an
 * effect has the weight of one outcome without effect. `scratch`: 3 x values. */
static void improve(struct sample *sample, const struct encoding *encoding, size_t dimension, double *effects,
                    double *scratch)
{
    const uint32_t *choices = sample->choices + dimension;
    uint32_t values = encoding->dimensions[dimension].values;
    double *sums = scratch, *counts = scratch + values, *before = scratch + 2 * (size_t)values;
    for (uint32_t v = 0; v < values; v++) {
        sums[v] = counts[v] = 0;
        before[v] = effects[v];
    }
    for (size_t i = 0; i < sample->count; i++) {
        uint32_t v = choices[i * sample->width];
        sums[v] += sample->rest[i] + before[v];
        counts[v]++;
    }
    for (uint32_t v = 0; v < values; v++) {
        double sum = 0, weight = 1;
        for (uint32_t other = 0; other < values; other++)
            if (counts[other] > 0) {
                double like = likeness(encoding, dimension, v, other);
                sum += like * sums[other];
                weight += like * counts[other];
            }
        effects[v] = sum / weight;
    }
    for (size_t i = 0; i < sample->count; i++)
        sample->rest[i] += before[choices[i * sample->width]] - effects[choices[i * sample->width]];
}

bool effort_learn(const struct archive *archive, struct posterior *posterior)
{
    const struct encoding *encoding = posterior->encoding;
    struct sample sample = {0};
    size_t total = 0, at;
    for (size_t d = 0; d < encoding->count; d++)
        total += encoding->dimensions[d].values;
    double *effects = calloc(4 * total + 1, sizeof *effects);
    bool whole = effects && gather(&sample, archive, encoding);
    for (int round = 0; round < ROUNDS && whole; round++) {
        at = 0;
        for (size_t d = 0; d < encoding->parameters; d++) {
            improve(&sample, encoding, d, effects + at, effects + total);
            at += encoding->dimensions[d].values;
        }
    }
    whole = whole && posterior_set_effort(posterior, effects);
    free(sample.choices);
    free(sample.rest);
    free(effects);
    return whole;
}
