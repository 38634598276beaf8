#include "base/includes.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/directives.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/hash_table.h"
#include "base/regular.h"
#include "base/toolkit.h"

/* Identifies a found file. The folder is part of it because quoted names are looked up there; the position in the
 * list of folders is, because #include_next continues behind it. */
struct identity {
    dev_t device, folder_device;
    ino_t inode, folder_inode;
    uint64_t position;
    uint64_t data;
};

struct scan {
    struct includes *includes;
    struct error *error;
    struct arena arena;
    const char **folders; /* from the options, in order */
    const char **first;   /* included by options before the source */
    size_t folder_count, first_count;
    struct text toolkit; /* its include folders, NUL-terminated */
    size_t toolkit_count;
    struct identity *seen;
    size_t seen_count, seen_room;
    struct hash_table table; /* of `seen` */
    size_t bytes;
};

/* The file being read. */
struct place {
    const char *path, *text;
    size_t position; /* of its folder in the list, from 1; 0: not from the list */
    bool is_source, toolkit;
    int depth;
};

/* `at`: position in the text; NULL: in an option. */
static int unknown(const struct scan *scan, const struct place *place, const char *at, const char *reason,
                   const char *detail)
{
    struct text *text = &scan->includes->unknown;
    if (text->length) /* the first reason is enough */
        return 0;
    int line = 1;
    for (const char *c = place->text; at && c < at; c++)
        line += *c == '\n';
    text_append(text, place->path, strlen(place->path));
    if (at)
        text_printf(text, ":%d", line);
    text_printf(text, ": ");
    text_append(text, reason, strlen(reason));
    text_append(text, detail, strlen(detail));
    return text->failed ? error_memory(scan->error) : 0;
}

/* ---- Options ---- */

/* Accepts "-IDIR", "-I=DIR" and "-I DIR"; the others need '=' instead of nothing. Each may take its value from the
 * next option. nvcc searches its -isystem folders last; here they come in the order of the options. */
static const struct spelling {
    const char *text;
    bool is_folder, glued;
} spellings[] = {{"-I", true, true},         {"--include-path", true, false},
                 {"-isystem", true, false},  {"--system-include", true, false},
                 {"-include", false, false}, {"--pre-include", false, false}};

/* Options that make NVRTC read files not named in the command. */
static const char *const opaque_options[] = {"pch", "options-file", "-optf"};

static bool is_opaque(const char *option)
{
    for (size_t i = 0; i < sizeof opaque_options / sizeof *opaque_options; i++)
        if (strstr(option, opaque_options[i]))
            return true;
    return false;
}

/* Returns the option's row and its value, "" when the next option is the value. NULL for options that do not concern
 * files. */
static const struct spelling *find_spelling(const char *option, const char **value)
{
    option += strspn(option, " ");
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        const char *at = option + strlen(spellings[i].text);
        if (strncmp(option, spellings[i].text, strlen(spellings[i].text)) != 0)
            continue;
        if (*at == '=' || *at == '\0' || spellings[i].glued) {
            *value = *at == '=' ? at + 1 : spellings[i].glued ? at + strspn(at, " ") : at;
            return &spellings[i];
        }
    }
    return NULL;
}

bool includes_option(const char *option)
{
    const char *value;
    return find_spelling(option, &value) || is_opaque(option);
}

const char *includes_path(const char *option, bool *is_folder)
{
    const char *value;
    const struct spelling *spelling = find_spelling(option, &value);
    *is_folder = spelling && spelling->is_folder;
    return spelling ? value : NULL;
}

static const char *folder_of(const struct scan *scan)
{
    return scan->includes->folder ? scan->includes->folder : "";
}

/* True if a path in an option is relative to the compiler's folder; the toolkit's folders are relative to this
 * process's. */
static bool begins_in_folder(const struct scan *scan, const char *path)
{
    const char *toolkit = text_string(&scan->toolkit);
    bool own = *path != '/';
    for (size_t i = 0; i < scan->toolkit_count; i++, toolkit += strlen(toolkit) + 1)
        own &= strcmp(path, toolkit) != 0;
    return own;
}

