#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/samples_text.h"
#include "database/csv.h"
#include "exchange/json_import.h"
#include "exchange/json_place.h"
#include "exchange/t4.h"
#include "journal/journal_evidence.h"
#include "journal/journal_head.h"

struct t4 {
    struct json_import in; /* first: the functions of lists get it */
    double unit_ns;        /* unit of times without their own; 0: unknown */
    bool own;              /* written by t4_export from a journal */
    struct json_member evidence, libraries, earlier;
    struct json_walk walk; /* in `earlier`: rows before the results that stand */
    const cJSON *next;     /* of them */
    size_t row;            /* number of the next row of the journal */
    struct journal_evidences evidences;
    bool kept;    /* the journal has samples */
    bool sampled; /* the current result's runtimes are samples */
    struct text configuration, rest, root, samples;
};

#define AT(t4, ...) json_fail(&(t4)->in.json, __VA_ARGS__)

/* ---- Configurations ---- */

static int take_configuration(struct t4 *t4, const struct json_member *configuration)
{
    int code = json_import_object(&t4->in, configuration);
    text_clear(&t4->configuration);
    return code ? code : json_minify(&t4->in.json, configuration->at, &t4->configuration);
}

/* ---- Times ---- */

static int no_unit(const struct t4 *t4, const char *what, size_t at)
{
    error_set(t4->in.json.error, ERROR_USAGE, "the file does not give the unit of %s", what);
    error_hint(t4->in.json.error, "give it with --unit ns, us, ms or s");
    return json_import_placed(&t4->in, ERROR_USAGE, at);
}

static int take_duration(struct t4 *t4, const struct json_member *member, int64_t *sum_ns)
{
    if (json_given(member) && t4->unit_ns == 0)
        return no_unit(t4, "its times", member->at);
    return json_import_duration(&t4->in, member, t4->unit_ns, sum_ns);
}

/* Takes the costs: compiling, and verifying with all launches. `mean` receives the launches' mean, NaN without any. */
static int take_times(struct t4 *t4, const struct json_member *times, struct measurement *measurement, double *mean)
{
    struct json_member members[] = {
        {.name = "compilation"}, {.name = "compilation_time"}, {.name = "validation"}, {.name = "runtimes"}};
    struct json_member *runtimes = &members[3];
    struct json_walk walk;
    const cJSON *item;
    double sum = 0;
    int code = json_members(&t4->in.json, times->item, times->at, "'times'", members, 4, NULL, NULL);
    if (!code)
        code = take_duration(t4, &members[0], &measurement->compile_ns);
    if (!code && !members[0].item)
        code = take_duration(t4, &members[1], &measurement->compile_ns);
    if (!code)
        code = take_duration(t4, &members[2], &measurement->measure_ns);
    *mean = NAN;
    if (code || !json_given(runtimes))
        return code;
    if (!cJSON_IsArray(runtimes->item))
        return AT(t4, runtimes->at, "'runtimes' is not a list");
    json_walk_start(&walk, t4->in.json.source.text, t4->in.json.source.length, runtimes->at);
    cJSON_ArrayForEach(item, runtimes->item)
    {
        if (code || !json_walk_next(&walk))
            break;
        const struct json_member run = {"runtimes", item, walk.value};
        if (!cJSON_IsNumber(item))
            return AT(t4, walk.value, "one of the 'runtimes' is not a number");
        code = take_duration(t4, &run, &measurement->measure_ns);
        sum += item->valuedouble;
        measurement->samples++;
    }
    if (measurement->samples)
        *mean = sum / measurement->samples;
    return code;
}

/* ---- Measurements ---- */

/* Takes the first objective; without any, time. */
static int find_objective(struct t4 *t4, const struct json_member *objectives, const char **name)
{
    *name = T4_OBJECTIVE;
    if (!json_given(objectives))
        return 0;
    if (!cJSON_IsArray(objectives->item))
        return AT(t4, objectives->at, "'objectives' is not a list");
    const cJSON *first = objectives->item->child;
    if (first && !cJSON_IsString(first))
        return AT(t4, objectives->at, "the first objective is not a string");
    if (first)
        *name = first->valuestring;
    return 0;
}

