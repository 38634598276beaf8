#include "fit/fit_run.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/pairs.h"
#include "base/text.h"
#include "fit/fit_proposals.h"
#include "fit/fit_state.h"

/* FIRST_PERCENT: of the sizes, searched before the first fit shows where the choice is uncertain. POOL: points of the
 * sequence for each size to search; the further sizes are chosen among them. PROBE_POOL: more points for each probe, as
 * some may have no valid configuration. TIMED_PROBES: maximum of probes under a time limit. */
enum { FIRST_PERCENT = 60, ROUNDS = 2, POOL = 8, PROBE_POOL = 2, TIMED_PROBES = 1000 };

/* Share of the time for searches; the rest is for measuring their proposals at all sizes and for probes. */
static const double search_share = 0.5;
/* Least time of a search: a shorter one may end without a result, and two sizes are needed in any case. */
static const double size_least_s = 1;

/* ---- Notes ---- */

static int hear(void *context, const struct session_event *event, struct error *error)
{
    struct fitting *fitting = context;
    const struct session_request *base = fitting->request->session;
    if (event->kind == SESSION_STARTED && event->subject->journal)
        snprintf(fitting->path, sizeof fitting->path, "%s", event->subject->journal);
    return base->listener ? base->listener(base->context, event, error) : 0;
}

__attribute__((format(printf, 3, 4))) int fit_note(struct fitting *fitting, struct error *error, const char *format,
                                                   ...)
{
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    text_vformat(line, sizeof line, format, arguments);
    va_end(arguments);
    return hear(fitting, &(struct session_event){.kind = SESSION_NOTE, .note = line}, error);
}

/* ---- The session of one size ---- */

/* Makes the request of a session at the sizes of a point. */
static int make_request(struct fitting *fitting, const int64_t *sizes, struct session_request *request,
                        struct error *error)
{
    const struct session_request *base = fitting->request->session;
    const struct fit_region *region = &fitting->result->region;
    const char **defines = arena_array(&fitting->arena, base->define_count + region->count, sizeof *defines);
    *request = *base;
    if (!defines)
        return error_memory(error);
    for (size_t i = 0; i < base->define_count; i++)
        defines[i] = base->defines[i];
    for (size_t i = 0; i < region->count; i++)
        if (!(defines[base->define_count + i] =
                  arena_printf(&fitting->arena, "%s=%lld", region->sizes[i].name, (long long)sizes[i])))
            return error_memory(error);
    request->defines = defines;
    request->define_count += region->count;
    request->listener = hear;
    request->context = fitting;
    request->process_pool = &fitting->process_pool;
    request->fitted = true;
    return 0;
}

static double elapsed_s(const struct fitting *fitting)
{
    return (double)(clock_now_ns() - fitting->start_ns) * 1e-9;
}

/* True if this share of the time is not used up. */
static bool has_time(const struct fitting *fitting, double share)
{
    double limit = fitting->request->max_time_s;
    return limit == 0 || elapsed_s(fitting) < share * limit;
}

static void name_size(const struct fitting *fitting, const int64_t *sizes, struct text *text)
{
    for (size_t i = 0; i < fitting->width; i++)
        text_printf(text, "%s%s=%lld", i ? " " : "", fitting->result->region.sizes[i].name, (long long)sizes[i]);
}

static int leave_out(struct fitting *fitting, const char *name, const char *why, struct error *error)
{
    snprintf(fitting->error_text, sizeof fitting->error_text, "%s", why);
    fitting->result->left_out++;
    error_clear(error);
    return fit_note(fitting, error, "%s is left out: %s", name, fitting->error_text);
}

/* Runs a session. Skips a size with an undefined value or without a valid configuration; *count grows for the
 * others. */
static int run_size(struct fitting *fitting, const struct session_request *session, const char *name, size_t *count,
                    struct error *error)
{
    bool same;
    *fitting->path = '\0';
    int code = session_run(session, error);
    if (code == ERROR_NOTHING_VALID || code == ERROR_VALUE)
        return leave_out(fitting, name, error->message, error);
    if (code || !*fitting->path)
        return code;
    ++*count;
    return fit_journals_add(&fitting->result->journals, fitting->path, &same, error);
}

