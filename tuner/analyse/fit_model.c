#include "analyse/fit_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/fit_parts.h"
#include "base/cholesky.h"
#include "base/statistics.h"

/* TUNED_SIZES, TUNED_CONFIGURATIONS: the scales are chosen by so many. EXPERIMENTS: scales that are tried, at most.
 * ALIGNMENT: the largest power of two that counts. */
enum { TUNED_SIZES = 128, TUNED_CONFIGURATIONS = 8, EXPERIMENTS = 200, ALIGNMENT = 8 };

/* The scales, as logarithms: variances of the smooth function and of the noise, and the lengths of the inputs. */
enum { SIGNAL, NOISE, LENGTHS, SCALES = LENGTHS + FIT_INPUT_KINDS };

/* Where the search for them begins and what they keep near to if the times do not tell: with a standard deviation of 2.
 * The first and the last step of the search. */
static const double usual[SCALES] = {-2.5, -6.5, 1, 1, 1, 1, 1, 1};
static const double usual_variance = 4, first_step = 1, last_step = 0.25;

struct fit_model {
    const struct fit_table *table;
    size_t width;                         /* inputs of a size */
    size_t own;                           /* the first of those that are the configuration's */
    size_t basis;                         /* terms of the quadratic function */
    enum fit_input *kinds;                /* by input */
    double *shared;                       /* width per size: the inputs before these */
    double *terms;                        /* basis per size, with mean 0 and deviation 1 */
    double *blocks;                       /* by size and configuration */
    const struct size_condition **traits; /* table->trait_count per configuration; NULL: it has no such trait */
    double scales[SCALES];
};

/* ---- Inputs ---- */

static double log_of(int64_t number)
{
    return log2(number > 1 ? (double)number : 1);
}

static double alignment_of(int64_t number)
{
    int power = 0;
    for (int64_t by = 2; by <= ALIGNMENT && number % by == 0; by *= 2)
        power++;
    return power;
}

static void fill_shared(struct fit_model *model, const size_t *varying, size_t count)
{
    const struct fit_table *table = model->table;
    for (size_t i = 0; i < count; i++) {
        model->kinds[i] = FIT_INPUT_SIZE;
        model->kinds[count + i] = FIT_INPUT_ALIGNMENT;
    }
    model->kinds[2 * count] = FIT_INPUT_VOLUME;
    model->kinds[model->own] = FIT_INPUT_BLOCKS;
    for (size_t w = 0; w < FIT_WAVES; w++)
        model->kinds[model->own + 1 + w] = FIT_INPUT_WAVE;
    for (size_t t = 0; t < table->trait_count; t++)
        model->kinds[model->own + 1 + FIT_WAVES + t] = FIT_INPUT_TRAIT;
    for (size_t s = 0; s < table->size_count; s++) {
        double *inputs = model->shared + s * model->width;
        inputs[2 * count] = 0;
        for (size_t i = 0; i < count; i++) {
            int64_t number = table->sizes[s * table->name_count + varying[i]];
            inputs[i] = log_of(number);
            inputs[count + i] = alignment_of(number);
            inputs[2 * count] += inputs[i];
        }
    }
}

/* Subtracts the mean and divides by the deviation. */
static void standardise(double *numbers, size_t count, size_t stride)
{
    double mean = 0, squares = 0;
    for (size_t i = 0; i < count; i++)
        mean += numbers[i * stride] / (double)count;
    for (size_t i = 0; i < count; i++)
        squares += pow(numbers[i * stride] - mean, 2) / (double)count;
    for (size_t i = 0; i < count; i++)
        numbers[i * stride] = squares > 0 ? (numbers[i * stride] - mean) / sqrt(squares) : 0;
}

/* The logarithms of the sizes, about their means, and the products of two of them. */
static void fill_terms(struct fit_model *model, size_t count)
{
    const struct fit_table *table = model->table;
    for (size_t s = 0; s < table->size_count; s++)
        for (size_t i = 0; i < count; i++)
            model->terms[s * model->basis + i] = model->shared[s * model->width + i];
    for (size_t i = 0; i < count; i++)
        standardise(model->terms + i, table->size_count, model->basis);
    for (size_t s = 0; s < table->size_count; s++) {
        double *terms = model->terms + s * model->basis;
        size_t next = count;
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; j <= i; j++)
                terms[next++] = terms[i] * terms[j];
    }
    for (size_t t = count; t < model->basis; t++)
        standardise(model->terms + t, table->size_count, model->basis);
}

