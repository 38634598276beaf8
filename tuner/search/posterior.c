#include "search/posterior.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/float.h"

enum { GROUP_CODES_MAX = 2048, PANEL = 4, STRIP = 64, STRIPS = POSTERIOR_BLOCK / STRIP };

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
    posterior->feasible = posterior->doubt + posterior->padded;
    for (size_t i = 0; i < posterior->padded; i++)
        posterior->feasible[i] = 1;
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

/* Computes the feasibility of a block's candidates: the probability that no cause of failure applies. */
static void set_feasible(struct posterior *posterior, size_t block)
{
    size_t at = block * POSTERIOR_BLOCK;
    const float *table = posterior->causes;
    for (size_t i = at; i < at + POSTERIOR_BLOCK; i++)
        posterior->feasible[i] = 1;
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
            posterior->feasible[at + c] *= 1 - fminf(fmaxf(failing[c], 0), POSTERIOR_SURE);
    }
}

void posterior_clear(struct posterior *posterior, size_t block)
{
    for (size_t i = block * POSTERIOR_BLOCK; i < (block + 1) * POSTERIOR_BLOCK; i++) {
        posterior->near[i] = posterior->near_failed[i] = 0;
        posterior->mean[i] = posterior->prior[i];
        posterior->variance[i] = 1 + posterior->doubt[i];
    }
    set_feasible(posterior, block);
    posterior->rows_in[block] = 0;
    posterior->tops[block].current = false;
}

/* Makes room for `rows` rows. Loses the results of read_row, and without `keep` the rest, too. */
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
        for (size_t s = 0; s < posterior->blocks * STRIPS; s++)
            memcpy(w + s * room * STRIP, posterior->w + s * old * STRIP,
                   posterior->rows_in[s / STRIPS] * STRIP * sizeof *w);
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

/* Sums `effects`, by dimension and value, for every code of every group. */
static void fill_sums(const struct posterior *posterior, const double *effects, float *table)
{
    for (size_t g = 0; g < posterior->group_count; g++) {
        const struct posterior_group *group = &posterior->groups[g];
        uint32_t size = 1;
        table[0] = 0;
        for (size_t d = group->first; d < group->first + group->count; d++) {
            uint32_t values = posterior->encoding->dimensions[d].values;
            for (uint32_t v = values; v-- > 0;)
                for (uint32_t c = 0; c < size; c++)
                    table[v * size + c] = table[c] + (float)effects[v];
            size *= values;
            effects += values;
        }
        table += group->size;
    }
}

/* Marks the acquisitions of all blocks as outdated. */
static void outdate(struct posterior *posterior)
{
    for (size_t b = 0; b < posterior->blocks; b++)
        posterior->tops[b].current = false;
}

bool posterior_set_effort(struct posterior *posterior, const double *effects)
{
    free(posterior->effort);
    posterior->effort = effects ? malloc((posterior->code_count + 1) * sizeof *posterior->effort) : NULL;
    outdate(posterior);
    if (posterior->effort)
        fill_sums(posterior, effects, posterior->effort);
    return !effects || posterior->effort;
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
    fill_sums(posterior, effects, causes + 1);
    return true;
}

/* Sums, for a strip of a block, the squared scaled distances to a row and the number of differing parameters. The sums
 * stay in registers. */
FLOAT_INLINE void compare_strip(const struct gp *gp, const float *positions, const float *at, float *squared,
                                float *differ)
{
    const struct encoding *encoding = gp->encoding;
    float sum[STRIP] = {0}, count[STRIP] = {0};
    for (size_t d = 0; d < encoding->count; d++) {
        const struct dimension *dimension = &encoding->dimensions[d];
        size_t first = dimension->first_feature, end = first + dimension->feature_count;
        float counts = d < encoding->count ? 1 : 0;
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
    float differ[POSTERIOR_BLOCK], decay = (float)GP_ROUGH_DECAY, parameters = (float)gp->encoding->count;
    float matern = (float)gp_share(gp, GP_PARTS), rough = (float)gp_share(gp, GP_ROUGH);
    float additive = (float)gp_share(gp, GP_ADDITIVE), step = additive / parameters;
    for (size_t x = 0; x < POSTERIOR_BLOCK; x += STRIP)
        compare_strip(gp, positions + x, at, k + x, differ + x);
    for (size_t c = 0; c < POSTERIOR_BLOCK; c++) {
        float r = sqrtf(5 * k[c]);
        k[c] = matern * (1 + r + r * r * (1.0f / 3)) * float_exp(-r) + rough * float_exp(-decay * differ[c]) +
               (additive - step * differ[c]);
    }
}

static const float *row_of(const struct posterior *posterior, size_t row)
{
    return posterior->row_positions + row * posterior->encoding->feature_count;
}

FLOAT_WIDE static void add_scaled(float *sum, const float *row, float scale, size_t count)
{
    for (size_t x = 0; x < count; x++)
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
        add_scaled(mean, k, (float)alpha[row], POSTERIOR_BLOCK);
    }
}

