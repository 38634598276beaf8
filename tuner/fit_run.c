#include "tuner/fit_run.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/pairs.h"
#include "base/text.h"
#include "db/winner.h"

/* FIRST_PERCENT: of the sizes, taken before the first fit says where the choice is uncertain. POOL: points of the
 * sequence for each size that is wanted, of which the others are taken. */
enum { FIRST_PERCENT = 60, ROUNDS = 2, POOL = 8 };

/* The part of the time that searches take; what they propose is then measured at all sizes. */
static const double search_share = 0.6;

struct fitting {
    const struct fit_request *request;
    struct fit_result *result;
    struct arena arena;
    struct space *space;
    int64_t start_ns;
    size_t width, pool_count;
    int64_t *pool;   /* points */
    bool *taken;     /* of them: searched, or left out */
    size_t searched; /* sizes with a result */
    char path[4096]; /* of the last session's journal */
    char error_text[1024];
};

/* ---- Notes ---- */

static int hear(void *context, const struct session_event *event, struct error *error)
{
    struct fitting *fitting = context;
    const struct session_request *base = fitting->request->session;
    if (event->kind == SESSION_RESULT && event->result->journal)
        snprintf(fitting->path, sizeof fitting->path, "%s", event->result->journal);
    return base->listener ? base->listener(base->context, event, error) : 0;
}

static int note(struct fitting *fitting, struct error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static int note(struct fitting *fitting, struct error *error, const char *format, ...)
{
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    text_vformat(line, sizeof line, format, arguments);
    va_end(arguments);
    return hear(fitting, &(struct session_event){.kind = SESSION_NOTE, .note = line}, error);
}

/* ---- A session at one size ---- */

/* The request's, with the sizes of a point. */
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
    request->fitted = true;
    return 0;
}

static double elapsed_s(const struct fitting *fitting)
{
    return (double)(clock_now_ns() - fitting->start_ns) * 1e-9;
}

static bool has_time(const struct fitting *fitting)
{
    double limit = fitting->request->max_time_s;
    return limit == 0 || elapsed_s(fitting) < search_share * limit;
}

static void name_size(const struct fitting *fitting, const int64_t *sizes, struct text *text)
{
    for (size_t i = 0; i < fitting->width; i++)
        text_printf(text, "%s%s=%lld", i ? " " : "", fitting->result->region.sizes[i].name, (long long)sizes[i]);
}

/* The search of one size. One at which nothing is valid, or which has no value, is left out. */
static int search_size(struct fitting *fitting, size_t point, struct error *error)
{
    const struct fit_request *request = fitting->request;
    const int64_t *sizes = fitting->pool + point * fitting->width;
    struct session_request session;
    struct text name = {0};
    bool same;
    name_size(fitting, sizes, &name);
    fitting->taken[point] = true;
    *fitting->path = '\0';
    int code = note(fitting, error, "size %zu of %zu: %s", fitting->searched + 1, request->sizes, text_string(&name));
    if (!code)
        code = make_request(fitting, sizes, &session, error);
    if (!code && request->max_time_s != 0)
        session.max_time_s = fmax((search_share * request->max_time_s - elapsed_s(fitting)) /
                                      (double)(request->sizes - fitting->searched),
                                  0.001);
    if (!code)
        code = session_run(&session, error);
    if (code == ERROR_NOTHING_VALID || code == ERROR_VALUE) {
        fitting->result->left_out++;
        snprintf(fitting->error_text, sizeof fitting->error_text, "%s", error->message);
        error_clear(error);
        code = note(fitting, error, "%s is left out: %s", text_string(&name), fitting->error_text);
    } else if (!code && *fitting->path) {
        code = fit_journals_add(&fitting->result->journals, fitting->path, &same, error);
        fitting->searched++;
    }
    text_free(&name);
    return code;
}

/* Measures what the size lacks. */
static int measure_size(struct fitting *fitting, struct fit_journal *journal, struct error *error)
{
    const struct fit_journals *journals = &fitting->result->journals;
    size_t room = journals->configuration_count + 1;
    const char **missing = arena_array(&fitting->arena, room, sizeof *missing);
    struct session_list list = {
        .journal = journal->path,
        .fingerprint = journal_get_header(journal->journal)->provenance.fingerprint,
        .work = {.configurations = missing,
                 .measurements = arena_array(&fitting->arena, room, sizeof *list.work.measurements),
                 .done = arena_array(&fitting->arena, room, sizeof *list.work.done),
                 .proposer = PROPOSER_FIT}};
    struct session_request request;
    bool same;
    if (!missing || !list.work.measurements || !list.work.done)
        return error_memory(error);
    list.work.count = fit_journals_missing(journals, journal, missing);
    if (!list.work.count)
        return 0;
    int code = make_request(fitting, journal->sizes, &request, error);
    request.list = &list;
    if (!code)
        code = session_run(&request, error);
    return code ? code : fit_journals_add(&fitting->result->journals, journal->path, &same, error);
}

