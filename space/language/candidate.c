#include "space/candidate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/includes.h"
#include "base/toolkit.h"
#include "expression/space_internal.h"
#include "space/config.h"

enum { CANDIDATE_BYTES_MAX = 64 << 20 };

/* ---- Names ---- */

/* The name of the file without its suffix, of characters that configurations may have. A name neither begins like a
 * number nor repeats another one. */
static const char *name_of(struct space *space, const char *path, const struct candidate *before, size_t count)
{
    char name[SPACE_WORD_MAX - 8], numbered[SPACE_WORD_MAX];
    const char *slash = strrchr(path, '/'), *file = slash && slash[1] ? slash + 1 : path, *dot = strrchr(file, '.');
    const size_t length = dot && dot > file ? (size_t)(dot - file) : strlen(file);
    size_t at = 0;
    if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_", *file))
        name[at++] = '_';
    for (size_t i = 0; i < length && at + 1 < sizeof name; i++) {
        const char c = file[i];
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        name[at++] = plain || strchr("_-.", c) ? c : '_';
    }
    name[at] = '\0';
    snprintf(numbered, sizeof numbered, "%s", name);
    for (size_t number = 2, i = 0; i <= count; i++) {
        const char *taken = i < count ? before[i].name : CANDIDATE_OWN;
        if (strcmp(taken, numbered) != 0)
            continue;
        snprintf(numbered, sizeof numbered, "%s_%zu", name, number++);
        i = (size_t)-1; /* from the beginning, for the new name */
    }
    return arena_copy(&space->arena, numbered, strlen(numbered));
}

/* ---- Files ---- */

struct reading {
    struct space *space;
    struct candidate *candidate;
    struct text digest; /* of every file outside the toolkit */
};

/* Finds the folder of a path, with its links resolved and a final '/'. */
static bool folder_of(const char *path, char folder[PATH_MAX + 1])
{
    char name[PATH_MAX];
    const size_t length = file_folder_length(path);
    snprintf(name, sizeof name, "%.*s", (int)length, path);
    if (!realpath(length ? name : ".", folder))
        return false;
    const size_t end = strlen(folder);
    snprintf(folder + end, 2, "%s", end && folder[end - 1] == '/' ? "" : "/");
    return true;
}

static bool is_below(const char *path, const char *of)
{
    char file[PATH_MAX], folder[PATH_MAX + 1];
    return realpath(path, file) && folder_of(of, folder) && strncmp(file, folder, strlen(folder)) == 0;
}

/* Keeps the first reason. */
static void refuse(struct reading *reading, const char *before, const char *what, const char *behind)
{
    if (!reading->candidate->refused)
        reading->candidate->refused = arena_printf(&reading->space->arena, "%s%s%s", before, what, behind);
}

/* A candidate could otherwise make any file of the user a part of its code. */
static int take_file(void *context, const struct included *file, struct error *error)
{
    struct reading *reading = context;
    if (file->toolkit)
        return 0;
    if (!is_below(file->path, reading->candidate->path) && !is_below(file->path, reading->space->path))
        refuse(reading, "it includes ", file->path, ", which is neither in its folder nor in that of the space");
    text_printf(&reading->digest, "%zu %s\n", file->length, file->name);
    text_append(&reading->digest, file->text, file->length);
    return reading->digest.failed ? error_memory(error) : 0;
}

/* With the folders of the options of every configuration, as the values of parameters may choose among them. */
static int scan(struct reading *reading, struct error *error)
{
    const struct space *space = reading->space;
    const struct candidate *candidate = reading->candidate;
    struct text options = {0};
    struct includes includes = {.path = candidate->path,
                                .source = candidate->code,
                                .length = candidate->bytes,
                                .folder = space->folder,
                                .take = take_file,
                                .context = reading};
    toolkit_options(file_below(space->folder, candidate->path), &options, &includes.option_count);
    for (size_t i = 0; i < space->option_count; i++)
        if (!space->options[i].value) {
            text_append(&options, space->options[i].prefix, strlen(space->options[i].prefix) + 1);
            includes.option_count++;
        }
    includes.options = text_string(&options);
    int code = options.failed ? error_memory(error) : includes_scan(&includes, error);
    if (!code && includes.unknown.length)
        refuse(reading, "the files that it includes must be known: ", text_string(&includes.unknown), "");
    text_free(&includes.unknown);
    text_free(&options);
    return code;
}

