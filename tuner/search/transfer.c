#include "search/transfer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"
#include "base/random.h"
#include "base/statistics.h"
#include "search/constants.h"
#include "search/effects.h"

enum { ROUNDS = 6 };

struct transfer_source {
    size_t count;      /* measured configurations that are valid here */
    uint64_t *indices; /* of the measured configurations */
    float *scores;
    struct hash_table table; /* index to measured configuration */
    double most, mean;       /* of the scores of all measured configurations; the least is 0 */
    double variance;
    struct gp gp;  /* over a sample of them */
    double *alpha; /* by row of the process: its mean is the sum of alpha times the correlations */
};

/* ---- Opening ---- */

static bool same(const void *source, uint32_t item, const void *index)
{
    return ((const struct transfer_source *)source)->indices[item] == *(const uint64_t *)index;
}

static struct hash_key key_of(const struct transfer_source *source, const uint64_t *index)
{
    return (struct hash_key){random_mix(0, *index), same, source, index};
}

/* Computes the scores of all rows; their least logarithm is 0. */
static bool score_rows(struct transfer_source *source, const struct prior_run *prior_runs, double *scores)
{
    double *logs = malloc((prior_runs->count + 1) * sizeof *logs), least;
    size_t worked = 0;
    if (!logs)
        return false;
    for (size_t i = 0; i < prior_runs->count; i++)
        if (!isnan(prior_runs->costs[i]))
            logs[worked++] = gp_log(prior_runs->costs[i]);
    statistics_sort(logs, worked);
    least = logs[0];
    source->most = logs[(size_t)((double)(worked - 1) * CLIP)] - least;
    free(logs);
    for (size_t i = 0; i < prior_runs->count; i++) {
        double cost = prior_runs->costs[i];
        scores[i] = isnan(cost) ? source->most : fmin(gp_log(cost) - least, source->most);
    }
    source->mean = statistics_mean(scores, prior_runs->count);
    source->variance = pow(statistics_stddev(scores, prior_runs->count), 2);
    return true;
}

/* Keeps the measured configurations inside the set. */
static bool keep_known(struct transfer_source *source, const struct strategy_setup *setup,
                       const struct prior_run *prior_runs, const double *scores)
{
    size_t width = setup->space->parameter_count;
    source->indices = malloc((prior_runs->count + 1) * sizeof *source->indices);
    source->scores = malloc((prior_runs->count + 1) * sizeof *source->scores);
    if (!source->indices || !source->scores)
        return false;
    for (size_t i = 0; i < prior_runs->count; i++) {
        uint64_t index;
        uint32_t item = (uint32_t)source->count;
        if (!valid_set_find(setup->set, prior_runs->choices + i * width, &index) || index == UINT64_MAX)
            continue;
        const struct hash_key key = key_of(source, &index);
        if (hash_table_find(&source->table, &key) != HASH_TABLE_NONE)
            continue;
        if (hash_table_put(&source->table, &key, &item))
            return false;
        source->indices[source->count] = index;
        source->scores[source->count++] = (float)scores[i];
    }
    return true;
}

/* Solves L' alpha = z. */
static bool solve_alpha(struct transfer_source *source)
{
    const struct gp *gp = &source->gp;
    source->alpha = malloc((gp->count + 1) * sizeof *source->alpha);
    for (size_t i = gp->count; source->alpha && i-- > 0;) {
        double sum = gp->z[i];
        for (size_t j = i + 1; j < gp->count; j++)
            sum -= gp->l[j * gp->room + i] * source->alpha[j];
        source->alpha[i] = sum / gp->l[i * gp->room + i];
    }
    return source->alpha != NULL;
}

/* Fits a process to evenly drawn rows: it predicts configurations that were not measured there, and gives length
 * scales. */
static bool smooth(struct transfer_source *source, const struct prior_run *prior_runs, size_t width,
                   const double *scores)
{
    struct gp *gp = &source->gp;
    const struct encoding *encoding = gp->encoding;
    size_t count = prior_runs->count < SMOOTH_ROWS ? prior_runs->count : SMOOTH_ROWS;
    for (size_t k = 0; k < count; k++) {
        size_t i = (size_t)random_permute(1, prior_runs->count, k);
        uint32_t by_dimension[ENCODE_DIMENSIONS_MAX] = {0};
        encoding_order(encoding, prior_runs->choices + i * width, by_dimension);
        if (!gp_add(gp, by_dimension))
            return false;
        gp->y[k] = scores[i];
        gp->pending[k] = false;
    }
    if (!gp_fit(gp, FIT_EVALUATIONS))
        return false;
    return gp_refactor(gp) && solve_alpha(source);
}

