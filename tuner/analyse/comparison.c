#include "analyse/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/hash_table.h"
#include "base/pairs.h"
#include "base/random.h"
#include "base/text.h"
#include "journal/outcomes.h"
#include "journal/winner.h"

/* ---- Groups ---- */

static bool has_parameter(const struct measured_run *measured_run, const char *name)
{
    for (size_t p = 0; p < measured_run->parameter_count; p++)
        if (strcmp(measured_run->parameters[p], name) == 0)
            return true;
    return false;
}

static bool together(const struct measured_run *a, const struct measured_run *b)
{
    bool same = a->objective == b->objective && strcmp(a->provenance.kernel, b->provenance.kernel) == 0 &&
                pairs_compare(a->provenance.problem, b->provenance.problem) == 0 &&
                a->parameter_count == b->parameter_count;
    for (size_t p = 0; p < b->parameter_count && same; p++)
        same = has_parameter(a, b->parameters[p]);
    return same;
}

/* Groups appear in the order of their first measured run, runs in the order of the measured runs. */
static int group(struct comparisons *comparisons, const struct measured_runs *measured, const char *kernel,
                 struct error *error)
{
    struct arena *arena = &comparisons->arena;
    comparisons->items = arena_array(arena, measured->count + 1, sizeof *comparisons->items);
    if (!comparisons->items)
        return error_memory(error);
    for (size_t i = 0; i < measured->count; i++) {
        const struct measured_run *measured_run = &measured->items[i];
        size_t at = 0;
        if (kernel && strcmp(kernel, measured_run->provenance.kernel) != 0)
            continue;
        while (at < comparisons->count && !together(comparisons->items[at].runs[0].measured_run, measured_run))
            at++;
        struct comparison *comparison = &comparisons->items[at];
        if (at == comparisons->count) {
            comparisons->count++;
            comparison->kernel = measured_run->provenance.kernel;
            comparison->problem = measured_run->provenance.problem;
            comparison->title = "";
            comparison->objective = measured_run->objective;
            comparison->runs = arena_array(arena, measured->count, sizeof *comparison->runs);
            if (!comparison->runs)
                return error_memory(error);
        }
        if (!*comparison->title)
            comparison->title = measured_run->provenance.title;
        comparison->runs[comparison->run_count++] = (struct comparison_run){
            .measured_run = measured_run, .number = i, .best = COMPARISON_NONE, .default_ = COMPARISON_NONE};
    }
    return 0;
}

/* ---- The values of each parameter ---- */

/* Returns the position of a text among the sorted values, or where to insert it. */
static uint32_t find_value(const char *const *values, uint32_t count, const char *text, bool *found)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (pairs_compare_values(values[middle], text) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *found = low < count && pairs_compare_values(values[low], text) == 0;
    return low;
}

/* Recent look-ups: rows mostly share the memory of equal texts, so most look-ups end here. */
enum { RECENT = 256 };
struct recent {
    const char *text[RECENT];
    uint32_t place[RECENT];
};

static size_t recent_slot(const char *text)
{
    return (size_t)random_mix(0, (uint64_t)(uintptr_t)text) % RECENT;
}

static int add_value(struct comparison_parameter *parameter, const char *text, uint32_t *room, struct error *error)
{
    bool found;
    double number;
    const char **values = (const char **)(uintptr_t)parameter->values;
    uint32_t at = find_value(parameter->values, parameter->value_count, text, &found);
    if (found)
        return 0;
    if (parameter->value_count == *room) {
        *room = *room * 2 + 16;
        if (!(values = realloc(values, *room * sizeof *values)))
            return error_memory(error);
        parameter->values = values;
    }
    memmove(values + at + 1, values + at, (parameter->value_count - at) * sizeof *values);
    values[at] = text;
    parameter->value_count++;
    parameter->numbers &= pairs_number(text, &number);
    return 0;
}

static size_t column_of(const struct measured_run *measured_run, const char *name)
{
    size_t column = 0;
    while (column < measured_run->parameter_count && strcmp(measured_run->parameters[column], name) != 0)
        column++;
    return column;
}

