#include "tools/t1.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "base/file.h"
#include "space/expr.h"
#include "space/lexer.h"
#include "space/space.h"
#include "tools/json_place.h"
#include "tools/python.h"
#include "tools/t1_write.h"

enum { CONDITIONS_MAX = 1024 };

/* A member that is looked for in an object, and where it was found. */
struct member {
    const char *name;
    const cJSON *item; /* NULL: not there */
    size_t at;
};

struct import {
    struct source_text source;
    struct error *error;
    struct arena arena;
    struct python python; /* its names grow with the parameters */
    struct python_name names[PYTHON_NAMES_MAX];
    struct t1_space space;
};

/* ---- Errors with places ---- */

static int fail(struct import *import, size_t at, const char *format, ...) __attribute__((format(printf, 3, 4)));
static int fail(struct import *import, size_t at, const char *format, ...)
{
    char message[512];
    int line, column;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    json_line(import->source.text, import->source.length, at, &line, &column);
    return source_error(&import->source, line, column, import->error, ERROR_DATA, "%s", message);
}

/* Gives the error of a Python expression its place: `at` is the string or array that the expression is. */
static int expression_error(struct import *import, int code, size_t at, bool string)
{
    int line, column;
    size_t place = string ? json_string_offset(import->source.text, import->source.length, at, import->python.error_at)
                          : at + import->python.error_at;
    if (code == ERROR_MEMORY)
        return code;
    json_line(import->source.text, import->source.length, place, &line, &column);
    source_place(&import->source, line, column, import->error);
    return code;
}

/* ---- Members ---- */

/* Finds the members of an object. One that comes twice is an error; one that is not looked for is an error too, or,
 * with `section`, a note. */
static int find_members(struct import *import, const cJSON *object, size_t at, const char *section, const char *what,
                        struct member *members, size_t count)
{
    struct json_walk walk;
    const cJSON *item;
    if (!cJSON_IsObject(object))
        return fail(import, at, "%s is not an object", what);
    json_walk_start(&walk, import->source.text, import->source.length, at);
    cJSON_ArrayForEach(item, object)
    {
        size_t m = 0;
        if (!json_walk_next(&walk))
            break;
        while (m < count && strcmp(members[m].name, item->string) != 0)
            m++;
        if (m < count && members[m].item)
            return fail(import, walk.key, "a second '%s' in %s", members[m].name, what);
        if (m < count) {
            members[m].item = item;
            members[m].at = walk.value;
        } else if (section) {
            t1_note(&import->space, "%s%s%s", section, *section ? "." : "", item->string);
        } else {
            int code = fail(import, walk.key, "%s has a member '%.64s' that is not understood", what, item->string);
            error_hint(import->error, "leaving it out could change the space, so it is not passed over");
            return code;
        }
    }
    return 0;
}

static bool is_given(const struct member *member)
{
    return member->item && !cJSON_IsNull(member->item);
}

static int need_string(struct import *import, const struct member *member, size_t object, const char *what,
                       const char **text)
{
    if (!is_given(member))
        return fail(import, object, "%s has no '%s'", what, member->name);
    if (!cJSON_IsString(member->item))
        return fail(import, member->at, "'%s' of %s is not a string", member->name, what);
    *text = member->item->valuestring;
    return 0;
}

/* ---- Parameters ---- */

/* What a value written as a Python expression in a string, or as JSON, stands for. */
static int evaluate(struct import *import, const struct member *member, struct python_value *value)
{
    struct python *python = &import->python;
    struct python_node *node;
    bool string = cJSON_IsString(member->item);
    const char *text = string ? member->item->valuestring : import->source.text + member->at;
    size_t length =
        string ? strlen(text) : json_skip_value(import->source.text, import->source.length, member->at) - member->at;
    python->json = !string;
    int code = python_parse(python, text, length, &node);
    if (!code)
        code = python_eval(python, node, NULL, value);
    python->json = false;
    return code ? expression_error(import, code, member->at, string) : 0;
}

/* The values that a type may have, by kind. */
static const struct type_row {
    const char *name;
    unsigned kinds; /* bits 1 << enum python_kind */
} types[] = {
    {"int", 1 << PYTHON_INT | 1 << PYTHON_BOOL},
    {"uint", 1 << PYTHON_INT | 1 << PYTHON_BOOL},
    {"integer", 1 << PYTHON_INT | 1 << PYTHON_BOOL},
    {"float", 1 << PYTHON_FLOAT | 1 << PYTHON_INT},
    {"double", 1 << PYTHON_FLOAT | 1 << PYTHON_INT},
    {"bool", 1 << PYTHON_BOOL | 1 << PYTHON_INT},
    {"boolean", 1 << PYTHON_BOOL | 1 << PYTHON_INT},
    {"string", 1 << PYTHON_TEXT},
    {"str", 1 << PYTHON_TEXT},
};

