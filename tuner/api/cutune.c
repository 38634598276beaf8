#include <cutune.h>

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/api.h"
#include "base/architecture.h"
#include "base/known_devices.h"
#include "base/pairs.h"
#include "base/text.h"
#include "choose/timing_history.h"
#include "journal/results.h"

const char *cutune_version(void)
{
    return CUTUNE_VERSION;
}

/* ---- Errors ---- */

#define ERROR(code, number, exit_status, text)                                                                         \
    _Static_assert((int)CUTUNE_ERROR_##code == (number), "cutune.h has another number for " #code);
#include "base/errors.def"
#undef ERROR

int api_error(struct cutune_error *error, const struct error *from)
{
    if (!error)
        return (int)from->code;
    *error = (struct cutune_error){.code = (int)from->code, .line = from->line, .column = from->column};
    memcpy(error->source, from->source, sizeof error->source);
    memcpy(error->message, from->message, sizeof error->message);
    memcpy(error->excerpt, from->excerpt, sizeof error->excerpt);
    memcpy(error->hint, from->hint, sizeof error->hint);
    return error->code;
}
_Static_assert(sizeof((struct cutune_error *)0)->source == sizeof((struct error *)0)->source, "source");
_Static_assert(sizeof((struct cutune_error *)0)->message == sizeof((struct error *)0)->message, "message");
_Static_assert(sizeof((struct cutune_error *)0)->excerpt == sizeof((struct error *)0)->excerpt, "excerpt");
_Static_assert(sizeof((struct cutune_error *)0)->hint == sizeof((struct error *)0)->hint, "hint");

int api_null(struct cutune_error *error, const char *function)
{
    struct error own = {0};
    error_set(&own, ERROR_USAGE, "%s: an argument is NULL", function);
    return api_error(error, &own);
}

const char *cutune_error_format(const struct cutune_error *error, char *buffer, size_t room)
{
    if (!error || !buffer || !room)
        return NULL;
    struct error own = {.code = (enum error_code)error->code, .line = error->line, .column = error->column};
    memcpy(own.source, error->source, sizeof own.source);
    memcpy(own.message, error->message, sizeof own.message);
    memcpy(own.excerpt, error->excerpt, sizeof own.excerpt);
    memcpy(own.hint, error->hint, sizeof own.hint);
    return error_format(&own, buffer, room);
}

/* ---- Devices ---- */

/* A given number that is not the known GPU's belongs to another product of that name. */
static bool is_known(const struct device_limits *known, int cc, int sm_count, long long l2_bytes)
{
    return known && (!cc || cc == known->cc) && (!sm_count || sm_count == known->sm_count) &&
           (!l2_bytes || l2_bytes == known->l2_bytes);
}

struct cutune_device *cutune_device_new(const char *name, int cc, int sm_count, long long l2_bytes)
{
    bool valid = cc >= 0 && cc <= SELECTION_CC_MAX && sm_count >= 0 && l2_bytes >= 0;
    struct cutune_device *device = valid ? calloc(1, sizeof *device) : NULL;
    if (!device)
        return NULL;
    const struct device_limits *known = known_device_find(name ? name : "");
    device->detailed = is_known(known, cc, sm_count, l2_bytes);
    if (device->detailed)
        device->limits = *known;
    snprintf(device->limits.name, sizeof device->limits.name, "%s", name ? name : "");
    snprintf(device->limits.driver, sizeof device->limits.driver, "unknown");
    if (!device->detailed) {
        device->limits.cc = cc;
        device->limits.sm_count = sm_count;
        device->limits.l2_bytes = l2_bytes;
    }
    for (size_t l = 0; l < limit_count; l++)
        device->known[l] = device->detailed ? limit_get(&device->limits, &limit_rows[l]) : LIMIT_UNKNOWN;
    return device;
}

void cutune_device_free(struct cutune_device *device)
{
    free(device);
}

int cutune_device_set(struct cutune_device *device, const char *limit, long long value, struct cutune_error *error)
{
    struct error own = {0};
    if (!device || !limit)
        return api_null(error, __func__);
    const struct limit_row *row = limit_find(limit);
    int64_t most = strcmp(limit, "cc") == 0 ? SELECTION_CC_MAX : strcmp(limit, "sm_count") == 0 ? INT_MAX : INT64_MAX;
    if (!row) {
        error_set(&own, ERROR_NOT_FOUND, "there is no limit '%.100s'", limit);
        error_hint(&own, "cutune devices lists the limits");
        return api_error(error, &own);
    }
    if (value < 0 || value > most) {
        error_set(&own, ERROR_VALUE, "%s cannot be %lld: it must be from 0 to %lld", limit, value, (long long)most);
        return api_error(error, &own);
    }
    limit_put(&device->limits, row, value);
    device->known[row - limit_rows] = value;
    device->detailed = true;
    return 0;
}

long long cutune_device_get(const struct cutune_device *device, const char *limit)
{
    const struct limit_row *row = device && limit ? limit_find(limit) : NULL;
    return row ? limit_get(&device->limits, row) : 0;
}

static int narrow(int64_t number)
{
    return number > 0 && number <= INT_MAX ? (int)number : 0;
}

struct selection_device api_selection_device(const struct cutune_device *device)
{
    return (struct selection_device){.name = device->limits.name,
                                     .cc = narrow(device->limits.cc),
                                     .sm_count = narrow(device->limits.sm_count),
                                     .l2_bytes = device->limits.l2_bytes,
                                     .limits = device->known};
}

/* ---- The database ---- */

static bool tunes_time(const struct best *best)
{
    return strcmp(objective_aim(best->objective), objective_default()->aim) == 0;
}

/* Rows are ordered by key, so the rows of a kernel are adjacent. */
static int gather_kernels(struct cutune_database *database, struct error *error)
{
    size_t count = database_count(database->rows);
    const struct best **rows = calloc(count + 1, sizeof *rows);
    database->kernels = calloc(count + 1, sizeof *database->kernels);
    if (!rows || !database->kernels) {
        free(rows);
        return error_memory(error);
    }
    database->kernels[0].rows = rows; /* also set if no kernel follows: cutune_database_close frees it */
    for (size_t i = 0, used = 0; i < count; i++) {
        const struct best *best = database_get(database->rows, i);
        struct api_kernel *last = database->kernels + database->kernel_count - (database->kernel_count > 0);
        if (!tunes_time(best))
            continue;
        rows[used] = best;
        if (!database->kernel_count || strcmp(last->name, best->provenance.kernel) != 0) {
            last = &database->kernels[database->kernel_count++];
            last->name = best->provenance.kernel;
            last->rows = &rows[used];
        }
        last->row_count++;
        used++;
    }
    return 0;
}

int api_select(const struct cutune_database *database, const struct best *const *rows, size_t count,
               struct selection **selection, struct error *error)
{
    struct arena arena = {0};
    const struct selection_time *times;
    size_t time_count, stale;
    int code = timing_history_times(database->timing_history, &arena, rows, count, &times, &time_count, &stale, error);
    if (!code)
        code = selection_build(selection, rows, count, times, time_count, error);
    arena_free(&arena);
    return code;
}

/* Inconsistent rows of one kernel are an error when that kernel is requested: the others stay usable. */
static int build_selections(struct cutune_database *database, struct error *error)
{
    for (size_t i = 0; i < database->kernel_count; i++) {
        struct api_kernel *kernel = &database->kernels[i];
        const struct best **fresh = calloc(kernel->row_count, sizeof *fresh);
        size_t count = fresh ? selection_fresh(kernel->rows, kernel->row_count, fresh) : 0;
        int code = count ? api_select(database, fresh, count, &kernel->selection, &kernel->error) : ERROR_MEMORY;
        free(fresh);
        if (code == ERROR_MEMORY)
            return error_memory(error);
    }
    return 0;
}

int cutune_database_open(struct cutune_database **database, const char *path, const char *journals,
                         struct cutune_error *error)
{
    struct error own = {0};
    if (database)
        *database = NULL;
    if (!database || !path)
        return api_null(error, __func__);
    int torn_line;
    struct cutune_database *fresh = calloc(1, sizeof *fresh);
    int code = fresh ? 0 : error_memory(&own);
    if (!code && access(path, F_OK))
        code =
            error_errno(&own, errno == ENOENT || errno == ENOTDIR ? ERROR_NOT_FOUND : ERROR_IO, "cannot open %s", path);
    if (!code)
        code = results_open(&fresh->rows, path, &torn_line, &own);
    if (!code)
        code = timing_history_open(&fresh->timing_history, &own);
    if (!code && journals)
        code = timing_history_add(fresh->timing_history, journals, &own);
    if (!code)
        code = gather_kernels(fresh, &own);
    if (!code)
        code = build_selections(fresh, &own);
    if (code) {
        cutune_database_close(fresh);
        return api_error(error, &own);
    }
    *database = fresh;
    return 0;
}

void cutune_database_close(struct cutune_database *database)
{
    if (!database)
        return;
    for (size_t i = 0; i < database->kernel_count; i++)
        selection_free(database->kernels[i].selection);
    if (database->kernels)
        free(database->kernels[0].rows);
    free(database->kernels);
    timing_history_close(database->timing_history);
    database_close(database->rows);
    free(database);
}

const char *cutune_database_generation(const struct cutune_database *database)
{
    return database ? database_generation(database->rows) : "";
}

int cutune_database_require(const struct cutune_database *database, const char *generation, struct cutune_error *error)
{
    struct error own = {0};
    if (!database || !generation)
        return api_null(error, __func__);
    int code = database_require_generation(database->rows, generation, &own);
    return code ? api_error(error, &own) : 0;
}

const struct api_kernel *api_find_kernel(const struct cutune_database *database, const char *name)
{
    for (size_t i = 0; i < database->kernel_count; i++)
        if (strcmp(database->kernels[i].name, name) == 0)
            return &database->kernels[i];
    return NULL;
}

/* ---- Choosing ---- */

#define SAME_RULE(rule) _Static_assert((int)CUTUNE_RULE_##rule == (int)CHOOSE_RULE_##rule, #rule);
SAME_RULE(PROBLEM)
SAME_RULE(FIT)
SAME_RULE(DEVICE)
SAME_RULE(CC)
SAME_RULE(MAJOR)
SAME_RULE(COMMON)
SAME_RULE(DEFAULT)

const char *cutune_rule_name(enum cutune_rule rule)
{
    return (unsigned)rule < CHOOSE_RULE_NONE ? choose_rules()[rule].name : "none";
}

struct cutune_best api_best(const struct cutune_database *database, const struct selection_row *row,
                            enum choose_rule rule)
{
    const struct best *best = row->best;
    const struct objective *objective = best ? objective_find(best->objective) : NULL;
    return (struct cutune_best){.rule = (enum cutune_rule)rule,
                                .configuration = row->text,
                                .device = row->device,
                                .problem = best ? best->provenance.problem : "",
                                .date = best ? best->provenance.date : "",
                                .time_ns = best ? best->value : NAN,
                                .low_ns = best ? best->low : NAN,
                                .high_ns = best ? best->high : NAN,
                                .speedup = best ? best->speedup : NAN,
                                .per_work = objective && objective->per_work,
                                .generation = cutune_database_generation(database),
                                .expected_loss_percent = NAN};
}

struct cutune_best api_choice(const struct cutune_database *database, const struct selection *selection, size_t row,
                              enum choose_rule rule, const long double *sizes)
{
    struct cutune_best best = api_best(database, &selection->rows[row], rule);
    best.extrapolated = selection_extrapolates(selection, row, sizes);
    best.expected_loss_percent = selection_expected_loss(selection, row, rule, sizes);
    return best;
}

/* Says why nothing can be chosen. Kept out of cutune_database_best, because clearing an error takes as long as most
 * choices. */
static int say_no_choice(const struct cutune_database *database, const char *kernel, const struct api_kernel *known,
                         const char *problem, struct cutune_error *error)
{
    long double sizes[PAIRS_MAX];
    struct error own = {0};
    if (!known) {
        const char *near = NULL;
        for (size_t i = 0; i < database->kernel_count && !near; i++)
            near = text_nearest(kernel, &database->kernels[i].name, 1);
        error_set(&own, ERROR_NOT_FOUND, "there is no row of the kernel '%.100s'", kernel);
        if (near)
            error_hint(&own, "did you mean %s?", near);
    } else if (!known->selection)
        own = known->error;
    else
        selection_sizes(known->selection, problem, sizes, &own);
    return api_error(error, &own);
}

int cutune_database_best(const struct cutune_database *database, const char *kernel, const struct cutune_device *device,
                         const char *problem, struct cutune_best *best, struct cutune_error *error)
{
    if (!database || !kernel || !device || !problem || !best)
        return api_null(error, __func__);
    const struct api_kernel *known = api_find_kernel(database, kernel);
    struct selection_device wanted = api_selection_device(device);
    long double sizes[PAIRS_MAX];
    enum choose_rule rule;
    if (!known || !known->selection || selection_sizes(known->selection, problem, sizes, NULL))
        return say_no_choice(database, kernel, known, problem, error);
    size_t row = selection_choose(known->selection, &wanted, sizes, NULL, &rule);
    *best = api_choice(database, known->selection, row, rule, sizes);
    return 0;
}

int cutune_database_row(const struct cutune_database *database, const char *kernel, const struct cutune_device *device,
                        const char *problem, struct cutune_best *best, struct cutune_error *error)
{
    struct error own = {0};
    if (!database || !kernel || !device || !problem || !best)
        return api_null(error, __func__);
    const struct api_kernel *known = api_find_kernel(database, kernel);
    for (size_t i = 0; known && i < known->row_count; i++) {
        const struct best *row = known->rows[i];
        const struct selection_row found = {
            .best = row, .text = row->configuration, .device = row->provenance.device.name};
        if (strcmp(found.device, device->limits.name) != 0 || pairs_compare(row->provenance.problem, problem) != 0)
            continue;
        *best = api_best(database, &found, CHOOSE_RULE_PROBLEM);
        best->expected_loss_percent = 0;
        return 0;
    }
    error_set(&own, ERROR_NOT_FOUND, "there is no row of the kernel '%.100s' for %.100s and %.200s", kernel,
              device->limits.name, problem);
    return api_error(error, &own);
}

/* ---- Configurations ---- */

int cutune_configuration_text(const char *configuration, const char *name, char *value, size_t room,
                              struct cutune_error *error)
{
    struct error own = {0};
    size_t length = 0;
    if (!configuration || !name || !value)
        return api_null(error, __func__);
    const char *found = pairs_value(configuration, name, &length);
    if (!found)
        error_set(&own, ERROR_NOT_FOUND, "there is no %.60s in '%.400s'", name, configuration);
    else if (length >= room)
        error_set(&own, ERROR_VALUE, "the value of %.60s has %zu characters, there is room for %zu with the NUL", name,
                  length, room);
    if (own.code)
        return api_error(error, &own);
    memcpy(value, found, length);
    value[length] = '\0';
    return 0;
}

int cutune_configuration_int(const char *configuration, const char *name, long long *value, struct cutune_error *error)
{
    char text[32], *end = text;
    struct error own = {0};
    if (!configuration || !name || !value)
        return api_null(error, __func__);
    int code = cutune_configuration_text(configuration, name, text, sizeof text, error);
    if (code)
        return code;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    if (errno || end == text || *end) {
        error_set(&own, ERROR_VALUE, "the value '%s' of %.60s is not an integer", text, name);
        return api_error(error, &own);
    }
    *value = number;
    return 0;
}
