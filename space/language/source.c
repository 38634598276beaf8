/* The sources of the kernels: their texts, the fingerprint of all their files, and the names of the space
 * in them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/generator.h"
#include "base/includes.h"
#include "base/npy.h"
#include "base/text_set.h"
#include "base/toolkit.h"
#include "expression/space_internal.h"
#include "language/code.h"
#include "language/effects.h"
#include "language/files.h"
#include "language/kernel_file.h"
#include "language/kernel_names.h"
#include "language/override.h"
#include "language/own_kernel.h"
#include "language/parser.h"
#include "language/per.h"
#include "language/redefined.h"
#include "language/techniques.h"
#include "language/untrusted.h"
#include "language/unused.h"
#include "space/config.h"

/* Limit on combinations of include folders to follow, and so on scans of one source. */
enum { FOLDER_CHOICES_MAX = 256 };

/* The file being read: the kernel's source, or the own file of another kernel. */
struct loader {
    struct space *space;
    struct error *error;
    const char *path, *source;
    size_t length;
    const struct source_text *named_in; /* the space file or include that names the source, */
    struct expr_place place;            /* and the place in it */
    struct kernel_file *alone;          /* file that is compiled alone; NULL: the kernel's source, or joined to it */
    bool unknown;                       /* the file may contain any name */
    struct text digest;                 /* of every file: length, name in the include, text */
    struct text toolkit;                /* of every toolkit header: name and hash of its text */
    struct text_set seen;               /* files of this source's scans */
    struct arena paths;                 /* owns the strings of `seen` */
    struct redefined redefined;
};

static void mark_parameter(struct space *space, size_t p, struct kernel_file *alone)
{
    if (alone)
        alone->parameters |= (uint64_t)1 << p;
    else
        space->parameters[p].in_source = true;
}

/* Marks the parameters and the names of techniques that occur as identifiers. Comments and strings count, too: a
 * needless macro costs a compilation, a missing one would make wrong code. */
static void mark_names(struct space *space, const char *text, size_t length, struct kernel_file *alone)
{
    unused_mark(space, text, length);
    for (size_t at = 0; at < length;) {
        size_t start = at;
        while (at < length && lexer_is_name_part(text[at]))
            at++;
        if (at > start && !lexer_is_digit(text[start])) {
            size_t number;
            if (code_macro_text(space, text + start, at - start, &number) && number < SPACE_PARAMETERS_MAX)
                mark_parameter(space, number, alone);
            kernel_names_mark(space, text + start, at - start, alone);
            own_kernels_mark(space, text + start, at - start, alone);
            if (!alone)
                techniques_mark(space, text + start, at - start);
        }
        at += at == start;
    }
}

static int file_error(struct loader *loader, int code)
{
    source_place(loader->named_in, loader->place.line, loader->place.column, loader->error);
    if (code == ERROR_NOT_FOUND)
        error_hint(loader->error, "the path is relative to the folder of %s", loader->named_in->path);
    return code;
}

static int note_unknown(struct loader *loader, const char *what)
{
    struct space *space = loader->space;
    loader->unknown = true;
    if (untrusted_unknown(space, what, loader->error))
        return file_error(loader, ERROR_DATA);
    if (!space->source_unknown && !(space->source_unknown = arena_copy(&space->arena, what, strlen(what))))
        return error_memory(loader->error);
    return 0;
}

/* Several scans may find the same file, which counts once. */
static int is_new(struct loader *loader, const char *path, bool *fresh)
{
    const char **place = text_set_place(&loader->seen, path);
    *fresh = place && !*place;
    if (!place || (*fresh && !(*place = arena_copy(&loader->paths, path, strlen(path)))))
        return error_memory(loader->error);
    return 0;
}

static int take_file(void *context, const struct included *file, struct error *error)
{
    struct loader *loader = context;
    bool fresh = false;
    TRY(is_new(loader, file->path, &fresh));
    if (!fresh)
        return 0;
    if (file->toolkit) {
        char hash[HASH_HEX_BYTES];
        hash_hex(file->text, file->length, hash);
        text_printf(&loader->toolkit, "%s %s\n", file->name, hash);
        return loader->toolkit.failed ? error_memory(error) : 0;
    }
    if (untrusted_included(loader->space, file->path, error))
        return file_error(loader, ERROR_DATA);
    space_note_file(loader->space, file->path);
    text_printf(&loader->digest, "%zu %s\n", file->length, file->name);
    text_append(&loader->digest, file->text, file->length);
    if (loader->digest.failed)
        return error_memory(error);
    if (loader->digest.length > SPACE_SOURCE_BYTES_MAX)
        return file_error(loader,
                          error_set(error, ERROR_DATA, "the source with all that it includes is larger than %d bytes",
                                    SPACE_SOURCE_BYTES_MAX));
    mark_names(loader->space, file->text, file->length, loader->alone);
    if (!loader->alone)
        TRY(override_file(loader->space, file, error));
    const struct source_text text = {.path = file->path, .text = file->text, .length = file->length};
    effects_of_source(loader->space, &text);
    return redefined_check(&loader->redefined, file->name, &text, loader->alone, error);
}

