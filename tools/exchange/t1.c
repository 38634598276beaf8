#include "exchange/t1.h"

#include <string.h>

#include <cjson/cJSON.h>

#include "base/file.h"
#include "base/limits.h"
#include "exchange/script.h"
#include "expression/expr.h"
#include "expression/lexer.h"
#include "space/space.h"

/* `place` is an array of line and column; without a valid one, ERROR_DATA has no place. */
static int fail_at(const struct source_text *source, const cJSON *place, struct error *error, const char *message,
                   const char *hint)
{
    const cJSON *line = cJSON_GetArrayItem(place, 0), *column = cJSON_GetArrayItem(place, 1);
    if (cJSON_IsNumber(line) && cJSON_IsNumber(column))
        source_error(source, line->valueint, column->valueint, error, ERROR_DATA, "%s", message);
    else
        error_set(error, ERROR_DATA, "%s", message);
    if (hint)
        error_hint(error, "%s", hint);
    return ERROR_DATA;
}

/* A pipe has no folder with other files: theirs is the working folder. */
static const char *path_of(const char *path)
{
    bool pipe = strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0;
    return pipe ? path + file_folder_length(path) : path;
}

static const char *output_of(const struct t1_setup *setup)
{
    return path_of(setup->output ? setup->output : setup->path);
}

/* Parses the text as a .space file, and reports an error at its origin in the T1 file. */
static int check_space(const struct t1_setup *setup, const struct source_text *source, const char *text, size_t length,
                       const cJSON *origins, struct error *error)
{
    struct error cause = {0};
    struct text message = {0};
    struct space *space = NULL;
    const char *refusal = setup->untrusted ? "" : "the space language does not accept it: ";
    int code = setup->untrusted ? space_refuse_untrusted(output_of(setup), text, length, &cause)
                                : space_parse_text(&space, output_of(setup), text, length, NULL, &cause);
    space_free(space);
    if (code == ERROR_MEMORY)
        return error_memory(error);
    if (code) {
        text_printf(&message, "%s%s", refusal, cause.message);
        code = fail_at(source, cJSON_GetArrayItem(origins, cause.line - 1), error, text_string(&message),
                       cause.hint[0] ? cause.hint : NULL);
    }
    text_free(&message);
    return code;
}

static int take_reply(const struct t1_setup *setup, const struct source_text *source, const cJSON *reply,
                      struct text *space, struct text *notes, struct error *error)
{
    const char *refusal = cJSON_GetStringValue(cJSON_GetObjectItem(reply, "error"));
    const char *converted = cJSON_GetStringValue(cJSON_GetObjectItem(reply, "space"));
    const cJSON *note;
    if (refusal)
        return fail_at(source, cJSON_GetObjectItem(reply, "at"), error, refusal,
                       cJSON_GetStringValue(cJSON_GetObjectItem(reply, "hint")));
    if (!converted)
        return error_set(error, ERROR_WORKER, "the script import_t1 sent an unreadable reply");
    size_t from = space->length;
    text_printf(space, "%s", converted);
    cJSON_ArrayForEach(note, cJSON_GetObjectItem(reply, "notes"))
        text_printf(notes, "%s\n", note->valuestring ? note->valuestring : "");
    if (space->failed || notes->failed)
        return error_memory(error);
    return check_space(setup, source, space->bytes + from, space->length - from, cJSON_GetObjectItem(reply, "origins"),
                       error);
}

/* Lists the names of the space language. A parameter can have none of them, a word all except those of limits. */
static void list_names(struct text *limits, struct text *reserved)
{
    for (size_t i = 0; i < limit_count; i++)
        text_printf(limits, "%s ", limit_rows[i].name);
    for (size_t i = 0; i < expr_function_count; i++)
        text_printf(reserved, "%s ", expr_functions[i].name);
    for (size_t i = 0; i < element_type_count; i++)
        text_printf(reserved, "%s ", element_types[i].name);
}

int t1_import(const struct t1_setup *setup, const struct text *text, struct text *space, struct text *notes,
              struct error *error)
{
    const struct source_text source = {.path = setup->path, .text = text_string(text), .length = text->length};
    struct text limits = {0}, reserved = {0}, output = {0};
    list_names(&limits, &reserved);
    const char *const arguments[] = {path_of(setup->path),
                                     output_of(setup),
                                     text_string(&limits),
                                     text_string(&reserved),
                                     setup->no_kernel ? "no-kernel" : "",
                                     NULL};
    int code = limits.failed || reserved.failed ? error_memory(error) : 0;
    if (!code && text->length > T1_BYTES_MAX)
        code = error_set(error, ERROR_DATA, "%s is larger than %d MiB", setup->path, T1_BYTES_MAX >> 20);
    if (!code)
        code = script_run(setup->script, arguments, text, &output, error);
    if (!code) {
        cJSON *reply = cJSON_ParseWithLength(text_string(&output), output.length);
        code = take_reply(setup, &source, reply, space, notes, error);
        cJSON_Delete(reply);
    }
    text_free(&limits);
    text_free(&reserved);
    text_free(&output);
    return code;
}
