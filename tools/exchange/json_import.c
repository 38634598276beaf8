#include "exchange/json_import.h"

#include <stdio.h>
#include <string.h>

#include "exchange/json_place.h"

int json_import_start(struct json_import *import, const struct exchange_setup *setup, const char *text, size_t length,
                      cJSON **root, size_t *at, struct error *error)
{
    *import = (struct json_import){0};
    *root = NULL;
    int code = exchange_start(&import->exchange, setup, error);
    import->json = (struct json_text){.source = {.path = setup->path, .text = text, .length = length}, .error = error};
    import->exchange.first_pass = true;
    return code ? code : json_parse(&import->json, T4_BYTES_MAX, T4_VALUES_MAX, root, at);
}

void json_import_free(struct json_import *import, cJSON *root)
{
    cJSON_Delete(root);
    arena_free(&import->row);
    exchange_free(&import->exchange);
}

int json_import_placed(const struct json_import *import, int code, size_t at)
{
    int line, column;
    if (code && code != ERROR_MEMORY) {
        json_line(import->json.source.text, import->json.source.length, at, &line, &column);
        source_place(&import->json.source, line, column, import->json.error);
    }
    return code;
}

const char *json_import_words(struct json_import *import, const cJSON *item, size_t at)
{
    const struct source_text *source = &import->json.source;
    if (cJSON_IsString(item))
        return arena_copy(&import->row, item->valuestring, strlen(item->valuestring));
    return arena_copy(&import->row, source->text + at, json_skip_value(source->text, source->length, at) - at);
}

/* ---- Configurations ---- */

/* Makes room for `count` parameters, before the first is named. */
static int make_room(struct json_import *import, size_t count, size_t at)
{
    struct arena *arena = &import->exchange.arena;
    if (count == 0)
        return json_fail(&import->json, at, "a configuration without parameters");
    import->exchange.header.parameters = arena_array(arena, count, sizeof *import->values);
    import->values = arena_array(arena, count, sizeof *import->values);
    import->room = count;
    return import->exchange.header.parameters && import->values ? 0 : error_memory(import->json.error);
}

size_t json_import_find(const struct json_import *import, const char *name)
{
    const struct journal_header *header = &import->exchange.header;
    size_t p = 0;
    while (p < header->parameter_count && strcmp(header->parameters[p], name) != 0)
        p++;
    return p;
}

static int add_name(struct json_import *import, const char *name, size_t at)
{
    struct journal_header *header = &import->exchange.header;
    const char **names = (const char **)header->parameters, *copy;
    if (header->parameter_count == import->room || json_import_find(import, name) < header->parameter_count)
        return json_fail(&import->json, at, "a second parameter '%.64s'", name);
    if (!(copy = arena_copy(&import->exchange.arena, name, strlen(name))))
        return error_memory(import->json.error);
    names[header->parameter_count++] = copy;
    return json_import_placed(import, exchange_check_name(&import->exchange, name), at);
}

int json_import_names(struct json_import *import, const struct json_member *names)
{
    struct json_walk walk;
    const cJSON *item;
    if (!cJSON_IsArray(names->item))
        return json_fail(&import->json, names->at, "'%s' is not a list", names->name);
    int code = make_room(import, (size_t)cJSON_GetArraySize(names->item), names->at);
    json_walk_start(&walk, import->json.source.text, import->json.source.length, names->at);
    cJSON_ArrayForEach(item, names->item)
    {
        if (code || !json_walk_next(&walk))
            break;
        code = cJSON_IsString(item) ? add_name(import, item->valuestring, walk.value)
                                    : json_fail(&import->json, walk.value, "the name of a parameter is not a string");
    }
    import->named = true;
    return code;
}

int json_import_configuration(struct json_import *import, size_t count, size_t at)
{
    size_t parameters = import->exchange.header.parameter_count;
    if (!import->room)
        return make_room(import, count, at);
    memset(import->values, 0, import->room * sizeof *import->values);
    if (count != parameters)
        return json_fail(&import->json, at, "the first result has %zu parameters, this one %zu", parameters, count);
    return 0;
}

