#include "search/gp.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cholesky.h"
#include "base/float.h"

/* CHUNK: rows; allocations are a multiple. ABREAST: products of rows that are summed at once. */
enum { LANES = FLOAT_LANES, CHUNK = 64, ABREAST = 4 };

int gp_open(struct gp *gp, const struct encoding *encoding, struct error *error)
{
    *gp = (struct gp){.encoding = encoding, .room = CHUNK, .variance = 1};
    gp->noise = gp_noise_prior.median;
    for (enum gp_part part = 0; part < GP_PARTS; part++)
        gp_expect_part(gp, part, gp_part_priors[part].median);
    gp_expect_lengths(gp, gp_length_prior.median, gp_length_prior.stddev);
    gp->choices = malloc(gp->room * (encoding->count + 1) * sizeof *gp->choices);
    gp->positions = calloc(gp->room * encoding->feature_count + 1, sizeof *gp->positions);
    gp->y = malloc(gp->room * sizeof *gp->y);
    gp->z = malloc(gp->room * sizeof *gp->z);
    gp->pending = malloc(gp->room * sizeof *gp->pending);
    gp->blur = malloc(gp->room * sizeof *gp->blur);
    gp->share = malloc(gp->room * sizeof *gp->share);
    gp->squared = malloc(gp->room * sizeof *gp->squared);
    gp->l = malloc(gp->room * gp->room * sizeof *gp->l);
    if (gp->choices && gp->positions && gp->y && gp->z && gp->pending && gp->blur && gp->share && gp->squared && gp->l)
        return 0;
    gp_close(gp);
    return error_memory(error);
}

void gp_close(struct gp *gp)
{
    free(gp->choices);
    free(gp->positions);
    free(gp->y);
    free(gp->z);
    free(gp->pending);
    free(gp->blur);
    free(gp->share);
    free(gp->squared);
    free(gp->l);
    memset(gp, 0, sizeof *gp);
}

static bool grow_array(void *array, size_t bytes)
{
    void *grown = realloc(*(void **)array, bytes);
    if (grown)
        *(void **)array = grown;
    return grown != NULL;
}

static bool grow(struct gp *gp)
{
    size_t room = gp->room * 2;
    if (gp->count < gp->room)
        return true;
    double *l = malloc(room * room * sizeof *l);
    double *positions = calloc(room * gp->encoding->feature_count + 1, sizeof *positions);
    if (!l || !positions || !grow_array(&gp->choices, room * (gp->encoding->count + 1) * sizeof *gp->choices) ||
        !grow_array(&gp->y, room * sizeof *gp->y) || !grow_array(&gp->z, room * sizeof *gp->z) ||
        !grow_array(&gp->pending, room * sizeof *gp->pending) || !grow_array(&gp->blur, room * sizeof *gp->blur) ||
        !grow_array(&gp->share, room * sizeof *gp->share) || !grow_array(&gp->squared, room * sizeof *gp->squared)) {
        free(l);
        free(positions);
        return false;
    }
    for (size_t f = 0; f < gp->encoding->feature_count; f++)
        memcpy(positions + f * room, gp->positions + f * gp->room, gp->count * sizeof *positions);
    for (size_t i = 0; i < gp->count; i++)
        memcpy(l + i * room, gp->l + i * gp->room, gp->count * sizeof *l);
    free(gp->l);
    free(gp->positions);
    gp->l = l;
    gp->positions = positions;
    gp->room = room;
    return true;
}

double gp_log(double value)
{
    return log(fmax(value, DBL_MIN));
}

FLOAT_INLINE double matern_at(double squared)
{
    double r = sqrt(5 * squared);
    return (1 + r + r * r / 3) * float_exp_double(-r);
}

double gp_matern(double squared)
{
    return matern_at(squared);
}

/* The same for `count` squared distances, in place. */
FLOAT_WIDE static void matern_of(double *squared, size_t count)
{
    for (size_t x = 0; x < count; x++)
        squared[x] = matern_at(squared[x]);
}

