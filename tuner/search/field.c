#include "search/field.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "search/float.h"

enum { GROUP_CODES_MAX = 2048, PANEL = 4, STRIP = 32 };

int field_open(struct field *field, const struct encoding *encoding, size_t count, struct error *error)
{
    size_t d = 0;
    bool whole = true;
    *field = (struct field){.encoding = encoding, .count = count};
    field->blocks = (count + FIELD_BLOCK - 1) / FIELD_BLOCK;
    field->padded = field->blocks * FIELD_BLOCK;
    while (d < encoding->count) {
        struct field_group *group = &field->groups[field->group_count++];
        *group = (struct field_group){.first = d, .size = encoding->dimensions[d].values};
        for (d++; d < encoding->count && group->size * encoding->dimensions[d].values <= GROUP_CODES_MAX; d++)
            group->size *= encoding->dimensions[d].values;
        group->count = d - group->first;
        group->codes = calloc(field->padded + 1, sizeof *group->codes);
        whole = whole && group->codes;
        field->table_count += group->size;
    }
    field->table_count *= 2;
    field->mean = calloc(4 * field->padded + 1, sizeof *field->mean);
    field->rows_in = calloc(field->blocks + 1, sizeof *field->rows_in);
    field->tops = calloc(field->blocks + 1, sizeof *field->tops);
    if (!whole || !field->mean || !field->rows_in || !field->tops) {
        field_close(field);
        return error_memory(error);
    }
    field->variance = field->mean + field->padded;
    field->near = field->variance + field->padded;
    field->near_failed = field->near + field->padded;
    return 0;
}

void field_close(struct field *field)
{
    for (size_t g = 0; g < field->group_count; g++)
        free(field->groups[g].codes);
    free(field->tables);
    free(field->w);
    free(field->applied);
    free(field->factor);
    free(field->failed);
    free(field->rows_in);
    free(field->tops);
    free(field->mean);
    memset(field, 0, sizeof *field);
}

void field_place(struct field *field, size_t candidate, const uint32_t *choices)
{
    for (size_t g = 0; g < field->group_count; g++) {
        struct field_group *group = &field->groups[g];
        uint32_t code = 0;
        for (size_t d = group->first + group->count; d-- > group->first;)
            code = code * field->encoding->dimensions[d].values + choices[d];
        group->codes[candidate] = (uint16_t)code;
    }
}

/* Room for `rows` rows; what is there is lost unless `keep`, the tables and the factor in any case. */
static bool reserve(struct field *field, size_t rows, bool keep)
{
    if (rows <= field->row_room)
        return true;
    size_t room = rows + rows / 2 + 64, old = field->row_room;
    float *w = malloc(field->padded * room * sizeof *w);
    float *tables = malloc(room * field->table_count * sizeof *tables + 1);
    float *applied = malloc(room * sizeof *applied), *factor = malloc(room * room * sizeof *factor);
    bool *failed = malloc(room * sizeof *failed);
    bool whole = w && tables && applied && factor && failed;
    if (whole && keep && old) {
        for (size_t b = 0; b < field->blocks; b++)
            memcpy(w + b * room * FIELD_BLOCK, field->w + b * old * FIELD_BLOCK,
                   field->rows_in[b] * FIELD_BLOCK * sizeof *w);
        memcpy(applied, field->applied, field->row_count * sizeof *applied);
        memcpy(failed, field->failed, field->row_count * sizeof *failed);
    }
    free(whole ? field->w : w);
    free(whole ? field->tables : tables);
    free(whole ? field->applied : applied);
    free(whole ? field->factor : factor);
    free(whole ? field->failed : failed);
    if (!whole)
        return false;
    field->w = w;
    field->tables = tables;
    field->applied = applied;
    field->factor = factor;
    field->failed = failed;
    field->row_room = room;
    return true;
}

static double scaled(const struct gp *gp, const struct dimension *dimension, uint32_t a, uint32_t b)
{
    double sum = 0;
    for (size_t f = dimension->first_feature; f < dimension->first_feature + dimension->feature_count; f++)
        sum += feature_squared(&gp->encoding->features[f], a, b) * gp->inverse[f];
    return sum;
}