static int collect_values(struct comparison *comparison, struct comparison_parameter *parameter, struct error *error)
{
    struct recent recent = {0};
    uint32_t room = 0;
    int code = 0;
    for (size_t r = 0; r < comparison->run_count && !code; r++) {
        const struct measured_run *measured_run = comparison->runs[r].measured_run;
        size_t column = column_of(measured_run, parameter->name);
        for (size_t i = 0; i < measured_run->row_count && !code; i++) {
            const char *text = measured_run->rows[i].values[column];
            if (recent.text[recent_slot(text)] == text)
                continue;
            recent.text[recent_slot(text)] = text;
            code = add_value(parameter, text, &room, error);
        }
    }
    return code;
}

/* Allocates the values with malloc; comparisons_free frees them. */
static int find_parameters(struct comparisons *comparisons, struct comparison *comparison, struct error *error)
{
    const struct measured_run *first = comparison->runs[0].measured_run;
    int code = 0;
    comparison->parameters =
        arena_array(&comparisons->arena, first->parameter_count + 1, sizeof *comparison->parameters);
    if (!comparison->parameters)
        return error_memory(error);
    comparison->parameter_count = first->parameter_count;
    for (size_t p = 0; p < first->parameter_count && !code; p++) {
        comparison->parameters[p] = (struct comparison_parameter){.name = first->parameters[p], .numbers = true};
        code = collect_values(comparison, &comparison->parameters[p], error);
    }
    return code;
}

/* ---- Configurations ---- */

struct configurations {
    size_t width, count;
    uint32_t *choices; /* room for every row of every run */
    struct hash_table table;
};

static bool same_choices(const void *owner, uint32_t item, const void *choices)
{
    const struct configurations *configurations = owner;
    return memcmp(configurations->choices + item * configurations->width, choices,
                  configurations->width * sizeof *configurations->choices) == 0;
}

static struct hash_key key_of(const struct configurations *configurations, const uint32_t *choices)
{
    uint64_t hash = hash_u64(choices, configurations->width * sizeof *choices, 0);
    return (struct hash_key){hash, same_choices, configurations, choices};
}

static int put_choices(struct configurations *configurations, const uint32_t *choices, size_t *number,
                       struct error *error)
{
    const struct hash_key key = key_of(configurations, choices);
    uint32_t item = (uint32_t)configurations->count;
    if (hash_table_put(&configurations->table, &key, &item))
        return error_memory(error);
    if (item == configurations->count)
        memcpy(configurations->choices + configurations->count++ * configurations->width, choices,
               configurations->width * sizeof *choices);
    *number = item;
    return 0;
}

enum { NAMED_MAX = 64 }; /* parameters of a configuration given as text */

/* Reads the choices of "NAME=VALUE NAME=VALUE"; false if a value occurs nowhere. */
static bool read_text(const struct comparison *comparison, const char *text, uint32_t choices[NAMED_MAX])
{
    if (comparison->parameter_count > NAMED_MAX)
        return false;
    for (size_t p = 0; p < comparison->parameter_count; p++) {
        const struct comparison_parameter *parameter = &comparison->parameters[p];
        char value[64];
        size_t length;
        bool found = false;
        const char *at = pairs_value(text, parameter->name, &length);
        if (!at || length >= sizeof value)
            return false;
        memcpy(value, at, length);
        value[length] = '\0';
        choices[p] = find_value(parameter->values, parameter->value_count, value, &found);
        if (!found)
            return false;
    }
    return true;
}

/* Returns the configuration of such a text, if a run has evaluated it. */
static size_t find_text(const struct comparison *comparison, const struct configurations *configurations,
                        const char *text)
{
    uint32_t choices[NAMED_MAX];
    if (!read_text(comparison, text, choices))
        return COMPARISON_NONE;
    const struct hash_key key = key_of(configurations, choices);
    uint32_t item = hash_table_find(&configurations->table, &key);
    return item == HASH_TABLE_NONE ? COMPARISON_NONE : item;
}

