#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "commands/check_architecture.h"
#include "draft/draft.h"
#include "space/space.h"
#include "terminal/command.h"
#include "terminal/output.h"

struct init_values {
    const char *kernel, *output, *architecture;
    struct option_list options;
    bool force;
};

#define FIELD(field) .offset = offsetof(struct init_values, field)
static const struct option_row rows[] = {
    {.name = "kernel",
     .argument = "NAME",
     .type = OPTION_TEXT,
     FIELD(kernel),
     .help = "the kernel: its name, an instance of a template such as 'scale<8, float>', or the overload "
             "'(void (*)(float *, int))scale'; may be left out if the file has one"},
    {.name = "output",
     .short_name = 'o',
     .argument = "FILE",
     .type = OPTION_TEXT,
     FIELD(output),
     .help = "space file to write; by default, standard output"},
    {.name = "force", .type = OPTION_FLAG, FIELD(force), .help = "replace an existing space file"},
    {.name = "option",
     .argument = "TEXT",
     .type = OPTION_LIST,
     FIELD(options),
     .help = "option for the compiler, such as -Iinclude or -Dreal=float, also in the space; may be repeated"},
    {.name = "arch",
     .argument = "SM",
     .type = OPTION_TEXT,
     FIELD(architecture),
     .default_ = "sm_90a",
     .help = "architecture to compile for, of a kernel that others cannot have; no GPU is needed"},
};

/* ---- Paths ---- */

/* Finds the path of the source from the folder of the space file, both without symbolic links. */
static int relative_path(struct arena *arena, const char *folder, const char *path, const char **relative,
                         struct error *error)
{
    char *from = realpath(*folder ? folder : ".", NULL), *to = NULL;
    size_t shared = 0;
    int code = from ? 0 : error_errno(error, ERROR_IO, "cannot open %s", folder);
    if (!code && !(to = realpath(path, NULL)))
        code = error_errno(error, ERROR_NOT_FOUND, "cannot open %s", path);
    for (size_t i = 0; !code && from[i] == to[i] && from[i]; i++)
        if (from[i] == '/')
            shared = i + 1;
    if (!code) {
        size_t length = strlen(from);
        bool below = strncmp(from, to, length) == 0 && (to[length] == '/' || from[length - 1] == '/');
        struct text text = {0};
        if (below)
            shared = length + (from[length - 1] != '/');
        for (const char *at = from + shared; !below && *at; at += strcspn(at, "/"), at += *at == '/')
            text_printf(&text, "../");
        text_printf(&text, "%s", to + shared);
        *relative = text.failed ? NULL : arena_copy(arena, text_string(&text), text.length);
        text_free(&text);
        code = *relative ? 0 : error_memory(error);
    }
    free(from);
    free(to);
    return code;
}

static int refuse_path(const char *path, struct error *error)
{
    if (!strpbrk(path, "\"\n\r"))
        return 0;
    return error_set(error, ERROR_DATA, "a space file cannot name %s: the path has a quotation mark or a line's end",
                     path);
}

static int refuse_options(const struct option_list *options, struct error *error)
{
    for (size_t i = 0; i < options->count; i++)
        if (strpbrk(options->items[i], "\"\n\r"))
            return error_set(error, ERROR_USAGE, "--option: a space file cannot have the quotation marks of %s",
                             options->items[i]);
    return 0;
}

static int check_output(const struct init_values *wanted, const char *source, struct error *error)
{
    const char *path = wanted->output;
    int code = output_check(path, FILE_KIND_OTHER, &source, 1, error);
    if (code || !path || strcmp(path, "-") == 0 || wanted->force || access(path, F_OK))
        return code;
    code = error_set(error, ERROR_USAGE, "%s exists", path);
    error_hint(error, "name another file, or replace it by --force");
    return code;
}

/* ---- The command ---- */

