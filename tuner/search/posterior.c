#include "search/posterior.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "search/float.h"

enum { GROUP_CODES_MAX = 2048, PANEL = 4, STRIP = 32 };

int posterior_open(struct posterior *posterior, const struct encoding *encoding, size_t count, struct error *error)
{
    size_t d = 0;
    bool whole = true;
    *posterior = (struct posterior){.encoding = encoding, .count = count};
    posterior->blocks = (count + POSTERIOR_BLOCK - 1) / POSTERIOR_BLOCK;
    posterior->padded = posterior->blocks * POSTERIOR_BLOCK;
    while (d < encoding->count) {
        struct posterior_group *group = &posterior->groups[posterior->group_count++];
        *group = (struct posterior_group){.first = d, .size = encoding->dimensions[d].values};
        for (d++; d < encoding->count && (uint64_t)group->size * encoding->dimensions[d].values <= GROUP_CODES_MAX; d++)
            group->size *= encoding->dimensions[d].values;
        group->count = d - group->first;
        group->codes = calloc(posterior->padded + 1, sizeof *group->codes);
        whole = whole && group->codes;
        posterior->code_count += group->size;
    }
    posterior->positions = calloc(encoding->feature_count * posterior->padded + 1, sizeof *posterior->positions);
    posterior->mean = calloc(7 * posterior->padded + 1, sizeof *posterior->mean);
    posterior->rows_in = calloc(posterior->blocks + 1, sizeof *posterior->rows_in);
    posterior->tops = calloc(posterior->blocks + 1, sizeof *posterior->tops);
    if (!whole || !posterior->positions || !posterior->mean || !posterior->rows_in || !posterior->tops) {
        posterior_close(posterior);
        return error_memory(error);
    }
    posterior->variance = posterior->mean + posterior->padded;
    posterior->near = posterior->variance + posterior->padded;
    posterior->near_failed = posterior->near + posterior->padded;
    posterior->prior = posterior->near_failed + posterior->padded;
    posterior->doubt = posterior->prior + posterior->padded;
    posterior->works = posterior->doubt + posterior->padded;
    for (size_t i = 0; i < posterior->padded; i++)
        posterior->works[i] = 1;
    return 0;
}

void posterior_close(struct posterior *posterior)
{
    for (size_t g = 0; g < posterior->group_count; g++)
        free(posterior->groups[g].codes);
    free(posterior->effort);
    free(posterior->causes);
    free(posterior->positions);
    free(posterior->row_positions);
    free(posterior->w);
    free(posterior->applied);
    free(posterior->factor);
    free(posterior->failed);
    free(posterior->rows_in);
    free(posterior->tops);
    free(posterior->mean);
    memset(posterior, 0, sizeof *posterior);
}

/* Writes the position of a configuration in each feature; for words, the number of the value. */
static void locate(const struct encoding *encoding, const uint32_t *choices, float *positions)
{
    for (size_t d = 0; d < encoding->count; d++) {
        const struct dimension *dimension = &encoding->dimensions[d];
        for (size_t f = dimension->first_feature; f < dimension->first_feature + dimension->feature_count; f++) {
            const struct feature *feature = &encoding->features[f];
            positions[f] = feature->nominal ? (float)choices[d] : (float)feature->positions[choices[d]];
        }
    }
}

static float *position_of(const struct posterior *posterior, size_t feature, size_t candidate)
{
    size_t block = candidate / POSTERIOR_BLOCK;
    return posterior->positions + (block * posterior->encoding->feature_count + feature) * POSTERIOR_BLOCK +
           candidate % POSTERIOR_BLOCK;
}