/* Squared scaled distances of every value of every group to row `row` of the process. */
static void fill_table(const struct field *field, const struct gp *gp, size_t row, float *table)
{
    float *rough = table + field->table_count / 2;
    const uint32_t *choices = gp->choices + row * field->encoding->count;
    for (size_t g = 0; g < field->group_count; g++) {
        const struct field_group *group = &field->groups[g];
        uint32_t size = 1;
        table[0] = rough[0] = 0;
        for (size_t d = group->first; d < group->first + group->count; d++) {
            const struct dimension *dimension = &field->encoding->dimensions[d];
            for (uint32_t v = dimension->values; v-- > 0;) {
                float add = (float)scaled(gp, dimension, choices[d], v);
                float differ = d >= field->encoding->parameters || choices[d] == v ? 0 : (float)GP_ROUGH_DECAY;
                for (uint32_t c = 0; c < size; c++) {
                    table[v * size + c] = table[c] + add;
                    rough[v * size + c] = rough[c] + differ;
                }
            }
            size *= dimension->values;
        }
        table += group->size;
        rough += group->size;
    }
}

/* The correlations of a block's candidates with a row. */
FLOAT_WIDE static void correlate(const struct field *field, size_t block, const float *table, float rough, float *k)
{
    float h[FIELD_BLOCK];
    for (size_t g = 0; g < field->group_count; g++) {
        const uint16_t *codes = field->groups[g].codes + block * FIELD_BLOCK;
        for (size_t c = 0; c < FIELD_BLOCK; c++)
            k[c] = (g ? k[c] : 0) + table[codes[c]], h[c] = (g ? h[c] : 0) + table[codes[c] + field->table_count / 2];
        table += field->groups[g].size;
    }
    for (size_t c = 0; c < FIELD_BLOCK; c++) {
        float r = sqrtf(5 * k[c]);
        k[c] = (1 - rough) * (1 + r + r * r * (1.0f / 3)) * float_exp(-r) + rough * float_exp(-h[c]);
    }
}

/* Takes from one strip of PANEL rows what the first `count` rows explain of them. The sums stay in registers. */
FLOAT_INLINE void eliminate_panel(float *rows, const float *w, const float *factor, size_t stride, size_t count)
{
    float sums[PANEL][STRIP];
    for (size_t i = 0; i < PANEL; i++)
        for (size_t x = 0; x < STRIP; x++)
            sums[i][x] = rows[i * FIELD_BLOCK + x];
    for (size_t j = 0; j < count; j++)
        for (size_t i = 0; i < PANEL; i++) {
            float l = factor[i * stride + j];
            for (size_t x = 0; x < STRIP; x++)
                sums[i][x] -= l * w[j * FIELD_BLOCK + x];
        }
    for (size_t i = 0; i < PANEL; i++)
        for (size_t x = 0; x < STRIP; x++)
            rows[i * FIELD_BLOCK + x] = sums[i][x];
}

/* One row of a block, less what the rows from `from` on before it explain of it, over its diagonal. Four of them are
 * read at a time: the row is then loaded and stored less often. */
FLOAT_INLINE void eliminate_row(float *w, const float *l, size_t from, size_t i)
{
    float *row = w + i * FIELD_BLOCK, scale = 1 / l[i];
    size_t j = from;
    for (; j + PANEL <= i; j += PANEL) {
        const float *a = w + j * FIELD_BLOCK, *b = a + FIELD_BLOCK, *c = b + FIELD_BLOCK, *d = c + FIELD_BLOCK;
        for (size_t x = 0; x < FIELD_BLOCK; x++)
            row[x] = (((row[x] - l[j] * a[x]) - l[j + 1] * b[x]) - l[j + 2] * c[x]) - l[j + 3] * d[x];
    }
    for (; j < i; j++)
        for (size_t x = 0; x < FIELD_BLOCK; x++)
            row[x] -= l[j] * w[j * FIELD_BLOCK + x];
    for (size_t x = 0; x < FIELD_BLOCK; x++)
        row[x] *= scale;
}

/* Rows `first` .. `end` - 1 of a block, whose correlations are in place, less what the rows before each explain of
 * it. */
FLOAT_WIDE static void eliminate(float *w, const float *factor, size_t stride, size_t first, size_t end)
{
    for (; first + PANEL <= end; first += PANEL) {
        for (size_t x = 0; x < FIELD_BLOCK; x += STRIP)
            eliminate_panel(w + first * FIELD_BLOCK + x, w + x, factor + first * stride, stride, first);
        for (size_t i = first; i < first + PANEL; i++)
            eliminate_row(w, factor + i * stride, first, i);
    }
    for (; first < end; first++)
        eliminate_row(w, factor + first * stride, 0, first);
}