/* Keeps the bytes: the file may change before it is compiled. An argument of a compiler command may be a word. */
static int read_code(struct space *space, struct candidate *candidate, struct error *error)
{
    static const char elf[] = "\177ELF";
    struct text text = {0};
    struct error unread = {0};
    struct reading reading = {.space = space, .candidate = candidate};
    int code = file_read_regular(candidate->path, CANDIDATE_BYTES_MAX, &text, &unread);
    candidate->kind = space->compiler_command ? CANDIDATE_ARGUMENT : CANDIDATE_SOURCE;
    if (code && (code != ERROR_NOT_FOUND || candidate->kind != CANDIDATE_ARGUMENT)) {
        text_free(&text);
        return error_set(error, ERROR_USAGE, "a candidate cannot be read: %s", unread.message);
    }
    if (candidate->kind == CANDIDATE_SOURCE && text.length >= sizeof elf - 1 &&
        memcmp(text.bytes, elf, sizeof elf - 1) == 0)
        candidate->kind = CANDIDATE_CUBIN;
    candidate->bytes = text.length;
    candidate->code = arena_copy(&space->arena, text_string(&text), text.length);
    hash_hex(text_string(&text), text.length, candidate->hash);
    code = text.failed || !candidate->code ? error_memory(error) : 0;
    text_free(&text);
    if (code || candidate->kind != CANDIDATE_SOURCE)
        return code;
    if (strlen(candidate->code) < candidate->bytes)
        refuse(&reading, "it has a NUL byte: it is neither source text nor machine code", "", "");
    else
        code = scan(&reading, error);
    hash_hex(text_string(&reading.digest), reading.digest.length, candidate->hash);
    text_free(&reading.digest);
    return code;
}

/* The compiler runs in the space's folder. */
static const char *path_from(struct space *space, const char *path)
{
    char absolute[PATH_MAX];
    if (*space->folder && realpath(path, absolute))
        path = absolute;
    return arena_copy(&space->arena, path, strlen(path));
}

/* ---- The parameter ---- */

static int word_of(struct space *space, const char *text, struct value *value, struct error *error)
{
    const struct name *word = names_intern(&space->private->names, &space->arena, text, strlen(text));
    if (!word)
        return error_memory(error);
    *value = (struct value){.kind = VALUE_WORD, .word = word->text};
    return 0;
}

static int add_parameter(struct space *space, struct error *error)
{
    const size_t count = space->parameter_count;
    struct name *name =
        names_intern(&space->private->names, &space->arena, CANDIDATE_PARAMETER, strlen(CANDIDATE_PARAMETER));
    struct parameter *all = arena_array(&space->arena, count + 1, sizeof *all);
    struct value *values = arena_array(&space->arena, space->candidate_count + 1, sizeof *values);
    if (!name || !all || !values)
        return error_memory(error);
    if (name->kind != NAME_FREE || count == SPACE_PARAMETERS_MAX) {
        error_set(error, ERROR_DATA, "%s: there is no room for the parameter " CANDIDATE_PARAMETER " of a judgement",
                  space->path);
        error_hint(error, "the space must not have this name, and fewer than %d parameters", SPACE_PARAMETERS_MAX);
        return ERROR_DATA;
    }
    memcpy(all, space->parameters, count * sizeof *all);
    space->parameters = all;
    name->kind = NAME_PARAMETER;
    name->index = (uint32_t)count;
    all[count] = (struct parameter){.name = name->text, .macro = name->text, .values = values};
    int code = word_of(space, CANDIDATE_OWN, &values[0], error);
    for (size_t i = 0; i < space->candidate_count && !code; i++)
        code = word_of(space, space->candidates[i].name, &values[i + 1], error);
    all[count].value_count = space->candidate_count + 1;
    if (!code && !space_order_values(space, &all[count]))
        code = error_memory(error);
    space->private->effective |= (uint64_t)1 << count;
    space->candidate_parameter = (uint32_t)count;
    space->parameter_count = count + 1;
    return code;
}

/* Another candidate makes another run. */
static int identify(struct space *space, struct error *error)
{
    struct text digest = {0};
    text_printf(&digest, "%s\n", space->source_hash);
    for (size_t i = 0; i < space->candidate_count; i++)
        text_printf(&digest, "%s %d %s\n", space->candidates[i].name, (int)space->candidates[i].kind,
                    space->candidates[i].hash);
    int code = digest.failed ? error_memory(error) : 0;
    if (!code)
        hash_hex(digest.bytes, digest.length, space->source_hash);
    text_free(&digest);
    return code;
}

int space_admit(struct space *space, const char *const *paths, size_t count, struct error *error)
{
    struct candidate *candidates = arena_array(&space->arena, count + 1, sizeof *candidates);
    int code = candidates ? 0 : error_memory(error);
    if (!code && count >= SPACE_VALUES_MAX)
        code = error_set(error, ERROR_USAGE, "%zu candidates: must be at most %d", count, SPACE_VALUES_MAX - 1);
    for (size_t i = 0; i < count && !code; i++) {
        candidates[i].name = name_of(space, paths[i], candidates, i);
        candidates[i].given = arena_copy(&space->arena, paths[i], strlen(paths[i]));
        candidates[i].path = path_from(space, paths[i]);
        code = !candidates[i].name || !candidates[i].path || !candidates[i].given
                   ? error_memory(error)
                   : read_code(space, &candidates[i], error);
    }
    space->candidates = candidates;
    space->candidate_count = code ? 0 : count;
    if (!code)
        code = add_parameter(space, error);
    return code ? code : identify(space, error);
}

const struct candidate *space_candidate(const struct space *space, const uint32_t *choices)
{
    const uint32_t choice = space->candidate_count ? choices[space->candidate_parameter] : 0;
    return choice ? &space->candidates[choice - 1] : NULL;
}