size_t comparison_find(const struct comparison *comparison, const char *configuration)
{
    uint32_t choices[NAMED_MAX];
    size_t width = comparison->parameter_count, found = 0;
    if (!read_text(comparison, configuration, choices))
        return COMPARISON_NONE;
    while (found < comparison->configuration_count &&
           memcmp(comparison->choices + found * width, choices, width * sizeof *choices) != 0)
        found++;
    return found < comparison->configuration_count ? found : COMPARISON_NONE;
}

static uint32_t place_of(const struct comparison_parameter *parameter, struct recent *recent, const char *text)
{
    size_t slot = recent_slot(text);
    bool found;
    if (recent->text[slot] != text) {
        recent->text[slot] = text;
        recent->place[slot] = find_value(parameter->values, parameter->value_count, text, &found);
    }
    return recent->place[slot];
}

/* Writes the configuration of every row of a run to `numbers`. */
static int number_rows(const struct comparison *comparison, const struct measured_run *measured_run,
                       struct configurations *configurations, size_t *numbers, struct error *error)
{
    size_t width = comparison->parameter_count;
    uint32_t *choices = calloc(width + 1, sizeof *choices);
    size_t *columns = calloc(width + 1, sizeof *columns);
    struct recent *recent = calloc(width + 1, sizeof *recent);
    int code = choices && columns && recent ? 0 : error_memory(error);
    for (size_t p = 0; p < width && !code; p++)
        columns[p] = column_of(measured_run, comparison->parameters[p].name);
    for (size_t i = 0; i < measured_run->row_count && !code; i++) {
        for (size_t p = 0; p < width; p++)
            choices[p] = place_of(&comparison->parameters[p], &recent[p], measured_run->rows[i].values[columns[p]]);
        code = put_choices(configurations, choices, &numbers[i], error);
    }
    free(choices);
    free(columns);
    free(recent);
    return code;
}

/* Orders equally fast configurations by their values, as the indices of a space do. */
static int order_choices(const void *owner, uint64_t a, uint64_t b)
{
    const struct configurations *configurations = owner;
    const uint32_t *x = configurations->choices + a * configurations->width;
    const uint32_t *y = configurations->choices + b * configurations->width;
    int order = 0;
    for (size_t p = 0; p < configurations->width && order == 0; p++)
        order = (x[p] > y[p]) - (x[p] < y[p]);
    return order;
}

/* Returns the key of the original of a duplicate's row. */
static uint64_t duplicate_of(const struct comparison *comparison, const struct configurations *configurations,
                             const struct measurement *measurement)
{
    char text[sizeof measurement->message];
    size_t length;
    const char *name = measurement_duplicate(measurement, &length);
    if (!name)
        return OUTCOME_NO_DUPLICATE;
    memcpy(text, name, length);
    text[length] = '\0';
    size_t found = find_text(comparison, configurations, text);
    return found == COMPARISON_NONE ? OUTCOME_NO_DUPLICATE : found;
}

/* Copies the decision of the play-off. */
static int choose_winner(struct arena *arena, const struct outcomes *outcomes, struct comparison_run *run, size_t count,
                         struct error *error)
{
    enum standing *standings = arena_array(arena, count + 1, sizeof *standings);
    struct winner winner;
    if (!standings)
        return error_memory(error);
    run->standings = standings;
    if (!winner_find(outcomes, 0, UINT64_MAX, &winner))
        return 0;
    run->best = winner.key;
    run->finalists = winner.finalists;
    run->tied = winner.tied;
    run->keeps_incumbent = winner.finalists && outcomes->has_incumbent && outcomes->incumbent == winner.key;
    for (size_t i = 0; i < winner.finalists; i++)
        standings[winner.keys[i]] = winner.ties[i] ? STANDING_TIED : STANDING_LOST;
    standings[winner.key] = STANDING_WINNER;
    return 0;
}