/* Opens the next source and adds its effects to those of the others. */
static int open_source(struct transfer *transfer, const struct prior_run *prior_runs,
                       const struct strategy_setup *setup, struct error *error)
{
    struct transfer_source *source = &transfer->sources[transfer->count++];
    size_t width = setup->space->parameter_count;
    double *scores = malloc((prior_runs->count + 1) * sizeof *scores);
    int code = gp_open(&source->gp, transfer->encoding, error);
    if (!code && (!scores || !score_rows(source, prior_runs, scores) ||
                  !keep_known(source, setup, prior_runs, scores) || !smooth(source, prior_runs, width, scores) ||
                  !effects_learn_scores(transfer->encoding, prior_runs, width, scores, transfer->effects)))
        code = error_memory(error);
    free(scores);
    return code;
}

static bool has_worked(const struct prior_run *prior_runs)
{
    size_t i = 0;
    while (i < prior_runs->count && isnan(prior_runs->costs[i]))
        i++;
    return i < prior_runs->count;
}

static size_t values_of(const struct encoding *encoding)
{
    size_t values = 0;
    for (size_t d = 0; d < encoding->count; d++)
        values += encoding->dimensions[d].values;
    return values;
}

/* Sets the expectation before any observation. */
static void expect_prior(struct transfer *transfer)
{
    double share = 1 / (double)transfer->count;
    for (size_t s = 0; s < transfer->count; s++) {
        transfer->weights[s] = SUM * share;
        transfer->variance += UNEXPLAINED * transfer->sources[s].variance * share;
    }
    for (size_t v = 0; v < values_of(transfer->encoding); v++)
        transfer->effects[v] *= share;
}

int transfer_open(struct transfer *transfer, const struct strategy_setup *setup, const struct encoding *encoding,
                  struct error *error)
{
    int code = 0;
    *transfer = (struct transfer){.encoding = encoding};
    if (setup->prior_run_count == 0)
        return 0;
    transfer->sources = calloc(TRANSFER_MAX, sizeof *transfer->sources);
    transfer->effects = calloc(values_of(encoding) + 1, sizeof *transfer->effects);
    if (!transfer->sources || !transfer->effects)
        return error_memory(error);
    for (size_t s = 0; s < setup->prior_run_count && transfer->count < TRANSFER_MAX && !code; s++)
        if (has_worked(&setup->prior_runs[s]))
            code = open_source(transfer, &setup->prior_runs[s], setup, error);
    if (!transfer->count || code)
        return code;
    size_t effects = encoding->count < TRANSFER_EFFECTS_MAX ? encoding->count : TRANSFER_EFFECTS_MAX;
    transfer->terms = transfer->count + effects;
    expect_prior(transfer);
    return 0;
}

void transfer_close(struct transfer *transfer)
{
    for (size_t s = 0; s < transfer->count; s++) {
        struct transfer_source *source = &transfer->sources[s];
        free(source->indices);
        free(source->scores);
        free(source->alpha);
        hash_table_free(&source->table);
        gp_close(&source->gp);
    }
    free(transfer->sources);
    free(transfer->effects);
    *transfer = (struct transfer){0};
}

uint64_t transfer_winner(const struct transfer *transfer, size_t landscape)
{
    const struct transfer_source *source = &transfer->sources[landscape];
    size_t best = 0;
    for (size_t i = 1; i < source->count; i++)
        if (source->scores[i] < source->scores[best])
            best = i;
    return source->count ? source->indices[best] : UINT64_MAX;
}

/* ---- Scores ---- */

static const float *find_known(const struct transfer_source *source, uint64_t index)
{
    const struct hash_key key = key_of(source, &index);
    uint32_t item = hash_table_find(&source->table, &key);
    return item == HASH_TABLE_NONE ? NULL : &source->scores[item];
}

static float within(const struct transfer_source *source, double score)
{
    return (float)fmin(fmax(score, 0), source->most);
}

static void add_effects(const struct transfer *transfer, const uint32_t *by_dimension, float *terms, size_t stride)
{
    const double *effects = transfer->effects;
    for (size_t t = transfer->count, d = 0; t < transfer->terms; t++, d++) {
        terms[t * stride] = (float)effects[by_dimension[d]];
        effects += transfer->encoding->dimensions[d].values;
    }
}

