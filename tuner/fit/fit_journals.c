#include "fit/fit_journals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/pairs.h"
#include "base/text.h"
#include "expression/expr.h"
#include "language/condition.h"

/* ---- Reading ---- */

static const struct journal_header *header_of(const struct fit_journal *journal)
{
    return journal_get_header(journal->journal);
}

static int check_alike(const struct fit_journals *journals, const struct fit_journal *journal, struct error *error)
{
    const struct journal_header *now = header_of(journal);
    if (!journals->count)
        return 0;
    const struct fit_journal *first = journals->items[0];
    const struct journal_header *then = header_of(first);
    const struct provenance *a = &then->provenance, *b = &now->provenance;
    bool alike = then->parameter_count == now->parameter_count && then->objective == now->objective;
    for (size_t i = 0; alike && i < now->parameter_count; i++)
        alike = strcmp(then->parameters[i], now->parameters[i]) == 0;
    const char *what = strcmp(a->kernel, b->kernel)             ? "another kernel"
                       : strcmp(a->device.name, b->device.name) ? "another device"
                       : !alike                                 ? "other parameters or another objective"
                                                                : provenance_difference(a, b, FIT_IDENTITY);
    if (!what)
        return 0;
    error_set(error, ERROR_DATA, "%s was measured with %s than %s", journal->path, what, first->path);
    error_hint(error, "their times cannot be compared: name a folder that has the journals of one of them");
    return ERROR_DATA;
}

static int read_sizes(struct fit_journals *journals, struct fit_journal *journal, struct error *error)
{
    const char *problem = header_of(journal)->provenance.problem;
    int64_t *sizes = arena_array(&journals->arena, journals->name_count + 1, sizeof *sizes);
    if (!sizes)
        return error_memory(error);
    for (size_t i = 0; i < journals->name_count; i++) {
        size_t length = 0;
        const char *value = pairs_value(problem, journals->names[i], &length);
        char *end = NULL;
        sizes[i] = value ? strtoll(value, &end, 10) : 0;
        if (!value || end != value + length)
            return error_set(error, ERROR_DATA, "%s: its problem, %s, has no size %s", journal->path, problem,
                             journals->names[i]);
    }
    journal->sizes = sizes;
    return 0;
}

static void close_one(struct fit_journal *journal)
{
    journal_outcomes_free(&journal->outcomes);
    journal_outcomes_free(&journal->search);
    journal_close(journal->journal, NULL);
    journal->journal = NULL;
}

/* Marks the configurations in the space: journals may have more than a narrowed space. */
static int mark_inside(const struct space *space, const struct fit_journal *journal, struct journal_outcomes *read,
                       struct error *error)
{
    struct text text = {0};
    bool failed = false;
    for (size_t i = 0; i < read->outcomes.count; i++) {
        uint32_t choices[SPACE_PARAMETERS_MAX];
        struct error unread = {0};
        text_clear(&text);
        journal_outcomes_text(journal->journal, read->rows[i], &text);
        bool inside = !space || (!space_config_parse(space, text_string(&text), choices, &unread) &&
                                 space_narrowed_has(space, choices));
        if (inside)
            read->outcomes.items[i].marks |= FIT_INSIDE;
        failed |= text.failed;
    }
    text_free(&text);
    return failed ? error_memory(error) : 0;
}

static int open_one(struct fit_journals *journals, struct fit_journal *journal, struct error *error)
{
    int code = journal_read(&journal->journal, journal->path, error);
    journal->probed = !code && journal_is_probed(journal->journal);
    if (!code)
        code = check_alike(journals, journal, error);
    if (!code)
        code = read_sizes(journals, journal, error);
    if (!code)
        code = journal_outcomes_read(&journal->outcomes, journal->journal, error);
    if (!code)
        code = journal_outcomes_read_search(&journal->search, journal->journal, error);
    if (!code)
        code = mark_inside(journals->space, journal, &journal->outcomes, error);
    return code ? code : mark_inside(journals->space, journal, &journal->search, error);
}

static bool has_sizes(const struct fit_journals *journals, const int64_t *sizes)
{
    for (size_t i = 0; i < journals->count; i++)
        if (memcmp(journals->items[i]->sizes, sizes, journals->name_count * sizeof *sizes) == 0)
            return true;
    return false;
}

