/* The marginal likelihood of a Gaussian process and its gradient: equations 5.8 and 5.9 of Rasmussen and Williams, with
 * mean and variance at their most likely values, which have closed forms. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cholesky.h"
#include "base/float.h"
#include "search/gp.h"

const struct gp_prior gp_length_prior = {1.5, 1, 0.02, 50};
const struct gp_prior gp_noise_prior = {1e-3, 1.5, 1e-4, 0.3};
const struct gp_prior gp_part_priors[GP_PARTS] = {
    [GP_ADDITIVE] = {1e-6, 1.5, 1e-7, 0.95}, [GP_ROUGH] = {1e-2, 1.5, 1e-6, 0.7}};

struct gp_likelihood {
    const struct gp *gp;
    size_t count, features;
    double *positions; /* features x count */
    float *squared;    /* features x count x count, lower triangles like all below: squared distances */
    double *r;         /* the matrix, then its factor */
    double *inverse;
    double *slopes; /* count x count: derivatives by a log length scale, over the squared distance in it */
    /* count x count, by part: its correlations, and their derivatives by the log of its share */
    struct {
        float *at, *tilt;
    } parts[GP_PARTS];
    double *y, *one, *alpha;
    double *blur; /* by row, as in the process */
};

/* Computes the squared distances of a position from others in one feature. */
FLOAT_WIDE static void distances_in(bool nominal, const double *there, double here, float *restrict squared,
                                    size_t count)
{
    if (nominal)
        for (size_t j = 0; j < count; j++)
            squared[j] = there[j] != here ? 1 : 0;
    else
        for (size_t j = 0; j < count; j++)
            squared[j] = (float)((here - there[j]) * (here - there[j]));
}

FLOAT_WIDE static void count_differing(const double *there, double here, double *restrict differ, size_t count)
{
    for (size_t j = 0; j < count; j++)
        differ[j] += there[j] != here ? 1 : 0;
}

/* Fills row i of the distances and of the parts' correlations by the number of differing parameters. */
static void fill_row(struct gp_likelihood *likelihood, size_t i, float parts[GP_PARTS][ENCODE_DIMENSIONS_MAX + 1])
{
    const struct encoding *encoding = likelihood->gp->encoding;
    size_t count = likelihood->count;
    double *differ = likelihood->one;
    memset(differ, 0, i * sizeof *differ);
    for (size_t f = 0; f < likelihood->features; f++) {
        const double *positions = likelihood->positions + f * count;
        distances_in(encoding->features[f].nominal, positions, positions[i],
                     likelihood->squared + (f * count + i) * count, i);
    }
    for (size_t d = 0; d < encoding->count; d++) {
        const double *positions = likelihood->positions + encoding->dimensions[d].first_feature * count;
        count_differing(positions, positions[i], differ, i);
    }
    for (enum gp_part part = 0; part < GP_PARTS; part++)
        for (size_t j = 0; j < i; j++)
            likelihood->parts[part].at[i * count + j] = parts[part][(size_t)differ[j]];
}

static bool reserve(struct gp_likelihood *likelihood)
{
    size_t count = likelihood->count, square = count * count + 1;
    likelihood->positions = malloc((likelihood->features * count + 1) * sizeof *likelihood->positions);
    likelihood->squared = malloc((likelihood->features * square) * sizeof *likelihood->squared);
    likelihood->r = malloc(square * sizeof *likelihood->r);
    likelihood->inverse = malloc(square * sizeof *likelihood->inverse);
    likelihood->slopes = malloc(square * sizeof *likelihood->slopes);
    likelihood->y = malloc((4 * count + 1) * sizeof *likelihood->y);
    bool whole = likelihood->positions && likelihood->squared && likelihood->r && likelihood->inverse &&
                 likelihood->slopes && likelihood->y;
    for (enum gp_part part = 0; part < GP_PARTS; part++) {
        likelihood->parts[part].at = malloc(square * sizeof *likelihood->parts[part].at);
        likelihood->parts[part].tilt = malloc(square * sizeof *likelihood->parts[part].tilt);
        whole = whole && likelihood->parts[part].at && likelihood->parts[part].tilt;
    }
    if (!whole)
        return false;
    likelihood->one = likelihood->y + count;
    likelihood->alpha = likelihood->one + count;
    likelihood->blur = likelihood->alpha + count;
    return true;
}