double gp_part_at(enum gp_part part, size_t differ, size_t parameters)
{
    return part == GP_ROUGH ? exp(-GP_ROUGH_DECAY * (double)differ) : 1 - (double)differ / (double)parameters;
}

void gp_expect_lengths(struct gp *gp, double median, double stddev)
{
    gp->spread = stddev;
    for (size_t f = 0; f < gp->encoding->feature_count; f++)
        gp->medians[f] = median;
}

void gp_expect_part(struct gp *gp, enum gp_part part, double share)
{
    gp->parts[part] = gp->part_medians[part] = share;
}

double gp_share(const struct gp *gp, enum gp_part part)
{
    double share = part == GP_PARTS ? 1 : gp->parts[part];
    for (enum gp_part after = part == GP_PARTS ? 0 : part + 1; after < GP_PARTS; after++)
        share *= 1 - gp->parts[after];
    return share;
}

/* Writes the position of a configuration in each feature, `stride` apart; for words, the number of the value. */
static void locate(const struct encoding *encoding, const uint32_t *choices, double *positions, size_t stride)
{
    for (size_t d = 0; d < encoding->count; d++) {
        const struct dimension *dimension = &encoding->dimensions[d];
        for (size_t f = dimension->first_feature; f < dimension->first_feature + dimension->feature_count; f++) {
            const struct feature *feature = &encoding->features[f];
            positions[f * stride] = feature->nominal ? choices[d] : feature->positions[choices[d]];
        }
    }
}

/* Adds up the squared scaled distances of a position from CHUNK rows, and the numbers of differing parameters. */
FLOAT_WIDE static void compare(const struct gp *gp, const double *rows, const double *at, double *restrict squared,
                               double *restrict differ)
{
    const struct encoding *encoding = gp->encoding;
    for (size_t x = 0; x < CHUNK; x++)
        squared[x] = differ[x] = 0;
    for (size_t d = 0; d < encoding->count; d++) {
        const struct dimension *dimension = &encoding->dimensions[d];
        for (size_t f = dimension->first_feature; f < dimension->first_feature + dimension->feature_count; f++) {
            const double *there = rows + f * gp->room;
            double here = at[f], inverse = gp->inverse[f];
            if (encoding->features[f].nominal)
                for (size_t x = 0; x < CHUNK; x++)
                    squared[x] += there[x] != here ? inverse : 0;
            else
                for (size_t x = 0; x < CHUNK; x++)
                    squared[x] += (here - there[x]) * (here - there[x]) * inverse;
        }
        const double *there = rows + dimension->first_feature * gp->room;
        double here = at[dimension->first_feature];
        for (size_t x = 0; x < CHUNK; x++)
            differ[x] += there[x] != here ? 1 : 0;
    }
}

/* Computes the correlations of a configuration with the first `count` rows. */
static void correlate(const struct gp *gp, const uint32_t *choices, size_t count, double *k)
{
    double at[ENCODE_FEATURES_MAX], squared[CHUNK], differ[CHUNK];
    locate(gp->encoding, choices, at, 1);
    double parts[ENCODE_DIMENSIONS_MAX + 1] = {0}, matern = gp_share(gp, GP_PARTS);
    for (enum gp_part part = 0; part < GP_PARTS; part++)
        for (size_t d = 0; d <= gp->encoding->count; d++)
            parts[d] += gp_share(gp, part) * gp_part_at(part, d, gp->encoding->count);
    for (size_t j = 0; j < count; j += CHUNK) {
        compare(gp, gp->positions + j, at, squared, differ);
        matern_of(squared, CHUNK);
        for (size_t x = 0; x < CHUNK && j + x < count; x++)
            k[j + x] = matern * squared[x] + parts[(size_t)differ[x]];
    }
}

/* Returns the sum of products, in as many partial sums as the widest vectors have, so that it is the same on every
 * machine. */