static int take_link(void *context, const struct included_link *link, struct error *error)
{
    const struct loader *loader = context;
    return loader->alone ? 0 : override_link(loader->space, link, error);
}

/* ---- Include folders ---- */

/* Appends the include options for these values of the parameters. False: an expression has no value, so that
 * configurations with these values are never compiled. */
static bool add_options(const struct space *space, const struct value *values, struct text *options, size_t *count)
{
    const struct expr_inputs inputs = {.space = space, .values = values, .bound = space->parameter_count};
    bool waits = false;
    for (size_t i = 0; i < space->option_count; i++) {
        const struct compile_option *option = &space->options[i];
        bool matters = includes_option(option->prefix);
        struct value value;
        char text[VALUE_TEXT_BYTES] = "";
        if (matters || waits) {
            if (option->value && expr_eval(option->value, &inputs, &value, NULL))
                return false;
            text_printf(options, "%s%s", option->prefix, option->value ? value_text(&value, text, sizeof text) : "");
            text_append(options, "", 1);
            ++*count;
        }
        waits = matters && !option->value;
    }
    return true;
}

/* Finds the parameters that select include folders. False: unknown values matter as well, or there are too many
 * choices. */
static bool find_choosers(const struct space *space, uint64_t *parameters)
{
    uint64_t choices = 1;
    bool waits = false, known = true;
    *parameters = 0;
    for (size_t i = 0; i < space->option_count; i++) {
        const struct expr *value = space->options[i].value;
        bool matters = includes_option(space->options[i].prefix);
        if (value && (matters || waits)) {
            known = known && !value->uses_problems && !value->uses_limits;
            *parameters |= value->parameters;
        }
        waits = matters && !value;
    }
    for (size_t p = 0; p < space->parameter_count && choices <= FOLDER_CHOICES_MAX; p++)
        if (*parameters >> p & 1u)
            choices *= space->parameters[p].value_count;
    return known && choices <= FOLDER_CHOICES_MAX;
}

static int scan_choice(struct loader *loader, const uint32_t *choices)
{
    struct space *space = loader->space;
    struct text options = {0};
    struct value values[SPACE_PARAMETERS_MAX];
    struct includes includes = {.path = loader->path,
                                .source = loader->source,
                                .length = loader->length,
                                .folder = space->folder,
                                .take = take_file,
                                .link = take_link,
                                .context = loader};
    int code = 0;
    space_values(space, choices, values);
    toolkit_options(file_below(space->folder, loader->path), &options, &includes.option_count);
    bool has_value = add_options(space, values, &options, &includes.option_count);
    includes.options = text_string(&options);
    if (options.failed)
        code = error_memory(loader->error);
    else if (has_value)
        code = includes_scan(&includes, loader->error);
    if (!code && includes.unknown.length)
        code = note_unknown(loader, text_string(&includes.unknown));
    text_free(&includes.unknown);
    text_free(&options);
    return code;
}

static int scan_source(struct loader *loader)
{
    const struct space *space = loader->space;
    uint32_t choices[SPACE_PARAMETERS_MAX] = {0};
    uint64_t parameters;
    int code = 0;
    bool known = find_choosers(space, &parameters);
    if (!known)
        code = note_unknown(loader, "the include folders depend on problem sizes, limits or too many parameters");
    do {
        code = code ? code : scan_choice(loader, choices);
    } while (!code && known && space_next_choices(space, parameters, choices));
    return code;
}

/* An unknown file may contain any name. */
static void mark_all(struct space *space, struct kernel_file *alone)
{
    for (size_t i = 0; i < space->parameter_count; i++)
        mark_parameter(space, i, alone);
    kernel_names_mark(space, NULL, 0, alone);
    own_kernels_mark(space, NULL, 0, alone);
    if (!alone)
        techniques_mark(space, NULL, 0);
}

