#include "terminal/output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "terminal/output_format.h"

bool output_terminal(int descriptor)
{
    const char *term = getenv("TERM");
    return isatty(descriptor) && !(term && strcmp(term, "dumb") == 0);
}

bool output_colour(int descriptor)
{
    const char *no_color = getenv("NO_COLOR");
    return output_terminal(descriptor) && !(no_color && *no_color);
}

static bool status_shown;

void output_status(const char *line)
{
    if (!*line && !status_shown)
        return;
    fprintf(stderr, "\r\033[K%s", line);
    fflush(stderr);
    status_shown = *line != '\0';
}

/* ---- Formats ---- */

#define FORMAT(name) extern const struct output_format output_format_##name;
#include "lists/output_formats.def"
#undef FORMAT

static const struct output_format *const formats[] = {
#define FORMAT(name) &output_format_##name,
#include "lists/output_formats.def"
#undef FORMAT
};

const char output_format_names[] =
#define FORMAT(name) "|" #name
#include "lists/output_formats.def"
    ;
#undef FORMAT

const struct output_format *output_format(const char *name)
{
    size_t i = 0;
    while (i + 1 < sizeof formats / sizeof *formats && strcmp(formats[i]->name, name) != 0)
        i++;
    return formats[i];
}

int output_rows(const cJSON *rows, const char *format, bool vertical, struct error *error)
{
    struct text out = {0};
    if (!rows)
        return error_memory(error);
    const struct prose prose = prose_of(STDOUT_FILENO, 0);
    output_format(format)->write(rows, vertical, &prose, &out);
    int code = output_file(NULL, &out, error);
    text_free(&out);
    return code;
}

int output_lines(const struct text *lines, struct error *error)
{
    struct text out = {.failed = lines->failed};
    const struct prose prose = prose_of(STDOUT_FILENO, 0);
    prose_lines(&prose, text_string(lines), &out);
    int code = output_file(NULL, &out, error);
    text_free(&out);
    return code;
}

/* True if the file already has these bytes. It then keeps its date, so that build systems rebuild nothing. */
static bool holds(const char *path, const struct text *text)
{
    struct text old = {0};
    bool same = file_read(path, text->length, &old, NULL) == 0 && old.length == text->length &&
                (!text->length || memcmp(old.bytes, text->bytes, text->length) == 0);
    text_free(&old);
    return same;
}

bool output_reader_gone(int descriptor)
{
    struct pollfd look = {.fd = descriptor, .events = POLLOUT};
    return poll(&look, 1, 0) > 0 && (look.revents & (POLLERR | POLLHUP));
}

int output_flush(struct error *error)
{
    if ((!fflush(stdout) && !ferror(stdout)) || output_reader_gone(STDOUT_FILENO))
        return 0;
    return error_errno(error, ERROR_IO, "cannot write to standard output");
}

static bool is_stdout(const char *path)
{
    return !path || strcmp(path, "-") == 0;
}

int output_check(const char *path, enum file_kind made, const char *const *inputs, size_t count, struct error *error)
{
    static const char *const names[] = {[FILE_KIND_JOURNAL] = "a journal", [FILE_KIND_DATABASE] = "a database"};
    enum file_kind found = FILE_KIND_OTHER;
    if (is_stdout(path))
        return 0;
    for (size_t i = 0; i < count; i++)
        if (inputs[i] && file_same(path, inputs[i])) {
            error_set(error, ERROR_USAGE, "--output: %s is also an input", path);
            error_hint(error, "name another file");
            return ERROR_USAGE;
        }
    if (file_kind_find(path, &found, NULL) == 0 && found != FILE_KIND_OTHER && found != made) {
        error_set(error, ERROR_USAGE, "--output: %s is %s, which this would overwrite", path, names[found]);
        error_hint(error, "name another file, or delete it first");
        return ERROR_USAGE;
    }
    return 0;
}