struct gp_likelihood *gp_likelihood_open(const struct gp *gp)
{
    size_t count = 0;
    float parts[GP_PARTS][ENCODE_DIMENSIONS_MAX + 1];
    struct gp_likelihood *likelihood = calloc(1, sizeof *likelihood);
    size_t *rows = malloc((gp->count + 1) * sizeof *rows);
    for (size_t i = 0; rows && i < gp->count; i++)
        if (!gp->pending[i])
            rows[count++] = i;
    if (likelihood) {
        likelihood->gp = gp;
        likelihood->count = count;
        likelihood->features = gp->encoding->feature_count;
    }
    if (!likelihood || !rows || !reserve(likelihood)) {
        gp_likelihood_close(likelihood);
        likelihood = NULL;
    }
    for (enum gp_part part = 0; part < GP_PARTS; part++)
        for (size_t differ = 0; differ <= gp->encoding->count; differ++)
            parts[part][differ] = (float)gp_part_at(part, differ, gp->encoding->count);
    for (size_t i = 0; likelihood && i < count; i++) {
        likelihood->y[i] = gp->y[rows[i]];
        likelihood->blur[i] = gp->blur[rows[i]];
        for (size_t f = 0; f < likelihood->features; f++)
            likelihood->positions[f * count + i] = gp->positions[f * gp->room + rows[i]];
        fill_row(likelihood, i, parts);
    }
    free(rows);
    return likelihood;
}

void gp_likelihood_close(struct gp_likelihood *likelihood)
{
    if (!likelihood)
        return;
    free(likelihood->positions);
    free(likelihood->squared);
    free(likelihood->r);
    free(likelihood->inverse);
    free(likelihood->slopes);
    for (enum gp_part part = 0; part < GP_PARTS; part++) {
        free(likelihood->parts[part].at);
        free(likelihood->parts[part].tilt);
    }
    free(likelihood->y);
    free(likelihood);
}

/* Turns a row of squared distances into Matern's correlations, and sets their derivatives. */
FLOAT_WIDE static void shape_row(double *restrict r, double *restrict slopes, size_t count, double matern)
{
    for (size_t j = 0; j < count; j++)
        slopes[j] = sqrt(5 * r[j]);
    for (size_t j = 0; j < count; j++)
        r[j] = float_exp_double(-slopes[j]);
    for (size_t j = 0; j < count; j++) {
        double root = slopes[j], decay = r[j];
        slopes[j] = matern * 5 / 3 * (1 + root) * decay;
        r[j] = (1 + root + root * root / 3) * decay;
    }
}

/* Mixes a part into a row of correlations, and sets the derivatives. */
FLOAT_WIDE static void mix_part(double *restrict r, const float *restrict at, float *restrict tilt, size_t count,
                                double share)
{
    for (size_t j = 0; j < count; j++) {
        double change = share * ((double)at[j] - r[j]);
        tilt[j] = (float)change;
        r[j] += change;
    }
}

FLOAT_WIDE static void add_distances(double *restrict sums, const float *restrict row, double scale, size_t count)
{
    for (size_t j = 0; j < count; j++)
        sums[j] += (double)row[j] * scale;
}

FLOAT_WIDE static void shrink_row(float *row, float scale, size_t count)
{
    for (size_t j = 0; j < count; j++)
        row[j] *= scale;
}

/* Fills the matrix for these parameters, and the common factors of its derivatives. */
static void fill(struct gp_likelihood *likelihood, const double *theta)
{
    size_t count = likelihood->count, features = likelihood->features;
    double noise = exp(theta[features]), shares[GP_PARTS], matern = 1, inverse[ENCODE_FEATURES_MAX];
    for (enum gp_part part = 0; part < GP_PARTS; part++) {
        shares[part] = exp(theta[features + 1 + part]);
        matern *= 1 - shares[part];
    }
    for (size_t f = 0; f < features; f++)
        inverse[f] = exp(-2 * theta[f]);
    for (size_t i = 0; i < count; i++) {
        double *r = likelihood->r + i * count;
        for (size_t j = 0; j < i; j++)
            r[j] = 0;
        for (size_t f = 0; f < features; f++)
            add_distances(r, likelihood->squared + (f * count + i) * count, inverse[f], i);
        shape_row(r, likelihood->slopes + i * count, i, matern);
        for (enum gp_part part = 0; part < GP_PARTS; part++) {
            for (enum gp_part before = 0; before < part; before++)
                shrink_row(likelihood->parts[before].tilt + i * count, (float)(1 - shares[part]), i);
            mix_part(r, likelihood->parts[part].at + i * count, likelihood->parts[part].tilt + i * count, i,
                     shares[part]);
        }
        r[i] = 1 + noise + likelihood->blur[i];
    }
}

