/* Reads a cache of Kernel Tuner: a JSON object with the names of the parameters, and under `cache` an object of
 * results. A result has its parameters, `times` of the launches and their mean `time`, all in milliseconds, or the name
 * of an error class in a member of any name. While it tunes, Kernel Tuner appends lines to the file, and leaves its
 * last two brackets away. */
#include <math.h>
#include <string.h>

#include "base/statistics.h"
#include "exchange/json_import.h"
#include "exchange/json_place.h"

#define MS_NS 1e6

struct cache {
    struct json_import in; /* first: json_members gets it */
    const char *error;     /* of the current result: the name of its error class; NULL: none */
};

/* ---- A file that is still open ---- */

/* The length of the complete results, each of which is a line that ends with a comma; 0: there are none. */
static size_t complete(const char *text, size_t length)
{
    const char *results = memmem(text, length, "\"cache\"", 7);
    for (size_t at = length; results && at > (size_t)(results - text); at--)
        if (text[at - 1] == ',' && text[at - 2] == '}' && (at == length || text[at] == '\n' || text[at] == '\r'))
            return at - 1;
    return 0;
}

/* Appends the file with its last brackets, if they are missing. False: they are not, or it is not such a file. */
static bool close_cache(const struct exchange *exchange, const char *text, size_t length, struct text *closed)
{
    while (length && strchr(" \t\r\n", text[length - 1]))
        length--;
    if (!length || text[length - 1] == '}')
        return false;
    size_t end = complete(text, length), last = end + 1;
    if (!end && text[length - 1] == '{') /* no result yet */
        end = last = length;
    if (!end)
        return false;
    while (last < length && strchr(" \t\r\n", text[last]))
        last++;
    text_append(closed, text, end);
    text_append(closed, "}\n}", 3);
    exchange_note(exchange, "the cache is open, as while Kernel Tuner runs%s",
                  last < length ? "; its last line is incomplete, and ignored" : "");
    return true;
}

/* ---- Results ---- */

/* Takes a parameter's value, or an error class; names the other members. */
static int take_member(void *context, const cJSON *item, size_t key)
{
    struct cache *cache = context;
    struct json_import *in = &cache->in;
    size_t at = json_skip_value(in->json.source.text, in->json.source.length, key);
    at = json_skip_space(in->json.source.text, in->json.source.length, at) + 1; /* behind the colon */
    at = json_skip_space(in->json.source.text, in->json.source.length, at);
    if (json_import_find(in, item->string) < in->exchange.header.parameter_count)
        return json_import_value(in, item->string, key, item, at);
    if (cJSON_IsString(item) && strstr(item->valuestring, "Config") &&
        exchange_status(item->valuestring, &(enum status){0})) {
        cache->error = item->valuestring;
        return 0;
    }
    return exchange_leave_out(&in->exchange, item->string);
}

/* The median of the launches' times, with its interval, and their mean. */
static int take_samples(struct cache *cache, const struct json_member *times, struct measurement *measurement)
{
    struct json_import *in = &cache->in;
    size_t count = 0;
    struct json_walk walk;
    const cJSON *item;
    if (!cJSON_IsArray(times->item))
        return json_fail(&in->json, times->at, "'times' is not a list");
    double *samples = arena_array(&in->row, (size_t)cJSON_GetArraySize(times->item) + 1, sizeof *samples);
    if (!samples)
        return error_memory(in->json.error);
    json_walk_start(&walk, in->json.source.text, in->json.source.length, times->at);
    cJSON_ArrayForEach(item, times->item)
    {
        const struct json_member time = {"times", item, json_walk_next(&walk) ? walk.value : times->at};
        int code = json_import_time(in, &time, MS_NS, measurement);
        if (code)
            return code;
        samples[count++] = measurement->value;
    }
    if (!count)
        return 0;
    statistics_sort(samples, count);
    measurement->samples = (uint32_t)count;
    measurement->value = statistics_median(samples, count);
    measurement->mean_ns = statistics_mean(samples, count);
    if (count >= statistics_samples_least(0.95)) {
        struct interval interval = statistics_median_interval(samples, count, 0.95);
        measurement->low = interval.low;
        measurement->high = interval.high;
    }
    return 0;
}

static int take_time(struct cache *cache, const struct json_member *time, const struct json_member *times, size_t at,
                     struct measurement *measurement)
{
    struct json_import *in = &cache->in;
    int code = 0;
    if (json_import_text(time) && exchange_status(json_import_text(time), &(enum status){0}))
        cache->error = json_import_text(time);
    if (cache->error) {
        if (!exchange_status(cache->error, &measurement->status) || measurement->status == STATUS_OK)
            return json_fail(&in->json, at, "unknown error class '%.60s'", cache->error);
        measurement_explain(measurement, "%s", cache->error);
        return 0;
    }
    if (json_given(times))
        code = take_samples(cache, times, measurement);
    if (code || !isnan(measurement->value))
        return code;
    if (!time->item)
        return json_fail(&in->json, at, "a result with neither 'time' nor an error class");
    return json_import_time(in, time, MS_NS, measurement);
}