/* `numbers`: the configuration of every row of the run. */
static int fill_run(struct comparisons *comparisons, const struct comparison *comparison,
                    const struct configurations *configurations, struct comparison_run *run, const size_t *numbers,
                    struct error *error)
{
    size_t count = comparison->configuration_count;
    const struct measured_run *measured_run = run->measured_run;
    struct arena *arena = &comparisons->arena;
    const struct measurement **of = arena_array(arena, count + 1, sizeof *of);
    const struct measurement **searched = arena_array(arena, count + 1, sizeof *searched);
    size_t *search_order = arena_array(arena, count + 1, sizeof *search_order);
    struct outcomes outcomes = {.order = order_choices, .reader = configurations};
    int code = of && searched && search_order ? 0 : error_memory(error);
    for (size_t i = 0; i < measured_run->row_count && !code; i++) {
        const struct measurement *row = measured_run->rows[i].measurement;
        code = outcomes_add(&outcomes, numbers[i], duplicate_of(comparison, configurations, row), row, error);
    }
    for (size_t i = 0; i < outcomes.count && !code; i++) {
        const struct outcome *outcome = &outcomes.items[i];
        const struct measurement *known = outcomes_view(&outcomes, outcome, OUTCOME_KNOWN_AS, arena);
        searched[i] = outcomes_view(&outcomes, outcome, OUTCOME_OF_SEARCH, arena);
        if (!known || !searched[i]) {
            code = error_memory(error);
            break;
        }
        of[outcome->key] = known;
        search_order[i] = outcome->key;
        run->evaluated++;
        run->counts[known->status]++;
    }
    if (!code)
        code = choose_winner(arena, &outcomes, run, count, error);
    outcomes_free(&outcomes);
    run->of = of;
    run->searched = searched;
    run->search_order = search_order;
    return code;
}

/* `numbers`: the configuration of every row of every run, one run after the other. */
static int fill_runs(struct comparisons *comparisons, struct comparison *comparison,
                     const struct configurations *configurations, const size_t *numbers, struct error *error)
{
    int code = 0;
    for (size_t r = 0; r < comparison->run_count && !code; r++) {
        struct comparison_run *run = &comparison->runs[r];
        code = fill_run(comparisons, comparison, configurations, run, numbers, error);
        numbers += run->measured_run->row_count;
    }
    return code;
}

static int align(struct comparisons *comparisons, struct comparison *comparison, struct error *error)
{
    struct configurations configurations = {0};
    size_t rows = 0, *numbers = NULL;
    for (size_t r = 0; r < comparison->run_count; r++)
        rows += comparison->runs[r].measured_run->row_count;
    int code = find_parameters(comparisons, comparison, error);
    if (code)
        return code;
    configurations.width = comparison->parameter_count;
    configurations.choices =
        arena_array(&comparisons->arena, rows * configurations.width + 1, sizeof *configurations.choices);
    numbers = calloc(rows + 1, sizeof *numbers);
    if (!configurations.choices || !numbers)
        code = error_memory(error);
    size_t done = 0;
    for (size_t r = 0; r < comparison->run_count && !code; r++) {
        code = number_rows(comparison, comparison->runs[r].measured_run, &configurations, numbers + done, error);
        done += comparison->runs[r].measured_run->row_count;
    }
    if (!code) {
        comparison->choices = configurations.choices;
        comparison->configuration_count = configurations.count;
        code = fill_runs(comparisons, comparison, &configurations, numbers, error);
    }
    for (size_t r = 0; r < comparison->run_count && !code; r++)
        comparison->runs[r].default_ =
            find_text(comparison, &configurations, comparison->runs[r].measured_run->provenance.default_);
    free(numbers);
    hash_table_free(&configurations.table);
    return code;
}

int comparisons_make(struct comparisons *comparisons, const struct measured_runs *measured, const char *kernel,
                     struct error *error)
{
    *comparisons = (struct comparisons){0};
    int code = group(comparisons, measured, kernel, error);
    for (size_t i = 0; i < comparisons->count && !code; i++)
        code = align(comparisons, &comparisons->items[i], error);
    return code;
}

void comparisons_free(struct comparisons *comparisons)
{
    for (size_t i = 0; i < comparisons->count; i++)
        for (size_t p = 0; p < comparisons->items[i].parameter_count; p++)
            free((void *)(uintptr_t)comparisons->items[i].parameters[p].values);
    arena_free(&comparisons->arena);
    *comparisons = (struct comparisons){0};
}