static int search_size(struct fitting *fitting, size_t point, struct error *error)
{
    const struct fit_request *request = fitting->request;
    const int64_t *sizes = fitting->pool + point * fitting->width;
    struct session_request session;
    struct text name = {0};
    name_size(fitting, sizes, &name);
    fitting->use[point] = POINT_TAKEN;
    int code =
        fit_note(fitting, error, "size %zu of %zu: %s", fitting->searched + 1, request->sizes, text_string(&name));
    code = code ? code : make_request(fitting, sizes, &session, error);
    if (!code && request->max_time_s != 0)
        session.max_time_s = fmax((search_share * request->max_time_s - elapsed_s(fitting)) /
                                      (double)(request->sizes - fitting->searched),
                                  size_least_s);
    code = code ? code : run_size(fitting, &session, text_string(&name), &fitting->searched, error);
    text_free(&name);
    return code;
}

/* Makes a list with room for this number of configurations, which the caller writes to *configurations. */
static int open_list(struct fitting *fitting, size_t room, struct session_list *list, const char ***configurations,
                     struct error *error)
{
    *configurations = arena_array(&fitting->arena, room + 1, sizeof **configurations);
    *list = (struct session_list){
        .work = {.configurations = *configurations,
                 .measurements = arena_array(&fitting->arena, room + 1, sizeof *list->work.measurements),
                 .done = arena_array(&fitting->arena, room + 1, sizeof *list->work.done),
                 .proposer = PROPOSER_FIT}};
    return *configurations && list->work.measurements && list->work.done ? 0 : error_memory(error);
}

/* Measures the proposed configurations that the size lacks. */
static int measure_size(struct fitting *fitting, struct fit_journal *journal, struct error *error)
{
    const struct fit_journals *journals = &fitting->result->journals;
    const char **missing;
    struct session_list list;
    struct session_request request;
    bool same;
    if (open_list(fitting, journals->configuration_count, &list, &missing, error))
        return ERROR_MEMORY;
    list.journal = journal->journal;
    list.work.count = fit_journals_missing(journals, journal, missing);
    if (!list.work.count)
        return 0;
    int code = make_request(fitting, journal->sizes, &request, error);
    request.list = &list;
    if (!code)
        code = session_run(&request, error);
    return code ? code : fit_journals_add(&fitting->result->journals, journal->path, &same, error);
}

/* Adds the journal of an earlier run that probed a point. */
static int add_probed(struct fitting *fitting, const char *path, struct fit_journal **journal, struct error *error)
{
    struct fit_journals *journals = &fitting->result->journals;
    bool same;
    int code = fit_journals_add(journals, path, &same, error);
    for (size_t i = 0; i < journals->count && !code; i++)
        if (strcmp(journals->items[i]->path, path) == 0)
            *journal = journals->items[i];
    return code;
}

static int note_probe(struct fitting *fitting, const char *name, struct error *error)
{
    size_t number = fitting->probed + 1;
    if (fitting->request->max_time_s != 0)
        return fit_note(fitting, error, "probe %zu: %s", number, name);
    return fit_note(fitting, error, "probe %zu of %zu: %s", number, fitting->probes_most, name);
}

/* Measures the candidates of the fit at a size without search, except those that its journal has. */
static int probe_size(struct fitting *fitting, size_t point, struct error *error)
{
    const struct fit_result *result = fitting->result;
    const int64_t *sizes = fitting->pool + point * fitting->width;
    const char **candidates;
    struct fit_journal *journal = NULL;
    struct session_list list;
    struct session_request session;
    struct text name = {0};
    name_size(fitting, sizes, &name);
    int code = note_probe(fitting, text_string(&name), error);
    if (!code)
        code = open_list(fitting, result->fit.candidate_count, &list, &candidates, error);
    if (!code && fitting->use[point] == POINT_PROBED)
        code = add_probed(fitting, fitting->paths[point], &journal, error);
    if (!code)
        code = make_request(fitting, sizes, &session, error);
    if (!code) {
        size_t valid = fit_journals_valid(&result->journals, sizes, fitting->width, result->fit.candidates,
                                          result->fit.candidate_count, candidates);
        list.work.count = journal ? fit_journals_unmeasured(journal, candidates, valid) : valid;
        session.list = &list;
        if (!valid)
            code = leave_out(fitting, text_string(&name), "no configuration of the fit is valid", error);
        else if (list.work.count)
            code = run_size(fitting, &session, text_string(&name), &fitting->probed, error);
        else
            fitting->probed++;
    }
    text_free(&name);
    return code;
}

/* ---- Earlier journals ---- */

