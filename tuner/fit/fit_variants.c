#include "fit/fit_variants.h"

#include <math.h>
#include <string.h>

/* STEPS: a size, and one and two more. COMBINED_MAX: with more varying sizes, one of them differs at a time. */
enum { STEPS = 3, COMBINED_MAX = 4 };

/* ---- Neighbouring sizes ---- */

static size_t varying_count(const struct fit_steps *steps)
{
    size_t varying = 0;
    for (size_t n = 0; n < steps->name_count; n++)
        varying += steps->varies[n];
    return varying;
}

struct fit_steps fit_steps_of(const int64_t *sizes, const bool *probed, size_t count, size_t name_count)
{
    struct fit_steps steps = {.name_count = name_count};
    size_t first = 0;
    while (probed && first < count && probed[first])
        first++;
    for (size_t s = first + 1; s < count; s++)
        for (size_t n = 0; n < name_count; n++)
            if (!(probed && probed[s]) && sizes[s * name_count + n] != sizes[first * name_count + n])
                steps.varies[n] = true;
    return steps;
}

size_t fit_steps_count(const struct fit_steps *steps)
{
    size_t varying = varying_count(steps), combined = 1;
    for (size_t i = 0; i < varying && i < COMBINED_MAX; i++)
        combined *= STEPS;
    return varying <= COMBINED_MAX ? combined : 1 + varying * (STEPS - 1);
}

void fit_step(const struct fit_steps *steps, size_t step, const int64_t *from, int64_t *to)
{
    bool combined = varying_count(steps) <= COMBINED_MAX;
    size_t left = combined ? step : step - 1; /* one at a time: step 0 is the size itself */
    for (size_t n = 0; n < steps->name_count; n++) {
        to[n] = from[n];
        if (!steps->varies[n] || from[n] > INT64_MAX - STEPS)
            continue;
        if (combined) {
            to[n] += (int64_t)(left % STEPS);
            left /= STEPS;
        } else {
            to[n] += left < STEPS - 1 ? (int64_t)left + 1 : 0;
            left -= STEPS - 1; /* later sizes must not match: it wraps around */
        }
    }
}

/* ---- Variants ---- */

struct maker {
    const struct fit_table *table;
    struct fit_steps steps;
    const struct size_condition **conditions; /* by configuration */
    bool *probed, *all;                       /* by configuration: has times at probed sizes; all true */
    size_t count;                             /* number of variants */
    int64_t *sizes;
    double *times;
    size_t *origins;
};

/* Finds the times at a size next to the measured one. False: a configuration that counts would be valid there, but is
 * invalid at the measured size. */
static bool find_times(const struct maker *maker, const bool *counts, const double *from, const int64_t *sizes,
                       double *times)
{
    for (size_t c = 0; c < maker->table->configuration_count; c++) {
        bool holds = size_condition_holds(maker->conditions[c], sizes);
        if (holds && from[c] == FIT_INVALID && counts[c])
            return false;
        times[c] = holds ? from[c] : FIT_INVALID;
    }
    return true;
}

static bool same_valid(const bool *counts, const double *a, const double *b, size_t count)
{
    for (size_t c = 0; c < count; c++)
        if (counts[c] && (a[c] == FIT_INVALID) != (b[c] == FIT_INVALID))
            return false;
    return true;
}

/* Adds the variants of one measured size. */
static void add_variants(struct maker *maker, size_t size, size_t steps)
{
    const struct fit_table *table = maker->table;
    size_t width = table->configuration_count, first = maker->count;
    const double *from = table->times + size * width;
    const bool *counts = table->probed && table->probed[size] ? maker->probed : maker->all;
    for (size_t step = 1; step < steps; step++) {
        int64_t *sizes = maker->sizes + (table->size_count + maker->count) * table->name_count;
        double *times = maker->times + (table->size_count + maker->count) * width;
        fit_step(&maker->steps, step, table->sizes + size * table->name_count, sizes);
        bool is_new = find_times(maker, counts, from, sizes, times) && !same_valid(counts, times, from, width);
        for (size_t i = first; i < maker->count && is_new; i++)
            is_new = !same_valid(counts, times, maker->times + (table->size_count + i) * width, width);
        if (is_new)
            maker->origins[table->size_count + maker->count++] = size;
    }
}

static void find_counting(struct maker *maker)
{
    const struct fit_table *table = maker->table;
    size_t width = table->configuration_count;
    for (size_t c = 0; c < width; c++)
        maker->all[c] = true;
    for (size_t i = 0; table->probed && i < table->size_count * width; i++)
        if (table->probed[i / width] && !isnan(table->times[i]) && table->times[i] != FIT_INVALID)
            maker->probed[i % width] = true;
}

int fit_variants_make(struct arena *arena, const struct fit_table *table, struct fit_table *with,
                      const size_t **origins, struct error *error)
{
    struct maker maker = {.table = table,
                          .steps = fit_steps_of(table->sizes, table->probed, table->size_count, table->name_count)};
    size_t width = table->configuration_count;
    size_t steps = table->conditions ? fit_steps_count(&maker.steps) : 1, most = table->size_count * steps + 1;
    maker.conditions = arena_array(arena, width + 1, sizeof *maker.conditions);
    maker.sizes = arena_array(arena, most * table->name_count, sizeof *maker.sizes);
    maker.times = arena_array(arena, most * width, sizeof *maker.times);
    maker.origins = arena_array(arena, most, sizeof *maker.origins);
    maker.probed = arena_array(arena, width + 1, sizeof *maker.probed);
    maker.all = arena_array(arena, width + 1, sizeof *maker.all);
    if (!maker.conditions || !maker.sizes || !maker.times || !maker.origins || !maker.probed || !maker.all)
        return error_memory(error);
    find_counting(&maker);
    for (size_t c = 0; c < width && steps > 1; c++) {
        int code = size_condition_parse(arena, table->conditions[c], table->names, table->name_count,
                                        &maker.conditions[c], error);
        if (code)
            return code;
    }
    memcpy(maker.sizes, table->sizes, table->size_count * table->name_count * sizeof *maker.sizes);
    memcpy(maker.times, table->times, table->size_count * width * sizeof *maker.times);
    for (size_t s = 0; s < table->size_count; s++) {
        maker.origins[s] = s;
        add_variants(&maker, s, steps);
    }
    *with = *table;
    with->size_count = table->size_count + maker.count;
    with->sizes = maker.sizes;
    with->times = maker.times;
    *origins = maker.origins;
    return 0;
}
