#include "language/override.h"

#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/text.h"
#include "language/kernel_file.h"

/* A directive that finds a file. */
struct link {
    size_t at; /* offset of the file's name */
    dev_t device;
    ino_t inode;
    const char *path;
    bool beside;
    struct link *next;
};

/* A file of the kernel's source. */
struct file {
    const char *path;
    char *text; /* without the #defines */
    size_t length;
    dev_t device;
    ino_t inode;
    bool given;   /* a source of the compiler, not an include */
    bool changed; /* its text was changed, or that of a file that it includes */
    bool once;    /* has #pragma once */
    bool open;    /* its text is being written */
    struct link *links;
    struct file *next;
};

struct override_name {
    const char *name;
    size_t number; /* of the macro */
    struct space_place place;
    const char *path, *line_text; /* of the first #define that it replaces; NULL: none */
    int line;
    size_t count; /* of these #defines */
    struct override_name *next;
};

struct overrides {
    struct override_name *names;
    struct file *files;
};

/* ---- The statement ---- */

static struct override_name *find(const struct space *space, size_t number)
{
    struct override_name *name = space->private->overrides ? space->private->overrides->names : NULL;
    while (name && name->number != number)
        name = name->next;
    return name;
}

bool override_has(const struct space *space, size_t number)
{
    return find(space, number) != NULL;
}

static int read_name(struct parser *parser)
{
    struct space *space = parser->space;
    const struct token token = parser->lexer.token;
    struct override_name **end = &space->private->overrides->names, *fresh;
    size_t number;
    if (token.kind != TOKEN_NAME)
        return lexer_expected(&parser->lexer, "the name of a parameter or of a `define` statement");
    if (!code_macro_named(space, token.start, token.length, &number)) {
        int shown = token.length > SPACE_WORD_MAX ? SPACE_WORD_MAX : (int)token.length;
        int code = parser_error(parser, &token, ERROR_SYNTAX, "'%.*s' is neither a parameter nor a macro of `define`",
                                shown, token.start);
        parser_suggest(parser, &token, 1u << NAME_PARAMETER);
        const struct name *name = names_find(&space->private->names, token.start, token.length);
        if (name && (name->kind == NAME_PROBLEM || name->kind == NAME_LET))
            error_hint(parser->error, "write `define %s`, too: it makes the name a macro", name->text);
        else
            error_hint(parser->error, "only a macro of the space can replace a #define of the source");
        return code;
    }
    if (find(space, number))
        return parser_error(parser, &token, ERROR_SYNTAX, "'%.*s' is given twice", (int)token.length, token.start);
    while (*end)
        end = &(*end)->next;
    if (!(fresh = arena_alloc(&space->arena, sizeof *fresh)))
        return error_memory(parser->error);
    *fresh = (struct override_name){.number = number, .place = parser_place(parser)};
    if (!(fresh->name = arena_copy(&space->arena, token.start, token.length)))
        return error_memory(parser->error);
    *end = fresh;
    return lexer_next(&parser->lexer);
}

int parse_override(struct parser *parser)
{
    struct space_private *private = parser->space->private;
    if (!private->overrides) {
        if (!(private->overrides = arena_alloc(&parser->space->arena, sizeof *private->overrides)))
            return error_memory(parser->error);
        *private->overrides = (struct overrides){NULL};
    }
    for (;;) {
        TRY(read_name(parser));
        if (!lexer_at_sign(&parser->lexer, ','))
            return 0;
        TRY(lexer_next(&parser->lexer));
    }
}

/* ---- The files ---- */

/* Returns the end of a directive, at the newline or the end of the text. */
static const char *end_of(const struct code_item *item)
{
    struct code rest = item->rest;
    struct code_token token;
    do
        token = code_next(&rest);
    while (token.kind != CODE_LINE_END && token.kind != CODE_END);
    return token.start;
}

/* Blanks a directive, so that no line has another number. */
static void blank(struct file *file, const struct code_item *item)
{
    const char *end = end_of(item);
    for (char *at = file->text + (item->start - file->text); at < end; at++)
        if (*at != '\n')
            *at = ' ';
    file->changed = true;
}

static bool is_function_like(const struct code_item *item)
{
    return item->rest.at < item->rest.end && *item->rest.at == '(';
}

static int note_define(struct space *space, const struct file *file, const struct code_item *item,
                       struct override_name *name, struct error *error)
{
    if (name->count++)
        return 0;
    name->path = file->path;
    name->line = item->token.line;
    name->line_text = source_one_line(&space->arena, item->start, end_of(item));
    return name->line_text ? 0 : error_memory(error);
}