int fit_belongs(const struct fitting *fitting, const struct journal *journal, int64_t *point, bool *wanted,
                struct error *error)
{
    const struct fit_region *region = &fitting->result->region;
    const struct provenance *provenance = &journal_get_header(journal)->provenance;
    *wanted = strcmp(provenance->kernel, fitting->space->name) == 0;
    for (size_t i = 0; i < region->count && *wanted; i++) {
        size_t length;
        const char *value = pairs_value(provenance->problem, region->sizes[i].name, &length);
        *wanted = value != NULL;
        point[i] = value ? strtoll(value, NULL, 10) : 0;
    }
    return *wanted ? fit_region_has(region, point, wanted, error) : 0;
}

/* Lists the journals that an earlier run may have left; an unreadable folder counts as empty. */
static int find_earlier(struct fitting *fitting, struct error *error)
{
    struct error unread = {0};
    const char *prefix = arena_printf(&fitting->arena, "%s.", fitting->space->name);
    if (!prefix)
        return error_memory(error);
    if (file_list_csv(&fitting->arena, fitting->request->session->journal, prefix, &fitting->earlier,
                      &fitting->earlier_count, &unread))
        fitting->earlier_count = 0;
    return 0;
}

/* same: cleared if the problems differ in a size outside the region. */
static int compare_others(struct fitting *fitting, const char *problem, const char *other, bool *same,
                          struct error *error)
{
    struct pairs own, others;
    int code = pairs_read(&fitting->arena, problem, &own, error);
    code = code ? code : pairs_read(&fitting->arena, other, &others, error);
    for (size_t i = 0; !code && i < own.count; i++) {
        bool varies = false;
        for (size_t n = 0; n < fitting->width && !varies; n++)
            varies = strcmp(own.items[i].name, fitting->result->names[n]) == 0;
        const char *value = varies ? own.items[i].value : pairs_find(&others, own.items[i].name);
        *same &= value && pairs_compare_values(own.items[i].value, value) == 0;
    }
    return code;
}

/* alike: the journal of an earlier run can be compared with those of the fit. */
static int compare_earlier(struct fitting *fitting, const struct journal *journal, bool *alike, struct error *error)
{
    const struct provenance *first = &journal_get_header(fitting->result->journals.items[0]->journal)->provenance;
    const struct provenance *own = &journal_get_header(journal)->provenance;
    *alike = provenance_same(own, first, FIT_IDENTITY) && strcmp(own->device.name, first->device.name) == 0;
    return compare_others(fitting, first->problem, own->problem, alike, error);
}

/* Marks the points that an earlier run searched or probed. Ignores unreadable journals. */
static void mark_earlier(struct fitting *fitting)
{
    for (size_t i = 0; i < fitting->earlier_count; i++) {
        int64_t point[SIZE_FIT_SIZES_MAX];
        struct journal *journal = NULL;
        struct error unread = {0};
        bool wanted = false, alike = false;
        if (!journal_read(&journal, fitting->earlier[i], &unread) && journal_row_count(journal) &&
            !fit_belongs(fitting, journal, point, &wanted, &unread) && wanted &&
            compare_earlier(fitting, journal, &alike, &unread))
            alike = false;
        for (size_t p = 0; p < fitting->pool_count && alike; p++)
            if (fitting->use[p] == POINT_FREE &&
                memcmp(fitting->pool + p * fitting->width, point, fitting->width * sizeof *point) == 0) {
                fitting->use[p] = journal_is_probed(journal) ? POINT_PROBED : POINT_SEARCHED;
                fitting->paths[p] = fitting->earlier[i];
            }
        journal_close(journal, NULL);
    }
}

/* ---- Stages ---- */

int fit_propose(struct fitting *fitting, bool replayed, struct error *error)
{
    struct fit_journals *journals = &fitting->result->journals;
    int code = fit_journals_propose(journals, fitting->space, error);
    if (!code && replayed)
        fit_journals_keep_fitted(journals);
    return code ? code : fit_journals_require(journals, fitting->space, error);
}

int fit_make_anew(struct fitting *fitting, struct error *error)
{
    struct fit_result *result = fitting->result;
    fit_free(&result->fit);
    int code = fit_journals_table(&result->journals, &result->table, error);
    return code ? code : fit_make(&result->fit, &result->table, &fitting->request->options, error);
}