/* Subtracts from rows `first` .. `first + rows - 1` of a strip, which hold correlations, the part that the rows before
 * each explain, and divides each by its diagonal. The sums stay in registers: `rows` is a constant. */
FLOAT_INLINE void eliminate_panel(float *w, const float *factor, size_t stride, size_t first, size_t rows)
{
    float sums[PANEL][STRIP];
    factor += first * stride;
    for (size_t i = 0; i < rows; i++)
        for (size_t x = 0; x < STRIP; x++)
            sums[i][x] = w[(first + i) * STRIP + x];
    for (size_t j = 0; j < first; j++)
        for (size_t i = 0; i < rows; i++) {
            float l = factor[i * stride + j];
            for (size_t x = 0; x < STRIP; x++)
                sums[i][x] -= l * w[j * STRIP + x];
        }
    for (size_t i = 0; i < rows; i++) {
        const float *l = factor + i * stride + first;
        float scale = 1 / l[i];
        for (size_t j = 0; j < i; j++)
            for (size_t x = 0; x < STRIP; x++)
                sums[i][x] -= l[j] * sums[j][x];
        for (size_t x = 0; x < STRIP; x++)
            w[(first + i) * STRIP + x] = sums[i][x] *= scale;
    }
}

/* The same for rows `first` .. `end` - 1. */
FLOAT_WIDE static void eliminate(float *w, const float *factor, size_t stride, size_t first, size_t end)
{
    for (; first + PANEL <= end; first += PANEL)
        eliminate_panel(w, factor, stride, first, PANEL);
    for (; first + 2 <= end; first += 2)
        eliminate_panel(w, factor, stride, first, 2);
    if (first < end)
        eliminate_panel(w, factor, stride, first, 1);
}

/* Adds rows `first` .. `end` - 1 of a strip to its mean and variance. */
FLOAT_WIDE static void apply(const float *w, const float *z, size_t first, size_t end, float *mean, float *variance)
{
    for (size_t row = first; row < end; row++)
        for (size_t x = 0; x < STRIP; x++) {
            mean[x] += z[row] * w[row * STRIP + x];
            variance[x] -= w[row * STRIP + x] * w[row * STRIP + x];
        }
}

/* Returns the rows of a strip of a block. */
static float *strip_of(const struct posterior *posterior, size_t block, size_t strip)
{
    return posterior->w + (block * STRIPS + strip) * posterior->row_room * STRIP;
}

/* Adds a failed row's correlations to the sums of failed rows, in the blocks with the row. */
static void count_failure(struct posterior *posterior, const struct gp *gp, size_t row)
{
    float k[POSTERIOR_BLOCK];
    posterior->failed[row] = true;
    for (size_t b = 0; b < posterior->blocks; b++) {
        if (posterior->rows_in[b] <= row)
            continue;
        correlate(posterior, gp, b, row_of(posterior, row), k);
        add_scaled(posterior->near_failed + b * POSTERIOR_BLOCK, k, 1, POSTERIOR_BLOCK);
    }
}

/* Updates the mean of the blocks with the row to its current z. */
static void apply_z(struct posterior *posterior, const struct gp *gp, size_t row)
{
    float change = (float)gp->z[row] - posterior->applied[row];
    posterior->applied[row] = (float)gp->z[row];
    for (size_t b = 0; b < posterior->blocks && change != 0; b++)
        for (size_t s = 0; s < STRIPS && posterior->rows_in[b] > row; s++)
            add_scaled(posterior->mean + b * POSTERIOR_BLOCK + s * STRIP, strip_of(posterior, b, s) + row * STRIP,
                       change, STRIP);
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
    outdate(posterior);
    for (size_t row = 0; row < gp->count; row++) {
        apply_z(posterior, gp, row);
        if (failed[row] && !posterior->failed[row])
            count_failure(posterior, gp, row);
    }
    return true;
}

void posterior_update_block(struct posterior *posterior, const struct gp *gp, size_t block)
{
    size_t at = block * POSTERIOR_BLOCK, from = posterior->rows_in[block], end = posterior->row_count;
    for (size_t row = from; row < end; row++) {
        float k[POSTERIOR_BLOCK];
        correlate(posterior, gp, block, row_of(posterior, row), k);
        add_scaled(posterior->near + at, k, 1, POSTERIOR_BLOCK);
        if (posterior->failed[row])
            add_scaled(posterior->near_failed + at, k, 1, POSTERIOR_BLOCK);
        for (size_t s = 0; s < STRIPS; s++)
            memcpy(strip_of(posterior, block, s) + row * STRIP, k + s * STRIP, STRIP * sizeof *k);
    }
    for (size_t s = 0; s < STRIPS && end > 0; s++) { // without rows, there is no memory
        float *w = strip_of(posterior, block, s);
        eliminate(w, posterior->factor, posterior->row_room, from, end);
        apply(w, posterior->applied, from, end, posterior->mean + at + s * STRIP, posterior->variance + at + s * STRIP);
    }
    posterior->rows_in[block] = end;
    posterior->tops[block].current = false;
}

double posterior_lagging(const struct posterior *posterior, size_t block)
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
        posterior_update_block(posterior, gp, b);
    return true;
}
