#include "exchange/json_read.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_hint.h"
#include "base/text.h"
#include "exchange/json_place.h"

int json_fail(const struct json_text *json, size_t at, const char *format, ...)
{
    char message[512];
    int line, column;
    va_list arguments;
    va_start(arguments, format);
    text_vformat(message, sizeof message, format, arguments);
    va_end(arguments);
    json_line(json->source.text, json->source.length, at, &line, &column);
    return source_error(&json->source, line, column, json->error, ERROR_DATA, "%s", message);
}

/* ---- Parsing ---- */

/* Counts values: each except the first follows a comma or an opening bracket. */
static int check_size(const struct json_text *json, size_t bytes_max, size_t values_max)
{
    const struct source_text *source = &json->source;
    size_t values = 1;
    bool string = false;
    if (source->length > bytes_max) {
        error_set(json->error, ERROR_DATA, "%s is larger than %zu MiB", source->path, bytes_max >> 20);
        return ERROR_DATA;
    }
    for (size_t i = 0; i < source->length; i++) {
        char c = source->text[i];
        if (c == '\\' && string)
            i++;
        else if (c == '"')
            string = !string;
        else
            values += !string && (c == ',' || c == '[' || c == '{');
    }
    if (values <= values_max)
        return 0;
    error_set(json->error, ERROR_DATA, "%s has more than %zu values", source->path, values_max);
    return ERROR_DATA;
}

/* True if the innermost object or array that is open at `end` is an object. */
static bool in_object(const char *text, size_t end)
{
    bool objects[CJSON_NESTING_LIMIT + 1], string = false;
    size_t depth = 0;
    for (size_t i = 0; i < end; i++) {
        char c = text[i];
        if (string && c == '\\')
            i++;
        else if (c == '"')
            string = !string;
        else if (!string && (c == '{' || c == '[') && depth <= CJSON_NESTING_LIMIT)
            objects[depth++] = c == '{';
        else if (!string && (c == '}' || c == ']') && depth)
            depth--;
    }
    return depth && objects[depth - 1];
}

/* cJSON stops behind the first character of a member's name that is no string. */
static size_t stopped_at(const char *text, size_t stop)
{
    size_t before = stop ? stop - 1 : 0;
    while (before && (unsigned char)text[before - 1] <= ' ')
        before--;
    bool first = before && (text[before - 1] == '{' || text[before - 1] == ',');
    bool other = stop && (unsigned char)text[stop - 1] > ' ' && text[stop - 1] != '"';
    return first && other && in_object(text, stop - 1) ? stop - 1 : stop;
}

