#include "choose/selection.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "choose/portable.h"
#include "choose/selection_condition.h"
#include "choose/selection_fit.h"

/* ---- Versions ---- */

const struct best *selection_newest(const struct best *const *rows, size_t count)
{
    const struct best *newest = rows[0];
    for (size_t i = 1; i < count; i++)
        if (strcmp(rows[i]->provenance.date, newest->provenance.date) > 0)
            newest = rows[i];
    return newest;
}

size_t selection_fresh(const struct best *const *rows, size_t count, const struct best **fresh)
{
    const struct best *newest = count ? selection_newest(rows, count) : NULL;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (provenance_same(&rows[i]->provenance, &newest->provenance, PROVENANCE_VERSION))
            fresh[kept++] = rows[i];
    return kept;
}

/* ---- Reading the rows ---- */

static int different(const struct best *first, const struct best *other, const char *what, const char *first_text,
                     const char *text, struct error *error)
{
    error_set(error, ERROR_DATA,
              "the %s of %.60s differ between its rows: '%.100s' (%.80s, %.80s) and '%.100s' "
              "(%.80s, %.80s)",
              what, first->provenance.kernel, first_text, first->provenance.device.name, first->provenance.problem,
              text, other->provenance.device.name, other->provenance.problem);
    error_hint(error, "the space has changed since one of them was tuned: tune that one again, or delete its row");
    return ERROR_DATA;
}

static int read_numbers(struct selection *selection, struct selection_row *row, struct error *error)
{
    long double *numbers = arena_array(&selection->arena, row->sizes->count, sizeof *numbers);
    if (!numbers)
        return error_memory(error);
    for (size_t i = 0; i < row->sizes->count; i++)
        if (!selection_number(row->sizes->items[i].value, strlen(row->sizes->items[i].value), &numbers[i]))
            return error_set(error, ERROR_DATA, "the problem size %.60s is not a number: '%.60s'",
                             row->sizes->items[i].name, row->sizes->items[i].value);
    row->numbers = numbers;
    return 0;
}

static int check_device(const struct best *best, struct error *error)
{
    const struct {
        const char *name;
        int64_t number, most;
    } facts[] = {{"compute capability", best->provenance.device.cc, SELECTION_CC_MAX},
                 {"SM count", best->provenance.device.sm_count, INT_MAX},
                 {"L2 size", best->provenance.device.l2_bytes, INT64_MAX}};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        if (facts[i].number < 0 || facts[i].number > facts[i].most)
            return error_set(error, ERROR_DATA, "the %s of %.80s cannot be %lld: it must be from 0 to %lld",
                             facts[i].name, best->provenance.device.name, (long long)facts[i].number,
                             (long long)facts[i].most);
    return 0;
}

/* Reads the sizes: a fit's row has their names but no numbers, because it has a region in their place. */
static int read_row(struct selection *selection, struct selection_row *row, struct error *error)
{
    const struct selection_row *newest = &selection->rows[selection->newest];
    const struct best *best = row->best;
    const char *configuration =
        row->fit ? row->fit->fit.configurations[row - selection->rows - row->fit->first].text : best->configuration;
    bool same = true;
    int code = check_device(best, error);
    row->device = best->provenance.device.name;
    row->cc = (int)best->provenance.device.cc;
    row->sm_count = (int)best->provenance.device.sm_count;
    row->l2_bytes = best->provenance.device.l2_bytes;
    if (!code)
        code = selection_pairs(selection, best->provenance.problem, selection->sizes, &row->sizes, &same, error);
    if (!code && !same)
        code = different(newest->best, best, "problem sizes", newest->best->provenance.problem,
                         best->provenance.problem, error);
    if (!code)
        code = selection_pairs(selection, configuration, selection->parameters, &row->configuration, &same, error);
    if (!code && !same)
        code = different(newest->best, best, "parameters", newest->best->configuration, configuration, error);
    if (!code && !row->fit)
        code = read_numbers(selection, row, error);
    if (!code && !(row->text = pairs_text(&selection->arena, row->configuration)))
        code = error_memory(error);
    if (code)
        error_hint(error, "in the row of %.80s, %.80s", best->provenance.device.name, best->provenance.problem);
    return code;
}

/* Without a default, as in an import, the newest row stands in for it. */
static int read_default(struct selection *selection, struct selection_row *row, struct error *error)
{
    const struct best *newest = selection->described;
    const char *default_ = *newest->provenance.default_ ? newest->provenance.default_ : newest->configuration;
    bool same = true;
    int code = selection_pairs(selection, default_, selection->parameters, &row->configuration, &same, error);
    if (!code && !same)
        code = different(newest, newest, "parameters", newest->configuration, default_, error);
    if (!code && !(row->text = pairs_text(&selection->arena, row->configuration)))
        code = error_memory(error);
    row->kind = CHOOSE_IS_DEFAULT;
    row->device = "";
    return code;
}

