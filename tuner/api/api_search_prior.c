/* Prior runs of a public search, copied for the strategy. */
#include <math.h>
#include <string.h>

#include "api/api_search.h"

static int check_row(const struct space *space, const struct cutune_search_prior_run *run, size_t number, size_t row,
                     struct error *error)
{
    const double value = run->values[row];
    for (size_t p = 0; p < space->parameter_count; p++) {
        const struct parameter *parameter = &space->parameters[p];
        const unsigned choice = run->choices[row * space->parameter_count + p];
        if (choice >= parameter->value_count)
            return error_set(error, ERROR_USAGE, "row %zu of prior run %zu has choice %u of '%s', which has %zu values",
                             row, number, choice, parameter->name, parameter->value_count);
    }
    if (isnan(value) || (value > 0 && isfinite(value)))
        return 0;
    int code =
        error_set(error, ERROR_VALUE, "the value %g in row %zu of prior run %zu is not a positive, finite number",
                  value, row, number);
    error_hint(error, "NaN stands for a configuration that failed");
    return code;
}

static int copy_run(struct cutune_search *search, const struct cutune_search_prior_run *run, size_t number,
                    struct error *error)
{
    const struct space *space = search->space;
    const size_t bytes = run->count * space->parameter_count * sizeof *run->choices;
    bool some = false;
    if (run->count && (!run->choices || !run->values))
        return error_set(error, ERROR_USAGE, "a list of prior run %zu is NULL, and its count is not 0", number);
    for (size_t row = 0; row < run->count; row++) {
        int code = check_row(space, run, number, row, error);
        if (code)
            return code;
        some |= !isnan(run->values[row]);
    }
    if (!some)
        return error_set(error, ERROR_NOTHING_VALID, "prior run %zu has no configuration with a value", number);
    uint32_t *choices = arena_array(&search->arena, run->count * space->parameter_count, sizeof *choices);
    double *costs = arena_array(&search->arena, run->count, sizeof *costs);
    if (!choices || !costs)
        return error_memory(error);
    memcpy(choices, run->choices, bytes);
    memcpy(costs, run->values, run->count * sizeof *costs);
    search->prior_runs[number] = (struct prior_run){run->count, choices, costs};
    return 0;
}
_Static_assert((int)CUTUNE_PRIOR_RUNS_MAX == (int)PRIOR_RUNS_MAX, "prior runs of a search");

int search_copy_prior_runs(struct cutune_search *search, const struct cutune_search_space *from, struct error *error)
{
    int code = 0;
    if (from->prior_run_count > PRIOR_RUNS_MAX)
        return error_set(error, ERROR_USAGE, "%zu prior runs are more than %d: give the nearest", from->prior_run_count,
                         PRIOR_RUNS_MAX);
    if (from->prior_run_count && !from->prior_runs)
        return error_set(error, ERROR_USAGE, "a list of the search space is NULL, and its count is not 0");
    for (size_t i = 0; i < from->prior_run_count && !code; i++)
        code = copy_run(search, &from->prior_runs[i], i, error);
    search->prior_run_count = from->prior_run_count;
    return code;
}

void search_hash_prior_runs(const struct cutune_search *search, struct text *text)
{
    for (size_t i = 0; i < search->prior_run_count; i++) {
        const struct prior_run *run = &search->prior_runs[i];
        text_printf(text, "prior run of %zu\n", run->count);
        text_append(text, run->choices, run->count * search->space->parameter_count * sizeof *run->choices);
        for (size_t row = 0; row < run->count; row++)
            text_printf(text, "%.17g ", isnan(run->costs[row]) ? 0 : run->costs[row]);
    }
}