/* Counts the parts to be filled in as `cutune check` does, and names anything else that it would reject. */
static int note_rest(const char *path, const struct text *text, struct error *error)
{
    static const char mark[] = "`???` is";
    struct error_list *list = calloc(1, sizeof *list);
    struct error found = {.list = list};
    struct space *space = NULL;
    if (!list)
        return error_memory(error);
    int code = space_parse_text(&space, path, text_string(text), text->length, NULL, &found);
    for (size_t i = 0; i < list->count; i++)
        if (strncmp(list->errors[i].message, mark, sizeof mark - 1) != 0)
            output_note("%s:%d: %s", path, list->errors[i].line, list->errors[i].message);
    if (!code)
        output_note("%s: no line is to be filled in", path);
    else
        output_note("%s: %zu line%s to be filled in, which `cutune check %s` lists", path, list->total,
                    list->total == 1 ? " is" : "s are", path);
    space_free(space);
    free(list);
    return 0;
}

static int write_space(const struct init_values *wanted, const struct draft_request *request, struct error *error)
{
    struct draft draft;
    struct text space = {0};
    bool to_file = wanted->output && strcmp(wanted->output, "-") != 0;
    int code = draft_learn(&draft, request, error);
    if (!code)
        code = draft_write(&draft, &space, error);
    if (!code)
        code = output_file(wanted->output, &space, error);
    if (!code && draft.answer.errors->count)
        output_note("%s:%d: the values in the space do not compile: %s", request->shown,
                    draft.answer.errors->errors[0].line, draft.answer.errors->errors[0].message);
    if (!code && to_file)
        code = note_rest(wanted->output, &space, error);
    text_free(&space);
    draft_free(&draft);
    return code;
}

static int run(const void *values, const char *const *arguments, size_t argument_count, struct error *error)
{
    const struct init_values *wanted = values;
    struct arena arena = {0};
    int64_t capabilities[ARCHITECTURES_MAX] = {0};
    size_t count = 0;
    const char *output = wanted->output && strcmp(wanted->output, "-") != 0 ? wanted->output : "";
    struct draft_request request = {.shown = arguments[0], .kernel = wanted->kernel, .options = &wanted->options};
    (void)argument_count;
    int code = check_output(wanted, arguments[0], error);
    if (!code)
        code = refuse_options(&wanted->options, error);
    if (!code)
        code = architectures_parse(wanted->architecture, capabilities, &count, error);
    if (!code && count > 1)
        code = error_set(error, ERROR_USAGE, "--arch: name one architecture");
    request.cc = capabilities[0];
    request.folder = arena_copy(&arena, output, file_folder_length(output));
    if (!code && !request.folder)
        code = error_memory(error);
    if (!code)
        code = relative_path(&arena, request.folder, arguments[0], &request.relative, error);
    if (!code)
        code = refuse_path(request.relative, error);
    request.path = code ? NULL : arena_printf(&arena, "%s%s", request.folder, request.relative);
    if (!code && !request.path)
        code = error_memory(error);
    if (!code)
        code = write_space(wanted, &request, error);
    arena_free(&arena);
    return code;
}

static const struct command_example examples[] = {
    {"cutune init smooth.cu -o smooth.space", "write a space for the only kernel of a file"},
    {"cutune init kernels.cu --kernel 'scale<8, float>'", "print one for an instance of a template"},
};

const struct command command_init = {
    .name = "init",
    .arguments = "FILE.cu",
    .summary = "write a first space for a kernel",
    .description =
        "cutune learns a kernel from the compiler and from its source, and writes a space for it: its parameters, "
        "arguments, buffers and launch. It needs no GPU. A part that neither knows, such as the length of a buffer, is "
        "a "
        "line with `???` and a comment that says what to write there; `cutune check` lists these lines.\n"
        "Macros without a definition, those between #ifndef and #endif, and the integers of a template become "
        "parameters with usual values. A launch in the same file gives block and grid.",
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .values_size = sizeof(struct init_values),
    .arguments_min = 1,
    .arguments_max = 1,
    .run = run};