/* Removes the directives that would replace the values of the space. */
static int change(struct space *space, struct file *file, struct error *error)
{
    const struct source_text source = {.path = file->path, .text = file->text, .length = file->length};
    struct code_walk walk;
    struct code_item item;
    int code = 0;
    code_walk_start(&walk, space, &source);
    for (code_walk_next(&walk, &item); item.kind != ITEM_END && !code; code_walk_next(&walk, &item)) {
        size_t number;
        bool define = item.kind == ITEM_DEFINE && !is_function_like(&item);
        struct code rest = item.rest;
        const struct code_token word = item.kind == ITEM_OTHER ? code_next(&rest) : (struct code_token){CODE_END};
        if (item.kind == ITEM_OTHER && code_is(&item.token, "pragma") && code_is(&word, "once"))
            file->once = true;
        if (!(define || item.kind == ITEM_UNDEF) || item.certainty == CODE_NEVER ||
            !code_macro(space, &item.token, &number) || !override_has(space, number))
            continue;
        if (define)
            code = note_define(space, file, &item, find(space, number), error);
        blank(file, &item);
    }
    return code;
}

int override_file(struct space *space, const struct included *included, struct error *error)
{
    struct overrides *all = space->private->overrides;
    struct file **end = all ? &all->files : NULL, *file;
    struct stat about = {0};
    if (!all)
        return 0;
    while (*end)
        end = &(*end)->next;
    if (!(file = arena_alloc(&space->arena, sizeof *file)))
        return error_memory(error);
    *file = (struct file){.path = arena_copy(&space->arena, included->path, strlen(included->path)),
                          .text = arena_copy(&space->arena, included->text, included->length),
                          .length = included->length,
                          .given = !*included->name};
    if (!file->path || !file->text)
        return error_memory(error);
    if (stat(file->path, &about) == 0) {
        file->device = about.st_dev;
        file->inode = about.st_ino;
    }
    *end = file;
    return change(space, file, error);
}

static struct file *find_file(const struct overrides *all, const char *path)
{
    struct file *file = all->files;
    while (file && strcmp(file->path, path) != 0)
        file = file->next;
    return file;
}

/* The same file may be found by several paths. */
static struct file *target_of(const struct overrides *all, const struct link *link)
{
    struct file *file = all->files;
    while (file && (file->inode != link->inode || file->device != link->device))
        file = file->next;
    return file;
}

int override_link(struct space *space, const struct included_link *link, struct error *error)
{
    struct overrides *all = space->private->overrides;
    struct file *from = all ? find_file(all, link->from) : NULL;
    struct link **end = from ? &from->links : NULL, *fresh;
    if (!from)
        return 0;
    while (*end && (*end)->at != link->at)
        end = &(*end)->next;
    if (*end) /* of an earlier scan */
        return 0;
    if (!(fresh = arena_alloc(&space->arena, sizeof *fresh)))
        return error_memory(error);
    *fresh = (struct link){.at = link->at,
                           .device = link->device,
                           .inode = link->inode,
                           .path = arena_copy(&space->arena, link->path, strlen(link->path)),
                           .beside = link->beside};
    if (!fresh->path)
        return error_memory(error);
    *end = fresh;
    return 0;
}

/* A file that includes a changed one changes, too. */
static void spread(const struct overrides *all)
{
    for (bool more = true; more;) {
        more = false;
        for (struct file *file = all->files; file; file = file->next)
            for (const struct link *link = file->links; link && !file->changed; link = link->next) {
                const struct file *target = target_of(all, link);
                file->changed = target && target->changed;
                more |= file->changed;
            }
    }
}

/* ---- The text for the compiler ---- */

struct writer {
    const struct space *space;
    struct text text;
};

static int write_file(struct writer *writer, struct file *file, struct error *error);

static void append_line(struct writer *writer, int line, const char *path)
{
    text_printf(&writer->text, "\n#line %d \"", line);
    for (path = file_below(writer->space->folder, path); *path; path++) {
        if (*path == '"' || *path == '\\')
            text_append(&writer->text, "\\", 1);
        text_append(&writer->text, path, 1);
    }
    text_append(&writer->text, "\"", 1);
}

/* Writes a changed file in place of the directive that includes it. */
static int write_included(struct writer *writer, struct file *file, struct error *error)
{
    size_t number = 0;
    for (const struct file *at = writer->space->private->overrides->files; at != file; at = at->next)
        number++;
    if (file->once)
        text_printf(&writer->text, "\n#ifndef CUTUNE_ONCE_%zu\n#define CUTUNE_ONCE_%zu", number, number);
    append_line(writer, 1, file->path);
    text_append(&writer->text, "\n", 1);
    TRY(write_file(writer, file, error));
    if (file->once)
        text_printf(&writer->text, "\n#endif");
    return 0;
}

static const struct link *link_in(const struct file *file, const char *start, const char *end)
{
    const struct link *link = file->links;
    while (link && !(file->text + link->at >= start && file->text + link->at < end))
        link = link->next;
    return link;
}

/* Writes a directive that includes a file. The compiler looks for a quoted name in the folder of the text's own file:
 * a name in another file's text becomes a path. */