static int take_result(struct cache *cache, const cJSON *result, size_t at)
{
    enum { TIME, TIMES, ERROR, COMPILE, VERIFY, BENCHMARK, MEMBERS };
    struct json_member members[MEMBERS] = {[TIME] = {.name = "time"},
                                           [TIMES] = {.name = "times"},
                                           [ERROR] = {.name = "__error__"},
                                           [COMPILE] = {.name = "compile_time"},
                                           [VERIFY] = {.name = "verification_time"},
                                           [BENCHMARK] = {.name = "benchmark_time"}};
    struct json_import *in = &cache->in;
    struct measurement measurement = measurement_unknown(STATUS_OK);
    int code = json_import_configuration(in, in->exchange.header.parameter_count, at);
    cache->error = NULL;
    if (!code)
        code = json_members(&in->json, result, at, "a result", members, MEMBERS, take_member, cache);
    if (!code)
        code = json_import_configured(in, at);
    if (json_import_text(&members[ERROR]))
        cache->error = json_import_text(&members[ERROR]);
    if (!code)
        code = take_time(cache, &members[TIME], &members[TIMES], at, &measurement);
    if (!code)
        code = json_import_duration(in, &members[COMPILE], MS_NS, &measurement.compile_ns);
    if (!code)
        code = json_import_duration(in, &members[VERIFY], MS_NS, &measurement.measure_ns);
    if (!code)
        code = json_import_duration(in, &members[BENCHMARK], MS_NS, &measurement.measure_ns);
    return code ? code : json_import_add(in, &measurement, at);
}

static int take_results(struct cache *cache, const struct json_member *results)
{
    struct json_import *in = &cache->in;
    struct json_walk walk;
    const cJSON *item;
    int code = 0;
    json_walk_start(&walk, in->json.source.text, in->json.source.length, results->at);
    cJSON_ArrayForEach(item, results->item)
    {
        if (code || !json_walk_next(&walk))
            break;
        code = take_result(cache, item, walk.value);
        arena_free(&in->row);
    }
    return code;
}

/* ---- The file ---- */

static void put_size(struct text *problem, size_t dimension, const cJSON *size)
{
    char number[TEXT_REAL_BYTES];
    if (cJSON_IsNumber(size) && dimension < 3)
        text_printf(problem, "%ssize_%c=%s", problem->length ? " " : "", "xyz"[dimension],
                    text_real(size->valuedouble, number));
}

/* "size_x=4096 size_y=4096": a number, or a list of them; in its place, texts of functions. */
static int take_problem(struct cache *cache, const struct json_member *size, struct text *problem)
{
    const cJSON *item;
    size_t dimension = 0;
    put_size(problem, 0, size->item);
    if (cJSON_IsArray(size->item))
        cJSON_ArrayForEach(item, size->item) put_size(problem, dimension++, item);
    return size->item && !problem->length ? exchange_leave_out(&cache->in.exchange, size->name) : 0;
}

/* The objective is the name of a member, or a list of names: times are imported whatever it is. */
static int take_objective(struct cache *cache, const struct json_member *objective)
{
    bool list = cJSON_IsArray(objective->item);
    const cJSON *name = list ? objective->item->child : objective->item;
    if (!name || (cJSON_IsString(name) && strcmp(name->valuestring, "time") == 0 && !(list && name->next)))
        return 0;
    return exchange_leave_out(&cache->in.exchange, objective->name);
}

static int take_root(struct cache *cache, const cJSON *root, size_t at)
{
    enum { DEVICE, KERNEL, SIZE, KEYS, VALUES, OBJECTIVE, RESULTS, MEMBERS };
    struct json_member members[MEMBERS] = {
        [DEVICE] = {.name = "device_name"},    [KERNEL] = {.name = "kernel_name"}, [SIZE] = {.name = "problem_size"},
        [KEYS] = {.name = "tune_params_keys"}, [VALUES] = {.name = "tune_params"}, [OBJECTIVE] = {.name = "objective"},
        [RESULTS] = {.name = "cache"}};
    struct json_import *in = &cache->in;
    struct text problem = {0};
    int code = json_members(&in->json, root, at, "the file", members, MEMBERS, json_import_leave_out, in);
    if (!code)
        code = take_objective(cache, &members[OBJECTIVE]);
    if (!code)
        code = take_problem(cache, &members[SIZE], &problem);
    if (!code)
        code = exchange_describe(&in->exchange, json_import_text(&members[KERNEL]), json_import_text(&members[DEVICE]),
                                 problem.length ? text_string(&problem) : NULL);
    code = problem.failed ? error_memory(in->json.error) : code;
    text_free(&problem);
    if (!code)
        code = json_import_names(in, &members[KEYS]);
    if (!code)
        code = json_members(&in->json, members[RESULTS].item, members[RESULTS].at, "'cache'", NULL, 0, NULL, NULL);
    if (!code && !members[RESULTS].item->child)
        code = json_fail(&in->json, members[RESULTS].at, "the cache has no results");
    if (!code)
        code = take_results(cache, &members[RESULTS]);
    if (!code)
        code = exchange_second_pass(&in->exchange);
    return code ? code : take_results(cache, &members[RESULTS]);
}

int kernel_tuner_import(const struct exchange_setup *setup, const char *text, size_t length, struct text *journal,
                        struct error *error)
{
    const struct exchange notes = {.setup = setup};
    struct error unread = {0};
    struct cache cache = {.error = NULL};
    struct text closed = {0};
    cJSON *root = NULL;
    size_t at = 0;
    error = error ? error : &unread;
    if (close_cache(&notes, text, length, &closed)) {
        text = text_string(&closed);
        length = closed.length;
    }
    int code =
        closed.failed ? error_memory(error) : json_import_start(&cache.in, setup, text, length, &root, &at, error);
    if (!code)
        code = take_root(&cache, root, at);
    if (!code)
        code = exchange_finish(&cache.in.exchange, journal);
    json_import_free(&cache.in, root);
    text_free(&closed);
    return code;
}