static int set_time(struct t4 *t4, struct measurement *measurement, double value, double unit_ns, size_t at)
{
    if (unit_ns == 0)
        return no_unit(t4, "this time", at);
    if (!objective_is_value(measurement_objective(measurement), value * unit_ns))
        return AT(t4, at, "%g is not a time", value);
    measurement->value = value * unit_ns;
    return 0;
}

/* Takes the measurement named like the objective. For a configuration that fails to compile or run, its value is the
 * reason. */
static int take_objective(struct t4 *t4, const struct json_member members[3], const char *objective,
                          struct measurement *measurement)
{
    const struct json_member *value = &members[1], *unit = &members[2];
    bool has_unit = json_given(unit) && cJSON_IsString(unit->item) && *unit->item->valuestring;
    double unit_ns = has_unit ? exchange_unit_ns(unit->item->valuestring) : t4->unit_ns;
    if (cJSON_IsString(value->item) && measurement->status != STATUS_OK) {
        measurement_explain(measurement, "%s", value->item->valuestring);
        return 0;
    }
    if (!cJSON_IsNumber(value->item))
        return AT(t4, value->at, "the result is correct, but its '%.60s' is not a number", objective);
    if ((has_unit && unit_ns == 0) || (!has_unit && strcmp(objective, T4_OBJECTIVE) != 0)) {
        int code = AT(t4, value->at, "the objective '%.60s' is not a time", objective);
        error_hint(t4->in.json.error,
                   "cutune compares times; expected the objective " T4_OBJECTIVE ", or one whose unit is a time's");
        return code;
    }
    if (measurement->status != STATUS_OK)
        return 0;
    return set_time(t4, measurement, value->item->valuedouble, unit_ns, value->at);
}

/* Takes what the result says of its runtimes. */
static int take_kind(struct t4 *t4, const struct json_member *value)
{
    const char *word = cJSON_IsString(value->item) ? value->item->valuestring : "";
    t4->sampled = strcmp(word, T4_SAMPLES) == 0;
    return t4->sampled || strcmp(word, T4_MEDIAN) == 0
               ? 0
               : AT(t4, value->at, "'" T4_RUNTIMES "' are neither '" T4_SAMPLES "' nor '" T4_MEDIAN "'");
}

/* Takes a column of the journal, in a file from a journal. */
static int take_column(struct t4 *t4, const struct json_member members[3], struct measurement *measurement)
{
    const char *name = members[0].item->valuestring;
    if (t4->kept && strcmp(name, T4_RUNTIMES) == 0)
        return take_kind(t4, &members[1]);
    const struct objective *objective = objective_find(name), **of = &t4->in.exchange.header.objective;
    struct csv_column columns[JOURNAL_COLUMNS];
    if (objective)
        *of = objective;
    size_t count = journal_columns(*of ? *of : objective_default(), columns);
    int column = journal_column_find(columns, count, objective ? objective_columns(objective)->value : name);
    const char *cell = json_import_words(&t4->in, members[1].item, members[1].at);
    if (!cell)
        return error_memory(t4->in.json.error);
    if (column < 0) {
        int code = AT(t4, members[0].at, "a journal has no column '%.60s'", name);
        error_hint(t4->in.json.error, "a newer cutune may have written the file");
        return code;
    }
    return json_import_placed(&t4->in, csv_cell_read(&columns[column], cell, measurement, t4->in.json.error),
                              members[1].at);
}

