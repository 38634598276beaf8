#include "device/counters.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct row {
    const char *item, *metric, *over;
    double scale;
} rows[] = {
#define COUNTER(item, metric, over, scale) {#item, metric, over, scale},
#include "device/counters.def"
#undef COUNTER
};
enum { ROWS = sizeof rows / sizeof *rows };
_Static_assert((int)ROWS <= (int)COUNTERS_ROWS_MAX, "room for all rows");

/* Splits the next metric off "a+b"; false at the end. */
static bool next_metric(const char **metrics, char name[COUNTERS_NAME_BYTES])
{
    size_t length = strcspn(*metrics, "+");
    snprintf(name, COUNTERS_NAME_BYTES, "%.*s", (int)length, *metrics);
    *metrics += length + ((*metrics)[length] == '+');
    return length > 0;
}

static size_t find(const struct counters *counters, const char *name)
{
    size_t i = 0;
    while (i < counters->count && strcmp(counters->names[i], name) != 0)
        i++;
    return i;
}

static bool has_all(const char *metrics, bool (*has)(void *context, const char *metric), void *context)
{
    char name[COUNTERS_NAME_BYTES];
    while (next_metric(&metrics, name))
        if (!has(context, name))
            return false;
    return true;
}

static void add_all(struct counters *counters, const char *metrics)
{
    char name[COUNTERS_NAME_BYTES];
    while (next_metric(&metrics, name))
        if (find(counters, name) == counters->count && counters->count < COUNTERS_METRICS_MAX)
            memcpy(counters->names[counters->count++], name, sizeof name);
}

void counters_choose(struct counters *counters, bool (*has)(void *context, const char *metric), void *context)
{
    *counters = (struct counters){0};
    for (size_t i = 0; i < ROWS; i++) {
        bool chosen = false;
        for (size_t j = 0; j < i; j++)
            chosen |= counters->used[j] && strcmp(rows[j].item, rows[i].item) == 0;
        if (chosen || !has_all(rows[i].metric, has, context) || !has_all(rows[i].over, has, context))
            continue;
        counters->used[i] = true;
        add_all(counters, rows[i].metric);
        add_all(counters, rows[i].over);
    }
}

static double sum(const struct counters *counters, const char *metrics, const double *values)
{
    char name[COUNTERS_NAME_BYTES];
    double total = 0;
    while (next_metric(&metrics, name)) {
        size_t i = find(counters, name);
        total += i < counters->count ? values[i] : NAN;
    }
    return total;
}

void counters_put(const struct counters *counters, const double *values, struct evidence *evidence)
{
    for (size_t i = 0; i < ROWS; i++) {
        if (!counters->used[i])
            continue;
        double value = rows[i].scale * sum(counters, rows[i].metric, values);
        if (*rows[i].over)
            value /= sum(counters, rows[i].over, values);
        evidence_put(evidence, evidence_find(rows[i].item), isfinite(value) ? value : NAN);
    }
}
