#include "analyse/explain_input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pairs.h"

/* ---- Choosing configurations ---- */

/* A configuration that differs from the focus in one parameter. */
struct neighbour {
    size_t number, parameter, rank; /* rank: number of those of its parameter with a larger effect */
    double effect;                  /* ratio of the costs, at least 1 */
};

static const uint32_t *choices_of(const struct comparison *comparison, size_t number)
{
    return comparison->choices + number * comparison->parameter_count;
}

/* Returns how many parameters differ; *parameter: the last of them. */
static size_t distance(const struct comparison *comparison, size_t a, size_t b, size_t *parameter)
{
    const uint32_t *x = choices_of(comparison, a), *y = choices_of(comparison, b);
    size_t count = 0;
    for (size_t p = 0; p < comparison->parameter_count; p++)
        if (x[p] != y[p]) {
            *parameter = p;
            count++;
        }
    return count;
}

static bool is_timed(const struct comparison *comparison, size_t run, size_t number)
{
    const struct measurement *measurement = comparison->runs[run].of[number];
    return measurement && measurement_has_value(measurement);
}

static const struct measurement *measurement_of(const struct explain_input *explained, size_t number)
{
    return explained->comparison->runs[explained->run].of[number];
}

static bool has_time(const struct explain_input *explained, size_t number)
{
    return is_timed(explained->comparison, explained->run, number);
}

static double effect_of(const struct explain_input *explained, size_t focus, size_t number)
{
    double ratio =
        measurement_cost(measurement_of(explained, number)) / measurement_cost(measurement_of(explained, focus));
    return ratio < 1 ? 1 / ratio : ratio;
}

static int order_neighbours(const void *left, const void *right)
{
    const struct neighbour *a = left, *b = right;
    int order = (a->rank > b->rank) - (a->rank < b->rank);
    order = order ? order : (a->effect < b->effect) - (a->effect > b->effect);
    return order ? order : (a->number > b->number) - (a->number < b->number);
}

/* Sorts by effect, ranks within each parameter, and sorts by rank. */
static int rank(struct neighbour *neighbours, size_t count, size_t parameters, struct error *error)
{
    size_t *ranks = calloc(parameters + 1, sizeof *ranks);
    if (!ranks)
        return error_memory(error);
    qsort(neighbours, count, sizeof *neighbours, order_neighbours);
    for (size_t i = 0; i < count; i++)
        neighbours[i].rank = ranks[neighbours[i].parameter]++;
    qsort(neighbours, count, sizeof *neighbours, order_neighbours);
    free(ranks);
    return 0;
}

/* Finds the neighbours, without duplicates of the focus: the same machine code has the same time. */
static int find_neighbours(struct explain_input *explained, size_t focus, struct neighbour **neighbours, size_t *count,
                           struct error *error)
{
    const struct comparison *comparison = explained->comparison;
    struct neighbour found = {0};
    *count = 0;
    *neighbours = arena_array(&explained->arena, comparison->configuration_count + 1, sizeof **neighbours);
    if (!*neighbours)
        return error_memory(error);
    for (size_t number = 0; number < comparison->configuration_count; number++)
        if (distance(comparison, focus, number, &found.parameter) == 1 && has_time(explained, number) &&
            measurement_of(explained, number)->status != STATUS_DUPLICATE) {
            found.number = number;
            found.effect = effect_of(explained, focus, number);
            (*neighbours)[(*count)++] = found;
        }
    return rank(*neighbours, *count, comparison->parameter_count, error);
}

/* ---- The way from the default ---- */

size_t explain_input_next(const struct comparison *comparison, size_t run, size_t from, size_t to)
{
    size_t next = COMPARISON_NONE, parameter, left = distance(comparison, from, to, &parameter);
    double least = INFINITY;
    for (size_t number = 0; number < comparison->configuration_count; number++) {
        if (!is_timed(comparison, run, number) || distance(comparison, from, number, &parameter) != 1 ||
            distance(comparison, number, to, &parameter) + 1 != left)
            continue;
        double cost = measurement_cost(comparison->runs[run].of[number]);
        if (cost < least) {
            least = cost;
            next = number;
        }
    }
    return next;
}

/* ---- Evidence ---- */

/* True if the evidence, whose values are in the order of the run's file, is of the configuration. */
static bool is_of(const struct explain_input *explained, size_t number, const struct journal_evidence *evidence)
{
    const struct comparison *comparison = explained->comparison;
    const struct measured_run *run = comparison->runs[explained->run].measured_run;
    const uint32_t *choices = choices_of(comparison, number);
    for (size_t column = 0; column < run->parameter_count; column++) {
        size_t p = 0;
        while (strcmp(comparison->parameters[p].name, run->parameters[column]) != 0)
            p++;
        if (pairs_compare_values(comparison->parameters[p].values[choices[p]], evidence->values[column]) != 0)
            return false;
    }
    return true;
}