static int take_measurement(struct t4 *t4, const cJSON *item, size_t at, const char *objective,
                            struct measurement *measurement, bool *found)
{
    struct json_member members[] = {{.name = "name"}, {.name = "value"}, {.name = "unit"}};
    int code = json_members(&t4->in.json, item, at, "a measurement", members, 3, NULL, NULL);
    if (code)
        return code;
    if (!cJSON_IsString(members[0].item) || !members[1].item)
        return AT(t4, at, "a measurement needs a 'name', which is a string, and a 'value'");
    if (t4->own)
        return take_column(t4, members, measurement);
    if (strcmp(members[0].item->valuestring, objective) != 0)
        return 0;
    if (*found)
        return AT(t4, at, "a second measurement '%.60s'", objective);
    *found = true;
    return take_objective(t4, members, objective, measurement);
}

static int take_measurements(struct t4 *t4, const struct json_member *list, const char *objective,
                             struct measurement *measurement, bool *found)
{
    struct json_walk walk;
    const cJSON *item;
    int code = 0;
    if (!json_given(list))
        return 0;
    if (!cJSON_IsArray(list->item))
        return AT(t4, list->at, "'measurements' is not a list");
    json_walk_start(&walk, t4->in.json.source.text, t4->in.json.source.length, list->at);
    cJSON_ArrayForEach(item, list->item)
    {
        if (code || !json_walk_next(&walk))
            break;
        code = take_measurement(t4, item, walk.value, objective, measurement, found);
    }
    return code;
}

/* ---- Results ---- */

enum { CONFIGURATION, TIMES, INVALIDITY, CORRECTNESS, MEASUREMENTS, OBJECTIVES, ROW, RESULT_MEMBERS };

/* Keeps all members of a result except the configuration. */
static int keep_rest(struct t4 *t4, const cJSON *result, size_t at)
{
    const char *source = t4->in.json.source.text;
    struct text canonical = {0};
    struct json_walk walk;
    const cJSON *item;
    int code = 0;
    text_clear(&t4->rest);
    t4_configuration(&canonical, &t4->in.exchange.header, t4->in.values);
    bool same = strcmp(text_string(&canonical), text_string(&t4->configuration)) == 0;
    json_walk_start(&walk, source, t4->in.json.source.length, at);
    cJSON_ArrayForEach(item, result)
    {
        if (code || !json_walk_next(&walk))
            break;
        if (same && strcmp(item->string, "configuration") == 0)
            continue;
        text_append(&t4->rest, t4->rest.length ? "," : "{", 1);
        code = json_minify(&t4->in.json, walk.key, &t4->rest);
        text_append(&t4->rest, ":", 1);
        if (!code)
            code = json_minify(&t4->in.json, walk.value, &t4->rest);
    }
    text_printf(&t4->rest, "}");
    code = code ? code : canonical.failed || t4->rest.failed ? error_memory(t4->in.json.error) : 0;
    text_free(&canonical);
    return code;
}

static int take_status(struct t4 *t4, const struct json_member *invalidity, struct measurement *measurement)
{
    if (cJSON_IsString(invalidity->item) && exchange_status(invalidity->item->valuestring, &measurement->status))
        return 0;
    int code = AT(t4, invalidity->at, "unknown 'invalidity'");
    error_hint(t4->in.json.error, "expected correct, timeout, compile, runtime, correctness or constraints");
    return code;
}

/* Reads a result of a file from a journal. */
static int take_own(struct t4 *t4, const struct json_member members[RESULT_MEMBERS], struct measurement *measurement)
{
    struct json_member runtimes = {.name = T4_RUNTIMES, .at = members[TIMES].at};
    struct error why = {0};
    bool found = false;
    t4->sampled = false;
    text_clear(&t4->samples);
    int code = take_measurements(t4, &members[MEASUREMENTS], "", measurement, &found);
    if (code || !t4->sampled)
        return code;
    code = json_members(&t4->in.json, members[TIMES].item, members[TIMES].at, "'times'", &runtimes, 1, NULL, NULL);
    if (!code)
        code = t4_read_samples(&t4->in.json, &runtimes, &t4->samples);
    if (!code && samples_text_check(text_string(&t4->samples), measurement->samples, &why))
        code = AT(t4, runtimes.at, "'" T4_RUNTIMES "': %s", why.message);
    return code;
}

