#include "tools/bench/landscape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/statistics.h"
#include "evaluate/rows.h"
#include "journal/journal.h"

static int take_rows(struct landscape *landscape, const struct journal *journal, const uint32_t *choices,
                     struct error *error)
{
    struct outcomes outcomes = {0};
    struct arena arena = {0};
    size_t costs = 0;
    int code = valid_set_from_list(&landscape->set, landscape->space, choices, journal_row_count(journal), error);
    if (code)
        return code;
    landscape->count = (size_t)valid_set_count(landscape->set);
    landscape->time_ns = malloc((landscape->count + 1) * sizeof *landscape->time_ns);
    landscape->cost_s = malloc((landscape->count + 1) * sizeof *landscape->cost_s);
    landscape->sorted_ns = malloc((landscape->count + 1) * sizeof *landscape->sorted_ns);
    landscape->rank = malloc((landscape->count + 1) * sizeof *landscape->rank);
    if (!landscape->time_ns || !landscape->cost_s || !landscape->sorted_ns || !landscape->rank)
        return error_memory(error);
    code = rows_outcomes(landscape->space, landscape->set, journal, &outcomes, &arena, error);
    for (size_t i = 0; i < outcomes.count && !code; i++) {
        const struct outcome *outcome = &outcomes.items[i];
        const struct measurement measurement = outcomes_measurement(&outcomes, outcome, OUTCOME_KNOWN_AS);
        uint64_t index = outcome->key;
        bool cost = measurement.compile_ns >= 0 && measurement.measure_ns >= 0;
        landscape->time_ns[index] = measurement_class(&measurement) == OUTCOME_FAILED ? NAN : measurement.value;
        landscape->cost_s[index] = cost ? (double)(measurement.compile_ns + measurement.measure_ns) * 1e-9 : NAN;
        costs += cost;
    }
    outcomes_free(&outcomes);
    arena_free(&arena);
    if (code)
        return code;
    landscape->timed = costs == landscape->count;
    for (size_t i = 0; i < landscape->count && !landscape->timed; i++)
        landscape->cost_s[i] = 1;
    return 0;
}

static uint32_t rank_of(const struct landscape *landscape, double time_ns)
{
    size_t low = 0, high = landscape->worked;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (landscape->sorted_ns[middle] < time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint32_t)low;
}

static int rank(struct landscape *landscape, struct error *error)
{
    double worked_s = 0, failed_s = 0;
    for (size_t i = 0; i < landscape->count; i++) {
        if (isnan(landscape->time_ns[i])) {
            failed_s += landscape->cost_s[i];
            continue;
        }
        worked_s += landscape->cost_s[i];
        landscape->sorted_ns[landscape->worked++] = landscape->time_ns[i];
    }
    if (!landscape->worked)
        return error_set(error, ERROR_DATA, "%s has no configuration that worked", journal_file(landscape->journal));
    statistics_sort(landscape->sorted_ns, landscape->worked);
    for (size_t i = 0; i < landscape->count; i++)
        landscape->rank[i] = isnan(landscape->time_ns[i]) ? UINT32_MAX : rank_of(landscape, landscape->time_ns[i]);
    double *costs_s = malloc(landscape->count * sizeof *costs_s);
    if (!costs_s)
        return error_memory(error);
    memcpy(costs_s, landscape->cost_s, landscape->count * sizeof *costs_s);
    statistics_sort(costs_s, landscape->count);
    landscape->score =
        (struct score_space){.values = landscape->sorted_ns,
                             .count = landscape->worked,
                             .mean_s = worked_s / (double)landscape->worked + failed_s / (double)landscape->count,
                             .median_s = statistics_median(costs_s, landscape->count)};
    free(costs_s);
    return 0;
}

int landscape_open(struct landscape **landscape, const char *path, struct error *error)
{
    uint32_t *choices = NULL;
    const char *slash = strrchr(path, '/');
    *landscape = calloc(1, sizeof **landscape);
    if (!*landscape)
        return error_memory(error);
    char *name = strdup(slash ? slash + 1 : path), *dot = name ? strrchr(name, '.') : NULL;
    if (dot)
        *dot = '\0';
    (*landscape)->name = name;
    int code = name ? journal_read(&(*landscape)->journal, path, error) : error_memory(error);
    if (!code)
        code = rows_space(&(*landscape)->space, (*landscape)->journal, error);
    if (!code)
        code = rows_choices((*landscape)->space, (*landscape)->journal, &choices, error);
    if (!code)
        code = take_rows(*landscape, (*landscape)->journal, choices, error);
    if (!code)
        code = rank(*landscape, error);
    free(choices);
    return code;
}

void landscape_close(struct landscape *landscape)
{
    if (!landscape)
        return;
    valid_set_free(landscape->set);
    space_free(landscape->space);
    free(landscape->time_ns);
    free(landscape->cost_s);
    free(landscape->sorted_ns);
    free(landscape->rank);
    journal_close(landscape->journal, NULL);
    free((char *)landscape->name);
    free(landscape);
}