static void take_ceilings(struct explain_input *explained, const struct evidence *launches, size_t count)
{
    for (size_t launch = 0; launch < count; launch++)
        for (size_t i = 0; i < evidence_count; i++)
            if (evidence_rows[i].source == EVIDENCE_CEILING &&
                isnan(evidence_get(&explained->ceilings, &evidence_rows[i])))
                evidence_put(&explained->ceilings, &evidence_rows[i],
                             evidence_get(&launches[launch], &evidence_rows[i]));
}

/* Reports that the configuration failed or was not evaluated. */
static int refuse(const struct explain_input *explained, size_t number, struct error *error)
{
    const struct measurement *measurement = measurement_of(explained, number);
    struct text text = {0};
    comparison_text(explained->comparison, number, &text);
    error_set(error, ERROR_NOT_FOUND, "%s has no time of %.200s%s%s",
              explained->comparison->runs[explained->run].measured_run->path, text_string(&text),
              measurement ? ": " : "", measurement ? status_name(measurement->status) : "");
    if (measurement && *measurement->message)
        error_hint(error, "%s", measurement->message);
    text_free(&text);
    return ERROR_NOT_FOUND;
}

static int add(struct explain_input *explained, size_t number, struct error *error)
{
    const struct measured_run *run = explained->comparison->runs[explained->run].measured_run;
    struct text text = {0};
    size_t place = explained->input.count;
    for (size_t i = 0; i < place; i++)
        if (explained->numbers[i] == number)
            return 0;
    if (!has_time(explained, number))
        return refuse(explained, number, error);
    comparison_text(explained->comparison, number, &text);
    struct explanation_configuration *configuration = &explained->configurations[place];
    *configuration = (struct explanation_configuration){.measurement = measurement_of(explained, number)};
    if (!text.failed)
        configuration->configuration = arena_copy(&explained->arena, text_string(&text), text.length);
    text_free(&text);
    if (!configuration->configuration)
        return error_memory(error);
    explained->numbers[place] = number;
    explained->input.count++;
    for (size_t i = 0; run->journal && i < journal_evidence_count(run->journal); i++) {
        const struct journal_evidence evidence = journal_get_evidence(run->journal, i);
        if (is_of(explained, number, &evidence))
            return explain_input_put(explained, place, evidence.launches, evidence.count, error);
    }
    return 0;
}

/* Adds the way. If it ends at a distant configuration, it jumps from there to the focus. */
static int add_way(struct explain_input *explained, size_t default_, size_t focus, struct error *error)
{
    const struct comparison *comparison = explained->comparison;
    size_t parameter, at = default_, left = distance(comparison, default_, focus, &parameter);
    int code = 0;
    if (!(explained->way = arena_array(&explained->arena, left + 2, sizeof *explained->way)))
        return error_memory(error);
    if (left < 2)
        return 0;
    while (at != focus && at != COMPARISON_NONE && !code) {
        size_t place = 0;
        code = add(explained, at, error);
        while (!code && explained->numbers[place] != at)
            place++;
        explained->way[explained->way_count++] = place;
        at = explain_input_next(comparison, explained->run, at, focus);
    }
    explained->way[explained->way_count++] = 0;
    return code;
}

int explain_input_open(struct explain_input *explained, const struct comparison *comparison, size_t run, size_t focus,
                       const size_t *others, size_t other_count, struct error *error)
{
    const struct comparison_run *of = &comparison->runs[run];
    struct neighbour *neighbours;
    size_t count;
    *explained = (struct explain_input){.comparison = comparison, .run = run, .ceilings = evidence_unknown()};
    if (focus == COMPARISON_NONE)
        focus = of->best;
    if (focus == COMPARISON_NONE)
        return error_set(error, ERROR_NOT_FOUND, "%s has no configuration with a time: there is nothing to explain",
                         of->measured_run->path);
    if (!has_time(explained, focus))
        return refuse(explained, focus, error);
    int code = find_neighbours(explained, focus, &neighbours, &count, error);
    size_t room = count + other_count + comparison->parameter_count + 4;
    explained->numbers = arena_array(&explained->arena, room, sizeof *explained->numbers);
    explained->configurations = arena_array(&explained->arena, room, sizeof *explained->configurations);
    if (!code && (!explained->numbers || !explained->configurations))
        code = error_memory(error);
    if (!code)
        code = add(explained, focus, error);
    bool default_ = of->default_ != COMPARISON_NONE && has_time(explained, of->default_);
    if (!code && default_)
        code = add(explained, of->default_, error);
    for (size_t i = 0; i < other_count && !code; i++)
        code = add(explained, others[i], error);
    explained->named = explained->input.count;
    if (!code && default_)
        code = add_way(explained, of->default_, focus, error);
    explained->wanted = explained->input.count;
    for (size_t i = 0; i < count && !code; i++)
        code = add(explained, neighbours[i].number, error);
    explained->input.configurations = explained->configurations;
    explained->input.default_ = !default_ ? EXPLANATION_NONE : explained->numbers[0] == of->default_ ? 0 : 1;
    explained->input.provenance = &of->measured_run->provenance;
    explained->input.ceilings = &explained->ceilings;
    return code;
}