static int add_value(struct scan *scan, const struct spelling *spelling, const char *value)
{
    size_t length = strlen(value);
    while (length && value[length - 1] == ' ')
        length--;
    bool inside = spelling->is_folder && begins_in_folder(scan, value);
    const char *copy = arena_printf(&scan->arena, "%s%.*s", inside ? folder_of(scan) : "", (int)length, value);
    if (!copy)
        return error_memory(scan->error);
    if (spelling->is_folder)
        scan->folders[scan->folder_count++] = copy; /* "": the working directory */
    else if (length)
        scan->first[scan->first_count++] = copy;
    return 0;
}

static int read_options(struct scan *scan, const struct place *source)
{
    const struct includes *includes = scan->includes;
    const struct spelling *waiting = NULL, *spelling;
    const char *at = includes->options, *value;
    int code = 0;
    scan->folders = arena_array(&scan->arena, includes->option_count + 1, sizeof *scan->folders);
    scan->first = arena_array(&scan->arena, includes->option_count + 1, sizeof *scan->first);
    if (!scan->folders || !scan->first)
        return error_memory(scan->error);
    for (size_t i = 0; i < includes->option_count && !code; i++, at += strlen(at) + 1) {
        if (!waiting && is_opaque(at))
            code =
                unknown(scan, source, NULL, "the compiler reads or writes files of its own because of the option ", at);
        spelling = waiting ? NULL : find_spelling(at, &value);
        if (waiting && !code)
            code = add_value(scan, waiting, at + strspn(at, " "));
        waiting = spelling && !*value && !strchr(at, '=') ? spelling : NULL;
        if (spelling && !waiting && !code)
            code = add_value(scan, spelling, value);
    }
    return waiting && !code ? add_value(scan, waiting, "") : code;
}

/* ---- Files ---- */

static bool same_identity(const void *owner, uint32_t item, const void *key)
{
    const struct identity *a = &((const struct scan *)owner)->seen[item], *b = key;
    return a->inode == b->inode && a->device == b->device && a->folder_inode == b->folder_inode &&
           a->folder_device == b->folder_device && a->position == b->position && a->data == b->data;
}

/* Adds the file to the set; *fresh: it is new. */
static int remember(struct scan *scan, const struct identity *identity, bool *fresh)
{
    const uint64_t numbers[] = {identity->inode, identity->folder_inode, identity->position};
    const struct hash_key key = {hash_u64(numbers, sizeof numbers, 0), same_identity, scan, identity};
    struct identity *seen = array_grow(scan->seen, &scan->seen_room, scan->seen_count + 1, sizeof *seen);
    uint32_t item = (uint32_t)scan->seen_count;
    if (seen)
        scan->seen = seen;
    if (!seen || hash_table_put(&scan->table, &key, &item))
        return error_memory(scan->error);
    *fresh = item == scan->seen_count;
    if (*fresh)
        seen[scan->seen_count++] = *identity;
    return 0;
}

static bool is_toolkit(const struct scan *scan, const char *path)
{
    const char *folder = text_string(&scan->toolkit);
    for (size_t i = 0; i < scan->toolkit_count; i++, folder += strlen(folder) + 1)
        if (strncmp(path, folder, strlen(folder)) == 0 && path[strlen(folder)] == '/')
            return true;
    return false;
}

static int read_text(struct scan *scan, const struct place *place, const char *name, size_t length, bool data);

static int link_file(const struct scan *scan, const struct place *place, const struct directive *directive,
                     size_t position, const char *path, const struct stat *about)
{
    const struct includes *includes = scan->includes;
    const struct included_link link = {.from = place->path,
                                       .at = directive->at ? (size_t)(directive->at - place->text) : 0,
                                       .path = path,
                                       .device = about->st_dev,
                                       .inode = about->st_ino,
                                       .beside = position == 0 && directive->name.bytes[0] != '/'};
    return includes->link && !directive->asks ? includes->link(includes->context, &link, scan->error) : 0;
}