/* Reads the file of the loader with all its includes; `given`: its text, whose includes are not read. */
static int read_source(struct loader *loader, const char *given)
{
    struct text text = {0};
    int code = 0;
    if (given)
        text_append(&text, given, strlen(given));
    else
        code = file_error(loader, file_read_regular(loader->path, SPACE_SOURCE_BYTES_MAX, &text, loader->error));
    if (!code && text.failed)
        code = error_memory(loader->error);
    if (!code && text.length && memchr(text.bytes, '\0', text.length))
        code = file_error(loader, error_set(loader->error, ERROR_DATA, "%s contains a NUL byte: it is not source text",
                                            loader->path));
    if (!code) {
        size_t mark = parser_text_start(text_string(&text), text.length); /* NVRTC refuses it */
        const struct included alone = {
            .path = loader->path, .name = "", .text = text_string(&text) + mark, .length = text.length - mark};
        loader->source = arena_copy(&loader->space->arena, alone.text, alone.length);
        loader->length = alone.length;
        code = !loader->source ? error_memory(loader->error)
               : given         ? take_file(loader, &alone, loader->error)
                               : scan_source(loader);
    }
    if (!code && loader->unknown)
        mark_all(loader->space, loader->alone);
    text_free(&text);
    return code;
}

static int note_file(void *context, const char *path, struct error *error)
{
    (void)error;
    space_note_file(context, path);
    return 0;
}

/* The text that a command prints may contain any name; reading a space runs no command. The files that its words name
 * stand for the text. */
static int read_command(struct loader *loader)
{
    struct space *space = loader->space;
    struct text *digest = &loader->digest;
    text_printf(digest, "source command %s\n", space->source_command);
    for (size_t i = 0; i < space->problem_count; i++)
        if (space->source_problems >> i & 1u)
            text_printf(digest, "gets %s\n", space->problems[i].name);
    for (size_t i = 0; i < space->parameter_count; i++)
        if (space->source_parameters >> i & 1u)
            text_printf(digest, "gets %s\n", space->parameters[i].name);
    TRY(generator_each_file(space->source_command, space->source_folder, note_file, space, loader->error));
    space->source = "";
    space->private->effective = UINT64_MAX;
    loader->unknown = true;
    mark_all(space, NULL);
    return generator_digest(space->source_command, space->source_folder, digest, loader->error);
}

/* A command that compiles may use any name, and may depend on any file: its hello tells which. */
static int note_compiler(struct loader *loader)
{
    struct space *space = loader->space;
    text_printf(&loader->digest, "compiler command %s\n", space->compiler_command);
    TRY(generator_each_file(space->compiler_command, space->compiler_folder, note_file, space, loader->error));
    space->private->effective = UINT64_MAX;
    mark_all(space, NULL);
    return generator_digest(space->compiler_command, space->compiler_folder, &loader->digest, loader->error);
}

/* Refuses a kernel that has neither a file nor the compiler command. */
static int check_compiled(struct loader *loader, const struct step *step)
{
    struct space *space = loader->space;
    if (!space->compiler_command || !space->generated || kernel_file_alone(step->file))
        return 0;
    error_set(loader->error, ERROR_SYNTAX,
              "the kernel '%s' has no source: the compiler command makes only launched kernels", step->kernel);
    space_put_place(&step->kernel_place, loader->error);
    error_hint(loader->error, "name its file: %s \"FILE.cu\"", step->kernel);
    return ERROR_SYNTAX;
}

static int check_all_compiled(struct loader *loader)
{
    const struct space *space = loader->space;
    const struct own_kernel *own;
    for (size_t s = 0; s < space->reference_count; s++)
        TRY(check_compiled(loader, &space->reference[s]));
    for (size_t at = 0; (own = own_kernel_next(space, &at));)
        TRY(check_compiled(loader, &own->step));
    return 0;
}

static int read_kernel(struct loader *loader, const char *given)
{
    struct space *space = loader->space;
    if (space->compiler_command && space->generated && !space->source_command) {
        TRY(check_all_compiled(loader));
        space->source = "";
        return note_compiler(loader);
    }
    if (space->source_command)
        return read_command(loader);
    loader->path = space->source_path;
    loader->named_in = space->private->kernel_source;
    loader->place = space->private->kernel_place;
    int code = read_source(loader, given);
    space->source = loader->source;
    space->source_length = loader->length;
    return code || !space->compiler_command ? code : note_compiler(loader);
}

/* A joined file is a part of the kernel's source: an include of both counts once. A file that several compilations
 * include counts in each. */
