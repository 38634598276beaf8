#include "exchange/repeats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/statistics.h"
#include "base/text.h"
#include "base/value.h"

void repeats_key(struct text *key, const char *const *values, size_t count)
{
    char text[VALUE_TEXT_BYTES];
    for (size_t p = 0; p < count; p++) {
        struct value value, integer;
        bool number = value_read(values[p], &value) && value.kind != VALUE_WORD;
        if (number && value.kind == VALUE_FLOAT && value_duplicate(&value, &integer))
            value = integer;
        text_printf(key, "%s ", number ? value_text(&value, text, sizeof text) : values[p]);
    }
}

static struct repeats_group *find(const struct repeats *repeats, const struct journal_row *row, size_t parameter_count)
{
    struct text key = {0};
    if (repeats->row_count == 0)
        return NULL;
    repeats_key(&key, row->values, parameter_count);
    /* the cast is safe: the text is in the set, which does not change */
    const char **place =
        key.failed ? NULL : text_set_place((struct text_set *)&repeats->configurations, text_string(&key));
    struct repeats_group *group = place && *place ? &repeats->groups[place - repeats->configurations.texts] : NULL;
    text_free(&key);
    return group;
}

/* NaN: the measurement does not count. */
static double value_of(const struct measurement *measurement)
{
    return status_class(measurement->status) == OUTCOME_TIMED ? measurement->value : NAN;
}

int repeats_add(struct repeats *repeats, const struct journal_row *row, size_t parameter_count, struct error *error)
{
    const struct measurement *measurement = &row->measurement;
    struct text key = {0};
    repeats_key(&key, row->values, parameter_count);
    const char **place = key.failed ? NULL : text_set_place(&repeats->configurations, text_string(&key));
    if (place && !*place)
        *place = arena_copy(&repeats->texts, text_string(&key), key.length);
    bool kept = place && *place;
    text_free(&key);
    if (!kept)
        return error_memory(error);
    size_t number = (size_t)(place - repeats->configurations.texts), had = repeats->group_room;
    struct repeats_row *rows = array_grow(repeats->rows, &repeats->row_room, repeats->row_count + 1, sizeof *rows);
    repeats->rows = rows ? rows : repeats->rows;
    struct repeats_group *groups = array_grow(repeats->groups, &repeats->group_room, number + 1, sizeof *groups);
    repeats->groups = groups ? groups : repeats->groups;
    if (!rows || !groups)
        return error_memory(error);
    memset(groups + had, 0, (repeats->group_room - had) * sizeof *groups);
    struct repeats_group *group = &groups[number];
    group->count++;
    group->samples += measurement->samples;
    group->measure_ns += measurement->measure_ns > 0 ? measurement->measure_ns : 0;
    if (isnan(value_of(measurement))) {
        group->failed++;
        group->failure = measurement->status;
    }
    rows[repeats->row_count++] = (struct repeats_row){(uint32_t)number, value_of(measurement)};
    return 0;
}

/* Orders by configuration, then value, failures last. */
static int by_value(const void *a, const void *b)
{
    const struct repeats_row *x = a, *y = b;
    if (x->configuration != y->configuration)
        return x->configuration < y->configuration ? -1 : 1;
    if (isnan(x->value) || isnan(y->value))
        return !!isnan(x->value) - !!isnan(y->value);
    return (x->value > y->value) - (x->value < y->value);
}

void repeats_ready(struct repeats *repeats)
{
    if (repeats->row_count)
        qsort(repeats->rows, repeats->row_count, sizeof *repeats->rows, by_value);
    for (size_t g = 0, first = 0; g < repeats->configurations.count; g++) {
        repeats->groups[g].first = first;
        first += repeats->groups[g].count;
        repeats->repeated += repeats->groups[g].count > 1;
    }
}

void repeats_merge(struct repeats *repeats, struct journal_row *row, size_t parameter_count, bool *again)
{
    struct repeats_group *group = find(repeats, row, parameter_count);
    struct measurement *measurement = &row->measurement;
    double values[2];
    *again = group && group->taken;
    if (group)
        group->taken = true;
    if (!group || group->count < 2)
        return;
    size_t timed = group->count - group->failed;
    measurement->low = measurement->high = measurement->mean_ns = NAN; /* of its own row alone */
    if (timed >= group->failed) {
        const struct repeats_row *middle = &repeats->rows[group->first + (timed - 1) / 2];
        values[0] = middle[0].value;
        values[1] = timed % 2 ? middle[0].value : middle[1].value;
        measurement->value = statistics_median(values, 2);
        measurement->status = STATUS_OK;
        measurement->message[0] = '\0';
    } else if (!isnan(value_of(measurement))) {
        measurement->value = NAN;
        measurement->status = group->failure;
        measurement_explain(measurement, "%zu of %zu rows failed", group->failed, group->count);
    }
}

void repeats_sum(const struct repeats *repeats, struct journal_row *row, size_t parameter_count)
{
    const struct repeats_group *group = find(repeats, row, parameter_count);
    if (!group || group->count < 2)
        return;
    row->measurement.samples = group->samples;
    row->measurement.measure_ns = group->measure_ns > 0 ? group->measure_ns : row->measurement.measure_ns;
}

void repeats_free(struct repeats *repeats)
{
    text_set_free(&repeats->configurations);
    arena_free(&repeats->texts);
    free(repeats->rows);
    free(repeats->groups);
}