static int check_type(struct import *import, const struct member *type, const struct member *values,
                      const struct python_name *name)
{
    const struct type_row *row = NULL;
    if (!is_given(type))
        return 0;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (cJSON_IsString(type->item) && strcmp(type->item->valuestring, types[i].name) == 0)
            row = &types[i];
    if (!row) {
        int code = fail(import, type->at, "the type of %s is not understood", name->name);
        error_hint(import->error, "the types are int, uint, float, double, bool and string");
        return code;
    }
    for (size_t i = 0; i < name->count; i++)
        if (!(row->kinds >> name->values[i].kind & 1u))
            return fail(import, values->at, "%s is of type %s, but has a value of type %s", name->name, row->name,
                        python_kind_name(name->values[i].kind));
    return 0;
}

static int check_value(struct import *import, const struct member *member, const char *name,
                       const struct python_value *value)
{
    if (value->kind >= PYTHON_LIST)
        return fail(import, member->at, "a value of %s is a %s", name, python_kind_name(value->kind));
    if (value->kind != PYTHON_TEXT)
        return 0;
    int shown = strlen(value->text) > 40 ? 40 : (int)strlen(value->text);
    if (!python_is_name(value->text) || strlen(value->text) > SPACE_WORD_MAX) {
        int code = fail(import, member->at, "the value '%.*s' of %s is no word", shown, value->text, name);
        error_hint(import->error,
                   "a word is made of letters, digits and _, does not start with a digit and has at most "
                   "%d characters",
                   SPACE_WORD_MAX);
        return code;
    }
    if (limit_find(value->text)) {
        int code = fail(import, member->at, "the value '%s' of %s is the name of a device limit", value->text, name);
        error_hint(import->error, "rename it in the T1 file");
        return code;
    }
    return 0;
}

static int take_values(struct import *import, const struct member *member, struct python_name *name)
{
    struct python_value list;
    TRY(evaluate(import, member, &list));
    if (list.kind < PYTHON_LIST)
        return fail(import, member->at, "the values of %s are a %s, not a list", name->name,
                    python_kind_name(list.kind));
    if (list.count == 0)
        return fail(import, member->at, "%s has no values", name->name);
    if (list.count > SPACE_VALUES_MAX)
        return fail(import, member->at, "%s has more than %d values", name->name, SPACE_VALUES_MAX);
    struct python_value *values = arena_array(&import->arena, list.count, sizeof *values);
    if (!values)
        return error_memory(import->error);
    for (size_t i = 0; i < list.count; i++) {
        values[i] = python_item(&list, i);
        TRY(check_value(import, member, name->name, &values[i]));
    }
    name->values = values;
    name->count = list.count;
    return 0;
}

static bool is_taken(const char *name)
{
    bool taken = limit_find(name) != NULL;
    for (size_t i = 0; i < expr_function_count; i++)
        taken |= strcmp(expr_functions[i], name) == 0;
    for (size_t i = 0; i < element_type_count; i++)
        taken |= strcmp(element_types[i].name, name) == 0;
    return taken;
}

static int check_name(struct import *import, const struct member *member, const char *name)
{
    if (!python_is_name(name) || strlen(name) > SPACE_WORD_MAX) {
        int code = fail(import, member->at, "'%.64s' cannot be the name of a parameter", name);
        error_hint(import->error,
                   "a name is made of letters, digits and _, does not start with a digit and has at most "
                   "%d characters",
                   SPACE_WORD_MAX);
        return code;
    }
    if (is_taken(name)) {
        int code =
            fail(import, member->at, "'%s' is a name of the space language: a device limit, function or type", name);
        error_hint(import->error, "rename the parameter in the T1 file and in its conditions");
        return code;
    }
    for (size_t i = 0; i < import->python.name_count; i++)
        if (strcmp(import->names[i].name, name) == 0)
            return fail(import, member->at, "there is a parameter '%s' already", name);
    return 0;
}