/* Reads a file that exists. */
static int read_file(struct scan *scan, const struct place *place, const struct directive *directive, size_t position,
                     const char *path, const struct stat *about)
{
    struct text text = {0}, folder = {0};
    struct stat folder_about = {0};
    bool fresh = false;
    text_append(&folder, path, file_folder_length(path));
    if (folder.failed || stat(folder.length ? folder.bytes : ".", &folder_about))
        folder_about = (struct stat){0};
    text_free(&folder);
    const struct identity identity = {about->st_dev, folder_about.st_dev, about->st_ino, folder_about.st_ino,
                                      position,      directive->data};
    int code = link_file(scan, place, directive, position, path, about);
    if (!code)
        code = remember(scan, &identity, &fresh);
    if (code || !fresh)
        return code;
    if (place->depth >= INCLUDES_DEPTH_MAX || scan->seen_count > INCLUDES_MAX)
        return unknown(scan, place, directive->at, "too many files are included, or too deep: ", path);
    if (regular_read(path, INCLUDES_BYTES_MAX - scan->bytes, &text) == REGULAR_READ) {
        const struct place inner = {.path = path,
                                    .text = text_string(&text),
                                    .position = position,
                                    .toolkit = is_toolkit(scan, path),
                                    .depth = place->depth + 1};
        scan->bytes += text.length;
        code = read_text(scan, &inner, text_string(&directive->name), text.length, directive->data);
    } else {
        code = unknown(scan, place, directive->at, "a file that cannot be read, or too large: ", path);
    }
    text_free(&text);
    return code;
}

/* Tries one folder; *found ends the search. */
static int try_folder(struct scan *scan, const struct place *place, const struct directive *directive,
                      const char *folder, size_t folder_length, size_t position, bool *found)
{
    struct text path = {0};
    struct stat about;
    int code = 0;
    text_append(&path, folder, folder_length);
    if (folder_length && folder[folder_length - 1] != '/')
        text_append(&path, "/", 1);
    text_append(&path, directive->name.bytes, directive->name.length);
    if (path.failed) {
        code = error_memory(scan->error);
    } else if (stat(path.bytes, &about) == 0 && !S_ISDIR(about.st_mode)) {
        *found = true;
        code = S_ISREG(about.st_mode) ? read_file(scan, place, directive, position, path.bytes, &about)
                                      : unknown(scan, place, directive->at, "not a regular file: ", path.bytes);
    }
    text_free(&path);
    return code;
}

/* Tries the folders in the order documented in the header. */
static int look_for(struct scan *scan, const struct place *place, const struct directive *directive)
{
    bool next = directive->next && !place->is_source, found = false;
    int code = 0;
    if (directive->name.bytes[0] == '/')
        return try_folder(scan, place, directive, "", 0, 0, &found);
    if (directive->form == '"' && !next)
        code = try_folder(scan, place, directive, place->path, file_folder_length(place->path), 0, &found);
    for (size_t i = next ? place->position : 0; i < scan->folder_count && !found && !code; i++)
        code = try_folder(scan, place, directive, scan->folders[i], strlen(scan->folders[i]), i + 1, &found);
    return code;
}

static int read_text(struct scan *scan, const struct place *place, const char *name, size_t length, bool data)
{
    const struct included file = {place->path, name, place->text, length, place->toolkit};
    struct directives directives = {place->text, place->text, place->text + length, true};
    struct directive directive = {0};
    int code = scan->includes->take(scan->includes->context, &file, scan->error);
    while (!code && !data && directives_next(&directives, &directive)) {
        if (directive.name.failed)
            code = error_memory(scan->error);
        else if (directive.form)
            code = look_for(scan, place, &directive);
        else if (!place->toolkit)
            code = unknown(scan, place, directive.at,
                           directive.asks ? "a macro names the file that __has_include asks for"
                                          : "a macro names the file that is included",
                           "");
    }
    text_free(&directive.name);
    return code;
}

/* Reads the files of -include as if the first line of a file in the compiler's folder included them. */
static int read_first(struct scan *scan)
{
    const struct place place = {.path = folder_of(scan), .text = ""};
    int code = 0;
    for (size_t i = 0; i < scan->first_count && !code; i++) {
        struct directive directive = {.form = '"'};
        text_append(&directive.name, scan->first[i], strlen(scan->first[i]));
        if (directive.name.failed)
            code = error_memory(scan->error);
        else
            code = look_for(scan, &place, &directive);
        text_free(&directive.name);
    }
    return code;
}

int includes_scan(struct includes *includes, struct error *error)
{
    struct scan scan = {.includes = includes, .error = error};
    const struct place place = {.path = includes->path, .text = includes->source, .is_source = true};
    toolkit_folders(&scan.toolkit, &scan.toolkit_count);
    int code = scan.toolkit.failed ? error_memory(error) : read_options(&scan, &place);
    if (!code)
        code = read_text(&scan, &place, "", includes->length, false);
    if (!code)
        code = read_first(&scan);
    free(scan.seen);
    hash_table_free(&scan.table);
    text_free(&scan.toolkit);
    arena_free(&scan.arena);
    return code;
}