static bool before(const struct fit_journals *journals, const struct fit_journal *a, const struct fit_journal *b)
{
    size_t i = 0;
    while (i + 1 < journals->name_count && a->sizes[i] == b->sizes[i])
        i++;
    return a->sizes[i] < b->sizes[i];
}

static int add_new(struct fit_journals *journals, const char *path, bool *same, struct error *error)
{
    /* Outcomes keep pointers into their journal: it must not move. */
    size_t at = journals->count;
    struct fit_journal *journal = arena_alloc(&journals->arena, sizeof *journal);
    struct fit_journal **items = array_grow(journals->items, &journals->room, journals->count + 1, sizeof *items);
    if (items)
        journals->items = items;
    if (!items || !journal || !(journal->path = arena_copy(&journals->arena, path, strlen(path))))
        return error_memory(error);
    int code = open_one(journals, journal, error);
    *same = !code && has_sizes(journals, journal->sizes);
    if (code || *same) {
        close_one(journal);
        return code;
    }
    for (; at && before(journals, journal, items[at - 1]); at--)
        items[at] = items[at - 1];
    items[at] = journal;
    journals->count++;
    return 0;
}

int fit_journals_add(struct fit_journals *journals, const char *path, bool *same, struct error *error)
{
    *same = false;
    for (size_t i = 0; i < journals->count; i++)
        if (strcmp(journals->items[i]->path, path) == 0) {
            struct fit_journal again = {.path = journals->items[i]->path};
            close_one(journals->items[i]);
            *journals->items[i] = again;
            return open_one(journals, journals->items[i], error);
        }
    return add_new(journals, path, same, error);
}

void fit_journals_free(struct fit_journals *journals)
{
    for (size_t i = 0; i < journals->count; i++)
        close_one(journals->items[i]);
    free(journals->items);
    free(journals->configurations);
    arena_free(&journals->arena);
    *journals = (struct fit_journals){0};
}

/* ---- Conditions ---- */

/* Returns the static shared memory in bytes, if it is equal at all sizes with a time: the recorded minus the dynamic
 * bytes. 0: unknown, or the sizes differ. */
static int64_t static_shared(const struct fit_journals *journals, const char *configuration,
                             const struct size_condition *dynamic)
{
    const uint64_t key = journal_outcomes_key(configuration);
    int64_t found = 0;
    bool first = true;
    for (size_t i = 0; i < journals->count; i++) {
        const struct outcome *outcome = outcomes_find(&journals->items[i]->outcomes.outcomes, key);
        if (!outcome || !outcome->last || !measurement_timed(outcome->last))
            continue;
        int64_t bytes = outcome->last->shared_bytes - size_condition_value(dynamic, journals->items[i]->sizes);
        if (bytes < 0 || (!first && bytes != found))
            return 0;
        found = bytes;
        first = false;
    }
    return found;
}

/* Finds the same for the kernel of a space with one launch, whose dynamic shared memory depends on the sizes. */
static int find_static_shared(const struct fit_journals *journals, const struct space *space, const char *configuration,
                              const uint32_t *choices, int64_t *bytes, struct error *error)
{
    struct arena arena = {0};
    struct text text = {0};
    const struct size_condition *dynamic;
    const struct expr *shared = space->steps[0].shared;
    int code = 0;
    *bytes = 0;
    if (space->step_count == 1 && shared && shared->uses_problems &&
        space_expression(space, shared, &header_of(journals->items[0])->provenance.device, choices, &text)) {
        code = size_condition_parse(&arena, text_string(&text), journals->names, journals->name_count, &dynamic, error);
        if (!code)
            *bytes = static_shared(journals, configuration, dynamic);
    }
    code = text.failed ? error_memory(error) : code;
    text_free(&text);
    arena_free(&arena);
    return code;
}

int fit_journals_condition(const struct fit_journals *journals, const struct space *space, const char *configuration,
                           struct arena *arena, const char **condition_text, const struct size_condition **condition,
                           bool *complete, struct error *error)
{
    uint32_t choices[SPACE_PARAMETERS_MAX];
    struct text text = {0};
    int64_t static_bytes;
    int code = space_config_parse(space, configuration, choices, error);
    if (!code)
        code = find_static_shared(journals, space, configuration, choices, &static_bytes, error);
    if (!code) {
        *complete =
            space_condition(space, &header_of(journals->items[0])->provenance.device, choices, static_bytes, &text);
        *condition_text = arena_copy(arena, text_string(&text), text.length);
        code = text.failed || !*condition_text ? error_memory(error) : 0;
    }
    text_free(&text);
    return code ? code
                : size_condition_parse(arena, *condition_text, journals->names, journals->name_count, condition, error);
}

