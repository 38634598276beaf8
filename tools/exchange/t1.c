#include "exchange/t1.h"

#include <stdio.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "base/file.h"
#include "exchange/json_place.h"
#include "exchange/json_read.h"
#include "exchange/python.h"
#include "exchange/t1_write.h"
#include "space/expr.h"
#include "space/lexer.h"
#include "space/space.h"

enum { CONDITIONS_MAX = 1024 };

struct import {
    struct json_text json;
    struct arena arena;
    struct python python; /* its names grow with the parameters */
    struct python_name names[PYTHON_NAMES_MAX];
    struct t1_space space;
};

/* ---- Errors with places ---- */

/* Gives the error of a Python expression its place: `at` is the string or array that the expression is. */
static int expression_error(struct import *import, int code, size_t at, bool string)
{
    int line, column;
    size_t place =
        string ? json_string_offset(import->json.source.text, import->json.source.length, at, import->python.error_at)
               : at + import->python.error_at;
    if (code == ERROR_MEMORY)
        return code;
    json_line(import->json.source.text, import->json.source.length, place, &line, &column);
    source_place(&import->json.source, line, column, import->json.error);
    return code;
}

/* ---- Members ---- */

/* What T1 says besides the space: `context` is a struct other. */
struct other {
    struct import *import;
    const char *section;
};

static int note_other(void *context, const cJSON *item, size_t key)
{
    const struct other *other = context;
    (void)key;
    t1_note(&other->import->space, "%s%s%s", other->section, *other->section ? "." : "", item->string);
    return 0;
}

/* In the space itself. */
static int refuse_other(void *context, const cJSON *item, size_t key)
{
    const struct other *other = context;
    int code = json_fail(&other->import->json, key, "%s has a member '%.64s' that is not understood", other->section,
                         item->string);
    error_hint(other->import->json.error, "leaving it out could change the space, so it is not passed over");
    return code;
}

/* A member that is not looked for is an error or, with `section`, a note. */
static int find_members(struct import *import, const cJSON *object, size_t at, const char *section, const char *what,
                        struct json_member *members, size_t count)
{
    struct other other = {import, section ? section : what};
    return json_members(&import->json, object, at, what, members, count, section ? note_other : refuse_other, &other);
}

static int need_string(struct import *import, const struct json_member *member, size_t object, const char *what,
                       const char **text)
{
    if (!json_given(member))
        return json_fail(&import->json, object, "%s has no '%s'", what, member->name);
    if (!cJSON_IsString(member->item))
        return json_fail(&import->json, member->at, "'%s' of %s is not a string", member->name, what);
    *text = member->item->valuestring;
    return 0;
}

/* ---- Parameters ---- */