void posterior_place(struct posterior *posterior, size_t candidate, const uint32_t *choices)
{
    for (size_t g = 0; g < posterior->group_count; g++) {
        struct posterior_group *group = &posterior->groups[g];
        uint32_t code = 0;
        for (size_t d = group->first + group->count; d-- > group->first;)
            code = code * posterior->encoding->dimensions[d].values + choices[d];
        group->codes[candidate] = (uint16_t)code;
    }
    float at[ENCODE_FEATURES_MAX];
    locate(posterior->encoding, choices, at);
    for (size_t f = 0; f < posterior->encoding->feature_count; f++)
        *position_of(posterior, f, candidate) = at[f];
}

/* Computes the probability that a block's candidates work: that no cause of failure applies. */
static void set_works(struct posterior *posterior, size_t block)
{
    size_t at = block * POSTERIOR_BLOCK;
    const float *table = posterior->causes;
    for (size_t i = at; i < at + POSTERIOR_BLOCK; i++)
        posterior->works[i] = 1;
    for (size_t cause = 0; cause < posterior->cause_count; cause++) {
        float failing[POSTERIOR_BLOCK], share = *table++;
        for (size_t c = 0; c < POSTERIOR_BLOCK; c++)
            failing[c] = share;
        for (size_t g = 0; g < posterior->group_count; g++) {
            const uint16_t *codes = posterior->groups[g].codes + at;
            for (size_t c = 0; c < POSTERIOR_BLOCK; c++)
                failing[c] += table[codes[c]];
            table += posterior->groups[g].size;
        }
        for (size_t c = 0; c < POSTERIOR_BLOCK; c++)
            posterior->works[at + c] *= 1 - fminf(fmaxf(failing[c], 0), POSTERIOR_SURE);
    }
}

void posterior_clear(struct posterior *posterior, size_t block)
{
    for (size_t i = block * POSTERIOR_BLOCK; i < (block + 1) * POSTERIOR_BLOCK; i++) {
        posterior->near[i] = posterior->near_failed[i] = 0;
        posterior->mean[i] = posterior->prior[i];
        posterior->variance[i] = 1 + posterior->doubt[i];
    }
    set_works(posterior, block);
    posterior->rows_in[block] = 0;
}

/* Makes room for `rows` rows. What read_row reads is lost, and the rest unless `keep`. */
static bool reserve(struct posterior *posterior, size_t rows, bool keep)
{
    if (rows <= posterior->row_room)
        return true;
    size_t room = rows + rows / 2 + 64, old = posterior->row_room;
    float *w = malloc(posterior->padded * room * sizeof *w);
    float *row_positions = malloc(room * posterior->encoding->feature_count * sizeof *row_positions + 1);
    float *applied = malloc(room * sizeof *applied), *factor = malloc(room * room * sizeof *factor);
    bool *failed = malloc(room * sizeof *failed);
    bool whole = w && row_positions && applied && factor && failed;
    if (whole && keep && old) {
        for (size_t b = 0; b < posterior->blocks; b++)
            memcpy(w + b * room * POSTERIOR_BLOCK, posterior->w + b * old * POSTERIOR_BLOCK,
                   posterior->rows_in[b] * POSTERIOR_BLOCK * sizeof *w);
        memcpy(applied, posterior->applied, posterior->row_count * sizeof *applied);
        memcpy(failed, posterior->failed, posterior->row_count * sizeof *failed);
    }
    free(whole ? posterior->w : w);
    free(whole ? posterior->row_positions : row_positions);
    free(whole ? posterior->applied : applied);
    free(whole ? posterior->factor : factor);
    free(whole ? posterior->failed : failed);
    if (!whole)
        return false;
    posterior->w = w;
    posterior->row_positions = row_positions;
    posterior->applied = applied;
    posterior->factor = factor;
    posterior->failed = failed;
    posterior->row_room = room;
    return true;
}

/* Fills the sums of `effects`, by dimension and value, of every code of every group. `relative`: to the least of each
 * dimension, so that none is negative. */