/* The default is one of the values: written as such, as an expression, or as a list of one. */
static int take_default(struct import *import, const struct member *member, const struct python_name *name,
                        size_t *standard)
{
    struct python_value value = {.kind = PYTHON_TEXT};
    *standard = T1_NO_DEFAULT;
    if (!is_given(member))
        return 0;
    if (cJSON_IsString(member->item)) {
        value.text = member->item->valuestring;
        for (size_t i = 0; i < name->count && *standard == T1_NO_DEFAULT; i++)
            if (python_equal(&value, &name->values[i]))
                *standard = i;
    }
    if (*standard != T1_NO_DEFAULT)
        return 0;
    TRY(evaluate(import, member, &value));
    if (value.kind >= PYTHON_LIST && value.count == 1)
        value = python_item(&value, 0);
    for (size_t i = 0; i < name->count; i++)
        if (python_equal(&value, &name->values[i])) {
            *standard = i;
            return 0;
        }
    if (name->count == 1) { /* it has no other value, whatever the file says */
        *standard = 0;
        t1_note(&import->space, "the default of %s, which is not its only value", name->name);
        return 0;
    }
    return fail(import, member->at, "the default of %s is not one of its values", name->name);
}

static int take_parameter(struct import *import, const cJSON *item, size_t at)
{
    struct member members[] = {{.name = "Name"}, {.name = "Type"}, {.name = "Values"}, {.name = "Default"}};
    const struct member *values = &members[2];
    struct python_name *name = &import->names[import->python.name_count];
    size_t standard;
    if (import->python.name_count == SPACE_PARAMETERS_MAX)
        return fail(import, at, "more than %d parameters", SPACE_PARAMETERS_MAX);
    TRY(find_members(import, item, at, NULL, "a tuning parameter", members, 4));
    TRY(need_string(import, &members[0], at, "a tuning parameter", &name->name));
    TRY(check_name(import, &members[0], name->name));
    if (!is_given(values))
        return fail(import, at, "the parameter %s has no 'Values'", name->name);
    if (!cJSON_IsString(values->item) && !cJSON_IsArray(values->item))
        return fail(import, values->at, "the values of %s are neither a string nor a list", name->name);
    TRY(take_values(import, values, name));
    TRY(check_type(import, &members[1], values, name));
    TRY(take_default(import, &members[3], name, &standard));
    import->python.name_count++;
    return t1_add_parameter(&import->space, name, standard, values->at) ? error_memory(import->error) : 0;
}

static int take_parameters(struct import *import, const struct member *list)
{
    struct json_walk walk;
    const cJSON *item;
    if (!cJSON_IsArray(list->item) || cJSON_GetArraySize(list->item) == 0)
        return fail(import, list->at, "'%s' is not a list of one parameter or more", list->name);
    json_walk_start(&walk, import->source.text, import->source.length, list->at);
    cJSON_ArrayForEach(item, list->item)
    {
        if (!json_walk_next(&walk))
            break;
        TRY(take_parameter(import, item, walk.value));
    }
    return 0;
}

/* ---- Conditions ---- */

/* The list is a remark of the file: what an expression names is what counts. */
static int check_listed(struct import *import, const struct member *list)
{
    struct json_walk walk;
    const cJSON *item;
    if (!is_given(list))
        return 0;
    if (!cJSON_IsArray(list->item))
        return fail(import, list->at, "'%s' of a condition is not a list", list->name);
    json_walk_start(&walk, import->source.text, import->source.length, list->at);
    cJSON_ArrayForEach(item, list->item)
    {
        bool known = false;
        if (!json_walk_next(&walk))
            break;
        for (size_t i = 0; i < import->python.name_count && cJSON_IsString(item); i++)
            known |= strcmp(import->names[i].name, item->valuestring) == 0;
        if (!known)
            return fail(import, walk.value, "there is no such parameter");
    }
    return 0;
}

static int take_condition(struct import *import, const cJSON *item, size_t at)
{
    struct member members[] = {{.name = "Expression"}, {.name = "Parameters"}};
    struct python_node *node;
    struct text text = {0};
    const char *expression = item->valuestring;
    if (!cJSON_IsString(item)) {
        TRY(find_members(import, item, at, NULL, "a condition", members, 2));
        TRY(need_string(import, &members[0], at, "a condition", &expression));
        TRY(check_listed(import, &members[1]));
        at = members[0].at;
    }
    int code = python_parse(&import->python, expression, strlen(expression), &node);
    if (!code)
        code = python_translate(&import->python, node, &text);
    if (code)
        code = expression_error(import, code, at, true);
    else
        code = t1_add_condition(&import->space, text_string(&text), at) ? error_memory(import->error) : 0;
    text_free(&text);
    return code;
}