FLOAT_WIDE static double dot(const double *a, const double *b, size_t count)
{
    double sums[LANES] = {0};
    size_t j = 0;
    for (; j + LANES <= count; j += LANES)
        for (size_t x = 0; x < LANES; x++)
            sums[x] += a[j + x] * b[j + x];
    for (; j < count; j++)
        sums[0] += a[j] * b[j];
    return float_sum(sums);
}

/* The same for one row with ABREAST others, which are `stride` apart: their additions overlap. */
FLOAT_WIDE static void dot_abreast(const double *a, const double *rows, size_t stride, size_t count, double *dots)
{
    float_lanes sums[ABREAST] = {{0}};
    size_t j = 0;
    for (; j + LANES <= count; j += LANES)
        for (size_t r = 0; r < ABREAST; r++)
            sums[r] += *(const float_lanes *)(a + j) * *(const float_lanes *)(rows + r * stride + j);
    for (size_t r = 0; r < ABREAST; r++) {
        double sum[LANES];
        memcpy(sum, &sums[r], sizeof sum);
        for (size_t rest = j; rest < count; rest++)
            sum[0] += a[rest] * rows[r * stride + rest];
        dots[r] = float_sum(sum);
    }
}

/* Solves L w = k for the first `count` rows, in place; returns the squared length of w. */
static double solve(const struct gp *gp, double *k, size_t count)
{
    double squared = 0;
    for (size_t i = 0; i < count; i++) {
        const double *row = gp->l + i * gp->room;
        k[i] = (k[i] - dot(row, k, i)) / row[i];
        squared += k[i] * k[i];
    }
    return squared;
}

FLOAT_WIDE static void subtract_scaled(double *from, const double *row, double scale, size_t count)
{
    for (size_t i = 0; i < count; i++)
        from[i] -= scale * row[i];
}

/* Predicts pending rows so that z changes as little as possible: z loses its part in the columns of L^-1 that belong to
 * them. Made orthogonal from the last one on, and scaled to begin with a 1 at the diagonal, the rest of each column
 * fits above the diagonal of L. */
static void predict_pending(struct gp *gp, size_t first)
{
    size_t count = gp->count;
    for (size_t p = count; p-- > first;) {
        double *column = gp->l + p * gp->room;
        if (!gp->pending[p])
            continue;
        for (size_t i = p + 1; i < count; i++) {
            const double *row = gp->l + i * gp->room;
            column[i] = -(row[p] + dot(row + p + 1, column + p + 1, i - p - 1)) / row[i];
        }
        for (size_t k = p + 1; k < count; k++) {
            const double *other = gp->l + k * gp->room + k + 1;
            size_t rest = count - k - 1;
            if (!gp->pending[k])
                continue;
            double along = (column[k] + dot(column + k + 1, other, rest)) / gp->squared[k];
            column[k] -= along;
            subtract_scaled(column + k + 1, other, along, rest);
        }
        column += p + 1;
        size_t rest = count - p - 1;
        gp->squared[p] = 1 + dot(column, column, rest);
        double along = (gp->z[p] + dot(column, gp->z + p + 1, rest)) / gp->squared[p];
        gp->z[p] -= along;
        subtract_scaled(gp->z + p + 1, column, along, rest);
    }
}

void gp_update(struct gp *gp, size_t from)
{
    size_t first = 0;
    if (from >= gp->count)
        return;
    while (first < gp->count && !gp->pending[first])
        first++;
    for (size_t i = first < from ? first : from; i < gp->count; i++) {
        const double *row = gp->l + i * gp->room;
        double rest = gp->pending[i] ? 0 : gp->y[i] - gp->mean - dot(row, gp->z, i);
        gp->z[i] = gp->share[i] * rest / row[i];
    }
    predict_pending(gp, first);
}