static void fill_sums(const struct posterior *posterior, const double *effects, bool relative, float *table)
{
    for (size_t g = 0; g < posterior->group_count; g++) {
        const struct posterior_group *group = &posterior->groups[g];
        uint32_t size = 1;
        table[0] = 0;
        for (size_t d = group->first; d < group->first + group->count; d++) {
            uint32_t values = posterior->encoding->dimensions[d].values;
            double least = INFINITY;
            for (uint32_t v = 0; v < values; v++)
                least = fmin(least, effects[v]);
            for (uint32_t v = values; v-- > 0;)
                for (uint32_t c = 0; c < size; c++)
                    table[v * size + c] = table[c] + (float)(effects[v] - (relative ? least : 0));
            size *= values;
            effects += values;
        }
        table += group->size;
    }
}

bool posterior_set_effort(struct posterior *posterior, const double *effects)
{
    if (!posterior->effort)
        posterior->effort = malloc((posterior->code_count + 1) * sizeof *posterior->effort);
    if (posterior->effort)
        fill_sums(posterior, effects, true, posterior->effort);
    return posterior->effort != NULL;
}

bool posterior_add_cause(struct posterior *posterior, double share, const double *effects)
{
    size_t width = 1 + posterior->code_count;
    float *causes = realloc(posterior->causes, (posterior->cause_count + 1) * width * sizeof *causes);
    if (!causes)
        return false;
    posterior->causes = causes;
    causes += posterior->cause_count++ * width;
    causes[0] = (float)share;
    fill_sums(posterior, effects, false, causes + 1);
    return true;
}

/* Adds up, for a strip of a block, the squared scaled distances to a row and the number of differing parameters. The
 * sums stay in registers. */
FLOAT_INLINE void compare_strip(const struct gp *gp, const float *positions, const float *at, float *squared,
                                float *differ)
{
    const struct encoding *encoding = gp->encoding;
    float sum[STRIP] = {0}, count[STRIP] = {0};
    for (size_t d = 0; d < encoding->count; d++) {
        const struct dimension *dimension = &encoding->dimensions[d];
        size_t first = dimension->first_feature, end = first + dimension->feature_count;
        float counts = d < encoding->parameters ? 1 : 0;
        for (size_t x = 0; x < STRIP; x++)
            count[x] += positions[first * POSTERIOR_BLOCK + x] != at[first] ? counts : 0;
        for (size_t f = first; f < end; f++) {
            const float *here = positions + f * POSTERIOR_BLOCK;
            float there = at[f], inverse = (float)gp->inverse[f];
            if (encoding->features[f].nominal)
                for (size_t x = 0; x < STRIP; x++)
                    sum[x] += here[x] != there ? inverse : 0;
            else
                for (size_t x = 0; x < STRIP; x++)
                    sum[x] += (here[x] - there) * (here[x] - there) * inverse;
        }
    }
    for (size_t x = 0; x < STRIP; x++) {
        squared[x] = sum[x];
        differ[x] = count[x];
    }
}

/* Computes the correlations of a block's candidates with a row at these positions. */
FLOAT_WIDE static void correlate(const struct posterior *posterior, const struct gp *gp, size_t block, const float *at,
                                 float *k)
{
    const float *positions = position_of(posterior, 0, block * POSTERIOR_BLOCK);
    float differ[POSTERIOR_BLOCK], rough = (float)gp->rough, decay = (float)GP_ROUGH_DECAY;
    for (size_t x = 0; x < POSTERIOR_BLOCK; x += STRIP)
        compare_strip(gp, positions + x, at, k + x, differ + x);
    for (size_t c = 0; c < POSTERIOR_BLOCK; c++) {
        float r = sqrtf(5 * k[c]);
        k[c] = (1 - rough) * (1 + r + r * r * (1.0f / 3)) * float_exp(-r) + rough * float_exp(-decay * differ[c]);
    }
}

static const float *row_of(const struct posterior *posterior, size_t row)
{
    return posterior->row_positions + row * posterior->encoding->feature_count;
}

