#include "analyse/importance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/forest.h"
#include "base/hash.h"
#include "base/statistics.h"

enum { SEED = 1, ROWS_PER_STRATUM = 8, TIES_MAX = 3 };
static const double tied_from = 0.2, alias_from = 0.99;

struct unseen {
    uint64_t stratum; /* its levels of the parameters tied to the permuted one */
    size_t row;
};

struct study {
    const struct comparison *comparison;
    size_t run, columns;
    struct forest_data data;
    uint8_t *levels;
    double *values, variance;
    size_t (*ties)[TIES_MAX]; /* by column: the columns tied to it, the strongest tie first */
    size_t *tie_counts;
    struct random random;
    size_t *sample, *donors; /* rows: a tree's sample; the donor of each unseen row */
    struct unseen *unseen;
    size_t unseen_count;
    uint8_t *scratch; /* one row */
    bool *in_sample;
    struct tree tree;
};

/* ---- Rows as levels ---- */

struct level_order {
    double mean;
    uint32_t value;
};

static int by_mean(const void *a, const void *b)
{
    const struct level_order *one = a, *other = b;
    if (one->mean != other->mean)
        return one->mean < other->mean ? -1 : 1;
    return one->value < other->value ? -1 : one->value > other->value;
}

/* Maps a parameter's values to levels: numbers keep their order; words are ordered by the mean of their times, as trees
 * do (Breiman et al., "Classification and Regression Trees", 1984, section 9.4). With more values than levels,
 * neighbours share a level, with about as many rows each. */
static int number_levels(struct study *study, size_t column, const size_t *rows, struct error *error)
{
    const struct comparison_parameter *parameter = &study->comparison->parameters[column];
    size_t width = study->columns, count = study->data.rows, seen = 0;
    struct level_order *order = calloc(parameter->value_count + 1, sizeof *order);
    size_t *counts = calloc(parameter->value_count + 1, sizeof *counts);
    uint8_t *level = calloc(parameter->value_count + 1, sizeof *level);
    int code = order && counts && level ? 0 : error_memory(error);
    for (size_t i = 0; i < count && !code; i++) {
        uint32_t value = study->comparison->choices[rows[i] * width + column];
        order[value].mean += study->values[i];
        counts[value]++;
    }
    for (uint32_t v = 0; v < parameter->value_count && !code; v++) {
        order[v].value = v;
        order[v].mean = parameter->numbers ? v : counts[v] ? order[v].mean / (double)counts[v] : INFINITY;
    }
    if (!code)
        qsort(order, parameter->value_count, sizeof *order, by_mean);
    for (uint32_t v = 0; v < parameter->value_count && !code; v++) {
        level[order[v].value] =
            (uint8_t)(parameter->value_count <= FOREST_LEVELS ? v : seen * FOREST_LEVELS / (count + 1));
        seen += counts[order[v].value];
    }
    for (size_t i = 0; i < count && !code; i++)
        study->levels[i * width + column] = level[study->comparison->choices[rows[i] * width + column]];
    free(order);
    free(counts);
    free(level);
    return code;
}

/* Chooses the rows for learning, at random if there are too many; returns their number. */
static size_t choose_rows(struct study *study, struct importance *importance, size_t *rows)
{
    size_t kept = 0;
    for (size_t c = 0; c < study->comparison->configuration_count; c++) {
        double value;
        enum cell cell = comparison_cell(study->comparison, c, study->run, &value);
        importance->failed += cell == CELL_FAILED;
        if (!(value > 0))
            continue;
        size_t place = importance->timed++; /* reservoir sampling: Vitter 1985, algorithm R */
        if (place >= IMPORTANCE_ROWS_MAX)
            place = random_below(&study->random, importance->timed);
        else
            kept++;
        if (place < IMPORTANCE_ROWS_MAX)
            rows[place] = c;
    }
    return kept;
}

