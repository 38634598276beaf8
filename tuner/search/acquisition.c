#include "search/acquisition.h"

#include <math.h>

#include "base/float.h"

double acquisition_feasible(const struct posterior *posterior, size_t candidate)
{
    double near = fmax(posterior->near[candidate], 0), failed = fmin(fmax(posterior->near_failed[candidate], 0), near);
    return (near - failed + (double)posterior->feasible[candidate]) / (near + 1);
}

/* Returns phi(u) + u Phi(u): the expected improvement of a normal variable with mean u and stddev 1. Phi by Abramowitz
 * and Stegun 26.2.17, and in the tail by the continued fraction of Mills' ratio. Branch-free. */
static inline float expected(float u)
{
    float a = fabsf(u), density = 0.398942280f * float_exp(-a * a / 2), t = 1 / (1 + 0.2316419f * a);
    float tail = t * (0.319381530f + t * (-0.356563782f + t * (1.781477937f + t * (-1.821255978f + t * 1.330274429f))));
    float near = 1 - a * tail, far = 1 / (a * a + 3), below = density * (a < 4 ? near : far);
    return u < 0 ? below : u + below;
}

/* Computes the scores of one block, and the standardised improvements, which still differ where all scores are 0.
 * Scores of a lagging block are upper bounds: `behind` is the possible gain of its improvements, in deviations. Without
 * `restrict` the compiler finds too many arrays for vectors. */
FLOAT_WIDE static void score(const struct posterior *posterior, size_t at, float best, float stddev, float lagging,
                             float *restrict scores, float *restrict u)
{
    const float *mean = posterior->mean + at, *variance = posterior->variance + at, *near = posterior->near + at;
    const float *failed = posterior->near_failed + at, *prior = posterior->feasible + at;
    for (size_t c = 0; c < POSTERIOR_BLOCK; c++) {
        float s = stddev * sqrtf(variance[c] > 1e-6f ? variance[c] : 1e-6f);
        float feasible = lagging > 0 ? 1 : (near[c] - failed[c] + prior[c]) / (near[c] + 1);
        u[c] = (best - mean[c]) / s + lagging;
        scores[c] = s * expected(u[c]) * (feasible > 0 ? feasible : 0);
    }
}

/* Divides the scores of a block by the expected efforts. */
FLOAT_WIDE static void divide_by_effort(const struct posterior *posterior, size_t at, float *scores)
{
    const float *table = posterior->effort;
    float sum[POSTERIOR_BLOCK] = {0};
    for (size_t g = 0; g < posterior->group_count; g++) {
        const uint16_t *codes = posterior->groups[g].codes + at;
        for (size_t c = 0; c < POSTERIOR_BLOCK; c++)
            sum[c] += table[codes[c]];
        table += posterior->groups[g].size;
    }
    for (size_t c = 0; c < POSTERIOR_BLOCK; c++)
        scores[c] *= float_exp(-sum[c]);
}

bool acquisition_above(const struct posterior_top *a, const struct posterior_top *b)
{
    return a->score > b->score || (a->score == b->score && a->u > b->u);
}

static struct posterior_top top_of(const struct posterior *posterior, const struct gp *gp, const bool *taken,
                                   double best, size_t block)
{
    float scores[POSTERIOR_BLOCK], u[POSTERIOR_BLOCK];
    size_t at = block * POSTERIOR_BLOCK,
           count = posterior->count - at < POSTERIOR_BLOCK ? posterior->count - at : POSTERIOR_BLOCK;
    double stddev = sqrt(gp->variance), lagging = posterior_lagging(posterior, block) / stddev;
    struct posterior_top top = {.candidate = SIZE_MAX, .score = -1, .current = true};
    score(posterior, at, (float)(best - gp->mean), (float)stddev, (float)lagging, scores, u);
    if (posterior->effort)
        divide_by_effort(posterior, at, scores);
    for (size_t c = 0; c < count; c++) {
        struct posterior_top here = {.candidate = at + c, .score = scores[c], .u = u[c], .current = true};
        if (scores[c] >= top.score && !taken[at + c] && acquisition_above(&here, &top))
            top = here;
    }
    return top;
}

/* Returns the best candidate of the blocks that have not given one. */
static size_t choose(struct posterior *posterior, const struct gp *gp, const bool *taken, double best)
{
    struct posterior_top *tops = posterior->tops;
    for (;;) {
        struct posterior_top *top = NULL;
        for (size_t b = 0; b < posterior->blocks; b++)
            if (!tops[b].given && (!top || acquisition_above(&tops[b], top)))
                top = &tops[b];
        if (!top || top->candidate == SIZE_MAX)
            return SIZE_MAX;
        size_t block = (size_t)(top - tops);
        bool current = posterior->rows_in[block] == posterior->row_count;
        if (current && !taken[top->candidate]) {
            top->given = true;
            return top->candidate;
        }
        if (!current)
            posterior_update_block(posterior, gp, block);
        *top = top_of(posterior, gp, taken, best, block);
    }
}

size_t acquisition_best(struct posterior *posterior, const struct gp *gp, const bool *taken, double best)
{
    for (size_t b = 0; b < posterior->blocks; b++) {
        struct posterior_top *top = &posterior->tops[b];
        bool chosen = top->candidate != SIZE_MAX && taken[top->candidate];
        if (!top->current || chosen || best != posterior->top_best)
            *top = top_of(posterior, gp, taken, best, b);
        top->given = false;
    }
    posterior->top_best = best;
    return choose(posterior, gp, taken, best);
}

size_t acquisition_next(struct posterior *posterior, const struct gp *gp, const bool *taken, double best)
{
    size_t next = choose(posterior, gp, taken, best);
    return next == SIZE_MAX ? acquisition_best(posterior, gp, taken, best) : next;
}
