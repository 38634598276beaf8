#include "compile/json_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json_hint.h"

static const char *type_of(const cJSON *item)
{
    return cJSON_IsObject(item)   ? "an object"
           : cJSON_IsArray(item)  ? "an array"
           : cJSON_IsString(item) ? "a string"
           : cJSON_IsNumber(item) ? "a number"
           : cJSON_IsBool(item)   ? "a truth value"
                                  : "null";
}

int json_object(const char *line, size_t length, const char *what, cJSON **object, struct error *error)
{
    enum { SHOWN = 120 };
    /* A parser of C strings would stop at a NUL. */
    const char *nul = memchr(line, '\0', length), *end = nul;
    cJSON *parsed = nul ? NULL : cJSON_ParseWithOpts(line, &end, 1);
    *object = NULL;
    if (cJSON_IsObject(parsed)) {
        *object = parsed;
        return 0;
    }
    const int shown = (int)(length < SHOWN ? length : SHOWN);
    if (parsed) {
        cJSON_Delete(parsed);
        return error_set(error, ERROR_DATA, "%s is not a JSON object: %.*s", what, shown, line);
    }
    const size_t at = end ? (size_t)(end - line) : 0;
    const char *hint = nul ? "it has a NUL character" : json_hint(line, length, at);
    return error_set(error, ERROR_DATA, "%s is not JSON at column %zu: %.*s%s%s", what, at + 1, shown, line,
                     hint ? "; " : "", hint ? hint : "");
}

struct json_place json_below(const struct json_place *place, const char *member)
{
    struct json_place below = {.what = place->what};
    snprintf(below.path, sizeof below.path, "%.90s%s%.30s", place->path, *place->path ? "." : "", member);
    return below;
}

struct json_place json_at(const struct json_place *place, size_t index)
{
    struct json_place at = {.what = place->what};
    snprintf(at.path, sizeof at.path, "%.100s[%zu]", place->path, index);
    return at;
}

const char *json_name(const struct json_place *place, char buffer[JSON_NAME_BYTES])
{
    snprintf(buffer, JSON_NAME_BYTES, "%.50s%s%s", place->what, *place->path ? "'s " : "", place->path);
    return buffer;
}

static int wrong_type(const cJSON *item, const struct json_place *place, const char *expected, struct error *error)
{
    char name[JSON_NAME_BYTES];
    return error_set(error, ERROR_DATA, "%s is %s: it must be %s", json_name(place, name), type_of(item), expected);
}

/* The names that an object may have: "block, entry". */
static void list_names(const struct json_member *members, size_t count, struct text *names)
{
    for (size_t i = 0; i < count; i++)
        text_printf(names, "%s%s", i ? ", " : "", members[i].name);
}

static int take_member(const cJSON *item, const struct json_place *place, const struct json_member *members,
                       size_t count, struct error *error)
{
    char name[JSON_NAME_BYTES];
    size_t m = 0;
    while (m < count && strcmp(members[m].name, item->string) != 0)
        m++;
    if (m < count && !*members[m].to) {
        *members[m].to = item;
        return 0;
    }
    json_name(place, name);
    if (m < count)
        return error_set(error, ERROR_DATA, "%s has two members '%s'", name, members[m].name);
    struct text names = {0};
    list_names(members, count, &names);
    int code = error_set(error, ERROR_DATA, "%s has an unknown member '%.60s': it may have %s", name, item->string,
                         text_string(&names));
    text_free(&names);
    return code;
}

int json_text_members(const cJSON *object, const struct json_place *place, const struct json_member *members,
                      size_t count, struct error *error)
{
    char name[JSON_NAME_BYTES];
    const cJSON *item;
    int code = cJSON_IsObject(object) ? 0 : wrong_type(object, place, "an object", error);
    for (size_t m = 0; m < count; m++)
        *members[m].to = NULL;
    if (code)
        return code;
    cJSON_ArrayForEach(item, object)
    {
        if ((code = take_member(item, place, members, count, error)))
            return code;
    }
    for (size_t m = 0; m < count; m++)
        if (members[m].required && !*members[m].to)
            return error_set(error, ERROR_DATA, "%s lacks the member '%s'", json_name(place, name), members[m].name);
    return 0;
}

int json_string(const cJSON *item, const struct json_place *place, const char **string, struct error *error)
{
    char name[JSON_NAME_BYTES];
    if (!cJSON_IsString(item))
        return wrong_type(item, place, "a string", error);
    *string = item->valuestring;
    return **string ? 0 : error_set(error, ERROR_DATA, "%s is empty", json_name(place, name));
}

int json_bool(const cJSON *item, const struct json_place *place, uint32_t *value, struct error *error)
{
    *value = (uint32_t)cJSON_IsTrue(item);
    return cJSON_IsBool(item) ? 0 : wrong_type(item, place, "true or false", error);
}

int json_integer(const cJSON *item, const struct json_place *place, int64_t low, int64_t high, int64_t *number,
                 struct error *error)
{
    char name[JSON_NAME_BYTES];
    if (!cJSON_IsNumber(item))
        return wrong_type(item, place, "an integer", error);
    const double value = item->valuedouble;
    if (value != floor(value) || value < (double)low || value > (double)high) {
        char shown[32] = "no integer in that range";
        if (value == floor(value) && fabs(value) < 1e15)
            snprintf(shown, sizeof shown, "%lld", (long long)value);
        return error_set(error, ERROR_DATA, "%s is %s: it must be an integer from %lld to %lld", json_name(place, name),
                         shown, (long long)low, (long long)high);
    }
    *number = (int64_t)value;
    return 0;
}

int json_array(const cJSON *item, const struct json_place *place, size_t low, size_t high, struct error *error)
{
    char name[JSON_NAME_BYTES];
    if (!cJSON_IsArray(item))
        return wrong_type(item, place, "an array", error);
    const size_t count = (size_t)cJSON_GetArraySize(item);
    return count >= low && count <= high ? 0
                                         : error_set(error, ERROR_DATA, "%s has %zu elements: it must have %zu to %zu",
                                                     json_name(place, name), count, low, high);
}

int json_strings(const cJSON *item, const struct json_place *place, struct text *strings, struct error *error)
{
    enum { STRINGS_MAX = 65536 };
    const cJSON *element;
    size_t i = 0;
    int code = json_array(item, place, 0, STRINGS_MAX, error);
    if (code)
        return code;
    cJSON_ArrayForEach(element, item)
    {
        const struct json_place at = json_at(place, i++);
        const char *string;
        if ((code = json_string(element, &at, &string, error)))
            return code;
        text_append(strings, string, strlen(string) + 1);
    }
    return strings->failed ? error_memory(error) : 0;
}