static int read_result(struct t4 *t4, const struct json_member members[RESULT_MEMBERS], struct measurement *measurement)
{
    const char *objective;
    double mean;
    bool found = false;
    int code = take_status(t4, &members[INVALIDITY], measurement);
    if (!code && t4->own) /* the journal's own columns are complete */
        return take_own(t4, members, measurement);
    if (!code)
        code = take_times(t4, &members[TIMES], measurement, &mean);
    if (!code)
        code = find_objective(t4, &members[OBJECTIVES], &objective);
    if (!code)
        code = take_measurements(t4, &members[MEASUREMENTS], objective, measurement, &found);
    if (code || found || measurement->status != STATUS_OK)
        return code;
    if (isnan(mean) || strcmp(objective, T4_OBJECTIVE) != 0)
        return AT(t4, members[TIMES].at, "the result is correct, but has no '%.60s'", objective);
    return set_time(t4, measurement, mean, t4->unit_ns, members[TIMES].at);
}

static int refuse_other(void *context, const cJSON *item, size_t key)
{
    struct t4 *t4 = context;
    return AT(t4, key, "a file that cutune made has no member '%.64s' here", item->string);
}

static int add_result(struct t4 *t4, const cJSON *result, size_t at)
{
    struct json_member members[RESULT_MEMBERS] = {[CONFIGURATION] = {.name = "configuration"},
                                                  [TIMES] = {.name = "times"},
                                                  [INVALIDITY] = {.name = "invalidity"},
                                                  [CORRECTNESS] = {.name = "correctness"},
                                                  [MEASUREMENTS] = {.name = "measurements"},
                                                  [OBJECTIVES] = {.name = "objectives"},
                                                  [ROW] = {.name = "row"}};
    const size_t count = result == t4->next ? RESULT_MEMBERS : ROW;
    struct journal_row row = {.measurement = measurement_unknown(STATUS_OK)};
    const char *rest;
    int code = json_members(&t4->in.json, result, at, "a result", members, count, t4->own ? refuse_other : NULL, t4);
    for (int m = CONFIGURATION; m <= CORRECTNESS && !code; m++)
        if (!members[m].item)
            code = AT(t4, at, "a result without '%s'", members[m].name);
    if (!code)
        code = take_configuration(t4, &members[CONFIGURATION]);
    if (!code)
        code = read_result(t4, members, &row.measurement);
    if (!code && !t4->own)
        code = keep_rest(t4, result, at);
    rest = text_string(&t4->rest);
    row.values = t4->in.values;
    row.extras = t4->own ? NULL : &rest;
    row.samples = t4->kept ? text_string(&t4->samples) : NULL;
    t4->row++;
    return code ? code : json_import_placed(&t4->in, exchange_add(&t4->in.exchange, &row), at);
}

/* Adds the earlier rows whose place in the journal has come. */
static int add_earlier(struct t4 *t4)
{
    int code = 0;
    while (t4->next && !code) {
        const cJSON *row = cJSON_GetObjectItemCaseSensitive(t4->next, "row");
        if (!cJSON_IsNumber(row) || row->valuedouble < (double)t4->row)
            return AT(t4, t4->walk.value, "an earlier result without its 'row', or behind a later one");
        if (row->valuedouble > (double)t4->row)
            return 0;
        code = add_result(t4, t4->next, t4->walk.value);
        t4->next = json_walk_next(&t4->walk) ? t4->next->next : NULL;
    }
    return code;
}

static int take_result(struct json_import *in, const cJSON *result, size_t at)
{
    struct t4 *t4 = (struct t4 *)in;
    int code = add_earlier(t4);
    return code ? code : add_result(t4, result, at);
}

static int start_earlier(struct t4 *t4)
{
    const struct json_member *earlier = &t4->earlier;
    if (!t4->own || !json_given(earlier))
        return 0;
    if (!cJSON_IsArray(earlier->item))
        return AT(t4, earlier->at, "'%s' is not a list", earlier->name);
    json_walk_start(&t4->walk, t4->in.json.source.text, t4->in.json.source.length, earlier->at);
    t4->next = json_walk_next(&t4->walk) ? earlier->item->child : NULL;
    return 0;
}