static int load(struct study *study, struct importance *importance, struct error *error)
{
    size_t width = study->columns, *rows = calloc(IMPORTANCE_ROWS_MAX, sizeof *rows);
    if (!rows)
        return error_memory(error);
    size_t count = choose_rows(study, importance, rows);
    importance->rows = count;
    study->levels = calloc(count * width + 1, sizeof *study->levels);
    study->values = calloc(count + 1, sizeof *study->values);
    study->sample = calloc(count + 1, sizeof *study->sample);
    study->unseen = calloc(count + 1, sizeof *study->unseen);
    study->donors = calloc(count + 1, sizeof *study->donors);
    study->in_sample = calloc(count + 1, sizeof *study->in_sample);
    study->scratch = calloc(width + 1, sizeof *study->scratch);
    study->ties = calloc(width + 1, sizeof *study->ties);
    study->tie_counts = calloc(width + 1, sizeof *study->tie_counts);
    int code = study->levels && study->values && study->sample && study->unseen && study->donors && study->in_sample &&
                       study->scratch && study->ties && study->tie_counts
                   ? 0
                   : error_memory(error);
    study->data = (struct forest_data){count, width, study->levels, study->values};
    for (size_t i = 0; i < count && !code; i++) {
        double value;
        comparison_cell(study->comparison, rows[i], study->run, &value);
        study->values[i] = log(objective_cost(study->comparison->objective, value));
    }
    for (size_t column = 0; column < width && !code; column++)
        code = number_levels(study, column, rows, error);
    if (!code && count) {
        double stddev = statistics_stddev(study->values, count);
        study->variance = stddev * stddev * (double)(count - 1) / (double)count;
    }
    free(rows);
    return code;
}

/* ---- Ties between parameters ---- */

/* Returns Cramer's V of two columns, corrected by Bergsma ("A bias-correction for Cramer's V and Tschuprow's T",
 * Journal of the Korean Statistical Society 42, 2013): without the correction, few rows look tied by chance. */
static double association(const struct study *study, size_t a, size_t b)
{
    size_t joint[FOREST_LEVELS][FOREST_LEVELS] = {{0}}, of_a[FOREST_LEVELS] = {0}, of_b[FOREST_LEVELS] = {0};
    size_t count = study->data.rows;
    double n = (double)count, phi = -1, a_levels = 0, b_levels = 0;
    for (size_t i = 0; i < count; i++) {
        uint8_t x = study->levels[i * study->columns + a], y = study->levels[i * study->columns + b];
        joint[x][y]++;
        of_a[x]++;
        of_b[y]++;
    }
    for (size_t x = 0; x < FOREST_LEVELS; x++) {
        a_levels += of_a[x] > 0;
        b_levels += of_b[x] > 0;
        for (size_t y = 0; y < FOREST_LEVELS; y++)
            if (joint[x][y])
                phi += (double)joint[x][y] * (double)joint[x][y] / ((double)of_a[x] * (double)of_b[y]);
    }
    phi -= (a_levels - 1) * (b_levels - 1) / (n - 1);
    a_levels -= (a_levels - 1) * (a_levels - 1) / (n - 1);
    b_levels -= (b_levels - 1) * (b_levels - 1) / (n - 1);
    double least = fmin(a_levels, b_levels) - 1;
    return phi > 0 && least > 0 ? sqrt(phi / least) : 0;
}

static void find_ties(struct study *study)
{
    for (size_t a = 0; a < study->columns; a++) {
        double strengths[TIES_MAX];
        size_t count = 0;
        for (size_t b = 0; b < study->columns; b++) {
            double strength = a == b ? 0 : association(study, a, b);
            /* Columns that always change together are not tied: neither could be permuted alone. */
            if (strength <= tied_from || strength >= alias_from)
                continue;
            size_t at = count < TIES_MAX ? count++ : TIES_MAX;
            for (; at > 0 && strength > strengths[at - 1]; at--)
                if (at < TIES_MAX) {
                    strengths[at] = strengths[at - 1];
                    study->ties[a][at] = study->ties[a][at - 1];
                }
            if (at < TIES_MAX) {
                strengths[at] = strength;
                study->ties[a][at] = b;
            }
        }
        study->tie_counts[a] = count;
    }
}

/* ---- Permutations ---- */

static int by_stratum(const void *a, const void *b)
{
    const struct unseen *one = a, *other = b;
    if (one->stratum != other->stratum)
        return one->stratum < other->stratum ? -1 : 1;
    return one->row < other->row ? -1 : one->row > other->row;
}

/* Sorts the unseen rows by the levels of the first `ties` columns tied to `column`; returns the number of strata. */
static size_t stratify(struct study *study, size_t column, size_t ties)
{
    size_t strata = 0;
    for (size_t i = 0; i < study->unseen_count; i++) {
        uint8_t key[TIES_MAX] = {0};
        for (size_t t = 0; t < ties; t++)
            key[t] = study->levels[study->unseen[i].row * study->columns + study->ties[column][t]];
        study->unseen[i].stratum = hash_u64(key, sizeof key, 0);
    }
    qsort(study->unseen, study->unseen_count, sizeof *study->unseen, by_stratum);
    for (size_t i = 0; i < study->unseen_count; i++)
        strata += i == 0 || study->unseen[i].stratum != study->unseen[i - 1].stratum;
    return strata;
}