static double prior_at(const struct gp_prior *prior, double theta, double *gradient)
{
    double away = (theta - log(prior->median)) / prior->stddev;
    *gradient = -away / prior->stddev;
    return -away * away / 2;
}

/* Replaces the inverse, below its diagonal, by the weights of a derivative of the matrix: half of alpha' dR alpha /
 * variance - trace(R^-1 dR) is the sum of their products with dR. The slopes become such products. */
FLOAT_WIDE static void weigh_entries(struct gp_likelihood *likelihood, double variance)
{
    size_t count = likelihood->count;
    const double *alpha = likelihood->alpha;
    for (size_t i = 0; i < count; i++) {
        double *restrict weights = likelihood->inverse + i * count, *restrict slopes = likelihood->slopes + i * count;
        double scale = alpha[i] / variance;
        for (size_t j = 0; j < i; j++) {
            weights[j] = scale * alpha[j] - weights[j];
            slopes[j] *= weights[j];
        }
    }
}

/* Returns the sum of products below the diagonals of two matrices. */
FLOAT_WIDE static double product_below(const double *a, const float *b, size_t count)
{
    double sums[FLOAT_LANES] = {0};
    for (size_t i = 0; i < count; i++) {
        const double *row = a + i * count;
        const float *other = b + i * count;
        size_t j = 0;
        for (; j + FLOAT_LANES <= i; j += FLOAT_LANES)
            for (size_t x = 0; x < FLOAT_LANES; x++)
                sums[x] += row[j + x] * (double)other[j + x];
        for (size_t x = 0; j + x < i; x++)
            sums[x] += row[j + x] * (double)other[j + x];
    }
    return float_sum(sums);
}

/* Returns the most likely variance; alpha = R^-1 (y - mean). */
static double solve(struct gp_likelihood *likelihood, double *mean)
{
    double *one = likelihood->one, *alpha = likelihood->alpha, ones = 0, sums = 0, variance = 0;
    for (size_t i = 0; i < likelihood->count; i++) {
        const double *row = likelihood->inverse + i * likelihood->count;
        one[i] = row[i];
        alpha[i] = row[i] * likelihood->y[i];
        for (size_t j = 0; j < i; j++) {
            one[i] += row[j];
            one[j] += row[j];
            alpha[i] += row[j] * likelihood->y[j];
            alpha[j] += row[j] * likelihood->y[i];
        }
    }
    for (size_t i = 0; i < likelihood->count; i++) {
        ones += one[i];
        sums += alpha[i];
    }
    *mean = sums / ones;
    for (size_t i = 0; i < likelihood->count; i++) {
        alpha[i] -= *mean * one[i];
        variance += alpha[i] * (likelihood->y[i] - *mean);
    }
    return gp_variance(likelihood->gp, variance, likelihood->count);
}

double gp_likelihood_at(struct gp_likelihood *likelihood, const double *theta, double *gradient, double *mean)
{
    size_t count = likelihood->count, features = likelihood->features;
    double prior, trace = 0, square = 0, value = 0;
    fill(likelihood, theta);
    if (!count || !cholesky_factor(likelihood->r, count, count, likelihood->inverse))
        return NAN;
    for (size_t i = 0; i < count; i++)
        value -= log(likelihood->r[i * count + i]);
    double variance = solve(likelihood, mean);
    value -= ((double)count + likelihood->gp->guess_rows) / 2 * log(variance);
    weigh_entries(likelihood, variance);
    for (size_t f = 0; f < features; f++) {
        const float *squared = likelihood->squared + f * count * count;
        const struct gp_prior length = {.median = likelihood->gp->medians[f], .stddev = likelihood->gp->spread};
        value += prior_at(&length, theta[f], &prior);
        gradient[f] = product_below(likelihood->slopes, squared, count) * exp(-2 * theta[f]) + prior;
    }
    for (size_t i = 0; i < count; i++) {
        square += likelihood->alpha[i] * likelihood->alpha[i];
        trace += likelihood->inverse[i * count + i];
    }
    value += prior_at(&gp_noise_prior, theta[features], &prior);
    gradient[features] = (square / variance - trace) / 2 * exp(theta[features]) + prior;
    for (enum gp_part part = 0; part < GP_PARTS; part++) {
        size_t at = features + 1 + part;
        const struct gp_prior share = {.median = likelihood->gp->part_medians[part],
                                       .stddev = gp_part_priors[part].stddev};
        value += prior_at(&share, theta[at], &prior);
        gradient[at] = product_below(likelihood->inverse, likelihood->parts[part].tilt, count) + prior;
    }
    return value;
}