/* The newest row describes the current space: it sets the order of sizes and parameters, and the default. */
static int read_rows(struct selection *selection, struct selection_row *rows, size_t count, struct error *error)
{
    int code = read_row(selection, &rows[selection->newest], error);
    selection->sizes = rows[selection->newest].sizes;
    selection->parameters = rows[selection->newest].configuration;
    for (size_t i = 0; i < count && !code; i++)
        if (i != selection->newest)
            code = read_row(selection, &rows[i], error);
    if (!code)
        code = selection_fits_order(selection, error);
    for (size_t i = 0; i < count && !code; i++)
        if (rows[i].fit)
            rows[i].sizes = NULL;
    return code;
}

/* Lists the rows: those of single sizes first, then those of the fits. */
static int list_rows(struct selection *selection, struct selection_row *rows, const struct best *const *bests,
                     size_t count, struct error *error)
{
    const struct best *newest = selection->described = selection_newest(bests, count);
    for (size_t i = 0; i < count; i++) {
        if (database_is_fit(bests[i]))
            continue;
        if (bests[i] == newest)
            selection->newest = selection->row_count;
        rows[selection->row_count++].best = bests[i];
    }
    return selection_fits_read(selection, rows, bests, count, newest, error);
}

int selection_build(struct selection **selection, const struct best *const *rows, size_t count,
                    const struct selection_time *times, size_t time_count, struct error *error)
{
    struct selection *fresh = calloc(1, sizeof *fresh);
    /* Combinations of sizes never outnumber rows and times. */
    size_t room = count + time_count + 1;
    struct selection_row *all = NULL;
    int code = fresh ? 0 : error_memory(error);
    for (size_t i = 0; i < count; i++)
        room += database_is_fit(rows[i]) ? SIZE_FIT_CONFIGURATIONS_MAX : 1;
    if (!code && !(all = arena_array(&fresh->arena, room, sizeof *all)))
        code = error_memory(error);
    if (!code) {
        fresh->kernel = rows[0]->provenance.kernel;
        fresh->rows = all;
        code = list_rows(fresh, all, rows, count, error);
    }
    if (!code)
        code = read_rows(fresh, all, fresh->row_count, error);
    if (!code)
        code = portable_rows(fresh, all, times, time_count, error);
    if (!code)
        code = selection_conditions_read(fresh, all, error);
    if (!code)
        code = read_default(fresh, &all[fresh->row_count++], error);
    if (code)
        selection_free(fresh);
    else
        *selection = fresh;
    return code;
}

int selection_build_default(struct selection **selection, const struct best *described, struct error *error)
{
    struct selection *fresh = calloc(1, sizeof *fresh);
    struct selection_row *row = fresh ? arena_array(&fresh->arena, 1, sizeof *row) : NULL;
    bool same;
    int code = row ? 0 : error_memory(error);
    if (!code) {
        fresh->kernel = described->provenance.kernel;
        fresh->described = described;
        fresh->rows = row;
        fresh->row_count = 1;
        code = selection_pairs(fresh, described->provenance.problem, NULL, &fresh->sizes, &same, error);
    }
    if (!code)
        code = selection_pairs(fresh, described->configuration, NULL, &fresh->parameters, &same, error);
    if (!code)
        code = read_default(fresh, row, error);
    if (code)
        selection_free(fresh);
    else
        *selection = fresh;
    return code;
}

void selection_free(struct selection *selection)
{
    if (!selection)
        return;
    arena_free(&selection->arena);
    free(selection);
}

/* ---- Choosing ---- */

/* The row that a fit chooses. On its own device, the fit itself knows which configurations are valid. */
static size_t choose_by_fit(const struct selection *selection, const struct selection_fit *fit,
                            const struct selection_device *device, const long double *sizes, const bool *excluded)
{
    const struct selection_row *first = &selection->rows[fit->first];
    const bool own = device->name && strcmp(first->device, device->name) == 0;
    uint32_t allowed = 0;
    for (size_t i = 0; i < fit->fit.configuration_count; i++)
        if (!(excluded && excluded[fit->first + i]) &&
            (own || selection_valid(selection, fit->first + i, device, sizes, false)))
            allowed |= 1U << i;
    return selection_fit_choose(selection, fit, sizes, device->sm_count, device->l2_bytes, allowed);
}