/* Measures the proposals of all sizes at all sizes, and makes the fit. */
static int measure_all(struct fitting *fitting, struct error *error)
{
    struct fit_result *result = fitting->result;
    int code = fit_propose(fitting, false, error);
    if (!code)
        code = fit_note(fitting, error, "measuring %zu configurations at %zu sizes",
                        result->journals.configuration_count, result->journals.count);
    for (size_t i = 0; i < result->journals.count && !code; i++)
        code = measure_size(fitting, result->journals.items[i], error);
    return code ? code : fit_make_anew(fitting, error);
}

/* Takes the sizes that an earlier run added at uncertain places: the fit might now name others. */
static int take_earlier(struct fitting *fitting, struct error *error)
{
    int code = 0;
    for (size_t i = 0; i < fitting->pool_count && fitting->searched < fitting->request->sizes && !code; i++)
        if (fitting->use[i] == POINT_SEARCHED && has_time(fitting, search_share))
            code = search_size(fitting, i, error);
    return code;
}

static int take_first(struct fitting *fitting, struct error *error)
{
    size_t sizes = fitting->request->sizes, first = (sizes * FIRST_PERCENT + 99) / 100;
    int code = 0;
    for (size_t i = 0; i < fitting->pool_count && fitting->searched < first && !code; i++) {
        bool none = !fitting->searched;
        if (fitting->use[i] == POINT_PROBED || (fitting->searched >= 2 && !has_time(fitting, search_share)))
            continue;
        code = search_size(fitting, i, error);
        if (!code && none && fitting->searched) /* its journal identifies comparable journals */
            mark_earlier(fitting);
    }
    if (!code && fitting->searched)
        code = take_earlier(fitting, error);
    if (!code && !fitting->searched)
        code = error_set(error, ERROR_NOTHING_VALID, "no size of the region has a result%s%s",
                         *fitting->error_text ? ": " : "", fitting->error_text);
    return code;
}

/* Returns the free point nearest to a size, among the first points: those for searches and those already probed.
 * pool_count: none. */
static size_t nearest_point(const struct fitting *fitting, const int64_t *sizes)
{
    double least = INFINITY;
    size_t nearest = fitting->pool_count, seen = 0;
    for (size_t i = 0; i < fitting->pool_count && seen < fitting->request->sizes * POOL; i++) {
        seen += fitting->use[i] != POINT_PROBED;
        double distance = fit_sizes_distance(fitting->pool + i * fitting->width, sizes, fitting->width);
        if (fitting->use[i] == POINT_FREE && distance < least) {
            least = distance;
            nearest = i;
        }
    }
    return nearest;
}

/* Returns the size with the greatest held-out loss among those not asked yet; SIZE_MAX: none. */
static size_t least_certain(const struct fit_result *result, const bool *asked)
{
    size_t found = SIZE_MAX;
    double least = INFINITY;
    for (size_t i = 0; i < result->table.size_count; i++) {
        double held = isnan(result->fit.held_of[i]) ? 1 : result->fit.held_of[i];
        if (!asked[i] && held < least) {
            least = held;
            found = i;
        }
    }
    return found;
}

static int add_round(struct fitting *fitting, size_t most, struct error *error)
{
    const struct fit_result *result = fitting->result;
    size_t before = fitting->searched;
    bool *asked = arena_array(&fitting->arena, result->table.size_count + 1, sizeof *asked);
    int code = asked ? 0 : error_memory(error);
    while (!code && fitting->searched - before < most && has_time(fitting, search_share)) {
        size_t size = least_certain(result, asked);
        if (size == SIZE_MAX)
            break;
        asked[size] = true;
        size_t point = nearest_point(fitting, result->table.sizes + size * result->table.name_count);
        if (point == fitting->pool_count)
            break;
        code = search_size(fitting, point, error);
    }
    return code;
}

/* Probes further sizes, and makes the fit again with them. */
static int probe_all(struct fitting *fitting, struct error *error)
{
    int code = 0;
    for (size_t i = 0; i < fitting->pool_count && fitting->probed < fitting->probes_most && !code; i++)
        if (fitting->use[i] != POINT_TAKEN && has_time(fitting, 1))
            code = probe_size(fitting, i, error);
    if (!code && fitting->probed)
        code = fit_propose(fitting, false, error);
    return code || !fitting->probed ? code : fit_make_anew(fitting, error);
}

static int run_all(struct fitting *fitting, struct error *error)
{
    int code = take_first(fitting, error);
    if (!code)
        code = measure_all(fitting, error);
    for (size_t round = 0; round < ROUNDS && !code; round++) {
        size_t before = fitting->searched, left = fitting->request->sizes - before;
        code = add_round(fitting, (left + ROUNDS - round - 1) / (ROUNDS - round), error);
        if (!code && fitting->searched > before)
            code = measure_all(fitting, error);
    }
    return code ? code : probe_all(fitting, error);
}