/* Returns the launch of the space's own kernel, or else the last launch. */
static const struct step *main_step(const struct space *space)
{
    const struct step *found = &space->steps[space->step_count - 1];
    for (size_t s = 0; s < space->step_count; s++)
        if (strcmp(space->steps[s].kernel, space->kernel) == 0)
            found = &space->steps[s];
    return found;
}

/* blocks: "" if unknown, if the space does not give the grid, or if the expression has too many parts for readers. */
static int find_blocks(const struct fit_journals *journals, const struct space *space, const char *configuration,
                       struct arena *arena, const char **blocks, struct error *error)
{
    uint32_t choices[SPACE_PARAMETERS_MAX];
    const struct step *step = main_step(space);
    struct text all = {0}, one = {0};
    bool known = !step->resident && !step->compiler_grid;
    int code = space_config_parse(space, configuration, choices, error);
    for (int d = 0; d < 3 && known && !code; d++) {
        if (!step->grid[d])
            continue;
        text_clear(&one);
        known =
            space_expression(space, step->grid[d], &header_of(journals->items[0])->provenance.device, choices, &one);
        char *product = all.length ? arena_printf(arena, "(%s * %s)", text_string(&all), text_string(&one))
                                   : arena_copy(arena, text_string(&one), one.length);
        text_clear(&all);
        text_append(&all, product ? product : "", product ? strlen(product) : 0);
        code = product ? 0 : error_memory(error);
    }
    if (known && !code) {
        const struct size_condition *count;
        struct arena own = {0};
        known = !size_condition_parse(&own, text_string(&all), journals->names, journals->name_count, &count,
                                      &(struct error){0});
        arena_free(&own);
    }
    *blocks = known && !code ? arena_copy(arena, text_string(&all), all.length) : "";
    code = !code && (all.failed || one.failed || !*blocks) ? error_memory(error) : code;
    text_free(&all);
    text_free(&one);
    return code;
}

static int find_requirement(const struct space *space, const char *configuration, struct arena *arena,
                            const char **requirement, struct error *error)
{
    uint32_t choices[SPACE_PARAMETERS_MAX];
    struct text text = {0};
    int code = space_config_parse(space, configuration, choices, error);
    if (!code) {
        space_requirement(space, choices, true, &text);
        if (!text.length)
            text_printf(&text, "1");
        *requirement = arena_copy(arena, text_string(&text), text.length);
        code = text.failed || !*requirement ? error_memory(error) : 0;
    }
    text_free(&text);
    return code;
}

int fit_journals_require(struct fit_journals *journals, const struct space *space, struct error *error)
{
    size_t width = journals->configuration_count;
    int code = 0;
    journals->texts = arena_array(&journals->arena, width + 1, sizeof *journals->texts);
    journals->conditions = arena_array(&journals->arena, width + 1, sizeof *journals->conditions);
    journals->blocks = arena_array(&journals->arena, width + 1, sizeof *journals->blocks);
    journals->requirements = arena_array(&journals->arena, width + 1, sizeof *journals->requirements);
    journals->partial = 0;
    if (!journals->texts || !journals->conditions || !journals->blocks || !journals->requirements)
        return error_memory(error);
    for (size_t i = 0; i < width && !code; i++) {
        bool complete = true;
        code = fit_journals_condition(journals, space, journals->configurations[i], &journals->arena,
                                      &journals->texts[i], &journals->conditions[i], &complete, error);
        if (!code)
            code = find_blocks(journals, space, journals->configurations[i], &journals->arena, &journals->blocks[i],
                               error);
        if (!code)
            code = find_requirement(space, journals->configurations[i], &journals->arena, &journals->requirements[i],
                                    error);
        journals->partial += !complete;
    }
    return code;
}

bool fit_journals_fitted(const struct outcome *outcome)
{
    return outcome && outcome->last && outcome->last->proposer == PROPOSER_FIT;
}