static int end_earlier(struct t4 *t4)
{
    int code = add_earlier(t4);
    return code || !t4->next ? code : AT(t4, t4->walk.value, "an earlier result behind all others");
}

/* ---- Evidence ---- */

static int add_evidences(struct t4 *t4)
{
    int code = 0;
    for (size_t i = 0; i < t4->evidences.count && !code; i++)
        code = exchange_add_evidence(&t4->in.exchange, &t4->evidences.items[i]);
    return code;
}

static int take_evidence(struct json_import *in, const cJSON *item, size_t at)
{
    struct t4 *t4 = (struct t4 *)in;
    struct json_member members[] = {{.name = "configuration"}, {.name = "launches"}};
    int code = json_members(&t4->in.json, item, at, "evidence", members, 2, NULL, NULL);
    if (!code && (!members[0].item || !members[1].item))
        code = AT(t4, at, "evidence without 'configuration' or 'launches'");
    if (!code)
        code = take_configuration(t4, &members[0]);
    return code ? code
                : t4_read_launches(&t4->in.json, &members[1], t4->in.values, t4->in.exchange.header.parameter_count,
                                   &t4->evidences);
}

static int take_library(struct json_import *in, const cJSON *item, size_t at)
{
    struct t4 *t4 = (struct t4 *)in;
    struct json_member configuration;
    struct journal_library library;
    int code = t4_read_library(&t4->in.json, item, at, &configuration, &library);
    if (!code)
        code = take_configuration(t4, &configuration);
    library.values = t4->in.values;
    return code ? code : json_import_placed(&t4->in, exchange_add_library(&t4->in.exchange, &library), at);
}

/* ---- The file ---- */

static int take_unit(struct t4 *t4, const struct json_member *unit)
{
    const char *said = t4->in.exchange.setup->unit;
    t4->unit_ns = said ? exchange_unit_ns(said) : 0;
    if (!json_given(unit))
        return 0;
    double unit_ns = cJSON_IsString(unit->item) ? exchange_unit_ns(unit->item->valuestring) : 0;
    if (unit_ns == 0)
        return AT(t4, unit->at, "unknown 'timeunit'");
    if (said && unit_ns != t4->unit_ns) {
        error_set(t4->in.json.error, ERROR_USAGE, "--unit is %s, but the file's 'timeunit' is %s", said,
                  unit->item->valuestring);
        return json_import_placed(&t4->in, ERROR_USAGE, unit->at);
    }
    t4->unit_ns = unit_ns;
    return 0;
}

/* Reads the header lines of the journal behind the file. */
static int take_origin(struct t4 *t4, const struct json_member *origin)
{
    struct journal_head head;
    const struct exchange_setup *setup = t4->in.exchange.setup;
    const char *text = cJSON_IsString(origin->item) ? origin->item->valuestring : "";
    size_t at = 0, length = strlen(text);
    int line = 1;
    if (*text != '#' || text[length - 1] != '\n')
        return AT(t4, origin->at, "'" T4_ORIGIN "' does not hold header lines of a journal");
    if (setup->kernel || setup->device || setup->problem || setup->default_)
        return error_set(t4->in.json.error, ERROR_USAGE,
                         "%s was made from a journal, which gives its kernel, device, problem and default",
                         setup->path);
    int code = journal_head_read(&head, &t4->in.exchange.arena, NULL, text, length, &at, &line, t4->in.json.error);
    if (code || at < length) {
        t4->in.json.error->line = 0; /* relative to these lines, not to the file */
        return code ? json_import_placed(&t4->in, code, origin->at)
                    : AT(t4, origin->at, "'" T4_ORIGIN "' holds more than header lines");
    }
    t4->in.exchange.header = head.header;
    t4->own = true;
    t4->in.exchange.header.extras = journal_samples_column;
    t4->in.exchange.header.extra_count = t4->kept;
    return 0;
}