int json_parse(const struct json_text *json, size_t bytes_max, size_t values_max, cJSON **root, size_t *at)
{
    const struct source_text *source = &json->source;
    const char *end = NULL;
    *root = NULL;
    int code = check_size(json, bytes_max, values_max);
    if (code)
        return code;
    const char *nul = memchr(source->text, '\0', source->length);
    const char *escaped = nul ? NULL : memmem(source->text, source->length, "\\u0000", 6);
    if (nul || escaped)
        return json_fail(json, (size_t)((nul ? nul : escaped) - source->text), "a NUL character in the text");
    size_t valid = text_utf8_bytes(source->text);
    if (valid < source->length) /* JSON text must be UTF-8: RFC 8259, section 8.1 */
        return json_fail(json, valid, "the text is not UTF-8 from here on");
    *root = cJSON_ParseWithLengthOpts(source->text, source->length, &end, false);
    size_t stop = end ? (size_t)(end - source->text) : 0;
    if (!*root) {
        stop = stopped_at(source->text, stop);
        code = json_fail(json, stop, "this is not JSON");
        const char *hint = json_hint(source->text, source->length, stop);
        if (hint)
            error_hint(json->error, "%s", hint);
        else if (strchr("[{", source->text[stop]))
            error_hint(json->error, "at most %d levels of nesting are allowed", CJSON_NESTING_LIMIT);
        return code;
    }
    stop = json_skip_space(source->text, source->length, stop);
    if (stop != source->length)
        return json_fail(json, stop, "more text after the JSON value");
    *at = source->length >= 3 && memcmp(source->text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    *at = json_skip_space(source->text, source->length, *at);
    return 0;
}

/* ---- Members ---- */

static int compare_names(const void *left, const void *right)
{
    return strcmp((*(const cJSON *const *)left)->string, (*(const cJSON *const *)right)->string);
}

static size_t key_of(const struct json_text *json, const cJSON *object, size_t at, const cJSON *wanted)
{
    struct json_walk walk;
    const cJSON *item;
    json_walk_start(&walk, json->source.text, json->source.length, at);
    cJSON_ArrayForEach(item, object) if (!json_walk_next(&walk) || item == wanted) break;
    return walk.key;
}

/* Readers disagree about a second member of the same name: some take the last, some the first. */
static int check_twice(const struct json_text *json, const cJSON *object, size_t at, const char *what)
{
    size_t count = (size_t)cJSON_GetArraySize(object), n = 0;
    const cJSON **items = malloc((count + 1) * sizeof *items), *item;
    int code = 0;
    if (!items)
        return error_memory(json->error);
    cJSON_ArrayForEach(item, object) items[n++] = item;
    qsort(items, n, sizeof *items, compare_names);
    for (size_t i = 1; i < n && !code; i++)
        if (strcmp(items[i - 1]->string, items[i]->string) == 0) {
            size_t one = key_of(json, object, at, items[i - 1]), other = key_of(json, object, at, items[i]);
            code = json_fail(json, one > other ? one : other, "a second '%.64s' in %s", items[i]->string, what);
        }
    free(items);
    return code;
}

int json_members(const struct json_text *json, const cJSON *object, size_t at, const char *what,
                 struct json_member *members, size_t count, json_other *other, void *context)
{
    struct json_walk walk;
    const cJSON *item;
    if (!cJSON_IsObject(object))
        return json_fail(json, at, "%s is not an object", what);
    int code = check_twice(json, object, at, what);
    json_walk_start(&walk, json->source.text, json->source.length, at);
    cJSON_ArrayForEach(item, object)
    {
        size_t m = 0;
        if (code || !json_walk_next(&walk))
            break;
        while (m < count && strcmp(members[m].name, item->string) != 0)
            m++;
        if (m < count) {
            members[m].item = item;
            members[m].at = walk.value;
        } else if (other) {
            code = other(context, item, walk.key);
        }
    }
    return code;
}

bool json_given(const struct json_member *member)
{
    return member->item && !cJSON_IsNull(member->item);
}

/* ---- Exact text of values ---- */

static size_t digits(const char *text)
{
    return strspn(text, "0123456789");
}

/* Length of the number at `text`; 0 if it is not a JSON number. */
static size_t number_length(const char *text)
{
    size_t at = text[0] == '-', whole = digits(text + at);
    if (whole == 0 || (whole > 1 && text[at] == '0'))
        return 0;
    at += whole;
    if (text[at] == '.') {
        size_t fraction = digits(text + at + 1);
        if (!fraction)
            return 0;
        at += 1 + fraction;
    }
    if (text[at] == 'e' || text[at] == 'E') {
        size_t sign = text[at + 1] == '+' || text[at + 1] == '-', exponent = digits(text + at + 1 + sign);
        if (!exponent)
            return 0;
        at += 1 + sign + exponent;
    }
    return at;
}

static int check_number(const struct json_text *json, size_t from, size_t to)
{
    if (number_length(json->source.text + from) != to - from)
        return json_fail(json, from, "this is not a JSON number");
    if (!isfinite(text_number(json->source.text + from, NULL)))
        return json_fail(json, from, "the number is too large");
    return 0;
}

static int check_string(const struct json_text *json, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if ((unsigned char)json->source.text[i] < ' ')
            return json_fail(json, i, "a control character in a string");
    return 0;
}

/* Escapes the string as JSON export does, so that an export restores the imported text. */
static void append_string(struct text *out, const char *string, size_t length)
{
    struct text copy = {0};
    text_append(&copy, string, length);
    text_append_clean(out, text_string(&copy), "", TEXT_JSON);
    out->failed |= copy.failed;
    text_free(&copy);
}

int json_minify(const struct json_text *json, size_t at, struct text *out)
{
    const char *text = json->source.text;
    size_t end = json_skip_value(text, json->source.length, at);
    int code = 0;
    for (size_t next; at < end && !code; at = next) {
        next = at + 1;
        if ((unsigned char)text[at] <= ' ')
            continue;
        if (!strchr("{}[],:", text[at]))
            next = json_skip_value(text, json->source.length, at);
        if (text[at] == '"') {
            code = check_string(json, at, next);
            append_string(out, text + at, next - at);
            continue;
        }
        if (text[at] == '-' || (text[at] >= '0' && text[at] <= '9'))
            code = check_number(json, at, next);
        text_append(out, text + at, next - at);
    }
    return code ? code : out->failed ? error_memory(json->error) : 0;
}
