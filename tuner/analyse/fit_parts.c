#include "analyse/fit_parts.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* SWEEPS: over all parts; five times as many tell no more of held-out sizes of recorded kernels. PARTS_MOST: with more,
 * those of vectors are left out, which happens from six sizes on. */
enum { SWEEPS = 200, VECTORS = 2, FLAGS_MOST = 8, PARTS_MOST = 400 };
/* Odd sizes cannot be read in words of two elements, and others not in the widest. With 4 between them, parts tell less
 * of held-out sizes of recorded kernels. */
static const int64_t vectors[VECTORS] = {2, 8};
const int fit_waves[FIT_WAVES] = {1, 2, 4};
/* Relative to the sum of squares of a part. */
static const double ridge = 1e-4;

size_t fit_varying(const struct fit_table *table, size_t *varying)
{
    size_t count = 0;
    for (size_t n = 0; n < table->name_count; n++) {
        bool varies = false;
        for (size_t s = 1; s < table->size_count && !varies; s++)
            varies = table->sizes[s * table->name_count + n] != table->sizes[n];
        if (varies)
            varying[count++] = n;
    }
    return count;
}

struct parts {
    const struct fit_table *table;
    const double *blocks;
    size_t configuration;
    size_t varying[SIZE_FIT_SIZES_MAX], count;      /* sizes that differ anywhere */
    const struct size_condition *flags[FLAGS_MOST]; /* of the configuration's traits, those that are 0 or 1 */
    size_t flag_count;
    size_t amounts, total; /* of work; with those that count once more */
    const size_t *sizes;   /* at which there are times */
    size_t known;
    double *columns; /* amounts over times: `known` per part, the greatest 1 */
    double *scales;  /* by part; 0: it is nowhere */
    double *squares; /* products of columns, total x total */
    double *weights, *slopes;
};

static void parts_close(struct parts *parts)
{
    free(parts->columns);
    free(parts->scales);
    free(parts->squares);
    free(parts->weights);
}

static double size_of(const struct parts *parts, size_t size, size_t i)
{
    int64_t number = parts->table->sizes[size * parts->table->name_count + parts->varying[i]];
    return number > 1 ? (double)number : 1;
}

/* Something that is always there, each size, products of two and of all, and waves of blocks alone and times each size.
 * Returns how many these are. */
static size_t find_amounts(const struct parts *parts, size_t size, double *amounts)
{
    const struct fit_table *table = parts->table;
    size_t next = 0;
    double all = 1, blocks = parts->blocks[size * table->configuration_count + parts->configuration];
    amounts[next++] = 1;
    for (size_t i = 0; i < parts->count; i++) {
        double number = size_of(parts, size, i);
        all *= number;
        amounts[next++] = number;
        for (size_t j = 0; j < i; j++)
            amounts[next++] = number * size_of(parts, size, j);
    }
    if (parts->count > 2)
        amounts[next++] = all;
    for (size_t w = 0; w < FIT_WAVES; w++) {
        double waves = table->sm_count > 0 ? ceil(blocks / table->sm_count / fit_waves[w]) : 1;
        amounts[next++] = waves;
        for (size_t i = 0; i < parts->count; i++)
            amounts[next++] = waves * size_of(parts, size, i);
    }
    return next;
}

/* Writes the amounts once more if that is so; returns how many these are. */
static size_t repeat(const struct parts *parts, bool once_more, double *amounts, size_t next)
{
    for (size_t a = 0; a < parts->amounts; a++)
        amounts[next + a] = once_more ? amounts[a] : 0;
    return parts->amounts;
}

/* The amounts, and then the same wherever a size is no multiple of a vector, or a flag is set. */
static void find_all(const struct parts *parts, size_t size, double *amounts)
{
    const int64_t *sizes = parts->table->sizes + size * parts->table->name_count;
    size_t next = find_amounts(parts, size, amounts);
    for (size_t i = 0; i < parts->count && next < parts->total; i++)
        for (size_t v = 0; v < VECTORS; v++)
            next += repeat(parts, sizes[parts->varying[i]] % vectors[v] != 0, amounts, next);
    for (size_t f = 0; f < parts->flag_count && next < parts->total; f++)
        next += repeat(parts, size_condition_value(parts->flags[f], sizes) != 0, amounts, next);
}

static double time_at(const struct parts *parts, size_t size)
{
    return parts->table->times[size * parts->table->configuration_count + parts->configuration];
}

