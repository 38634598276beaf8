#include "language/kernel_file.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "language/file_name.h"
#include "language/override.h"

int kernel_file_parse(struct parser *parser, bool joined, struct step *step)
{
    struct space *space = parser->space;
    const struct space_place place = parser_place(parser);
    struct kernel_file **end = &space->private->files_of_kernels, *file;
    const char *path = NULL;
    if (parser->lexer.token.kind != TOKEN_STRING)
        return 0;
    TRY(parse_file_name(parser, "the kernel's source file in quotes", &path));
    for (; *end; end = &(*end)->next)
        if ((*end)->joined == joined && strcmp((*end)->path, path) == 0) {
            step->file = *end;
            return 0;
        }
    if (!(file = arena_alloc(&space->arena, sizeof *file)))
        return error_memory(parser->error);
    *file = (struct kernel_file){.path = path, .source = "", .joined = joined, .place = place};
    step->file = *end = file;
    return 0;
}

const char *kernel_file_path(const struct space *space, const struct kernel_file *file)
{
    return file ? file->path : space->source_path;
}

const char *kernel_file_source(const struct space *space, const struct kernel_file *file)
{
    return file ? file->source : space->source;
}

void kernel_file_append_path(const struct space *space, const char *path, struct text *text)
{
    size_t folder = file_folder_length(space->source_path);
    char absolute[PATH_MAX];
    if (strncmp(path, space->source_path, folder) == 0)
        path += folder;
    else if (realpath(path, absolute))
        path = absolute;
    text_append(text, path, strlen(path));
}

int kernel_files_join(struct space *space, struct error *error)
{
    struct text source = {0};
    for (const struct kernel_file *file = space->private->files_of_kernels; file; file = file->next) {
        if (!file->joined || file->included || override_joined(space, file->path))
            continue;
        if (!source.length)
            text_append(&source, space->source, space->source_length);
        text_printf(&source, "\n#include \"");
        kernel_file_append_path(space, file->path, &source);
        text_printf(&source, "\"\n");
    }
    if (source.length) {
        space->source = source.failed ? NULL : arena_copy(&space->arena, source.bytes, source.length);
        space->source_length = source.length;
    }
    text_free(&source);
    return space->source ? 0 : error_memory(error);
}