static int fill_blocks(struct fit_model *model, struct error *error)
{
    const struct fit_table *table = model->table;
    struct arena arena = {0};
    int code = 0;
    for (size_t c = 0; c < table->configuration_count && !code; c++) {
        const char *text = table->blocks ? table->blocks[c] : "";
        const struct size_condition *blocks = NULL;
        if (*text)
            code = size_condition_parse(&arena, text, table->names, table->name_count, &blocks, error);
        for (size_t s = 0; s < table->size_count && !code; s++)
            model->blocks[s * table->configuration_count + c] =
                blocks ? fmax((double)size_condition_value(blocks, table->sizes + s * table->name_count), 1) : 1;
    }
    arena_free(&arena);
    return code;
}

static int parse_traits(struct arena *arena, struct fit_model *model, struct error *error)
{
    const struct fit_table *table = model->table;
    size_t count = table->configuration_count * table->trait_count;
    int code = 0;
    model->traits = arena_array(arena, count + 1, sizeof *model->traits);
    if (!model->traits)
        return error_memory(error);
    for (size_t i = 0; i < count && !code; i++) {
        size_t configuration = i / table->trait_count, number = i % table->trait_count;
        const char *text = table->traits[number * table->configuration_count + configuration];
        if (*text)
            code = size_condition_parse(arena, text, table->names, table->name_count, &model->traits[i], error);
    }
    return code;
}

int fit_model_open(struct arena *arena, const struct fit_table *table, struct fit_model **model, struct error *error)
{
    size_t varying[SIZE_FIT_SIZES_MAX], count = fit_varying(table, varying), sizes = table->size_count + 1;
    struct fit_model *own = *model = arena_alloc(arena, sizeof *own);
    if (!own)
        return error_memory(error);
    own->table = table;
    own->own = 2 * count + 1;
    own->width = own->own + 1 + FIT_WAVES + table->trait_count;
    own->basis = count + count * (count + 1) / 2;
    own->kinds = arena_array(arena, own->width, sizeof *own->kinds);
    own->shared = arena_array(arena, sizes * own->width, sizeof *own->shared);
    own->terms = arena_array(arena, sizes * (own->basis + 1), sizeof *own->terms);
    own->blocks = arena_array(arena, sizes * (table->configuration_count + 1), sizeof *own->blocks);
    if (!own->kinds || !own->shared || !own->terms || !own->blocks)
        return error_memory(error);
    memcpy(own->scales, usual, sizeof usual);
    fill_shared(own, varying, count);
    fill_terms(own, count);
    int code = fill_blocks(own, error);
    return code ? code : parse_traits(arena, own, error);
}

/* ---- The process ---- */

/* Times of one configuration, as logarithms less what its parts explain and the mean of the rest, and what they are
 * learned from. */
struct lesson {
    const struct fit_model *model;
    const double *scales;
    const double *parts; /* logarithms, by size of the table */
    size_t configuration, count;
    double mean;
    size_t *sizes;
    double *inputs; /* width per size, over the lengths */
    double *logs;   /* then the weights of the prediction */
    double *matrix; /* then its factor */
};

static void lesson_close(struct lesson *lesson)
{
    free(lesson->sizes);
    free(lesson->inputs);
    free(lesson->logs);
    free(lesson->matrix);
}

static double trait_at(const struct fit_model *model, size_t configuration, size_t number, size_t size)
{
    const struct fit_table *table = model->table;
    const struct size_condition *trait = model->traits[configuration * table->trait_count + number];
    return trait ? (double)size_condition_value(trait, table->sizes + size * table->name_count) : 0;
}

/* The inputs of a size, over their lengths. Half a wave or less is as good as none. How many blocks a multiprocessor
 * holds at once is not known, and may depend on the size. */