void transfer_score(const struct transfer *transfer, uint64_t index, const uint32_t *by_dimension, float *terms)
{
    for (size_t s = 0; s < transfer->count; s++) {
        const struct transfer_source *source = &transfer->sources[s];
        const float *known = find_known(source, index);
        double mean = 0, variance = 0;
        if (!known)
            gp_predict(&source->gp, by_dimension, &mean, &variance);
        terms[s] = known ? *known : within(source, mean);
    }
    add_effects(transfer, by_dimension, terms, 1);
}

void transfer_score_block(const struct transfer *transfer, const struct posterior *posterior, size_t block,
                          const uint64_t *indices, const uint32_t *choices, float *terms, size_t stride)
{
    size_t at = block * POSTERIOR_BLOCK;
    size_t count = posterior->count - at < POSTERIOR_BLOCK ? posterior->count - at : POSTERIOR_BLOCK;
    for (size_t s = 0; s < transfer->count; s++) {
        const struct transfer_source *source = &transfer->sources[s];
        float *scores = terms + s * stride;
        bool smoothed = false;
        for (size_t c = 0; c < count && !smoothed; c++)
            smoothed = !find_known(source, indices[c]);
        if (smoothed)
            posterior_smooth(posterior, &source->gp, source->alpha, block, scores);
        for (size_t c = 0; c < count; c++) {
            const float *known = find_known(source, indices[c]);
            scores[c] = known ? *known : within(source, (double)scores[c]);
        }
    }
    for (size_t c = 0; c < count; c++)
        add_effects(transfer, choices + c * ENCODE_DIMENSIONS_MAX, terms + c, stride);
}

double transfer_expect(const struct transfer *transfer, const float *terms)
{
    double sum = 0;
    for (size_t t = 0; t < transfer->terms; t++)
        sum += transfer->weights[t] * (double)terms[t];
    return sum;
}

double transfer_doubt(const struct transfer *transfer, const float *terms, size_t stride)
{
    double away[TRANSFER_TERMS_MAX], sum = 0;
    for (size_t t = 0; t < transfer->terms; t++)
        away[t] = (double)terms[t * stride] - transfer->centre[t];
    for (size_t t = 0; t < transfer->terms; t++) {
        double row = transfer->covariance[t][t] * away[t];
        for (size_t u = 0; u < t; u++)
            row += 2 * transfer->covariance[t][u] * away[u];
        sum += row * away[t];
    }
    return fmax(sum, 0);
}

void transfer_shape(const struct transfer *transfer, struct gp *gp)
{
    double share = 1 / (double)transfer->count, noise = 0, parts[GP_PARTS] = {0};
    for (size_t d = 0; d < gp->encoding->count; d++) {
        const struct dimension *dimension = &gp->encoding->dimensions[d];
        for (size_t f = dimension->first_feature; f < dimension->first_feature + dimension->feature_count; f++) {
            double typical = 0;
            for (size_t s = 0; s < transfer->count; s++)
                typical -= share * log(transfer->sources[s].gp.inverse[f]) / 2;
            gp->medians[f] = sqrt(gp->medians[f] * exp(typical));
            gp->inverse[f] = 1 / (gp->medians[f] * gp->medians[f]);
        }
    }
    for (size_t s = 0; s < transfer->count; s++) {
        noise += share * log(transfer->sources[s].gp.noise);
        for (enum gp_part part = 0; part < GP_PARTS; part++)
            parts[part] += share * log(transfer->sources[s].gp.parts[part]);
    }
    gp->spread = SPREAD;
    gp->guess = transfer->variance;
    gp->guess_rows = GUESS;
    gp->noise = exp(noise);
    for (enum gp_part part = 0; part < GP_PARTS; part++)
        gp->parts[part] = exp(parts[part]);
}

/* ---- Weights ---- */

/* y = mean + terms x weights + a process, all multiplied by the inverse of the process's factor. */
struct regression {
    size_t rows, terms, observed;
    double *columns; /* ones, one column per term, then y; 0 in pending rows */
};

static bool whiten(struct regression *regression, const struct transfer *transfer, const struct gp *gp, const double *y,
                   const float *terms)
{
    size_t rows = gp->count, width = transfer->terms;
    *regression = (struct regression){.rows = rows, .terms = width};
    regression->columns = malloc((rows + 1) * (width + 2) * sizeof *regression->columns);
    for (size_t i = 0; regression->columns && i < rows; i++) {
        const double *l = gp->l + i * gp->room;
        regression->observed += !gp->pending[i];
        for (size_t c = 0; c < width + 2; c++) {
            double *column = regression->columns + c * rows;
            double sum = c == 0 ? 1 : c <= width ? (double)terms[i * width + c - 1] : y[i];
            if (c > 0 && c <= transfer->count)
                sum -= transfer->sources[c - 1].mean;
            for (size_t j = 0; j < i; j++)
                sum -= l[j] * column[j];
            column[i] = gp->pending[i] ? 0 : sum / l[i];
        }
    }
    return regression->columns != NULL;
}