bool gp_append(struct gp *gp, const uint32_t *choices)
{
    size_t width = gp->encoding->count, n = gp->count;
    if (!grow(gp))
        return false;
    memcpy(gp->choices + n * width, choices, width * sizeof *choices);
    locate(gp->encoding, choices, gp->positions + n, gp->room);
    gp->pending[n] = true;
    gp->y[n] = gp->z[n] = gp->blur[n] = 0;
    gp->share[n] = 1;
    gp->count++;
    return true;
}

/* Reads each row of the factor once for all new rows: with many rows it is larger than a cache. */
void gp_extend(struct gp *gp, size_t first)
{
    for (size_t n = first; n < gp->count; n++)
        correlate(gp, gp->choices + n * gp->encoding->count, n, gp->l + n * gp->room);
    for (size_t i = 0; i < gp->count; i++) {
        double *done = gp->l + i * gp->room;
        if (i >= first) {
            double squared = 0;
            for (size_t j = 0; j < i; j++)
                squared += done[j] * done[j];
            done[i] = sqrt(fmax(1 + gp->noise - squared, gp->noise / 2));
        }
        size_t n = i < first ? first : i + 1;
        for (; n + ABREAST <= gp->count; n += ABREAST) {
            double sums[ABREAST], *row = gp->l + n * gp->room + i;
            dot_abreast(done, row - i, gp->room, i, sums);
            for (size_t r = 0; r < ABREAST; r++)
                row[r * gp->room] = (row[r * gp->room] - sums[r]) / done[i];
        }
        for (; n < gp->count; n++) {
            double *row = gp->l + n * gp->room;
            row[i] = (row[i] - dot(done, row, i)) / done[i];
        }
    }
}

bool gp_add(struct gp *gp, const uint32_t *choices)
{
    size_t n = gp->count;
    if (!gp_append(gp, choices))
        return false;
    gp_extend(gp, n);
    return true;
}

double gp_blur(const struct gp *gp, double stddev)
{
    return stddev * stddev / gp->variance;
}

/* More noise in a row shrinks its z and its w by the same factor, and their product, the row's part of the mean, by the
 * ratio of the squared diagonals. */
void gp_note(struct gp *gp, size_t row, double y, double stddev)
{
    double diagonal = gp->l[row * gp->room + row], blur = gp_blur(gp, stddev), more = blur - gp->blur[row];
    gp->pending[row] = false;
    gp->y[row] = y;
    gp->blur[row] = blur;
    gp->share[row] = diagonal * diagonal / (diagonal * diagonal + more);
}

void gp_observe(struct gp *gp, size_t row, double y, double stddev)
{
    gp_note(gp, row, y, stddev);
    gp_update(gp, row);
}

double gp_variance(const struct gp *gp, double sum, size_t observed)
{
    double rows = (double)observed + gp->guess_rows;
    return fmax((sum + gp->guess * gp->guess_rows) / fmax(rows, 1), 1e-12);
}

bool gp_refactor(struct gp *gp)
{
    size_t width = gp->encoding->count, observed = 0;
    for (size_t i = 0; i < gp->count; i++) {
        double *row = gp->l + i * gp->room;
        correlate(gp, gp->choices + i * width, i, row);
        row[i] = 1 + gp->noise + gp->blur[i];
        gp->share[i] = 1;
    }
    if (!cholesky_factor(gp->l, gp->room, gp->count, NULL))
        return false;
    gp_update(gp, 0);
    double sum = 0;
    for (size_t i = 0; i < gp->count; i++) {
        sum += gp->z[i] * gp->z[i];
        observed += !gp->pending[i];
    }
    gp->variance = gp_variance(gp, sum, observed);
    return true;
}

void gp_predict(const struct gp *gp, const uint32_t *choices, double *mean, double *variance)
{
    double *k = malloc((gp->count + 1) * sizeof *k);
    *mean = gp->mean;
    *variance = gp->variance;
    if (!k)
        return;
    correlate(gp, choices, gp->count, k);
    *variance *= fmax(1 - solve(gp, k, gp->count), 0);
    for (size_t i = 0; i < gp->count; i++)
        *mean += k[i] * gp->z[i];
    free(k);
}