/* ---- Stages ---- */

static int propose(struct fitting *fitting, struct error *error)
{
    struct fit_journals *journals = &fitting->result->journals;
    int code = fit_journals_propose(journals, fitting->space, error);
    return code ? code : fit_journals_require(journals, fitting->space, error);
}

/* Measures what all sizes propose at all of them, and makes the fit of it. */
static int make_fit(struct fitting *fitting, struct error *error)
{
    struct fit_result *result = fitting->result;
    int code = propose(fitting, error);
    if (!code)
        code = note(fitting, error, "measuring %zu configurations at %zu sizes", result->journals.configuration_count,
                    result->journals.count);
    for (size_t i = 0; i < result->journals.count && !code; i++)
        code = measure_size(fitting, result->journals.items[i], error);
    fit_free(&result->fit);
    if (!code)
        code = fit_journals_table(&result->journals, &result->table, error);
    return code ? code : fit_make(&result->fit, &result->table, &fitting->request->options, error);
}

static int take_first(struct fitting *fitting, struct error *error)
{
    size_t sizes = fitting->request->sizes, first = (sizes * FIRST_PERCENT + 99) / 100;
    int code = 0;
    for (size_t i = 0; i < fitting->pool_count && fitting->searched < first && !code; i++)
        if (fitting->searched < 2 || has_time(fitting))
            code = search_size(fitting, i, error);
    if (!code && !fitting->searched)
        code = error_set(error, ERROR_NOTHING_VALID, "no size of the region has a result%s%s",
                         *fitting->error_text ? ": " : "", fitting->error_text);
    return code;
}

/* The point of the pool that is nearest to a size; pool_count: all are taken. */
static size_t nearest_point(const struct fitting *fitting, const int64_t *sizes)
{
    double least = INFINITY;
    size_t nearest = fitting->pool_count;
    for (size_t i = 0; i < fitting->pool_count; i++) {
        double distance = fit_sizes_distance(fitting->pool + i * fitting->width, sizes, fitting->width);
        if (!fitting->taken[i] && distance < least) {
            least = distance;
            nearest = i;
        }
    }
    return nearest;
}

/* The size whose choice loses most when it is held out, of those not asked yet; SIZE_MAX: all were. */
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
    while (!code && fitting->searched - before < most && has_time(fitting)) {
        size_t size = least_certain(result, asked);
        if (size == SIZE_MAX) {
            memset(asked, 0, (result->table.size_count + 1) * sizeof *asked);
            size = least_certain(result, asked);
        }
        asked[size] = true;
        size_t point = nearest_point(fitting, result->table.sizes + size * result->table.name_count);
        if (point == fitting->pool_count)
            break;
        code = search_size(fitting, point, error);
    }
    return code;
}

static int run_all(struct fitting *fitting, struct error *error)
{
    int code = take_first(fitting, error);
    if (!code)
        code = make_fit(fitting, error);
    for (size_t round = 0; round < ROUNDS && !code; round++) {
        size_t before = fitting->searched, left = fitting->request->sizes - before;
        code = add_round(fitting, (left + ROUNDS - round - 1) / (ROUNDS - round), error);
        if (!code && fitting->searched > before)
            code = make_fit(fitting, error);
    }
    return code;
}

/* All sizes of the space have a part in the fit, first those of the region: conditions may speak of any. */
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

static int open_region(struct fitting *fitting, struct error *error)
{
    const struct fit_request *request = fitting->request;
    const struct session_request *session = request->session;
    struct fit_result *result = fitting->result;
    int code =
        space_parse_text(&fitting->space, session->space_path, session->space_text, session->space_length, NULL, error);
    if (!code && !fitting->space->kernel)
        code = error_set(error, ERROR_DATA, "%s has no kernel: there is nothing to fit", session->space_path);
    if (!code)
        code = fit_region_read(&result->region, fitting->space, request->over, request->where, error);
    fitting->width = result->region.count;
    return code ? code : name_sizes(fitting, error);
}

static int open_pool(struct fitting *fitting, struct error *error)
{
    const struct fit_request *request = fitting->request;
    size_t room = request->sizes * POOL;
    fitting->pool = arena_array(&fitting->arena, room * fitting->width, sizeof *fitting->pool);
    fitting->taken = arena_array(&fitting->arena, room, sizeof *fitting->taken);
    if (!fitting->pool || !fitting->taken)
        return error_memory(error);
    return fit_sizes_sample(&fitting->result->region, request->session->seed, room, fitting->pool, &fitting->pool_count,
                            error);
}

/* ---- From journals alone ---- */