static int read_own_file(struct loader *loader, struct kernel_file *file, const char *given)
{
    loader->path = file->path;
    loader->named_in = file->place.source;
    loader->place = (struct expr_place){file->place.line, file->place.column};
    loader->alone = file->joined ? NULL : file;
    if (!file->joined) {
        text_set_free(&loader->seen);
        loader->unknown = false;
    }
    for (size_t i = 0; file->joined && i < loader->seen.count; i++)
        file->included |= strcmp(loader->seen.texts[i], file->path) == 0;
    if (file->included)
        return 0;
    int code = read_source(loader, given);
    file->source = loader->source;
    return code;
}

static int read_own_files(struct loader *loader, const char *given)
{
    int code = 0;
    for (int joined = 1; joined >= 0; joined--)
        for (struct kernel_file *file = loader->space->private->files_of_kernels; file && !code; file = file->next)
            if (file->joined == joined)
                code = read_own_file(loader, file, given);
    if (!code)
        code = override_apply(loader->space, loader->error);
    return code || given ? code : kernel_files_join(loader->space, loader->error);
}

/* Marks the parameters of an expression whose value the compiler gets; `value` may be NULL. */
static void mark_parameters(struct space *space, const struct expr *value)
{
    for (size_t p = 0; p < space->parameter_count; p++)
        if (value && value->parameters >> p & 1u)
            space->parameters[p].in_source = true;
}

/* Arguments of templates are code. */
static void mark_kernel(struct space *space, const char *kernel)
{
    const struct source_text text = {.path = space->path, .text = kernel, .length = strlen(kernel)};
    mark_names(space, kernel, text.length, NULL);
    effects_of_source(space, &text);
}

/* Marks the names in the name expression of a kernel. */
static void mark_step(struct space *space, const struct step *step)
{
    struct kernel_file *file = space->private->files_of_kernels;
    while (file && file != step->file)
        file = file->next;
    mark_names(space, step->kernel, strlen(step->kernel), file);
}

int space_load_source(struct space *space, const char *source, struct error *error)
{
    struct loader loader = {.space = space, .error = error, .redefined = {.space = space}};
    int code = kernel_names_begin(space, error);
    if (!code)
        code = unused_begin(space, error);
    if (!code)
        code = read_kernel(&loader, source);
    if (!code)
        code = read_own_files(&loader, source);
    if (!code)
        code = own_kernels_check(space, error);
    if (!code) {
        hash_hex(text_string(&loader.digest), loader.digest.length, space->source_hash);
        if (loader.toolkit.length)
            hash_hex(loader.toolkit.bytes, loader.toolkit.length, space->toolkit_hash);
        space->private->sources_read = true;
        /* Other texts for NVRTC may contain names, too. */
        for (size_t i = 0; i < space->kernel_count; i++)
            mark_kernel(space, space->kernels[i]);
        for (size_t s = 0; s < space->reference_count; s++)
            mark_step(space, &space->reference[s]);
        const struct own_kernel *own;
        for (size_t at = 0; (own = own_kernel_next(space, &at));)
            mark_step(space, &own->step);
        for (size_t i = 0; i < space->option_count; i++)
            mark_parameters(space, space->options[i].value);
        for (size_t i = 0; i < space->private->define_count; i++)
            mark_parameters(space, space->private->defines[i].value);
        code = techniques_check_source(space, error);
    }
    if (!code)
        code = per_check_used(space, error);
    text_free(&loader.digest);
    text_free(&loader.toolkit);
    text_set_free(&loader.seen);
    arena_free(&loader.paths);
    redefined_free(&loader.redefined);
    return code;
}

char element_npy_kind(const struct element_type *type)
{
    bool known = type->scalar == SCALAR_half || type->scalar == SCALAR_float || type->scalar == SCALAR_double;
    return type->scalar == SCALAR_bool   ? 'b'
           : type->family == FAMILY_INT  ? 'i'
           : type->family == FAMILY_UINT ? 'u'
           : known                       ? 'f'
                                         : 'u';
}

/* Checks type and size of a .npy file, and finds its data. */
static int open_npy(const struct buffer *buffer, uint64_t count, const char *path, uint64_t *offset,
                    struct error *error)
{
    const struct element_type *type = buffer->type;
    char expected[8], found[8];
    struct npy npy;
    TRY(npy_open(path, &npy, error));
    snprintf(found, sizeof found, "%c%u", npy.kind, (unsigned)npy.bytes);
    snprintf(expected, sizeof expected, "%c%u", element_npy_kind(type), (unsigned)(type->bytes / type->components));
    if (strcmp(expected, found) != 0)
        return error_set(error, ERROR_DATA, "%s: the elements are %s, those of the buffer '%s' (%s) need %s", path,
                         found, buffer->name, type->name, expected);
    if (type->components > 1 && (!npy.axes || npy.shape[npy.axes - 1] != type->components))
        return error_set(error, ERROR_DATA, "%s: the last axis is not the %u components of %s in the buffer '%s'", path,
                         (unsigned)type->components, type->name, buffer->name);
    if (npy.count != count * type->components)
        return error_set(error, ERROR_DATA, "%s has %llu numbers, the buffer '%s' %llu%s", path,
                         (unsigned long long)npy.count, buffer->name, (unsigned long long)(count * type->components),
                         count < buffer->count ? " that are compared" : "");
    *offset = npy.offset;
    return 0;
}