size_t selection_choose(const struct selection *selection, const struct selection_device *device,
                        const long double *sizes, const bool *excluded, enum choose_rule *rule)
{
    struct choose_search search = {.device = device->name,
                                   .cc = device->cc,
                                   .sm_count = device->sm_count,
                                   .l2_bytes = device->l2_bytes,
                                   .rule = CHOOSE_RULE_NONE,
                                   .row = selection->row_count};
    for (size_t i = 0; i < selection->row_count; i++) {
        const struct selection_row *row = &selection->rows[i];
        if (row->fit || (excluded && excluded[i]))
            continue;
        for (size_t s = 0; row->numbers && s < selection->sizes->count; s++)
            choose_size(&search, row->numbers[s], sizes[s]);
        if (choose_better(&search, row->kind, row->device, row->cc, row->sm_count, row->l2_bytes) &&
            (search.own_rule == CHOOSE_RULE_PROBLEM || /* it was measured there */
             selection_valid(selection, i, device, sizes, search.own_rule <= CHOOSE_RULE_DEVICE)))
            choose_take(&search, i);
    }
    for (size_t f = 0; f < selection->fit_count; f++) {
        const struct selection_row *first = &selection->rows[selection->fits[f]->first];
        if (!choose_better(&search, CHOOSE_IS_FIT, first->device, first->cc, first->sm_count, first->l2_bytes))
            continue;
        size_t i = choose_by_fit(selection, selection->fits[f], device, sizes, excluded);
        if (i < selection->row_count)
            choose_take(&search, i);
    }
    if (rule)
        *rule = (enum choose_rule)search.rule;
    return search.row;
}

bool selection_extrapolates(const struct selection *selection, size_t row, const long double *sizes)
{
    return selection_fit_extrapolates(&selection->rows[row], sizes);
}

static bool same_sizes(const struct selection *selection, const struct selection_row *row, const long double *sizes)
{
    for (size_t i = 0; i < selection->sizes->count; i++)
        if (row->numbers[i] < sizes[i] || row->numbers[i] > sizes[i])
            return false;
    return true;
}

double selection_expected_loss(const struct selection *selection, size_t row, enum choose_rule rule,
                               const long double *sizes)
{
    const struct selection_row *chosen = &selection->rows[row];
    if (rule == CHOOSE_RULE_PROBLEM)
        return 0;
    if (rule == CHOOSE_RULE_FIT && !selection_extrapolates(selection, row, sizes))
        return 100 / chosen->fit->quality - 100;
    if (rule == CHOOSE_RULE_COMMON && same_sizes(selection, chosen, sizes))
        return 100 * chosen->relative - 100;
    return NAN;
}

bool selection_may_be_negative(const struct selection *selection, size_t size)
{
    if (!selection->rows[selection->newest].best)
        return true;
    for (size_t i = 0; i < selection->row_count; i++)
        if (selection->rows[i].numbers && selection->rows[i].numbers[size] < 0)
            return true;
    for (size_t f = 0; f < selection->fit_count; f++)
        for (size_t i = 0; i < selection->fits[f]->fit.size_count; i++)
            if (selection->fits[f]->sizes[i] == size && selection->fits[f]->fit.sizes[i].least < 0)
                return true;
    return false;
}

static bool has_name(const struct selection *selection, size_t size, const struct pair_parts *parts)
{
    const char *name = selection->sizes->items[size].name;
    return strncmp(name, parts->name, parts->name_length) == 0 && !name[parts->name_length];
}

/* The number of the size with that name, usually `likely`; the count of sizes for an unknown name. */
static size_t find_size(const struct selection *selection, const struct pair_parts *parts, size_t likely)
{
    size_t i = 0, count = selection->sizes->count;
    if (likely < count && has_name(selection, likely, parts))
        return likely;
    while (i < count && !has_name(selection, i, parts))
        i++;
    return i;
}

static int read_size(const struct selection *selection, size_t size, const struct pair_parts *parts,
                     long double *number, struct error *error)
{
    const char *name = selection->sizes->items[size].name;
    int length = parts->value_length < 60 ? (int)parts->value_length : 60;
    if (!selection_number(parts->value, parts->value_length, number))
        return error_set(error, ERROR_USAGE, "the problem size %.60s is not a number: '%.*s'", name, length,
                         parts->value);
    if (*number < 0 && !selection_may_be_negative(selection, size))
        return error_set(error, ERROR_USAGE, "the problem size %.60s cannot be negative: %.*s", name, length,
                         parts->value);
    return 0;
}

/* Reads in place, because each lookup of the library calls it. */
int selection_sizes(const struct selection *selection, const char *problem, long double *sizes, struct error *error)
{
    bool given[PAIRS_MAX], once = true;
    struct pair_parts parts;
    size_t length, found = 0;
    int code = 0;
    memset(given, 0, selection->sizes->count);
    for (const char *at = problem; !code && (at = pairs_word(at, &length)); at += length) {
        if ((code = pairs_part(at, length, &parts, error)))
            return code;
        size_t size = find_size(selection, &parts, found);
        once = size < selection->sizes->count && !given[size];
        if (!once)
            break;
        given[size] = true;
        found++;
        code = read_size(selection, size, &parts, &sizes[size], error);
    }
    if (!code && (!once || found < selection->sizes->count)) {
        code = error_set(error, ERROR_USAGE, "'%.200s' does not give each problem size of %.60s once", problem,
                         selection->kernel);
        error_hint(error, selection->rows[selection->newest].fit ? "within '%.200s'" : "such as '%.200s'",
                   selection->described->provenance.problem);
    }
    return code;
}