static int write_directive(struct writer *writer, const struct file *file, const struct code_item *item,
                           struct error *error)
{
    const char *end = end_of(item);
    const struct link *link = link_in(file, item->start, end);
    struct file *target = link ? target_of(writer->space->private->overrides, link) : NULL;
    struct code rest = item->rest;
    const struct code_token name = code_next(&rest);
    if (target && target->changed && !target->open) {
        TRY(write_included(writer, target, error));
        append_line(writer, rest.line + 1, file->path);
    } else if (link && link->beside && name.kind == CODE_STRING) {
        text_append(&writer->text, item->start, (size_t)(name.start - item->start));
        text_append(&writer->text, "\"", 1);
        kernel_file_append_path(writer->space, link->path, &writer->text);
        text_append(&writer->text, "\"", 1);
        text_append(&writer->text, name.start + name.length, (size_t)(end - name.start - (ptrdiff_t)name.length));
    } else {
        text_append(&writer->text, item->start, (size_t)(end - item->start));
    }
    return 0;
}

static int write_file(struct writer *writer, struct file *file, struct error *error)
{
    const struct source_text source = {.path = file->path, .text = file->text, .length = file->length};
    const char *at = file->text;
    struct code_walk walk;
    struct code_item item;
    int code = 0;
    file->open = true;
    code_walk_start(&walk, writer->space, &source);
    for (code_walk_next(&walk, &item); item.kind != ITEM_END && !code; code_walk_next(&walk, &item)) {
        struct code rest = item.rest;
        const struct code_token word = item.kind == ITEM_OTHER ? code_next(&rest) : (struct code_token){CODE_END};
        bool includes = item.kind == ITEM_INCLUDE || code_is(&item.token, "include_next");
        bool once = item.kind == ITEM_OTHER && code_is(&item.token, "pragma") && code_is(&word, "once");
        if (item.kind == ITEM_TOKEN || !(includes || once))
            continue;
        text_append(&writer->text, at, (size_t)(item.start - at));
        if (includes)
            code = write_directive(writer, file, &item, error);
        at = end_of(&item);
    }
    text_append(&writer->text, at, (size_t)(file->text + file->length - at));
    file->open = false;
    if (writer->text.failed)
        return error_memory(error);
    if (!code && writer->text.length > SPACE_SOURCE_BYTES_MAX)
        code = error_set(error, ERROR_DATA,
                         "%s: the source with the files that `override` changes is larger than %d bytes",
                         writer->space->source_path, SPACE_SOURCE_BYTES_MAX);
    return code;
}

static int check_used(const struct space *space, struct error *error)
{
    for (const struct override_name *name = space->private->overrides->names; name; name = name->next) {
        if (name->count || space->source_unknown)
            continue;
        const char *word = code_macro_word(space, name->number);
        int code =
            space->source_command
                ? error_set(error, ERROR_DATA, "'%s' has no #define to override: a command prints the source", word)
                : error_set(error, ERROR_DATA, "no #define of '%s' to override in %s or the files that it includes",
                            word, space->source_path);
        space_put_place(&name->place, error);
        error_hint(error, "remove this statement: a parameter is a macro of the source in any case");
        return code;
    }
    return 0;
}

/* A file of an option such as -include is not part of the source's text. */
static int check_reached(const struct overrides *all, struct error *error)
{
    for (const struct file *file = all->files; file; file = file->next) {
        bool reached = file->given || !file->changed;
        for (const struct file *from = all->files; from && !reached; from = from->next)
            for (const struct link *link = from->links; link && !reached; link = link->next)
                reached = link->inode == file->inode && link->device == file->device;
        if (reached)
            continue;
        int code = error_set(error, ERROR_DATA, "%s has a #define to override, but an option includes it", file->path);
        error_hint(error, "include the file in the source, or change its line");
        return code;
    }
    return 0;
}

/* Writes the sources of the compiler: that of the `kernel` statement, and behind it those of `launch` statements. */
int override_apply(struct space *space, struct error *error)
{
    struct overrides *all = space->private->overrides;
    struct writer writer = {.space = space};
    int code = 0;
    if (!all)
        return 0;
    TRY(check_used(space, error));
    spread(all);
    TRY(check_reached(all, error));
    for (struct file *file = all->files; file && !code; file = file->next) {
        if (!file->given || !(file->changed || file == all->files))
            continue;
        if (file != all->files) {
            append_line(&writer, 1, file->path);
            text_append(&writer.text, "\n", 1);
        }
        code = write_file(&writer, file, error);
    }
    if (!code) {
        space->source = arena_copy(&space->arena, text_string(&writer.text), writer.text.length);
        space->source_length = writer.text.length;
        code = space->source ? 0 : error_memory(error);
    }
    text_free(&writer.text);
    return code;
}

bool override_joined(const struct space *space, const char *path)
{
    const struct overrides *all = space->private->overrides;
    const struct file *file = all ? find_file(all, path) : NULL;
    return file && file->changed;
}

bool space_overridden(const struct space *space, size_t number, struct space_overridden *overridden)
{
    const struct override_name *name = space->private->overrides ? space->private->overrides->names : NULL;
    while (name && (!name->count || number-- > 0))
        name = name->next;
    if (name)
        *overridden = (struct space_overridden){name->name, name->line_text, name->path, name->line, name->count};
    return name != NULL;
}
