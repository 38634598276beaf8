/* The kernel's source: its text, a fingerprint of all that it is made of, and which of the space's names it uses. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "space/private.h"

enum { INCLUDE_DEPTH_MAX = 32, INCLUDE_FILES_MAX = 1024 };

struct loader {
    struct space *space;
    struct error *error;
    bool follow;        /* reads what the source includes */
    struct text digest; /* of every file: its length, the name by which it was included, its text */
    size_t file_count;
    struct file_identity {
        dev_t device;
        ino_t inode;
    } files[INCLUDE_FILES_MAX]; /* a file counts once, however often and by whatever path it is included */
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_name_part(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c);
}

static void mark_constant(struct space *space, const char *name, size_t length)
{
    for (size_t i = 0; i < space->constant_count; i++)
        if (strlen(space->constants[i].symbol) == length && memcmp(space->constants[i].symbol, name, length) == 0)
            space->private->constant_places[i].in_source = true;
}

/* Marks the parameters, problems and constants whose names occur as identifiers. Comments and strings count too: a
 * macro too many costs a compilation, a macro too few would be wrong. */
static void mark_names(struct space *space, const char *text, size_t length)
{
    for (size_t at = 0; at < length;) {
        size_t start = at;
        while (at < length && is_name_part(text[at]))
            at++;
        if (at > start && !is_digit(text[start])) {
            const struct name *name = names_find(&space->private->names, text + start, at - start);
            if (name && name->kind == NAME_PARAMETER)
                space->parameters[name->index].in_source = true;
            else if (name && name->kind == NAME_PROBLEM)
                space->private->problem_in_source[name->index] = true;
            mark_constant(space, text + start, at - start);
        }
        at += at == start;
    }
}

static int kernel_error(struct loader *loader, int code)
{
    const struct space_private *private = loader->space->private;
    source_place(private->kernel_source, private->kernel_place.line, private->kernel_place.column, loader->error);
    return code;
}

/* True for a regular file that was not seen before; then it is remembered. */
static bool is_new_file(struct loader *loader, const char *path, bool *room)
{
    struct stat status;
    if (stat(path, &status) || !S_ISREG(status.st_mode))
        return false; /* not beside the source: NVRTC's own header, or an error that the compiler will report */
    for (size_t i = 0; i < loader->file_count; i++)
        if (loader->files[i].device == status.st_dev && loader->files[i].inode == status.st_ino)
            return false;
    *room = loader->file_count < INCLUDE_FILES_MAX;
    if (*room)
        loader->files[loader->file_count++] = (struct file_identity){status.st_dev, status.st_ino};
    return true;
}

/* If `line` is `#include "NAME"`: where NAME is, and its length. */
static const char *include_name(const char *line, const char *end, size_t *length)
{
    static const char word[] = "include";
    const char *at = line;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    if (at == end || *at++ != '#')
        return NULL;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    if ((size_t)(end - at) < sizeof word - 1 || memcmp(at, word, sizeof word - 1) != 0)
        return NULL;
    at += sizeof word - 1;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    if (at == end || *at++ != '"')
        return NULL;
    const char *quote = memchr(at, '"', (size_t)(end - at));
    *length = quote ? (size_t)(quote - at) : 0;
    return quote && quote > at && !memchr(at, '\0', *length) ? at : NULL;
}

static int add_text(struct loader *loader, const char *path, const char *name, size_t name_length, const char *text,
                    size_t length, int depth);

static int follow(struct loader *loader, const char *from, const char *name, size_t length, int depth)
{
    struct text path = {0}, text = {0};
    bool room = true;
    int code = 0;
    if (name[0] != '/')
        text_append(&path, from, file_folder_length(from));
    text_append(&path, name, length);
    if (path.failed)
        code = error_memory(loader->error);
    else if (is_new_file(loader, text_string(&path), &room)) {
        if (!room || depth > INCLUDE_DEPTH_MAX)
            code = kernel_error(loader, error_set(loader->error, ERROR_DATA,
                                                  "the source includes more than %d files, or more than %d deep: %s",
                                                  INCLUDE_FILES_MAX, INCLUDE_DEPTH_MAX, text_string(&path)));
        if (!code)
            code = kernel_error(loader, file_read(text_string(&path), SPACE_SOURCE_BYTES_MAX, &text, loader->error));
        if (!code)
            code = add_text(loader, text_string(&path), name, length, text_string(&text), text.length, depth);
    }
    text_free(&text);
    text_free(&path);
    return code;
}