static bool may_be_valid(const struct fit_journals *journals, const struct fit_journal *journal, size_t configuration)
{
    return !journals->conditions || size_condition_holds(journals->conditions[configuration], journal->sizes);
}

/* ---- Times ---- */

static const struct outcome *find(const struct fit_journal *journal, const char *configuration)
{
    return outcomes_find(&journal->outcomes.outcomes, journal_outcomes_key(configuration));
}

size_t fit_journals_unmeasured(const struct fit_journal *journal, const char **configurations, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (!fit_journals_fitted(find(journal, configurations[i])))
            configurations[kept++] = configurations[i];
    return kept;
}

size_t fit_journals_missing(const struct fit_journals *journals, const struct fit_journal *journal,
                            const char **missing)
{
    size_t count = 0;
    for (size_t i = 0; i < journals->configuration_count; i++)
        if (may_be_valid(journals, journal, i))
            missing[count++] = journals->configurations[i];
    return fit_journals_unmeasured(journal, missing, count);
}

size_t fit_journals_valid(const struct fit_journals *journals, const int64_t *point, size_t width,
                          const size_t *configurations, size_t count, const char **valid)
{
    int64_t sizes[SIZE_FIT_SIZES_MAX];
    size_t written = 0;
    bool alike = true;
    memcpy(sizes, journals->items[0]->sizes, journals->name_count * sizeof *sizes);
    for (size_t i = 0; i < journals->count; i++)
        alike &= memcmp(journals->items[i]->sizes + width, sizes + width,
                        (journals->name_count - width) * sizeof *sizes) == 0;
    memcpy(sizes, point, width * sizeof *sizes);
    for (size_t i = 0; i < count; i++)
        if (!alike || size_condition_holds(journals->conditions[configurations[i]], sizes))
            valid[written++] = journals->configurations[configurations[i]];
    return written;
}

static double time_of(const struct fit_journal *journal, const char *configuration)
{
    const struct outcome *outcome = find(journal, configuration);
    if (!outcome || !outcome->last)
        return FIT_UNMEASURED;
    struct measurement measurement = outcomes_measurement(
        &journal->outcomes.outcomes, outcome, fit_journals_fitted(outcome) ? OUTCOME_OF_SEARCH : OUTCOME_KNOWN_AS);
    switch (measurement_class(&measurement)) {
    case OUTCOME_TIMED:
    case OUTCOME_CENSORED: /* the median of few samples is better than no time */
        return measurement.value;
    case OUTCOME_FAILED:
        return FIT_FAILED;
    default:
        return FIT_UNMEASURED;
    }
}

int fit_journals_table(struct fit_journals *journals, struct fit_table *table, struct error *error)
{
    size_t width = journals->configuration_count;
    int64_t *sizes = arena_array(&journals->arena, journals->count * journals->name_count + 1, sizeof *sizes);
    double *times = arena_array(&journals->arena, journals->count * width + 1, sizeof *times);
    bool *probed = arena_array(&journals->arena, journals->count + 1, sizeof *probed);
    const char **configurations = arena_array(&journals->arena, width + 1, sizeof *configurations);
    if (!sizes || !times || !probed || !configurations)
        return error_memory(error);
    for (size_t i = 0; i < journals->count; i++) {
        memcpy(sizes + i * journals->name_count, journals->items[i]->sizes, journals->name_count * sizeof *sizes);
        probed[i] = journals->items[i]->probed;
        for (size_t c = 0; c < width; c++)
            times[i * width + c] = may_be_valid(journals, journals->items[i], c)
                                       ? time_of(journals->items[i], journals->configurations[c])
                                       : FIT_INVALID;
    }
    for (size_t c = 0; c < width; c++)
        configurations[c] = journals->configurations[c];
    const struct device_limits none = {0};
    const struct device_limits *device = journals->count ? &header_of(journals->items[0])->provenance.device : &none;
    *table = (struct fit_table){.name_count = journals->name_count,
                                .size_count = journals->count,
                                .configuration_count = width,
                                .names = journals->names,
                                .sizes = sizes,
                                .configurations = configurations,
                                .conditions = journals->texts,
                                .times = times,
                                .probed = probed,
                                .sm_count = (int)device->sm_count,
                                .l2_bytes = device->l2_bytes,
                                .blocks = journals->blocks};
    return 0;
}