static bool is_npy(const char *path)
{
    size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".npy") == 0;
}

int space_open_expected(const struct buffer *buffer, const char *path, uint64_t *offset, struct error *error)
{
    return is_npy(path) ? open_npy(buffer, buffer->count - buffer->ignored, path, offset, error) : 0;
}

static int open_files(struct buffer *buffer, struct error *error)
{
    if (buffer->fill == FILL_FILE && is_npy(buffer->path))
        TRY(open_npy(buffer, buffer->count, buffer->path, &buffer->file_offset, error));
    return buffer->expected_path ? space_open_expected(buffer, buffer->expected_path, &buffer->expected_offset, error)
                                 : 0;
}

int space_open_files(struct space *space, struct error *error)
{
    for (size_t i = 0; i < space->buffer_count; i++)
        TRY(open_files(&space->buffers[i], error));
    return 0;
}

/* Checks that a file has enough bytes for a buffer; hash_file checks again when a run reads it. */
static int has_bytes(const struct buffer *buffer, const char *path, uint64_t offset, uint64_t count,
                     struct error *error)
{
    struct stat about;
    uint64_t end = offset + count * buffer->type->bytes;
    TRY(file_check_regular(path, error));
    if (stat(path, &about) != 0)
        return error_errno(error, ERROR_IO, "cannot read %s", path);
    if ((uint64_t)about.st_size < end)
        return error_set(error, ERROR_DATA, "%s has %llu bytes, but the buffer '%s' needs %llu", path,
                         (unsigned long long)about.st_size, buffer->name, (unsigned long long)end);
    return 0;
}

static int check_files(struct buffer *buffer, struct error *error)
{
    TRY(open_files(buffer, error));
    if (buffer->fill == FILL_FILE)
        TRY(has_bytes(buffer, buffer->path, buffer->file_offset, buffer->count, error));
    return buffer->expected_path ? has_bytes(buffer, buffer->expected_path, buffer->expected_offset,
                                             buffer->count - buffer->ignored, error)
                                 : 0;
}

int space_check_files(struct space *space, struct error *error)
{
    for (size_t i = 0; i < space->buffer_count; i++) {
        struct buffer *buffer = &space->buffers[i];
        int code = check_files(buffer, error);
        if (!code)
            continue;
        source_place(buffer->size->source, buffer->line, 1, error);
        error_hint(error, "the file must have the elements of '%s': %s[%llu]", buffer->name, buffer->type->name,
                   (unsigned long long)buffer->count);
        return code;
    }
    return 0;
}

/* Appends a line about the part of a file that a buffer needs. */
static int digest_file(const struct buffer *buffer, const char *what, const char *path, uint64_t end,
                       struct text *digest, struct error *error)
{
    char content[HASH_HEX_BYTES];
    TRY(hash_file(path, end, content, error));
    text_printf(digest, "%s%s %s\n", buffer->name, what, content);
    return 0;
}

int space_data_hash(const struct space *space, char hash[HASH_HEX_BYTES], struct error *error)
{
    struct text digest = {0};
    int code = 0;
    hash[0] = '\0';
    for (size_t i = 0; i < space->buffer_count && !code; i++) {
        const struct buffer *buffer = &space->buffers[i];
        if (buffer->fill == FILL_FILE)
            code = digest_file(buffer, "", buffer->path, buffer->file_offset + buffer->count * buffer->type->bytes,
                               &digest, error);
        if (!code && buffer->expected_path)
            code = digest_file(buffer, " expected", buffer->expected_path,
                               buffer->expected_offset + (buffer->count - buffer->ignored) * buffer->type->bytes,
                               &digest, error);
    }
    if (!code && space->reference_command)
        code = generator_digest(space->reference_command, space->reference_folder, &digest, error);
    if (!code && space->accept_command)
        code = generator_digest(space->accept_command, space->accept_folder, &digest, error);
    if (!code && digest.failed)
        code = error_memory(error);
    if (!code && digest.length)
        hash_hex(digest.bytes, digest.length, hash);
    text_free(&digest);
    return code;
}
