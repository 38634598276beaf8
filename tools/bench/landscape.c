#include "tools/bench/landscape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/statistics.h"
#include "db/journal.h"
#include "evaluate/rows.h"

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
    landscape->compiler_metrics =
        malloc((COMPILER_METRICS * landscape->count + 1) * sizeof *landscape->compiler_metrics);
    if (!landscape->time_ns || !landscape->cost_s || !landscape->sorted_ns || !landscape->compiler_metrics)
        return error_memory(error);
    code = rows_outcomes(landscape->space, landscape->set, journal, &outcomes, &arena, error);
    for (size_t i = 0; i < outcomes.count && !code; i++) {
        const struct outcome *outcome = &outcomes.items[i];
        const struct measurement measurement = outcomes_measurement(&outcomes, outcome, OUTCOME_KNOWN_AS);
        uint64_t index = outcome->key;
        bool cost = measurement.compile_ns >= 0 && measurement.measure_ns >= 0;
        landscape->time_ns[index] = measurement_class(&measurement) == OUTCOME_FAILED ? NAN : measurement.value;
        landscape->cost_s[index] = cost ? (double)(measurement.compile_ns + measurement.measure_ns) * 1e-9 : NAN;
        for (enum compiler_metric metric = 0; metric < COMPILER_METRICS; metric++)
            landscape->compiler_metrics[metric * landscape->count + index] =
                measurement_compiler_metric(&measurement, metric);
        costs += cost;
    }
    outcomes_free(&outcomes);
    arena_free(&arena);
    if (code)
        return code;
    for (size_t i = 0; i < landscape->count; i++) {
        if (costs < landscape->count)
            landscape->cost_s[i] = 1;
        landscape->mean_cost_s += landscape->cost_s[i] / (double)landscape->count;
        if (!isnan(landscape->time_ns[i]))
            landscape->sorted_ns[landscape->worked++] = landscape->time_ns[i];
    }
    return 0;
}

static int summarise(struct landscape *landscape, const struct journal *journal, struct error *error)
{
    size_t within = 0;
    if (!landscape->worked)
        return error_set(error, ERROR_DATA, "%s has no configuration that worked", journal_file(journal));
    statistics_sort(landscape->sorted_ns, landscape->worked);
    landscape->optimum_ns = landscape->sorted_ns[0];
    landscape->worst_ns = landscape->sorted_ns[landscape->worked - 1];
    landscape->median_ns = statistics_median(landscape->sorted_ns, landscape->worked);
    double target = landscape->optimum_ns + 0.05 * (landscape->median_ns - landscape->optimum_ns);
    while (within < landscape->worked && landscape->sorted_ns[within] <= target)
        within++;
    landscape->random_evaluations = (double)(landscape->count + 1) / (double)(within + 1);
    return 0;
}

int landscape_open(struct landscape **landscape, const char *path, struct error *error)
{
    struct journal *journal = NULL;
    uint32_t *choices = NULL;
    const char *slash = strrchr(path, '/');
    *landscape = calloc(1, sizeof **landscape);
    if (!*landscape)
        return error_memory(error);
    char *name = strdup(slash ? slash + 1 : path), *dot = name ? strrchr(name, '.') : NULL;
    if (dot)
        *dot = '\0';
    (*landscape)->name = name;
    int code = name ? journal_read(&journal, path, error) : error_memory(error);
    if (!code)
        code = rows_space(&(*landscape)->space, journal, error);
    if (!code)
        code = rows_choices((*landscape)->space, journal, &choices, error);
    if (!code)
        code = take_rows(*landscape, journal, choices, error);
    if (!code)
        code = summarise(*landscape, journal, error);
    free(choices);
    journal_close(journal, NULL);
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
    free(landscape->compiler_metrics);
    free((char *)landscape->name);
    free(landscape);
}

/* Sum over the ranks of time x probability that this rank is the best of n draws out of `count`. */
static double expected_ns(const struct landscape *landscape, size_t draws)
{
    double sum = 0, none = 1; /* none: the probability that no better one was drawn */
    for (size_t rank = 0; rank < landscape->worked; rank++) {
        double left = (double)(landscape->count - rank), hit = (double)draws / left;
        if (hit >= 1)
            return sum + none * landscape->sorted_ns[rank];
        sum += none * hit * landscape->sorted_ns[rank];
        none *= 1 - hit;
    }
    return sum + none * landscape->worst_ns;
}

double landscape_random_ns(const struct landscape *landscape, double evaluations)
{
    size_t whole = (size_t)evaluations;
    double part = evaluations - (double)whole;
    return (1 - part) * expected_ns(landscape, whole) + part * expected_ns(landscape, whole + 1);
}