int output_file(const char *path, const struct text *text, struct error *error)
{
    struct stat status;
    if (text->failed)
        return error_memory(error);
    if (is_stdout(path)) {
        output_status("");
        fwrite(text_string(text), 1, text->length, stdout);
        return output_flush(error);
    }
    if (stat(path, &status) || S_ISREG(status.st_mode) || S_ISDIR(status.st_mode))
        return holds(path, text) ? 0 : file_replace(path, text->bytes, text->length, error);
    struct error failure = {0};
    int descriptor = open(path, O_WRONLY | O_CLOEXEC);
    if (descriptor < 0)
        return error_errno(error, ERROR_IO, "cannot open %s", path);
    int code = file_write_all(descriptor, text->bytes, text->length, path, &failure);
    if (code && output_reader_gone(descriptor))
        code = 0;
    else if (code && error && !error->code)
        *error = failure;
    if (close(descriptor) && !code)
        code = error_errno(error, ERROR_IO, "cannot write %s", path);
    return code;
}

/* Appends the first `length` characters of lines, and breaks those too long. */
static void put_lines(const struct prose *prose, const char *lines, size_t length, struct text *out)
{
    struct text some = {0};
    text_append(&some, lines, length);
    prose_lines(prose, text_string(&some), out);
    text_free(&some);
}

/* Length of the first `count` lines. */
static size_t lines_length(const char *text, int count)
{
    const char *at = text;
    for (; count > 0 && *at; count--)
        at += strcspn(at, "\n") + 1;
    return (size_t)(at - text);
}

/* Puts the mark "error:" in colour. It is in the first line, which has at least its place before a break. */
static void put_coloured(const struct prose *prose, const char *text, size_t source, struct text *out)
{
    static const char mark[] = "error:";
    const char *word = strstr(text + source, mark);
    if (word) {
        text_append(out, text, (size_t)(word - text));
        prose_mark(prose, MARK_BAD, mark, out);
        text += (size_t)(word - text) + strlen(mark);
    }
    text_append(out, text, strlen(text));
}

/* Lines of the message and the hint may break; the quoted line and the caret below it stay. */
static void print_one(const struct error *error)
{
    const struct prose prose = prose_of(STDERR_FILENO, 0);
    struct text whole = {0}, broken = {0}, shown = {0};
    char text[4096];
    int messages = 1;
    error_format(error, text, sizeof text);
    /* Names and lines from files must not control the terminal. */
    text_clean(text, "\n\t", '?');
    for (const char *at = error->message; (at = strchr(at, '\n')); at++)
        messages++;
    text_printf(&whole, "%s%s", error->source[0] || error->line ? "" : "cutune: ", text);
    const char *at = text_string(&whole);
    size_t length = lines_length(at, messages);
    put_lines(&prose, at, length, &broken);
    at += length;
    length = lines_length(at, error->excerpt[0] != '\0');
    const char *caret = at + length + strspn(at + length, " \t");
    if (length && caret[0] == '^' && caret[1] == '\n')
        length += (size_t)(caret + 2 - (at + length));
    text_append(&broken, at, length);
    prose_lines(&prose, at + length, &broken);
    put_coloured(&prose, text_string(&broken), strlen(error->source), &shown);
    fprintf(stderr, "%s", text_string(&shown));
    text_free(&whole);
    text_free(&broken);
    text_free(&shown);
}

void output_error(const struct error *error)
{
    const struct error_list *list = error->list;
    output_status("");
    if (!list || list->count == 0)
        print_one(error);
    for (size_t i = 0; list && i < list->count; i++)
        print_one(&list->errors[i]);
    if (list && list->total > list->count)
        fprintf(stderr, "cutune: and %s%zu more errors\n", list->all ? "" : "at least ", list->total - list->count);
}

void output_note(const char *format, ...)
{
    va_list arguments;
    char *line = NULL;
    va_start(arguments, format);
    int length = vasprintf(&line, format, arguments);
    va_end(arguments);
    if (length < 0)
        return; /* out of memory: drops the note */
    const struct prose prose = prose_of(STDERR_FILENO, 0);
    struct text whole = {0}, shown = {0};
    text_clean(line, "", ' ');
    text_printf(&whole, "cutune: %s\n", line);
    prose_lines(&prose, text_string(&whole), &shown);
    output_status("");
    fprintf(stderr, "%s", text_string(&shown));
    text_free(&whole);
    text_free(&shown);
    free(line);
}
