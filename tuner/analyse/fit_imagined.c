#include "analyse/fit_imagined.h"

#include <math.h>
#include <string.h>

/* PER_SIZE: imagined sizes for each measured one, which tells of its neighbourhood. MEASURED_LEAST: sizes that teach
 * anything. */
enum { PER_SIZE = 20, MEASURED_LEAST = 12 };

/* What all imagined sizes count, beside what all measured ones do. */
static const double share = 0.89;

int fit_imagined_append(struct arena *arena, struct fit_table *table, size_t measured, struct error *error)
{
    size_t width = table->configuration_count, names = table->name_count, before = table->size_count;
    size_t count = measured < MEASURED_LEAST ? 0 : measured * PER_SIZE;
    count = count < table->imagined_count ? count : table->imagined_count;
    const struct size_condition **conditions = arena_array(arena, width + 1, sizeof *conditions);
    int64_t *sizes = arena_array(arena, (before + count) * names + 1, sizeof *sizes);
    double *times = arena_array(arena, (before + count) * width + 1, sizeof *times);
    int code = conditions && sizes && times ? 0 : error_memory(error);
    for (size_t c = 0; c < width && table->conditions && !code; c++)
        code = size_condition_parse(arena, table->conditions[c], table->names, names, &conditions[c], error);
    if (code)
        return code;
    memcpy(sizes, table->sizes, before * names * sizeof *sizes);
    memcpy(times, table->times, before * width * sizeof *times);
    if (count)
        memcpy(sizes + before * names, table->imagined, count * names * sizeof *sizes);
    for (size_t s = before; s < before + count; s++)
        for (size_t c = 0; c < width; c++)
            times[s * width + c] =
                size_condition_holds(conditions[c], sizes + s * names) ? FIT_UNMEASURED : FIT_INVALID;
    table->sizes = sizes;
    table->times = times;
    table->size_count = before + count;
    return 0;
}

static double distance(const struct fit_table *table, size_t a, size_t b)
{
    double sum = 0;
    for (size_t n = 0; n < table->name_count; n++) {
        int64_t x = table->sizes[a * table->name_count + n], y = table->sizes[b * table->name_count + n];
        if (x > 0 && y > 0)
            sum += pow(log((double)x / (double)y), 2);
    }
    return sum;
}

static bool is_failure(double time)
{
    return isinf(time) && time > 0;
}

/* Did a configuration fail where it was measured next to a size? */
static bool fails_near(const struct fit_table *table, size_t configuration, const size_t *sizes, size_t count,
                       size_t at)
{
    double least = INFINITY;
    bool fails = false;
    for (size_t i = 0; i < count; i++) {
        double time = table->times[sizes[i] * table->configuration_count + configuration];
        double away = isfinite(time) || is_failure(time) ? distance(table, sizes[i], at) : INFINITY;
        if (away < least) {
            least = away;
            fails = is_failure(time);
        }
    }
    return fails;
}

/* Writes the expected logarithms of a configuration's times as its losses. NaN: it has too few. */
static int imagine(const struct fit_model *model, const struct fit_table *table, size_t configuration,
                   const size_t *sizes, size_t count, const size_t *at, size_t at_count, double *expected, double *of,
                   struct error *error)
{
    bool failed = false;
    int code = fit_model_predict(model, configuration, sizes, count, at, at_count, expected, error);
    for (size_t i = 0; i < count; i++)
        failed |= is_failure(table->times[sizes[i] * table->configuration_count + configuration]);
    for (size_t i = 0; i < at_count && !code; i++) {
        size_t place = at[i] * table->configuration_count + configuration;
        of[place] = table->times[place] == FIT_INVALID                                ? FIT_INVALID
                    : failed && fails_near(table, configuration, sizes, count, at[i]) ? FIT_FAILED
                                                                                      : expected[i];
    }
    return code;
}

static double least_of(const struct fit_cover *cover, const double *of)
{
    double least = INFINITY;
    for (size_t i = 0; i < cover->count; i++)
        if (isfinite(of[cover->chosen[i]]))
            least = fmin(least, of[cover->chosen[i]]);
    return least;
}

/* What a configuration loses to the best of the cover where it was measured, on average. NaN: nowhere. */
static double mean_loss(const struct fit_losses *losses, const struct fit_cover *cover, size_t configuration,
                        const size_t *sizes, size_t count)
{
    double sum = 0;
    size_t known = 0;
    for (size_t i = 0; i < count; i++) {
        const double *of = losses->of + sizes[i] * losses->configuration_count;
        if (!isfinite(of[configuration]))
            continue;
        sum += of[configuration] - least_of(cover, of);
        known++;
    }
    return known ? sum / (double)known : FIT_UNMEASURED;
}

/* Logarithms, less the least one at the size. Where they are unknown, means. */
static void make_losses(const struct fit_cover *cover, const double *means, double *of)
{
    double least = least_of(cover, of);
    for (size_t i = 0; i < cover->count; i++) {
        double *loss = &of[cover->chosen[i]];
        *loss = isnan(*loss) ? means[i] : isfinite(*loss) ? *loss - least : *loss;
    }
}

int fit_imagined_losses(struct arena *arena, const struct fit_model *model, const struct fit_table *table, size_t first,
                        const struct fit_cover *cover, const size_t *sizes, size_t count, struct fit_losses *losses,
                        struct error *error)
{
    size_t width = table->configuration_count, at_count = table->size_count - first;
    double *of = arena_array(arena, table->size_count * width + 1, sizeof *of);
    double *weights = arena_array(arena, table->size_count + 1, sizeof *weights);
    double *expected = arena_array(arena, at_count + 1, sizeof *expected);
    double *means = arena_array(arena, cover->count + 1, sizeof *means);
    size_t *at = arena_array(arena, at_count + 1, sizeof *at);
    int code = of && weights && expected && means && at ? 0 : error_memory(error);
    if (code)
        return code;
    memcpy(of, losses->of, first * width * sizeof *of);
    for (size_t i = 0; i < at_count; i++)
        at[i] = first + i;
    for (size_t i = 0; i < cover->count && !code; i++) {
        means[i] = mean_loss(losses, cover, cover->chosen[i], sizes, count);
        code = imagine(model, table, cover->chosen[i], sizes, count, at, at_count, expected, of, error);
    }
    for (size_t s = 0; s < table->size_count; s++)
        weights[s] = s < first ? 1 - share : share * (double)count / (double)at_count;
    for (size_t i = 0; i < at_count; i++)
        make_losses(cover, means, of + at[i] * width);
    *losses = (struct fit_losses){table->size_count, width, of, weights};
    return code;
}