FLOAT_WIDE static void add_scaled(float *sum, const float *row, float scale)
{
    for (size_t x = 0; x < POSTERIOR_BLOCK; x++)
        sum[x] += scale * row[x];
}

void posterior_smooth(const struct posterior *posterior, const struct gp *gp, const double *alpha, size_t block,
                      float *mean)
{
    float k[POSTERIOR_BLOCK], at[ENCODE_FEATURES_MAX];
    for (size_t c = 0; c < POSTERIOR_BLOCK; c++)
        mean[c] = (float)gp->mean;
    for (size_t row = 0; row < gp->count; row++) {
        locate(gp->encoding, gp->choices + row * gp->encoding->count, at);
        correlate(posterior, gp, block, at, k);
        add_scaled(mean, k, (float)alpha[row]);
    }
}

/* Subtracts from a strip of PANEL rows what the first `count` rows explain of them. The sums stay in registers. */
FLOAT_INLINE void eliminate_panel(float *rows, const float *w, const float *factor, size_t stride, size_t count)
{
    float sums[PANEL][STRIP];
    for (size_t i = 0; i < PANEL; i++)
        for (size_t x = 0; x < STRIP; x++)
            sums[i][x] = rows[i * POSTERIOR_BLOCK + x];
    for (size_t j = 0; j < count; j++)
        for (size_t i = 0; i < PANEL; i++) {
            float l = factor[i * stride + j];
            for (size_t x = 0; x < STRIP; x++)
                sums[i][x] -= l * w[j * POSTERIOR_BLOCK + x];
        }
    for (size_t i = 0; i < PANEL; i++)
        for (size_t x = 0; x < STRIP; x++)
            rows[i * POSTERIOR_BLOCK + x] = sums[i][x];
}

/* Subtracts from one row of a block what the rows from `from` on before it explain, and divides by its diagonal. Reads
 * four of them at a time, so that the row is loaded and stored less often. */
FLOAT_INLINE void eliminate_row(float *w, const float *l, size_t from, size_t i)
{
    float *row = w + i * POSTERIOR_BLOCK, scale = 1 / l[i];
    size_t j = from;
    for (; j + PANEL <= i; j += PANEL) {
        const float *a = w + j * POSTERIOR_BLOCK, *b = a + POSTERIOR_BLOCK, *c = b + POSTERIOR_BLOCK,
                    *d = c + POSTERIOR_BLOCK;
        for (size_t x = 0; x < POSTERIOR_BLOCK; x++)
            row[x] = (((row[x] - l[j] * a[x]) - l[j + 1] * b[x]) - l[j + 2] * c[x]) - l[j + 3] * d[x];
    }
    for (; j < i; j++)
        for (size_t x = 0; x < POSTERIOR_BLOCK; x++)
            row[x] -= l[j] * w[j * POSTERIOR_BLOCK + x];
    for (size_t x = 0; x < POSTERIOR_BLOCK; x++)
        row[x] *= scale;
}

/* Subtracts from rows `first` .. `end` - 1 of a block, which hold correlations, what the rows before each explain. */
FLOAT_WIDE static void eliminate(float *w, const float *factor, size_t stride, size_t first, size_t end)
{
    for (; first + PANEL <= end; first += PANEL) {
        for (size_t x = 0; x < POSTERIOR_BLOCK; x += STRIP)
            eliminate_panel(w + first * POSTERIOR_BLOCK + x, w + x, factor + first * stride, stride, first);
        for (size_t i = first; i < first + PANEL; i++)
            eliminate_row(w, factor + i * stride, first, i);
    }
    for (; first < end; first++)
        eliminate_row(w, factor + first * stride, 0, first);
}

FLOAT_WIDE static void subtract_squares(float *sum, const float *row)
{
    for (size_t x = 0; x < POSTERIOR_BLOCK; x++)
        sum[x] -= row[x] * row[x];
}