static int add_text(struct loader *loader, const char *path, const char *name, size_t name_length, const char *text,
                    size_t length, int depth)
{
    text_printf(&loader->digest, "%zu %.*s\n", length, (int)name_length, name);
    text_append(&loader->digest, text, length);
    if (loader->digest.failed)
        return error_memory(loader->error);
    if (loader->digest.length > SPACE_SOURCE_BYTES_MAX)
        return kernel_error(loader, error_set(loader->error, ERROR_DATA,
                                              "the source with all that it includes is larger than %d bytes",
                                              SPACE_SOURCE_BYTES_MAX));
    mark_names(loader->space, text, length);
    for (const char *line = text, *end = text + length; loader->follow && line < end;) {
        const char *newline = memchr(line, '\n', (size_t)(end - line)), *line_end = newline ? newline : end;
        size_t include_length = 0;
        const char *include = include_name(line, line_end, &include_length);
        if (include)
            TRY(follow(loader, path, include, include_length, depth + 1));
        line = line_end + 1;
    }
    return 0;
}

static int read_kernel(struct loader *loader, const char *source)
{
    struct space *space = loader->space;
    struct text text = {0};
    bool room;
    int code = 0;
    if (source) {
        text_append(&text, source, strlen(source));
    } else {
        is_new_file(loader, space->source_path, &room);
        code = kernel_error(loader, file_read(space->source_path, SPACE_SOURCE_BYTES_MAX, &text, loader->error));
    }
    if (!code && text.failed)
        code = error_memory(loader->error);
    if (!code && text.length && memchr(text.bytes, '\0', text.length))
        code = kernel_error(loader, error_set(loader->error, ERROR_DATA,
                                              "%s has a NUL byte in it: it is no source text", space->source_path));
    if (!code) {
        space->source = arena_copy(&space->arena, text_string(&text), text.length);
        space->source_length = text.length;
        code = space->source ? add_text(loader, space->source_path, "", 0, space->source, space->source_length, 0)
                             : error_memory(loader->error);
    }
    text_free(&text);
    return code;
}

/* A variant may do without a symbol; a symbol that no variant can have is a slip. */
static int check_constants(struct space *space, struct error *error)
{
    for (size_t i = 0; i < space->constant_count; i++) {
        const struct constant_place *at = &space->private->constant_places[i];
        if (at->in_source)
            continue;
        int code = source_error(at->source, at->place.line, at->place.column, error, ERROR_SYNTAX,
                                "'%s' does not occur in %s", space->constants[i].symbol, space->source_path);
        error_hint(error, "expected there: __constant__ %s %s[...];",
                   space->buffers[space->constants[i].buffer].type->c_name, space->constants[i].symbol);
        return code;
    }
    return 0;
}

int space_load_source(struct space *space, const char *source, struct error *error)
{
    struct loader *loader = calloc(1, sizeof *loader);
    if (!loader)
        return error_memory(error);
    loader->space = space;
    loader->error = error;
    loader->follow = source == NULL;
    int code = read_kernel(loader, source);
    if (!code) {
        hash_hex(text_string(&loader->digest), loader->digest.length, space->source_hash);
        /* Names in what NVRTC is asked for beside the text. */
        mark_names(space, space->kernel, strlen(space->kernel));
        mark_names(space, space->reference, strlen(space->reference));
        for (size_t i = 0; i < space->option_count; i++)
            for (size_t p = 0; p < space->parameter_count; p++)
                if (space->options[i].value && space->options[i].value->parameters >> p & 1u)
                    space->parameters[p].in_source = true;
        code = check_constants(space, error);
    }
    text_free(&loader->digest);
    free(loader);
    return code;
}