static void scale_inputs(const struct lesson *lesson, size_t size, double *inputs)
{
    const struct fit_model *model = lesson->model;
    const struct fit_table *table = model->table;
    double blocks = model->blocks[size * table->configuration_count + lesson->configuration];
    memcpy(inputs, model->shared + size * model->width, model->width * sizeof *inputs);
    inputs[model->own] = log2(blocks);
    for (size_t w = 0; w < FIT_WAVES; w++) {
        double waves = table->sm_count > 0 ? blocks / ((double)table->sm_count * fit_waves[w]) : 1;
        inputs[model->own + 1 + w] = log2(ceil(waves) / fmax(waves, 0.5));
    }
    for (size_t t = 0; t < table->trait_count; t++)
        inputs[model->own + 1 + FIT_WAVES + t] = log2(1 + fabs(trait_at(model, lesson->configuration, t, size)));
    for (size_t i = 0; i < model->width; i++)
        inputs[i] *= exp(-lesson->scales[LENGTHS + model->kinds[i]]);
}

static double covariance(const struct lesson *lesson, size_t a, const double *inputs_a, size_t b,
                         const double *inputs_b)
{
    const struct fit_model *model = lesson->model;
    const double *terms_a = model->terms + a * model->basis, *terms_b = model->terms + b * model->basis;
    double squares = 0, linear = 0;
    for (size_t i = 0; i < model->width; i++)
        squares += (inputs_a[i] - inputs_b[i]) * (inputs_a[i] - inputs_b[i]);
    for (size_t t = 0; t < model->basis; t++)
        linear += terms_a[t] * terms_b[t];
    double distance = sqrt(5 * squares);
    return exp(lesson->scales[SIGNAL] - distance) * (1 + distance + distance * distance / 3) + linear;
}

static bool has_time(const struct fit_table *table, size_t size, size_t configuration)
{
    return isfinite(table->times[size * table->configuration_count + configuration]);
}

/* Takes the times, at most so many, and fills the matrix. False: out of memory. */
static bool lesson_open(struct lesson *lesson, const size_t *sizes, size_t count, size_t most)
{
    const struct fit_model *model = lesson->model;
    const struct fit_table *table = model->table;
    size_t known = 0, seen = 0;
    for (size_t i = 0; i < count; i++)
        known += has_time(table, sizes[i], lesson->configuration);
    size_t room = known < most ? known : most;
    lesson->sizes = malloc((room + 1) * sizeof *lesson->sizes);
    lesson->inputs = malloc((room + 1) * model->width * sizeof *lesson->inputs);
    lesson->logs = malloc((room + 1) * sizeof *lesson->logs);
    lesson->matrix = malloc((room * room + 1) * sizeof *lesson->matrix);
    if (!lesson->sizes || !lesson->inputs || !lesson->logs || !lesson->matrix)
        return false;
    for (size_t i = 0; i < count; i++)
        if (has_time(table, sizes[i], lesson->configuration) && seen++ * room / known == lesson->count)
            lesson->sizes[lesson->count++] = sizes[i];
    for (size_t i = 0; i < lesson->count; i++) {
        size_t size = lesson->sizes[i];
        scale_inputs(lesson, size, lesson->inputs + i * model->width);
        lesson->logs[i] =
            log(table->times[size * table->configuration_count + lesson->configuration]) - lesson->parts[size];
        for (size_t j = 0; j <= i; j++)
            lesson->matrix[i * lesson->count + j] = covariance(lesson, size, lesson->inputs + i * model->width,
                                                               lesson->sizes[j], lesson->inputs + j * model->width);
        lesson->matrix[i * lesson->count + i] += exp(lesson->scales[NOISE]);
    }
    lesson->mean = statistics_mean(lesson->logs, lesson->count);
    for (size_t i = 0; i < lesson->count; i++)
        lesson->logs[i] -= lesson->mean;
    return true;
}

/* Replaces the logarithms by the weights of the prediction. Returns the negative logarithm of the likelihood, without a
 * constant; infinite: the matrix has no factor. */
static double learn(struct lesson *lesson)
{
    size_t count = lesson->count;
    double *logs = lesson->logs, sum = 0;
    if (!cholesky_factor(lesson->matrix, count, count, NULL))
        return INFINITY;
    cholesky_forward(lesson->matrix, count, count, logs);
    for (size_t i = 0; i < count; i++)
        sum += logs[i] * logs[i] / 2 + log(lesson->matrix[i * count + i]);
    cholesky_back(lesson->matrix, count, count, logs);
    return sum;
}