/* What is 0 at some sizes of the table, and 1 at the others. */
static bool is_flag(const struct fit_table *table, const struct size_condition *trait)
{
    bool found[2] = {false, false}, other = false;
    for (size_t s = 0; s < table->size_count && trait && !other; s++) {
        int64_t value = size_condition_value(trait, table->sizes + s * table->name_count);
        other = value < 0 || value > 1;
        found[value == 1] = true;
    }
    return found[0] && found[1] && !other;
}

static bool parts_open(struct parts *parts)
{
    double amounts[PARTS_MOST];
    parts->count = fit_varying(parts->table, parts->varying);
    parts->amounts = find_amounts(parts, 0, amounts);
    while (parts->amounts * (1 + VECTORS * parts->count + parts->flag_count) > PARTS_MOST && parts->flag_count)
        parts->flag_count--;
    parts->total = parts->amounts * (1 + VECTORS * parts->count + parts->flag_count);
    if (parts->total > PARTS_MOST)
        parts->total = parts->amounts;
    parts->columns = calloc(parts->total * (parts->known + 1), sizeof *parts->columns);
    parts->scales = calloc(parts->total, sizeof *parts->scales);
    parts->squares = calloc(parts->total * parts->total, sizeof *parts->squares);
    parts->weights = calloc(2 * parts->total, sizeof *parts->weights);
    if (!parts->columns || !parts->scales || !parts->squares || !parts->weights)
        return false;
    parts->slopes = parts->weights + parts->total;
    return true;
}

/* The columns, and their products with each other and with a time of 1. */
static void fill_columns(struct parts *parts)
{
    double amounts[PARTS_MOST];
    size_t known = parts->known;
    for (size_t i = 0; i < known; i++) {
        find_all(parts, parts->sizes[i], amounts);
        for (size_t p = 0; p < parts->total; p++) {
            double relative = amounts[p] / time_at(parts, parts->sizes[i]);
            parts->columns[p * known + i] = relative;
            parts->scales[p] = fmax(parts->scales[p], relative);
        }
    }
    for (size_t p = 0; p < parts->total; p++) {
        double *column = parts->columns + p * known;
        for (size_t i = 0; i < known && parts->scales[p] > 0; i++) {
            column[i] /= parts->scales[p];
            parts->slopes[p] += column[i];
        }
        for (size_t q = 0; q <= p; q++) {
            double sum = 0;
            for (size_t i = 0; i < known; i++)
                sum += column[i] * parts->columns[q * known + i];
            parts->squares[p * parts->total + q] = parts->squares[q * parts->total + p] = sum;
        }
    }
}

/* Each weight in turn becomes the best one beside the others. */
static void find_weights(struct parts *parts)
{
    size_t total = parts->total;
    for (size_t turn = 0; turn < SWEEPS * total; turn++) {
        size_t p = turn % total;
        const double *squares = parts->squares + p * total;
        double before = parts->weights[p], curvature = squares[p] * (1 + ridge);
        if (squares[p] <= 0)
            continue;
        double after = fmax(before + (parts->slopes[p] - ridge * squares[p] * before) / curvature, 0);
        if (after == before)
            continue;
        parts->weights[p] = after;
        for (size_t q = 0; q < total; q++)
            parts->slopes[q] -= (after - before) * squares[q];
    }
}

static double sum_at(const struct parts *parts, size_t size)
{
    double amounts[PARTS_MOST], sum = 0;
    find_all(parts, size, amounts);
    for (size_t p = 0; p < parts->total; p++)
        sum += parts->weights[p] > 0 ? parts->weights[p] * amounts[p] / parts->scales[p] : 0;
    return sum;
}

int fit_parts_expect(const struct fit_table *table, const double *blocks, size_t configuration,
                     const struct size_condition *const *traits, const size_t *sizes, size_t count, double *expected,
                     struct error *error)
{
    size_t *with_times = malloc((count + 1) * sizeof *with_times);
    struct parts parts = {.table = table, .blocks = blocks, .configuration = configuration, .sizes = with_times};
    for (size_t i = 0; i < count && with_times; i++)
        if (isfinite(time_at(&parts, sizes[i])))
            with_times[parts.known++] = sizes[i];
    for (size_t t = 0; t < table->trait_count && parts.flag_count < FLAGS_MOST; t++)
        if (is_flag(table, traits[t]))
            parts.flags[parts.flag_count++] = traits[t];
    bool opened = with_times && parts_open(&parts);
    if (opened) {
        fill_columns(&parts);
        find_weights(&parts);
        for (size_t s = 0; s < table->size_count; s++) {
            double sum = sum_at(&parts, s);
            expected[s] = sum > 0 ? log(sum) : 0;
        }
    }
    parts_close(&parts);
    free(with_times);
    return opened ? 0 : error_memory(error);
}