/* Keeps all members except the results, for an export. */
static int keep_root(void *context, const cJSON *item, size_t key)
{
    struct t4 *t4 = context;
    (void)item;
    text_append(&t4->root, t4->root.length ? "," : "{", 1);
    int code = json_minify(&t4->in.json, key, &t4->root);
    size_t at = json_skip_value(t4->in.json.source.text, t4->in.json.source.length, key);
    at = json_skip_space(t4->in.json.source.text, t4->in.json.source.length, at) + 1;
    text_append(&t4->root, ":", 1);
    return code ? code
                : json_minify(&t4->in.json, json_skip_space(t4->in.json.source.text, t4->in.json.source.length, at),
                              &t4->root);
}

static int take_metadata(struct t4 *t4, const struct json_member *metadata)
{
    struct json_member members[] = {{.name = "timeunit"},   {.name = T4_ORIGIN},  {.name = T4_EVIDENCE},
                                    {.name = T4_LIBRARIES}, {.name = T4_EARLIER}, {.name = T4_RUNTIMES}};
    int code = 0;
    if (json_given(metadata))
        code = json_members(&t4->in.json, metadata->item, metadata->at, "'metadata'", members, 6, NULL, NULL);
    t4->evidence = members[2];
    t4->libraries = members[3];
    t4->earlier = members[4];
    t4->kept = cJSON_IsString(members[5].item) && strcmp(members[5].item->valuestring, T4_KEPT) == 0;
    if (!code)
        code = take_unit(t4, &members[0]);
    return code || !json_given(&members[1]) ? code : take_origin(t4, &members[1]);
}

static int take_root(struct t4 *t4, const cJSON *root, size_t at)
{
    static const char *const extras[] = {T4_COLUMN};
    struct json_member results = {.name = "results"}, metadata = {.name = "metadata"};
    struct journal_header *header = &t4->in.exchange.header;
    int code = json_members(&t4->in.json, root, at, "the file", &metadata, 1, NULL, NULL);
    if (!code)
        code = take_metadata(t4, &metadata);
    if (!code)
        code = json_members(&t4->in.json, root, at, "the file", &results, 1, keep_root, t4);
    if (code)
        return code;
    if (!results.item)
        return AT(t4, at, "the file has no 'results': it is not a T4 file");
    text_append(&t4->root, t4->root.length ? "}" : "{}", t4->root.length ? 1 : 2);
    if (t4->root.failed)
        return error_memory(t4->in.json.error);
    if (!t4->own) {
        header->t4 = text_string(&t4->root);
        header->extras = extras;
        header->extra_count = 1;
    }
    t4->in.exchange.first_pass = !t4->own; /* from a journal: each row stays as it was */
    code = start_earlier(t4);
    if (!code)
        code = json_import_results(&t4->in, &results, take_result);
    if (!code)
        code = end_earlier(t4);
    if (code || !t4->own)
        return code; /* in other files, evidence is one of the other members */
    code = json_import_list(&t4->in, &t4->evidence, take_evidence);
    if (!code)
        code = add_evidences(t4);
    return code ? code : json_import_list(&t4->in, &t4->libraries, take_library);
}

int t4_import(const struct exchange_setup *setup, const char *text, size_t length, struct text *journal,
              struct error *error)
{
    struct error unread = {0};
    struct t4 t4 = {0};
    cJSON *root = NULL;
    size_t at = 0;
    error = error ? error : &unread;
    int code = json_import_start(&t4.in, setup, text, length, &root, &at, error);
    if (!code)
        code = take_root(&t4, root, at);
    if (!code)
        code = exchange_finish(&t4.in.exchange, journal);
    text_free(&t4.configuration);
    text_free(&t4.rest);
    text_free(&t4.root);
    text_free(&t4.samples);
    journal_evidences_free(&t4.evidences);
    json_import_free(&t4.in, root);
    return code;
}