/* Is it a journal of the kernel, with sizes of the region? */
static int belongs(const struct fitting *fitting, const char *path, bool *wanted, struct error *error)
{
    const struct fit_region *region = &fitting->result->region;
    int64_t sizes[SIZE_FIT_SIZES_MAX] = {0};
    struct journal *journal = NULL;
    int code = journal_read(&journal, path, error);
    const struct provenance *provenance = code ? NULL : &journal_get_header(journal)->provenance;
    *wanted = !code && strcmp(provenance->kernel, fitting->space->name) == 0;
    for (size_t i = 0; i < region->count && *wanted; i++) {
        size_t length;
        const char *value = pairs_value(provenance->problem, region->sizes[i].name, &length);
        *wanted = value != NULL;
        sizes[i] = value ? strtoll(value, NULL, 10) : 0;
    }
    if (*wanted)
        code = fit_region_has(region, sizes, wanted, error);
    journal_close(journal, NULL);
    return code;
}

static int read_folder(struct fitting *fitting, const char *folder, struct error *error)
{
    struct fit_result *result = fitting->result;
    const char *const *paths;
    size_t count;
    int code = file_list_csv(&fitting->arena, folder, "", &paths, &count, error);
    for (size_t i = 0; i < count && !code; i++) {
        bool wanted = false, same = false;
        code = belongs(fitting, paths[i], &wanted, error);
        if (!code && wanted)
            code = fit_journals_add(&result->journals, paths[i], &same, error);
        if (!code && same)
            code = note(fitting, error, "%s is left out: another journal has these sizes", paths[i]);
    }
    if (!code && !result->journals.count)
        code = error_set(error, ERROR_NOT_FOUND, "%s has no journal of %s with sizes of the region", folder,
                         fitting->space->name);
    return code;
}

int fit_replay(const struct fit_request *request, const char *folder, struct fit_result *result, struct error *error)
{
    struct fitting fitting = {.request = request, .result = result};
    int code = open_region(&fitting, error);
    if (!code)
        code = read_folder(&fitting, folder, error);
    if (!code)
        code = propose(&fitting, error);
    if (!code)
        code = fit_journals_table(&result->journals, &result->table, error);
    if (!code)
        code = fit_make(&result->fit, &result->table, &request->options, error);
    space_free(fitting.space);
    arena_free(&fitting.arena);
    return code;
}

int fit_run(const struct fit_request *request, struct fit_result *result, struct error *error)
{
    struct fitting fitting = {.request = request, .result = result, .start_ns = clock_now_ns()};
    int code = open_region(&fitting, error);
    if (!code)
        code = open_pool(&fitting, error);
    if (!code)
        code = run_all(&fitting, error);
    space_free(fitting.space);
    arena_free(&fitting.arena);
    return code;
}

/* Which configuration serves most sizes. */
static const char *most_taken(const struct fit *fit)
{
    size_t most = 0;
    for (size_t i = 1; i < fit->sizes->configuration_count; i++)
        if (fit->rules[i] > fit->rules[most])
            most = i;
    return fit->sizes->configurations[most].text;
}

int fit_result_row(struct fit_result *result, const struct session_request *session, struct best *row,
                   struct error *error)
{
    const struct journal_header *header = journal_get_header(result->journals.items[0]->journal);
    struct arena *arena = &result->journals.arena;
    struct text fit = {0}, quality = {0}, region = {0};
    char *date = arena_alloc(arena, CLOCK_UTC_BYTES);
    size_fit_print(result->fit.sizes, &fit);
    fit_quality_text(&result->fit, &quality);
    fit_region_text(&result->fit, &region);
    struct provenance provenance = header->provenance;
    provenance.problem = arena_copy(arena, text_string(&region), region.length);
    provenance.bytes = provenance.flops = provenance.floor_ns = NAN; /* each size has its own */
    provenance.date = date;
    const struct winner none = {.measurement = measurement_unknown(STATUS_OK),
                                .default_ = measurement_unknown(STATUS_OK)};
    *row = winner_row(&none, &provenance, most_taken(&result->fit), 0);
    row->objective = header->objective->name;
    row->strategy = session->strategy ? session->strategy : "";
    row->seed = (int64_t)session->seed;
    row->fit = arena_copy(arena, text_string(&fit), fit.length);
    row->fit_quality = arena_copy(arena, text_string(&quality), quality.length);
    int code =
        fit.failed || quality.failed || region.failed || !date || !provenance.problem || !row->fit || !row->fit_quality
            ? error_memory(error)
            : 0;
    if (date)
        clock_utc(date);
    text_free(&fit);
    text_free(&quality);
    text_free(&region);
    return code;
}

void fit_result_free(struct fit_result *result)
{
    fit_free(&result->fit);
    fit_journals_free(&result->journals);
    fit_region_free(&result->region);
    *result = (struct fit_result){0};
}