static double product(const struct regression *regression, size_t a, size_t b)
{
    double sum = 0;
    for (size_t i = 0; i < regression->rows; i++)
        sum += regression->columns[a * regression->rows + i] * regression->columns[b * regression->rows + i];
    return sum;
}

enum { UNKNOWNS = TRANSFER_TERMS_MAX + 1 };

/* Inverts a positive definite matrix in place (Gauss and Jordan). */
static void invert(double a[UNKNOWNS][UNKNOWNS], size_t count)
{
    for (size_t c = 0; c < count; c++) {
        double pivot = 1 / a[c][c];
        a[c][c] = 1;
        for (size_t e = 0; e < count; e++)
            a[c][e] *= pivot;
        for (size_t d = 0; d < count; d++) {
            double factor = a[d][c];
            if (d == c)
                continue;
            a[d][c] = 0;
            for (size_t e = 0; e < count; e++)
                a[d][e] -= factor * a[c][e];
        }
    }
}

/* Solves the normal equations for the mean (first) and the weights; by the prior, those of the prior runs sum to SUM.
 * `inverse` receives their covariance. */
static void solve(const struct regression *regression, size_t sources, double variance, double *x,
                  double inverse[UNKNOWNS][UNKNOWNS])
{
    size_t count = regression->terms + 1;
    double right[UNKNOWNS];
    for (size_t c = 0; c < count; c++) {
        double deviation = c <= sources ? DEVIATION : EFFECT;
        right[c] = product(regression, c, count) / variance;
        for (size_t d = 0; d < count; d++)
            inverse[c][d] = product(regression, c, d) / variance;
        if (c == 0)
            continue;
        inverse[c][c] += 1 / (deviation * deviation);
        right[c] += c <= sources ? SUM / (double)sources / (deviation * deviation) : 0;
    }
    invert(inverse, count);
    for (size_t c = 0; c < count; c++) {
        x[c] = 0;
        for (size_t d = 0; d < count; d++)
            x[c] += inverse[c][d] * right[d];
    }
}

static double residual_variance(const struct regression *regression, const double *x, double guess)
{
    double sum = GUESS * guess;
    for (size_t i = 0; i < regression->rows; i++) {
        double left = regression->columns[(regression->terms + 1) * regression->rows + i];
        for (size_t c = 0; c <= regression->terms; c++)
            left -= regression->columns[c * regression->rows + i] * x[c];
        sum += left * left;
    }
    return sum / ((double)regression->observed + GUESS);
}

static void find_centre(struct transfer *transfer, const struct gp *gp, const float *terms, size_t observed)
{
    memset(transfer->centre, 0, sizeof transfer->centre);
    for (size_t i = 0; i < gp->count; i++)
        for (size_t t = 0; t < transfer->terms && !gp->pending[i]; t++)
            transfer->centre[t] += (double)terms[i * transfer->terms + t] / (double)observed;
}

/* Sets weights, covariance and mean. */
static void weigh(struct transfer *transfer, const struct regression *regression)
{
    double variance = fmax(transfer->variance, 1e-12), x[UNKNOWNS], inverse[UNKNOWNS][UNKNOWNS];
    for (int round = 0; round < ROUNDS; round++) {
        solve(regression, transfer->count, variance, x, inverse);
        variance = fmax(residual_variance(regression, x, transfer->variance), 1e-12);
    }
    transfer->mean = x[0];
    for (size_t t = 0; t < transfer->terms; t++) {
        transfer->weights[t] = x[t + 1];
        memcpy(transfer->covariance[t], inverse[t + 1] + 1, transfer->terms * sizeof transfer->covariance[t][0]);
        if (t < transfer->count)
            transfer->mean -= x[t + 1] * transfer->sources[t].mean;
    }
}

bool transfer_weigh(struct transfer *transfer, const struct gp *gp, const double *y, const float *terms)
{
    struct regression regression;
    if (!whiten(&regression, transfer, gp, y, terms))
        return false;
    if (regression.observed) {
        find_centre(transfer, gp, terms, regression.observed);
        weigh(transfer, &regression);
    }
    free(regression.columns);
    return true;
}
