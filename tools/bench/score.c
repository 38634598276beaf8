#include "tools/bench/score.h"

#include <math.h>
#include <stdlib.h>

#include "base/statistics.h"

/* The package widens the margin by a quarter of the runs' share in the observations, which changes next to nothing. */
static const double start_part = 0.01, end_part = 0.95, margin = 0.1;
enum { APART = 2 };

size_t score_evaluations(const struct score_space *space, double part)
{
    double median = statistics_median(space->values, space->count);
    double target = space->values[0] + (1 - part) * (median - space->values[0]);
    size_t within = 0;
    while (within < space->count && space->values[within] <= target)
        within++;
    size_t worse = space->count - within, better = within + 1; /* M (N + 1) / (M + 1) >= worse */
    if (part < 1 && worse && space->values[within - 1] == space->values[0]) {
        worse--;
        better++;
    }
    return (worse + better - 1) / better;
}

double score_baseline(const struct score_space *space, double at_s)
{
    double draws = rint(fmax(at_s / space->mean_s, 1)), last = (double)space->count - 1;
    double from_worst = fmin(rint(draws * (double)(space->count + 1) / (draws + 1)), last);
    return space->values[(size_t)(last - from_worst)];
}

void score_range(const struct score_space *space, double *start_s, double *end_s)
{
    size_t start = score_evaluations(space, start_part), end = score_evaluations(space, end_part);
    if (end < start + APART) {
        end += start ? 1 : APART;
        start -= start > 0;
    }
    *start_s = (double)start * space->median_s;
    *end_s = (double)end * space->median_s;
}

/* Observations of equal fitted rank. */
struct block {
    double from_s, to_s, sum, weight;
};

static int earlier(const void *a, const void *b)
{
    const struct score_observation *x = a, *y = b;
    return (x->at_s > y->at_s) - (x->at_s < y->at_s);
}

/* Isotonic regression by pooling adjacent violators: ranks only fall. Returns the number of blocks. */
static size_t regress(const struct score_observation *observations, size_t count, double from_s, double to_s,
                      struct block *blocks)
{
    size_t used = 0;
    for (size_t i = 0; i < count;) {
        struct block now = {observations[i].at_s, observations[i].at_s, 0, 0};
        for (; i < count && observations[i].at_s == now.to_s; i++) {
            now.sum += observations[i].rank;
            now.weight++;
        }
        if (now.to_s < from_s || now.to_s > to_s)
            continue;
        for (; used && blocks[used - 1].sum * now.weight <= now.sum * blocks[used - 1].weight; used--)
            now = (struct block){blocks[used - 1].from_s, now.to_s, now.sum + blocks[used - 1].sum,
                                 now.weight + blocks[used - 1].weight};
        blocks[used++] = now;
    }
    return used;
}

/* Fitted rank at a moment, interpolated between blocks. `next` is the first block that begins after it. */
static double fitted(const struct block *blocks, size_t used, size_t next, double at_s)
{
    if (next == 0 || next == used || at_s <= blocks[next - 1].to_s) {
        const struct block *block = &blocks[next ? next - 1 : 0];
        return block->sum / block->weight;
    }
    const struct block *a = &blocks[next - 1], *b = &blocks[next];
    double part = (at_s - a->to_s) / (b->from_s - a->to_s);
    return (1 - part) * a->sum / a->weight + part * b->sum / b->weight;
}

double score(const struct score_space *space, struct score_observation *observations, size_t count, double last_s)
{
    double start_s, end_s, sum = 0;
    struct block *blocks = malloc((count + 1) * sizeof *blocks);
    size_t next = 0, points = 0;
    if (!blocks)
        return NAN;
    score_range(space, &start_s, &end_s);
    qsort(observations, count, sizeof *observations, earlier);
    size_t used = regress(observations, count, start_s * (1 - margin), end_s * (1 + margin), blocks);
    for (int point = 0; point < SCORE_POINTS && used; point++) {
        double at_s = start_s + (end_s - start_s) * point / (SCORE_POINTS - 1), curve_s = fmin(at_s, last_s);
        while (next < used && blocks[next].from_s <= curve_s)
            next++;
        double found = space->values[(size_t)rint(fitted(blocks, used, next, curve_s))];
        double random = score_baseline(space, at_s);
        if (random <= space->values[0]) /* nothing is left to gain */
            continue;
        sum += (random - found) / (random - space->values[0]);
        points++;
    }
    free(blocks);
    return points ? sum / (double)points : NAN;
}