/* ---- Queries ---- */

enum cell comparison_cell(const struct comparison *comparison, size_t configuration, size_t run, double *value)
{
    const struct measurement *measurement =
        configuration == COMPARISON_NONE ? NULL : comparison->runs[run].of[configuration];
    enum cell cell = CELL_FAILED;
    if (!measurement)
        cell = CELL_UNKNOWN;
    else if (measurement_has_value(measurement))
        cell = measurement_timed(measurement) ? CELL_TIMED : CELL_EARLY;
    if (value)
        *value = cell == CELL_TIMED || cell == CELL_EARLY ? measurement->value : NAN;
    return cell;
}

struct amounts comparison_amounts(const struct comparison *comparison, size_t configuration, size_t run)
{
    const struct comparison_run *of = &comparison->runs[run];
    struct measurement none = measurement_unknown(STATUS_OK);
    none.objective = objective_number(comparison->objective);
    bool known = configuration != COMPARISON_NONE && of->of[configuration];
    return amounts_of(&of->measured_run->provenance, known ? of->of[configuration] : &none);
}

double comparison_slowdown(const struct comparison *comparison, size_t from, size_t on, enum cell *cell)
{
    double value, best_value;
    *cell = comparison_cell(comparison, comparison->runs[from].best, on, &value);
    comparison_cell(comparison, comparison->runs[on].best, on, &best_value);
    return objective_cost(comparison->objective, value) / objective_cost(comparison->objective, best_value);
}

double comparison_efficiency(const struct comparison *comparison, size_t configuration, size_t run)
{
    double value, best_value;
    if (comparison_cell(comparison, comparison->runs[run].best, run, &best_value) != CELL_TIMED)
        return NAN;
    enum cell cell = comparison_cell(comparison, configuration, run, &value);
    return cell == CELL_FAILED
               ? 0
               : objective_cost(comparison->objective, best_value) / objective_cost(comparison->objective, value);
}

double comparison_portability(const struct comparison *comparison, size_t configuration)
{
    double sum = 0;
    bool fails = false;
    for (size_t r = 0; r < comparison->run_count; r++) {
        double efficiency = comparison_efficiency(comparison, configuration, r);
        fails |= efficiency <= 0;
        sum += 1 / efficiency;
    }
    return fails ? 0 : (double)comparison->run_count / sum;
}

static bool known_everywhere(const struct comparison *comparison, size_t configuration)
{
    for (size_t r = 0; r < comparison->run_count; r++)
        if (isnan(comparison_efficiency(comparison, configuration, r)))
            return false;
    return true;
}

static int by_portability(const void *a, const void *b)
{
    const struct portable *one = a, *other = b;
    if (one->portability != other->portability)
        return one->portability > other->portability ? -1 : 1;
    return one->configuration < other->configuration ? -1 : one->configuration > other->configuration;
}

size_t comparison_rank(const struct comparison *comparison, struct portable *ranking, size_t room)
{
    size_t known = 0, kept = 0;
    for (size_t c = 0; c < comparison->configuration_count; c++) {
        struct portable portable = {c, comparison_portability(comparison, c)};
        if (!known_everywhere(comparison, c))
            continue;
        known++;
        if (kept == room && (!room || by_portability(&portable, &ranking[kept - 1]) > 0))
            continue;
        kept += kept < room;
        size_t at = kept - 1;
        for (; at > 0 && by_portability(&portable, &ranking[at - 1]) < 0; at--)
            ranking[at] = ranking[at - 1];
        ranking[at] = portable;
    }
    return known;
}

void comparison_text(const struct comparison *comparison, size_t configuration, struct text *text)
{
    const uint32_t *choices = comparison->choices + configuration * comparison->parameter_count;
    for (size_t p = 0; p < comparison->parameter_count; p++)
        text_printf(text, "%s%s=%s", p ? " " : "", comparison->parameters[p].name,
                    comparison->parameters[p].values[choices[p]]);
}