int explain_input_put(struct explain_input *explained, size_t configuration, const struct evidence *launches,
                      size_t count, struct error *error)
{
    struct evidence *copies = arena_array(&explained->arena, count + 1, sizeof *copies);
    if (!copies)
        return error_memory(error);
    for (size_t i = 0; i < count; i++)
        copies[i] = launches[i];
    explained->configurations[configuration].launches = copies;
    explained->configurations[configuration].launch_count = count;
    take_ceilings(explained, launches, count);
    return 0;
}

bool explain_input_lacks(const struct explain_input *explained, size_t configuration, bool counters)
{
    const struct explanation_configuration *of = &explained->configurations[configuration];
    bool lacks = of->launch_count == 0;
    for (size_t i = 0; i < of->launch_count && counters; i++)
        lacks |= !evidence_has_measured(&of->launches[i]);
    return lacks;
}

int explain_input_forget_counters(struct explain_input *explained, struct error *error)
{
    int code = 0;
    for (size_t c = 0; c < explained->input.count && !code; c++) {
        struct explanation_configuration *of = &explained->configurations[c];
        code = explain_input_put(explained, c, of->launches, of->launch_count, error);
        struct evidence *launches = code ? NULL : (struct evidence *)of->launches; /* owned copy */
        for (size_t launch = 0; launch < of->launch_count && !code; launch++)
            for (size_t i = 0; i < evidence_count; i++)
                if (evidence_is_measured(evidence_rows[i].source))
                    evidence_put(&launches[launch], &evidence_rows[i], NAN);
    }
    return code;
}

/* Explains the changes from requested configurations; those that differ in one parameter are among the explanation's
 * changes. */
static int explain_asked(struct explain_input *explained, struct error *error)
{
    size_t parameter;
    int code = 0;
    explained->asked_count = 0;
    explained->asked = arena_array(&explained->arena, explained->named + 1, sizeof *explained->asked);
    if (!explained->asked)
        return error_memory(error);
    for (size_t c = 1; c < explained->named && !code; c++) {
        if (c == explained->input.default_ || explain_input_lacks(explained, c, false) ||
            explain_input_lacks(explained, 0, false) ||
            distance(explained->comparison, explained->numbers[c], explained->numbers[0], &parameter) == 1)
            continue;
        code = explanation_change(&explained->asked[explained->asked_count++], &explained->arena, &explained->input, c,
                                  0, error);
    }
    return code;
}

/* Explains the steps of the way. Skips configurations without evidence. A way of one step is the overall change. */
static int explain_way(struct explain_input *explained, struct error *error)
{
    size_t from = EXPLANATION_NONE;
    int code = 0;
    explained->step_count = 0;
    explained->steps = arena_array(&explained->arena, explained->way_count + 1, sizeof *explained->steps);
    if (!explained->steps)
        return error_memory(error);
    for (size_t i = 0; i < explained->way_count && !code; i++) {
        if (explain_input_lacks(explained, explained->way[i], false))
            continue;
        if (from != EXPLANATION_NONE)
            code = explanation_change(&explained->steps[explained->step_count++], &explained->arena, &explained->input,
                                      from, explained->way[i], error);
        from = explained->way[i];
    }
    if (explained->step_count == 1)
        explained->step_count = 0;
    return code;
}

int explain_input_make(struct explain_input *explained, struct error *error)
{
    int code = explanation_make(&explained->explanation, &explained->arena, &explained->input, error);
    if (!code)
        code = explain_asked(explained, error);
    return code ? code : explain_way(explained, error);
}

void explain_input_close(struct explain_input *explained)
{
    arena_free(&explained->arena);
    *explained = (struct explain_input){0};
}