static int take_conditions(struct import *import, const struct member *list)
{
    struct json_walk walk;
    const cJSON *item;
    if (!is_given(list))
        return 0;
    if (!cJSON_IsArray(list->item))
        return fail(import, list->at, "'%s' is not a list", list->name);
    if (cJSON_GetArraySize(list->item) > CONDITIONS_MAX)
        return fail(import, list->at, "more than %d conditions", CONDITIONS_MAX);
    json_walk_start(&walk, import->source.text, import->source.length, list->at);
    cJSON_ArrayForEach(item, list->item)
    {
        if (!json_walk_next(&walk))
            break;
        TRY(take_condition(import, item, walk.value));
    }
    return 0;
}

/* ---- The file ---- */

static int take_general(struct import *import, const struct member *general)
{
    struct member members[] = {{.name = "BenchmarkName"}};
    if (!is_given(general))
        return 0;
    TRY(find_members(import, general->item, general->at, "General", "'General'", members, 1));
    if (cJSON_IsString(members[0].item) && t1_set_title(&import->space, members[0].item->valuestring))
        return 0;
    if (members[0].item)
        t1_note(&import->space, "General.BenchmarkName, which cannot be a title");
    return 0;
}

static int take_root(struct import *import, const cJSON *root)
{
    struct member sections[] = {{.name = "ConfigurationSpace"}, {.name = "General"}};
    struct member members[] = {{.name = "TuningParameters"}, {.name = "Conditions"}};
    size_t at = import->source.length >= 3 && memcmp(import->source.text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    at = json_skip_space(import->source.text, import->source.length, at);
    TRY(find_members(import, root, at, "", "the file", sections, 2));
    if (!is_given(&sections[0])) {
        int code = fail(import, at, "the file has no 'ConfigurationSpace': it is no T1 description");
        error_hint(import->error, "T1 has the sections General, ConfigurationSpace and KernelSpecification");
        return code;
    }
    TRY(find_members(import, sections[0].item, sections[0].at, NULL, "'ConfigurationSpace'", members, 2));
    if (!is_given(&members[0]))
        return fail(import, sections[0].at, "'ConfigurationSpace' has no 'TuningParameters'");
    TRY(take_general(import, &sections[1]));
    TRY(take_parameters(import, &members[0]));
    return take_conditions(import, &members[1]);
}

/* The text is read back as any .space is: what the language refuses is shown at the place that it came from. */
static int check_result(struct import *import, const struct text *result, size_t from)
{
    struct error cause = {0};
    struct space *space = NULL;
    int code = space_parse_text(&space, "space", result->bytes + from, result->length - from, NULL, &cause);
    space_free(space);
    if (code == ERROR_MEMORY)
        return error_memory(import->error);
    if (code) {
        code = fail(import, t1_origin(&import->space, cause.line), "the space language refuses it: %s", cause.message);
        if (cause.hint[0])
            error_hint(import->error, "%s", cause.hint);
    }
    return code;
}

static int parse_json(struct import *import, cJSON **root)
{
    const struct source_text *source = &import->source;
    const char *end = NULL;
    if (source->length > T1_BYTES_MAX)
        return error_set(import->error, ERROR_DATA, "%s is larger than %d bytes", source->path, T1_BYTES_MAX);
    const char *nul = memchr(source->text, '\0', source->length);
    const char *escaped = nul ? NULL : memmem(source->text, source->length, "\\u0000", 6);
    if (nul || escaped)
        return fail(import, (size_t)((nul ? nul : escaped) - source->text), "a NUL character in the text");
    *root = cJSON_ParseWithLengthOpts(source->text, source->length, &end, false);
    size_t at = end ? (size_t)(end - source->text) : 0;
    if (!*root)
        return fail(import, at, "this is no JSON");
    at = json_skip_space(source->text, source->length, at);
    return at == source->length ? 0 : fail(import, at, "more text behind the JSON value");
}

int t1_import(const char *path, const char *text, size_t length, struct text *space, struct text *notes,
              struct error *error)
{
    struct import import = {.source = {.path = path, .text = text, .length = length}, .error = error};
    cJSON *root = NULL;
    size_t from = space->length;
    import.python = (struct python){.arena = &import.arena, .error = error, .names = import.names};
    int code = parse_json(&import, &root);
    if (!code)
        code = take_root(&import, root);
    if (!code)
        code = t1_write(&import.space, path + file_folder_length(path), space, notes) ? error_memory(error) : 0;
    if (!code)
        code = check_result(&import, space, from);
    t1_free(&import.space);
    cJSON_Delete(root);
    arena_free(&import.arena);
    return code;
}