FLOAT_WIDE static void add_scaled(float *sum, const float *row, float scale)
{
    for (size_t x = 0; x < FIELD_BLOCK; x++)
        sum[x] += scale * row[x];
}

FLOAT_WIDE static void subtract_squares(float *sum, const float *row)
{
    for (size_t x = 0; x < FIELD_BLOCK; x++)
        sum[x] -= row[x] * row[x];
}

/* Adds a row's correlations to the sums of the rows that failed, in the blocks that have the row. */
static void count_failure(struct field *field, const struct gp *gp, size_t row)
{
    float k[FIELD_BLOCK];
    field->failed[row] = true;
    for (size_t b = 0; b < field->blocks; b++) {
        if (field->rows_in[b] <= row)
            continue;
        correlate(field, b, field->tables + row * field->table_count, (float)gp->rough, k);
        add_scaled(field->near_failed + b * FIELD_BLOCK, k, 1);
    }
}

/* Moves the mean of the blocks that have the row to the z that it has now. */
static void apply_z(struct field *field, const struct gp *gp, size_t row)
{
    float change = (float)gp->z[row] - field->applied[row];
    field->applied[row] = (float)gp->z[row];
    for (size_t b = 0; b < field->blocks && change != 0; b++)
        if (field->rows_in[b] > row)
            add_scaled(field->mean + b * FIELD_BLOCK, field->w + (b * field->row_room + row) * FIELD_BLOCK, change);
}

static void read_row(struct field *field, const struct gp *gp, size_t row)
{
    for (size_t j = 0; j <= row; j++)
        field->factor[row * field->row_room + j] = (float)gp->l[row * gp->room + j];
    fill_table(field, gp, row, field->tables + row * field->table_count);
}

bool field_update(struct field *field, const struct gp *gp, const bool *failed)
{
    size_t room = field->row_room, had = field->row_count;
    if (!reserve(field, gp->count, had > 0))
        return false;
    for (size_t row = field->row_room == room ? had : 0; row < gp->count; row++)
        read_row(field, gp, row);
    for (size_t row = had; row < gp->count; row++) {
        field->failed[row] = false;
        field->applied[row] = 0;
    }
    field->row_count = gp->count;
    for (size_t row = 0; row < gp->count; row++) {
        apply_z(field, gp, row);
        if (failed[row] && !field->failed[row])
            count_failure(field, gp, row);
    }
    return true;
}

void field_catch_up(struct field *field, const struct gp *gp, size_t block)
{
    float *w = field->w + block * field->row_room * FIELD_BLOCK;
    size_t at = block * FIELD_BLOCK, from = field->rows_in[block];
    for (size_t row = from; row < field->row_count; row++) {
        float *k = w + row * FIELD_BLOCK;
        correlate(field, block, field->tables + row * field->table_count, (float)gp->rough, k);
        add_scaled(field->near + at, k, 1);
        if (field->failed[row])
            add_scaled(field->near_failed + at, k, 1);
    }
    eliminate(w, field->factor, field->row_room, from, field->row_count);
    for (size_t row = from; row < field->row_count; row++) {
        subtract_squares(field->variance + at, w + row * FIELD_BLOCK);
        add_scaled(field->mean + at, w + row * FIELD_BLOCK, field->applied[row]);
    }
    field->rows_in[block] = field->row_count;
}

double field_behind(const struct field *field, size_t block)
{
    double sum = 0;
    for (size_t row = field->rows_in[block]; row < field->row_count; row++)
        sum += (double)field->applied[row] * field->applied[row];
    return sqrt(sum);
}

bool field_rebuild(struct field *field, const struct gp *gp, const bool *failed)
{
    memset(field->mean, 0, 4 * field->padded * sizeof *field->mean);
    memset(field->rows_in, 0, field->blocks * sizeof *field->rows_in);
    for (size_t i = 0; i < field->padded; i++)
        field->variance[i] = 1;
    field->row_count = 0;
    if (!field_update(field, gp, failed))
        return false;
    for (size_t b = 0; b < field->blocks; b++)
        field_catch_up(field, gp, b);
    return true;
}