/* Adds a row's correlations to the sums of the failed rows, in the blocks that have the row. */
static void count_failure(struct posterior *posterior, const struct gp *gp, size_t row)
{
    float k[POSTERIOR_BLOCK];
    posterior->failed[row] = true;
    for (size_t b = 0; b < posterior->blocks; b++) {
        if (posterior->rows_in[b] <= row)
            continue;
        correlate(posterior, gp, b, row_of(posterior, row), k);
        add_scaled(posterior->near_failed + b * POSTERIOR_BLOCK, k, 1);
    }
}

/* Updates the mean of the blocks that have the row to its current z. */
static void apply_z(struct posterior *posterior, const struct gp *gp, size_t row)
{
    float change = (float)gp->z[row] - posterior->applied[row];
    posterior->applied[row] = (float)gp->z[row];
    for (size_t b = 0; b < posterior->blocks && change != 0; b++)
        if (posterior->rows_in[b] > row)
            add_scaled(posterior->mean + b * POSTERIOR_BLOCK,
                       posterior->w + (b * posterior->row_room + row) * POSTERIOR_BLOCK, change);
}

static void read_row(struct posterior *posterior, const struct gp *gp, size_t row)
{
    for (size_t j = 0; j <= row; j++)
        posterior->factor[row * posterior->row_room + j] = (float)gp->l[row * gp->room + j];
    locate(posterior->encoding, gp->choices + row * posterior->encoding->count,
           posterior->row_positions + row * posterior->encoding->feature_count);
}

bool posterior_update(struct posterior *posterior, const struct gp *gp, const bool *failed)
{
    size_t room = posterior->row_room, had = posterior->row_count;
    if (!reserve(posterior, gp->count, had > 0))
        return false;
    for (size_t row = posterior->row_room == room ? had : 0; row < gp->count; row++)
        read_row(posterior, gp, row);
    for (size_t row = had; row < gp->count; row++) {
        posterior->failed[row] = false;
        posterior->applied[row] = 0;
    }
    posterior->row_count = gp->count;
    for (size_t row = 0; row < gp->count; row++) {
        apply_z(posterior, gp, row);
        if (failed[row] && !posterior->failed[row])
            count_failure(posterior, gp, row);
    }
    return true;
}

void posterior_catch_up(struct posterior *posterior, const struct gp *gp, size_t block)
{
    float *w = posterior->w + block * posterior->row_room * POSTERIOR_BLOCK;
    size_t at = block * POSTERIOR_BLOCK, from = posterior->rows_in[block];
    for (size_t row = from; row < posterior->row_count; row++) {
        float *k = w + row * POSTERIOR_BLOCK;
        correlate(posterior, gp, block, row_of(posterior, row), k);
        add_scaled(posterior->near + at, k, 1);
        if (posterior->failed[row])
            add_scaled(posterior->near_failed + at, k, 1);
    }
    eliminate(w, posterior->factor, posterior->row_room, from, posterior->row_count);
    for (size_t row = from; row < posterior->row_count; row++) {
        subtract_squares(posterior->variance + at, w + row * POSTERIOR_BLOCK);
        add_scaled(posterior->mean + at, w + row * POSTERIOR_BLOCK, posterior->applied[row]);
    }
    posterior->rows_in[block] = posterior->row_count;
}

double posterior_behind(const struct posterior *posterior, size_t block)
{
    double sum = 0;
    for (size_t row = posterior->rows_in[block]; row < posterior->row_count; row++)
        sum += (double)posterior->applied[row] * posterior->applied[row];
    return sqrt(sum);
}

bool posterior_rebuild(struct posterior *posterior, const struct gp *gp, const bool *failed)
{
    for (size_t b = 0; b < posterior->blocks; b++)
        posterior_clear(posterior, b);
    posterior->row_count = 0;
    if (!posterior_update(posterior, gp, failed))
        return false;
    for (size_t b = 0; b < posterior->blocks; b++)
        posterior_catch_up(posterior, gp, b);
    return true;
}