static int expect_parts(const struct fit_model *model, size_t configuration, const size_t *sizes, size_t count,
                        double *parts, struct error *error)
{
    const struct size_condition *const *traits = model->traits + configuration * model->table->trait_count;
    return fit_parts_expect(model->table, model->blocks, configuration, traits, sizes, count, parts, error);
}

int fit_model_predict(const struct fit_model *model, size_t configuration, const size_t *sizes, size_t count,
                      const size_t *at, size_t at_count, double *expected, struct error *error)
{
    double *inputs = malloc((model->width + 1) * sizeof *inputs);
    double *parts = malloc((model->table->size_count + 1) * sizeof *parts);
    struct lesson lesson = {.model = model, .scales = model->scales, .parts = parts, .configuration = configuration};
    int code = inputs && parts ? expect_parts(model, configuration, sizes, count, parts, error) : error_memory(error);
    if (!code && !lesson_open(&lesson, sizes, count, FIT_MODEL_MOST))
        code = error_memory(error);
    bool learned = !code && lesson.count >= FIT_MODEL_LEAST && isfinite(learn(&lesson));
    for (size_t i = 0; i < at_count && !code; i++) {
        expected[i] = learned ? parts[at[i]] + lesson.mean : NAN;
        if (learned)
            scale_inputs(&lesson, at[i], inputs);
        for (size_t j = 0; j < lesson.count && learned; j++)
            expected[i] +=
                lesson.logs[j] * covariance(&lesson, at[i], inputs, lesson.sizes[j], lesson.inputs + j * model->width);
    }
    lesson_close(&lesson);
    free(inputs);
    free(parts);
    return code;
}

/* ---- Scales ---- */

/* How badly scales explain the times; infinite: not at all. `parts`: by configuration and size. */
static int judge_scales(const struct fit_model *model, const double *parts, const size_t *configurations,
                        size_t configuration_count, const size_t *sizes, size_t count, double *badness,
                        struct error *error)
{
    const double *scales = model->scales;
    int code = 0;
    *badness = 0;
    for (size_t i = 0; i < SCALES; i++)
        *badness += pow(scales[i] - usual[i], 2) / usual_variance / 2;
    for (size_t c = 0; c < configuration_count && !code; c++) {
        struct lesson lesson = {.model = model,
                                .scales = scales,
                                .parts = parts + c * model->table->size_count,
                                .configuration = configurations[c]};
        if (!lesson_open(&lesson, sizes, count, TUNED_SIZES))
            code = error_memory(error);
        else if (lesson.count >= FIT_MODEL_LEAST)
            *badness += learn(&lesson);
        lesson_close(&lesson);
    }
    return code;
}

/* Changes one scale at a time, by ever smaller steps, as long as that explains the times better. */
static int search_scales(struct fit_model *model, const double *parts, const size_t *configurations,
                         size_t configuration_count, const size_t *sizes, size_t count, struct error *error)
{
    double least, badness, *scales = model->scales;
    size_t tried = 1;
    memcpy(scales, usual, sizeof usual);
    int code = judge_scales(model, parts, configurations, configuration_count, sizes, count, &least, error);
    for (double step = first_step; step >= last_step && !code; step /= 2)
        for (bool better = true; better && tried < EXPERIMENTS && !code;) {
            better = false;
            for (size_t i = 0; i < 2 * SCALES && !code; i++) {
                double before = scales[i / 2];
                scales[i / 2] += i % 2 ? -step : step;
                code = judge_scales(model, parts, configurations, configuration_count, sizes, count, &badness, error);
                tried++;
                if (!code && badness < least - 1e-3) {
                    least = badness;
                    better = true;
                } else {
                    scales[i / 2] = before;
                }
            }
        }
    return code;
}

int fit_model_tune(struct fit_model *model, const size_t *configurations, size_t configuration_count,
                   const size_t *sizes, size_t count, struct error *error)
{
    const struct fit_table *table = model->table;
    size_t tuned = configuration_count < TUNED_CONFIGURATIONS ? configuration_count : TUNED_CONFIGURATIONS;
    double *parts = malloc((tuned * table->size_count + 1) * sizeof *parts);
    int code = parts ? 0 : error_memory(error);
    for (size_t c = 0; c < tuned && !code; c++)
        code = expect_parts(model, configurations[c], sizes, count, parts + c * table->size_count, error);
    if (!code)
        code = search_scales(model, parts, configurations, tuned, sizes, count, error);
    free(parts);
    return code;
}