int json_import_value(struct json_import *import, const char *name, size_t key, const cJSON *item, size_t at)
{
    const struct journal_header *header = &import->exchange.header;
    int code = import->named ? 0 : add_name(import, name, key);
    if (code)
        return code;
    size_t p = json_import_find(import, name);
    if (p == header->parameter_count)
        return json_fail(&import->json, key, "the first result has no parameter '%.64s'", name);
    if (import->values[p])
        return json_fail(&import->json, key, "a second value of '%.64s'", name);
    if (cJSON_IsNull(item) || cJSON_IsArray(item) || cJSON_IsObject(item))
        return json_fail(&import->json, at, "the value of %s is not a number, string or boolean", name);
    if (!(import->values[p] = json_import_words(import, item, at)))
        return error_memory(import->json.error);
    return json_import_placed(import, exchange_check_value(&import->exchange, name, import->values[p]), at);
}

int json_import_configured(struct json_import *import, size_t at)
{
    const struct journal_header *header = &import->exchange.header;
    import->named = true;
    for (size_t p = 0; p < header->parameter_count; p++)
        if (!import->values[p])
            return json_fail(&import->json, at, "the result has no parameter '%.64s'", header->parameters[p]);
    return 0;
}

int json_import_object(struct json_import *import, const struct json_member *configuration)
{
    struct json_walk walk;
    const cJSON *item;
    char what[64];
    snprintf(what, sizeof what, "'%s'", configuration->name);
    int code = json_members(&import->json, configuration->item, configuration->at, what, NULL, 0, NULL, NULL);
    if (!code)
        code = json_import_configuration(import, (size_t)cJSON_GetArraySize(configuration->item), configuration->at);
    json_walk_start(&walk, import->json.source.text, import->json.source.length, configuration->at);
    cJSON_ArrayForEach(item, configuration->item)
    {
        if (code || !json_walk_next(&walk))
            break;
        code = json_import_value(import, item->string, walk.key, item, walk.value);
    }
    return code ? code : json_import_configured(import, configuration->at);
}

/* ---- Lists ---- */

int json_import_list(struct json_import *import, const struct json_member *list, json_take *take)
{
    struct json_walk walk;
    const cJSON *item;
    int code = 0;
    if (!json_given(list))
        return 0;
    if (!cJSON_IsArray(list->item))
        return json_fail(&import->json, list->at, "'%s' is not a list", list->name);
    json_walk_start(&walk, import->json.source.text, import->json.source.length, list->at);
    cJSON_ArrayForEach(item, list->item)
    {
        if (code || !json_walk_next(&walk))
            break;
        code = take(import, item, walk.value);
        arena_free(&import->row);
    }
    return code;
}

int json_import_results(struct json_import *import, const struct json_member *results, json_take *take)
{
    if (!cJSON_IsArray(results->item) || !results->item->child)
        return json_fail(&import->json, results->at, "'%s' is not a list of one result or more", results->name);
    int code = json_import_list(import, results, take);
    if (code || !import->exchange.first_pass)
        return code;
    code = exchange_second_pass(&import->exchange);
    return code ? code : json_import_list(import, results, take);
}

/* ---- Members ---- */

const char *json_import_text(const struct json_member *member)
{
    return member->item && cJSON_IsString(member->item) ? member->item->valuestring : NULL;
}

int json_import_duration(struct json_import *import, const struct json_member *member, double unit_ns, int64_t *sum_ns)
{
    int64_t duration_ns;
    if (!json_given(member))
        return 0;
    if (!cJSON_IsNumber(member->item) || !exchange_duration(member->item->valuedouble, unit_ns, &duration_ns) ||
        __builtin_add_overflow(*sum_ns > 0 ? *sum_ns : 0, duration_ns, sum_ns))
        return json_fail(&import->json, member->at, "'%s' is not a time", member->name);
    return 0;
}

int json_import_time(struct json_import *import, const struct json_member *member, double unit_ns,
                     struct measurement *measurement)
{
    if (!cJSON_IsNumber(member->item))
        return json_fail(&import->json, member->at, "the result is correct, but its '%.60s' is not a number",
                         member->name);
    double value = member->item->valuedouble;
    if (!objective_is_value(measurement_objective(measurement), value * unit_ns))
        return json_fail(&import->json, member->at, "%g is not a time", value);
    measurement->value = value * unit_ns;
    return 0;
}

int json_import_leave_out(void *import, const cJSON *item, size_t key)
{
    struct json_import *own = import;
    (void)key;
    return exchange_leave_out(&own->exchange, item->string);
}

int json_import_add(struct json_import *import, const struct measurement *measurement, size_t at)
{
    const struct journal_row row = {.values = import->values, .measurement = *measurement};
    return json_import_placed(import, exchange_add(&import->exchange, &row), at);
}
