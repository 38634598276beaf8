#include "search/improve.h"

#include <math.h>

#include "search/float.h"

double improve_works(const struct field *field, size_t candidate)
{
    double near = fmax(field->near[candidate], 0), failed = fmin(fmax(field->near_failed[candidate], 0), near);
    return (near - failed + 1) / (near + 1);
}

/* phi(u) + u Phi(u): the improvement to expect of a normal variable with mean u and deviation 1. Phi by Abramowitz and
 * Stegun 26.2.17, and far out by the continued fraction of Mills' ratio. Without a branch. */
static inline float expected(float u)
{
    float a = fabsf(u), density = 0.398942280f * float_exp(-a * a / 2), t = 1 / (1 + 0.2316419f * a);
    float tail = t * (0.319381530f + t * (-0.356563782f + t * (1.781477937f + t * (-1.821255978f + t * 1.330274429f))));
    float near = 1 - a * tail, far = 1 / (a * a + 3), below = density * (a < 4 ? near : far);
    return u < 0 ? below : u + below;
}

/* Scores of one block, and the standardised improvements, which still differ where all scores are 0. A block that is
 * behind has scores that are not too low: `behind` is what its improvements may gain, in deviations. */
FLOAT_WIDE static void score(const struct field *field, size_t at, float best, float deviation, float behind,
                             float *scores, float *u)
{
    const float *mean = field->mean + at, *variance = field->variance + at, *near = field->near + at;
    const float *failed = field->near_failed + at;
    for (size_t c = 0; c < FIELD_BLOCK; c++) {
        float s = deviation * sqrtf(variance[c] > 1e-6f ? variance[c] : 1e-6f);
        float works = behind > 0 ? 1 : (near[c] - failed[c] + 1) / (near[c] + 1);
        u[c] = (best - mean[c]) / s + behind;
        scores[c] = s * expected(u[c]) * (works > 0 ? works : 0);
    }
}

static bool above(const struct field_top *a, const struct field_top *b)
{
    return a->score > b->score || (a->score == b->score && a->u > b->u);
}

static struct field_top top_of(const struct field *field, const struct gp *gp, const bool *taken, double best,
                               size_t block)
{
    float scores[FIELD_BLOCK], u[FIELD_BLOCK];
    size_t at = block * FIELD_BLOCK, count = field->count - at < FIELD_BLOCK ? field->count - at : FIELD_BLOCK;
    double deviation = sqrt(gp->variance), behind = field_behind(field, block) / deviation;
    struct field_top top = {SIZE_MAX, -1, 0};
    score(field, at, (float)(best - gp->mean), (float)deviation, (float)behind, scores, u);
    for (size_t c = 0; c < count; c++) {
        struct field_top here = {at + c, scores[c], u[c]};
        if (scores[c] >= top.score && !taken[at + c] && above(&here, &top))
            top = here;
    }
    return top;
}

size_t improve_best(struct field *field, const struct gp *gp, const bool *taken, double best)
{
    struct field_top *tops = field->tops;
    for (size_t b = 0; b < field->blocks; b++)
        tops[b] = top_of(field, gp, taken, best, b);
    for (;;) {
        size_t block = 0;
        for (size_t b = 1; b < field->blocks; b++)
            if (above(&tops[b], &tops[block]))
                block = b;
        if (tops[block].candidate == SIZE_MAX || field->rows_in[block] == field->row_count)
            return tops[block].candidate;
        field_catch_up(field, gp, block);
        tops[block] = top_of(field, gp, taken, best, block);
    }
}