/* Permutes rows within strata that have enough rows; drops weak ties until they do. */
static void exchange(struct study *study, size_t column)
{
    size_t ties = study->tie_counts[column], begin = 0;
    while (stratify(study, column, ties) * ROWS_PER_STRATUM > study->unseen_count && ties > 0)
        ties--;
    for (size_t i = 0; i < study->unseen_count; i++)
        study->donors[i] = study->unseen[i].row;
    for (size_t i = 1; i <= study->unseen_count; i++) {
        if (i < study->unseen_count && study->unseen[i].stratum == study->unseen[begin].stratum)
            continue;
        for (size_t left = i - begin; left > 1; left--) { /* Fisher-Yates shuffle */
            size_t pick = begin + random_below(&study->random, left), row = study->donors[begin + left - 1];
            study->donors[begin + left - 1] = study->donors[pick];
            study->donors[pick] = row;
        }
        begin = i;
    }
}

/* Returns the mean squared error on the unseen rows, with the donors' levels in `column`; study->columns: without
 * permutation. */
static double tree_error(struct study *study, size_t column)
{
    double sum = 0;
    for (size_t i = 0; i < study->unseen_count; i++) {
        size_t row = study->unseen[i].row;
        memcpy(study->scratch, study->levels + row * study->columns, study->columns);
        if (column < study->columns)
            study->scratch[column] = study->levels[study->donors[i] * study->columns + column];
        double miss = tree_predict(&study->tree, study->scratch) - study->values[row];
        sum += miss * miss;
    }
    return sum / (double)study->unseen_count;
}

static int grow_one(struct study *study, struct error *error)
{
    size_t rows = study->data.rows;
    memset(study->in_sample, 0, rows * sizeof *study->in_sample);
    study->unseen_count = 0;
    for (size_t i = 0; i < rows; i++) {
        study->sample[i] = random_below(&study->random, rows);
        study->in_sample[study->sample[i]] = true;
    }
    for (size_t i = 0; i < rows; i++)
        if (!study->in_sample[i])
            study->unseen[study->unseen_count++].row = i;
    return tree_grow(&study->tree, &study->data, study->sample, rows, &study->random, error);
}

/* Predictions for a row by the trees that have not seen it: sum and number. */
struct vote {
    double sum;
    size_t count;
};

static double fit_of(const struct study *study, const struct vote *votes)
{
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < study->data.rows; i++) {
        if (!votes[i].count)
            continue;
        double miss = votes[i].sum / (double)votes[i].count - study->values[i];
        sum += miss * miss;
        count++;
    }
    return count ? 1 - sum / (double)count / study->variance : NAN;
}

static int learn(struct study *study, struct importance *importance, struct work *work, struct error *error)
{
    struct vote *votes = calloc(study->data.rows + 1, sizeof *votes);
    size_t trees = 0;
    int code = votes ? 0 : error_memory(error);
    for (size_t p = 0; p < study->columns; p++)
        importance->shares[p] = 0;
    for (size_t t = 0; t < IMPORTANCE_TREES && !code; t++) {
        work_step(work, 1);
        if ((code = grow_one(study, error)) || !study->unseen_count)
            continue;
        trees++;
        for (size_t i = 0; i < study->unseen_count; i++) {
            size_t row = study->unseen[i].row;
            votes[row].sum += tree_predict(&study->tree, study->levels + row * study->columns);
            votes[row].count++;
        }
        double before = tree_error(study, study->columns);
        for (size_t p = 0; p < study->columns; p++) {
            exchange(study, p);
            importance->shares[p] += tree_error(study, p) - before;
        }
    }
    for (size_t p = 0; p < study->columns && trees; p++)
        importance->shares[p] = fmax(0, importance->shares[p] / (double)trees / (2 * study->variance));
    if (!code)
        importance->fit = fit_of(study, votes);
    free(votes);
    return code;
}

int importance_find(const struct comparison *comparison, size_t run, struct importance *importance, struct work *work,
                    struct error *error)
{
    struct study study = {.comparison = comparison, .run = run, .columns = comparison->parameter_count};
    importance->rows = importance->timed = importance->failed = 0;
    importance->fit = NAN;
    for (size_t p = 0; p < study.columns; p++)
        importance->shares[p] = NAN;
    random_seed(&study.random, SEED);
    int code = load(&study, importance, error);
    if (!code && study.data.rows >= IMPORTANCE_ROWS_MIN && study.variance > 0) {
        find_ties(&study);
        code = learn(&study, importance, work, error);
    } else {
        work_step(work, IMPORTANCE_TREES);
    }
    tree_free(&study.tree);
    free(study.levels);
    free(study.values);
    free(study.sample);
    free(study.unseen);
    free(study.donors);
    free(study.in_sample);
    free(study.scratch);
    free(study.ties);
    free(study.tie_counts);
    return code;
}