/* Names all sizes of the space, those of the region first: conditions may refer to any. */
static int name_sizes(struct fitting *fitting, struct error *error)
{
    struct fit_result *result = fitting->result;
    size_t count = 0;
    for (; count < result->region.count; count++)
        result->names[count] = result->region.sizes[count].name;
    for (size_t i = 0; i < fitting->space->problem_count; i++) {
        const struct problem *problem = &fitting->space->problems[i];
        bool named = problem->value.kind != VALUE_INT;
        for (size_t j = 0; j < result->region.count && !named; j++)
            named = strcmp(problem->name, result->names[j]) == 0;
        if (named)
            continue;
        if (count == SIZE_FIT_SIZES_MAX)
            return error_set(error, ERROR_DATA, "%s has more than %d problem sizes: too many for a fit",
                             fitting->request->session->space_path, SIZE_FIT_SIZES_MAX);
        result->names[count] = arena_copy(&result->region.arena, problem->name, strlen(problem->name));
        if (!result->names[count++])
            return error_memory(error);
    }
    result->journals.names = result->names;
    result->journals.name_count = count;
    return 0;
}

/* Rejects -D for sizes of --over, which have no single value. */
static int check_defines(const struct fitting *fitting, struct error *error)
{
    const struct session_request *session = fitting->request->session;
    const struct fit_region *region = &fitting->result->region;
    int code = 0;
    for (size_t i = 0; i < session->define_count && !code; i++) {
        struct value value;
        size_t problem;
        code = space_override(fitting->space, session->defines[i], &problem, &value, error);
        for (size_t r = 0; r < region->count && !code; r++)
            if (strcmp(region->sizes[r].name, fitting->space->problems[problem].name) == 0)
                code = error_set(error, ERROR_USAGE, "-D %s: --over ranges over this size", session->defines[i]);
    }
    return code;
}

int fit_open(struct fitting *fitting, struct error *error)
{
    const struct fit_request *request = fitting->request;
    const struct session_request *session = request->session;
    struct fit_result *result = fitting->result;
    int code =
        space_parse_text(&fitting->space, session->space_path, session->space_text, session->space_length, NULL, error);
    if (!code && !fitting->space->kernel)
        code = error_set(error, ERROR_DATA, "%s has no kernel: there is nothing to fit", session->space_path);
    for (size_t i = 0; i < session->set_count && !code; i++)
        code = space_narrow(fitting->space, session->sets[i], error);
    if (!code)
        code = fit_region_read(&result->region, fitting->space, request->over, request->where, error);
    if (!code)
        code = check_defines(fitting, error);
    fitting->width = result->region.count;
    result->journals.space = session->set_count ? fitting->space : NULL;
    return code ? code : name_sizes(fitting, error);
}

static int open_pool(struct fitting *fitting, struct error *error)
{
    const struct fit_request *request = fitting->request;
    fitting->probes_most =
        request->probes && request->max_time_s != 0 && request->probes < TIMED_PROBES ? TIMED_PROBES : request->probes;
    size_t room = request->sizes * POOL + fitting->probes_most * PROBE_POOL + fitting->earlier_count;
    fitting->pool = arena_array(&fitting->arena, room * fitting->width, sizeof *fitting->pool);
    fitting->use = arena_array(&fitting->arena, room, sizeof *fitting->use);
    fitting->paths = arena_array(&fitting->arena, room, sizeof *fitting->paths);
    if (!fitting->pool || !fitting->use || !fitting->paths)
        return error_memory(error);
    return fit_sizes_sample(&fitting->result->region, request->session->seed, room, fitting->pool, &fitting->pool_count,
                            error);
}

int fit_run(const struct fit_request *request, struct fit_result *result, struct error *error)
{
    struct fitting fitting = {.request = request, .result = result, .start_ns = clock_now_ns()};
    int code = fit_open(&fitting, error);
    if (!code)
        code = space_check_effects(fitting.space, error);
    if (!code)
        code = find_earlier(&fitting, error);
    if (!code)
        code = open_pool(&fitting, error);
    if (!code)
        code = run_all(&fitting, error);
    process_pool_leave(&fitting.process_pool);
    process_pool_close(&fitting.process_pool);
    space_free(fitting.space);
    arena_free(&fitting.arena);
    return code;
}