/* What a value written as a Python expression in a string, or as JSON, stands for. */
static int evaluate(struct import *import, const struct json_member *member, struct python_value *value)
{
    struct python *python = &import->python;
    struct python_node *node;
    bool string = cJSON_IsString(member->item);
    const char *text = string ? member->item->valuestring : import->json.source.text + member->at;
    size_t length =
        string ? strlen(text)
               : json_skip_value(import->json.source.text, import->json.source.length, member->at) - member->at;
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

static int check_type(struct import *import, const struct json_member *type, const struct json_member *values,
                      const struct python_name *name)
{
    const struct type_row *row = NULL;
    if (!json_given(type))
        return 0;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (cJSON_IsString(type->item) && strcmp(type->item->valuestring, types[i].name) == 0)
            row = &types[i];
    if (!row) {
        int code = json_fail(&import->json, type->at, "the type of %s is not understood", name->name);
        error_hint(import->json.error, "the types are int, uint, float, double, bool and string");
        return code;
    }
    for (size_t i = 0; i < name->count; i++)
        if (!(row->kinds >> name->values[i].kind & 1u))
            return json_fail(&import->json, values->at, "%s is of type %s, but has a value of type %s", name->name,
                             row->name, python_kind_name(name->values[i].kind));
    return 0;
}

static int check_value(struct import *import, const struct json_member *member, const char *name,
                       const struct python_value *value)
{
    if (value->kind >= PYTHON_LIST)
        return json_fail(&import->json, member->at, "a value of %s is a %s", name, python_kind_name(value->kind));
    if (value->kind != PYTHON_TEXT)
        return 0;
    int shown = strlen(value->text) > 40 ? 40 : (int)strlen(value->text);
    if (!python_is_name(value->text) || strlen(value->text) > SPACE_WORD_MAX) {
        int code = json_fail(&import->json, member->at, "the value '%.*s' of %s is no word", shown, value->text, name);
        error_hint(import->json.error,
                   "a word is made of letters, digits and _, does not start with a digit and has at most "
                   "%d characters",
                   SPACE_WORD_MAX);
        return code;
    }
    if (limit_find(value->text)) {
        int code = json_fail(&import->json, member->at, "the value '%s' of %s is the name of a device limit",
                             value->text, name);
        error_hint(import->json.error, "rename it in the T1 file");
        return code;
    }
    return 0;
}

static int take_values(struct import *import, const struct json_member *member, struct python_name *name)
{
    struct python_value list;
    TRY(evaluate(import, member, &list));
    if (list.kind < PYTHON_LIST)
        return json_fail(&import->json, member->at, "the values of %s are a %s, not a list", name->name,
                         python_kind_name(list.kind));
    if (list.count == 0)
        return json_fail(&import->json, member->at, "%s has no values", name->name);
    if (list.count > SPACE_VALUES_MAX)
        return json_fail(&import->json, member->at, "%s has more than %d values", name->name, SPACE_VALUES_MAX);
    struct python_value *values = arena_array(&import->arena, list.count, sizeof *values);
    if (!values)
        return error_memory(import->json.error);
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

static int check_name(struct import *import, const struct json_member *member, const char *name)
{
    if (!python_is_name(name) || strlen(name) > SPACE_WORD_MAX) {
        int code = json_fail(&import->json, member->at, "'%.64s' cannot be the name of a parameter", name);
        error_hint(import->json.error,
                   "a name is made of letters, digits and _, does not start with a digit and has at most "
                   "%d characters",
                   SPACE_WORD_MAX);
        return code;
    }
    if (is_taken(name)) {
        int code = json_fail(&import->json, member->at,
                             "'%s' is a name of the space language: a device limit, function or type", name);
        error_hint(import->json.error, "rename the parameter in the T1 file and in its conditions");
        return code;
    }
    for (size_t i = 0; i < import->python.name_count; i++)
        if (strcmp(import->names[i].name, name) == 0)
            return json_fail(&import->json, member->at, "there is a parameter '%s' already", name);
    return 0;
}

/* The default is one of the values: written as such, as an expression, or as a list of one. */
static int take_default(struct import *import, const struct json_member *member, const struct python_name *name,
                        size_t *standard)
{
    struct python_value value = {.kind = PYTHON_TEXT};
    *standard = T1_NO_DEFAULT;
    if (!json_given(member))
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
    return json_fail(&import->json, member->at, "the default of %s is not one of its values", name->name);
}

static int take_parameter(struct import *import, const cJSON *item, size_t at)
{
    struct json_member members[] = {{.name = "Name"}, {.name = "Type"}, {.name = "Values"}, {.name = "Default"}};
    const struct json_member *values = &members[2];
    struct python_name *name = &import->names[import->python.name_count];
    size_t standard;
    if (import->python.name_count == SPACE_PARAMETERS_MAX)
        return json_fail(&import->json, at, "more than %d parameters", SPACE_PARAMETERS_MAX);
    TRY(find_members(import, item, at, NULL, "a tuning parameter", members, 4));
    TRY(need_string(import, &members[0], at, "a tuning parameter", &name->name));
    TRY(check_name(import, &members[0], name->name));
    if (!json_given(values))
        return json_fail(&import->json, at, "the parameter %s has no 'Values'", name->name);
    if (!cJSON_IsString(values->item) && !cJSON_IsArray(values->item))
        return json_fail(&import->json, values->at, "the values of %s are neither a string nor a list", name->name);
    TRY(take_values(import, values, name));
    TRY(check_type(import, &members[1], values, name));
    TRY(take_default(import, &members[3], name, &standard));
    import->python.name_count++;
    return t1_add_parameter(&import->space, name, standard, values->at) ? error_memory(import->json.error) : 0;
}

static int take_parameters(struct import *import, const struct json_member *list)
{
    struct json_walk walk;
    const cJSON *item;
    if (!cJSON_IsArray(list->item) || cJSON_GetArraySize(list->item) == 0)
        return json_fail(&import->json, list->at, "'%s' is not a list of one parameter or more", list->name);
    json_walk_start(&walk, import->json.source.text, import->json.source.length, list->at);
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
static int check_listed(struct import *import, const struct json_member *list)
{
    struct json_walk walk;
    const cJSON *item;
    if (!json_given(list))
        return 0;
    if (!cJSON_IsArray(list->item))
        return json_fail(&import->json, list->at, "'%s' of a condition is not a list", list->name);
    json_walk_start(&walk, import->json.source.text, import->json.source.length, list->at);
    cJSON_ArrayForEach(item, list->item)
    {
        bool known = false;
        if (!json_walk_next(&walk))
            break;
        for (size_t i = 0; i < import->python.name_count && cJSON_IsString(item); i++)
            known |= strcmp(import->names[i].name, item->valuestring) == 0;
        if (!known)
            return json_fail(&import->json, walk.value, "there is no such parameter");
    }
    return 0;
}

static int take_condition(struct import *import, const cJSON *item, size_t at)
{
    struct json_member members[] = {{.name = "Expression"}, {.name = "Parameters"}};
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
        code = t1_add_condition(&import->space, text_string(&text), at) ? error_memory(import->json.error) : 0;
    text_free(&text);
    return code;
}

static int take_conditions(struct import *import, const struct json_member *list)
{
    struct json_walk walk;
    const cJSON *item;
    if (!json_given(list))
        return 0;
    if (!cJSON_IsArray(list->item))
        return json_fail(&import->json, list->at, "'%s' is not a list", list->name);
    if (cJSON_GetArraySize(list->item) > CONDITIONS_MAX)
        return json_fail(&import->json, list->at, "more than %d conditions", CONDITIONS_MAX);
    json_walk_start(&walk, import->json.source.text, import->json.source.length, list->at);
    cJSON_ArrayForEach(item, list->item)
    {
        if (!json_walk_next(&walk))
            break;
        TRY(take_condition(import, item, walk.value));
    }
    return 0;
}

/* ---- The file ---- */

static int take_general(struct import *import, const struct json_member *general)
{
    struct json_member members[] = {{.name = "BenchmarkName"}};
    if (!json_given(general))
        return 0;
    TRY(find_members(import, general->item, general->at, "General", "'General'", members, 1));
    if (cJSON_IsString(members[0].item) && t1_set_title(&import->space, members[0].item->valuestring))
        return 0;
    if (members[0].item)
        t1_note(&import->space, "General.BenchmarkName, which cannot be a title");
    return 0;
}

static int take_root(struct import *import, const cJSON *root, size_t at)
{
    struct json_member sections[] = {{.name = "ConfigurationSpace"}, {.name = "General"}};
    struct json_member members[] = {{.name = "TuningParameters"}, {.name = "Conditions"}};
    TRY(find_members(import, root, at, "", "the file", sections, 2));
    if (!json_given(&sections[0])) {
        int code = json_fail(&import->json, at, "the file has no 'ConfigurationSpace': it is no T1 description");
        error_hint(import->json.error, "T1 has the sections General, ConfigurationSpace and KernelSpecification");
        return code;
    }
    TRY(find_members(import, sections[0].item, sections[0].at, NULL, "'ConfigurationSpace'", members, 2));
    if (!json_given(&members[0]))
        return json_fail(&import->json, sections[0].at, "'ConfigurationSpace' has no 'TuningParameters'");
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
        return error_memory(import->json.error);
    if (code) {
        code = json_fail(&import->json, t1_origin(&import->space, cause.line), "the space language refuses it: %s",
                         cause.message);
        if (cause.hint[0])
            error_hint(import->json.error, "%s", cause.hint);
    }
    return code;
}

int t1_import(const char *path, const char *text, size_t length, struct text *space, struct text *notes,
              struct error *error)
{
    struct import import = {.json = {.source = {.path = path, .text = text, .length = length}, .error = error}};
    cJSON *root = NULL;
    size_t at = 0, from = space->length;
    import.python = (struct python){.arena = &import.arena, .error = error, .names = import.names};
    int code = json_parse(&import.json, T1_BYTES_MAX, SIZE_MAX, &root, &at);
    if (!code)
        code = take_root(&import, root, at);
    if (!code)
        code = t1_write(&import.space, path + file_folder_length(path), space, notes) ? error_memory(error) : 0;
    if (!code)
        code = check_result(&import, space, from);
    t1_free(&import.space);
    cJSON_Delete(root);
    arena_free(&import.arena);
    return code;
}
