/* Makes a space from recorded configurations, without a .space file. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_set.h"
#include "expression/space_internal.h"
#include "space/config.h"

/* Recorded values differ if their texts may produce different code: 16 and 16.0. */
static int compare_values(const void *left, const void *right)
{
    return value_order(left, right);
}

static bool word_fits(const char *word)
{
    for (const char *c = word; *c; c++)
        if ((unsigned char)*c <= ' ' || *c == 0x7f)
            return false;
    return strlen(word) <= SPACE_WORD_MAX;
}

static int read_value(struct space *space, const char *name, const char *text, struct value *value, struct error *error)
{
    if (!value_read(text, value) || (value->kind == VALUE_WORD && !word_fits(text))) {
        error_set(error, ERROR_DATA, "%s: the value '%.60s' of %.60s is neither a number nor a word", space->path, text,
                  name);
        error_hint(error, "a word has at most %d characters, no spaces, and does not start like a number",
                   SPACE_WORD_MAX);
        return ERROR_DATA;
    }
    if (value->kind == VALUE_WORD) {
        const struct name *word = names_intern(&space->private->names, &space->arena, text, strlen(text));
        if (!word)
            return error_memory(error);
        value->word = word->text;
    }
    return 0;
}

static int take_texts(struct space *space, const struct text_set *texts, struct parameter *parameter,
                      struct error *error)
{
    struct value *values = arena_array(&space->arena, texts->count + 1, sizeof *values);
    size_t count = 0, kept = 0;
    if (!values)
        return error_memory(error);
    for (; count < texts->count; count++)
        TRY(read_value(space, parameter->name, texts->texts[count], &values[count], error));
    if (count)
        qsort(values, count, sizeof *values, compare_values);
    for (size_t i = 0; i < count; i++) /* 8 and 08 are one value */
        if (kept == 0 || compare_values(&values[kept - 1], &values[i]) != 0)
            values[kept++] = values[i];
    if (kept > SPACE_VALUES_MAX)
        return error_set(error, ERROR_DATA, "%s: %s has more than %d values", space->path, parameter->name,
                         SPACE_VALUES_MAX);
    parameter->values = values;
    parameter->value_count = kept;
    return space_order_values(space, parameter) ? 0 : error_memory(error);
}

static int take_column(struct space *space, const struct space_rows *rows, size_t column, struct error *error)
{
    struct parameter *parameter = &space->parameters[column];
    struct text_set texts = {0};
    const char *before = NULL;
    int code = 0;
    for (size_t row = 0; row < rows->row_count && !code; row++) {
        const char *text = rows->row(rows->context, row)[column];
        const char **place = text == before ? &text : text_set_place(&texts, text);
        if (!place)
            code = error_memory(error);
        else
            *place = before = text;
    }
    if (!code)
        code = take_texts(space, &texts, parameter, error);
    text_set_free(&texts);
    return code;
}

static int take_name(struct space *space, const char *text, size_t index, struct error *error)
{
    struct name *name = names_intern(&space->private->names, &space->arena, text, strlen(text));
    if (!name)
        return error_memory(error);
    if (name->kind == NAME_PARAMETER)
        return error_set(error, ERROR_DATA, "%s: two parameters are named %.60s", space->path, text);
    if (!*text || !word_fits(text) || strchr(text, '='))
        return error_set(error, ERROR_DATA, "%s: '%.60s' cannot be the name of a parameter", space->path, text);
    name->kind = NAME_PARAMETER;
    name->index = (uint32_t)index;
    space->parameters[index].name = space->parameters[index].macro = name->text;
    return 0;
}

static int fill(struct space *space, const struct space_rows *rows, struct error *error)
{
    space->path = arena_copy(&space->arena, rows->path, strlen(rows->path));
    space->folder = ""; /* nothing is compiled */
    space->name = arena_copy(&space->arena, rows->name, strlen(rows->name));
    space->title = arena_copy(&space->arena, rows->title, strlen(rows->title));
    space->private = arena_alloc(&space->arena, sizeof *space->private);
    space->parameters = arena_array(&space->arena, rows->parameter_count + 1, sizeof *space->parameters);
    if (!space->path || !space->name || !space->title || !space->private || !space->parameters)
        return error_memory(error);
    if (rows->parameter_count == 0 || rows->parameter_count > SPACE_PARAMETERS_MAX)
        return error_set(error, ERROR_DATA, "%s has %zu parameters, not 1 to %d", space->path, rows->parameter_count,
                         SPACE_PARAMETERS_MAX);
    space->parameter_count = rows->parameter_count;
    for (size_t i = 0; i < rows->parameter_count; i++)
        TRY(take_name(space, rows->names[i], i, error));
    for (size_t i = 0; i < rows->parameter_count; i++)
        TRY(take_column(space, rows, i, error));
    return 0;
}

/* Ignores a default whose values do not occur: it was not evaluated, so that nothing can be compared with it. */
static void take_default(struct space *space, const char *default_)
{
    uint32_t choices[SPACE_PARAMETERS_MAX];
    space->no_default = !*default_ || space_config_parse(space, default_, choices, NULL);
    for (size_t i = 0; i < space->parameter_count && !space->no_default; i++)
        space->parameters[i].default_ = choices[i];
}

int space_from_rows(struct space **result, const struct space_rows *rows, struct error *error)
{
    struct space *space = calloc(1, sizeof *space);
    *result = NULL;
    if (!space)
        return error_memory(error);
    space->bytes = space->flops = NAN;
    space->bound = true;
    int code = fill(space, rows, error);
    if (code) {
        space_free(space);
        return code;
    }
    take_default(space, rows->default_);
    *result = space;
    return 0;
}
