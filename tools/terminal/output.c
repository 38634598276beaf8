#include "terminal/output.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"

void output_add_int(cJSON *object, const char *name, long long number)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%lld", number);
    cJSON_AddRawToObject(object, name, digits);
}

cJSON *output_real(double number)
{
    char digits[TEXT_REAL_BYTES];
    cJSON *item = isnan(number) || isinf(number) ? cJSON_CreateNull() : cJSON_CreateRaw(text_real(number, digits));
    if (item)
        item->valuedouble = number; /* for `cell` */
    return item;
}

void output_add_real(cJSON *object, const char *name, double number)
{
    cJSON_AddItemToObject(object, name, output_real(number));
}

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

static bool is_number(const cJSON *item)
{
    return cJSON_IsNumber(item) || cJSON_IsRaw(item);
}

/* Appends what a cell shows. People get six digits of a number, programs all. */
static void cell(struct text *text, const cJSON *item, bool people)
{
    if (!item || cJSON_IsNull(item))
        return;
    if (cJSON_IsString(item) && people)
        text_append_clean(text, item->valuestring, "", ' ');
    else if (is_number(item) && people && item->valuedouble != floor(item->valuedouble))
        text_printf(text, "%.6g", item->valuedouble);
    else if (cJSON_IsString(item) || cJSON_IsRaw(item))
        text_append_clean(text, item->valuestring, "\n\r\t", '?');
    else
        output_json(text, item, false);
}

/* Columns that a string takes on a terminal: its characters, counted by the first bytes of UTF-8 sequences. */
static size_t width_of(const char *string)
{
    size_t width = 0;
    for (; *string; string++)
        width += ((unsigned char)*string & 0xc0) != 0x80;
    return width;
}

static void pad(struct text *text, size_t count)
{
    while (count--)
        text_append(text, " ", 1);
}

/* ---- The three formats, each into `out` ---- */

static void print_csv_field(struct text *out, const char *field)
{
    if (!strpbrk(field, ",\"\r\n") && *field != ' ' && (!*field || field[strlen(field) - 1] != ' ')) {
        text_printf(out, "%s", field);
        return;
    }
    text_append(out, "\"", 1);
    for (; *field; field++)
        text_append(out, *field == '"' ? "\"\"" : field, *field == '"' ? 2 : 1);
    text_append(out, "\"", 1);
}

static void print_csv(struct text *out, const cJSON *rows)
{
    struct text field = {0};
    const cJSON *row, *item, *first = rows->child;
    cJSON_ArrayForEach(item, first)
    {
        if (item != first->child)
            text_append(out, ",", 1);
        print_csv_field(out, item->string);
    }
    if (first)
        text_append(out, "\n", 1);
    cJSON_ArrayForEach(row, rows)
    {
        cJSON_ArrayForEach(item, row)
        {
            text_clear(&field);
            cell(&field, item, false);
            out->failed |= field.failed;
            if (item != row->child)
                text_append(out, ",", 1);
            print_csv_field(out, text_string(&field));
        }
        text_append(out, "\n", 1);
    }
    text_free(&field);
}

static void print_vertical(struct text *out, const cJSON *rows)
{
    const cJSON *row, *item;
    size_t width = 0;
    cJSON_ArrayForEach(row, rows)
    {
        cJSON_ArrayForEach(item, row)
        {
            if (width_of(item->string) > width)
                width = width_of(item->string);
        }
    }
    cJSON_ArrayForEach(row, rows)
    {
        if (row != rows->child)
            text_append(out, "\n", 1);
        cJSON_ArrayForEach(item, row)
        {
            text_append_clean(out, item->string, "", ' ');
            if (!cJSON_IsNull(item)) {
                pad(out, width - width_of(item->string) + 2);
                cell(out, item, true);
            }
            text_append(out, "\n", 1);
        }
    }
}

struct column {
    size_t width;
    bool numbers; /* nothing but numbers: aligned to the right */
};

static void measure_columns(const cJSON *rows, struct column *columns, size_t count, struct text *scratch)
{
    const cJSON *row, *item;
    size_t i = 0;
    cJSON_ArrayForEach(item, rows->child)
    {
        columns[i++] = (struct column){width_of(item->string), true};
    }
    cJSON_ArrayForEach(row, rows)
    {
        i = 0;
        cJSON_ArrayForEach(item, row)
        {
            if (i == count)
                break;
            text_clear(scratch);
            cell(scratch, item, true);
            if (width_of(text_string(scratch)) > columns[i].width)
                columns[i].width = width_of(text_string(scratch));
            columns[i].numbers &= is_number(item) || cJSON_IsNull(item);
            i++;
        }
    }
}

static void print_cell(struct text *out, const char *string, const struct column *column, bool first)
{
    size_t space = column->width - width_of(string);
    if (!first)
        pad(out, 2);
    if (column->numbers)
        pad(out, space);
    text_printf(out, "%s", string);
    if (!column->numbers)
        pad(out, space);
}

static void end_line(struct text *out)
{
    while (out->length && out->bytes[out->length - 1] == ' ')
        out->length--;
    text_append(out, "\n", 1);
}

static void print_table(struct text *out, const cJSON *rows)
{
    struct text scratch = {0};
    const cJSON *row, *item;
    size_t count = (size_t)cJSON_GetArraySize(rows->child), i = 0;
    struct column *columns = calloc(count + 1, sizeof *columns);
    if (!columns) {
        out->failed = true;
        return;
    }
    if (rows->child)
        measure_columns(rows, columns, count, &scratch);
    cJSON_ArrayForEach(item, rows->child)
    {
        print_cell(out, item->string, &columns[i], i == 0);
        i++;
    }
    if (rows->child)
        end_line(out);
    cJSON_ArrayForEach(row, rows)
    {
        i = 0;
        cJSON_ArrayForEach(item, row)
        {
            if (i == count)
                break;
            text_clear(&scratch);
            cell(&scratch, item, true);
            out->failed |= scratch.failed;
            print_cell(out, text_string(&scratch), &columns[i], i == 0);
            i++;
        }
        end_line(out);
    }
    free(columns);
    text_free(&scratch);
}

void output_json(struct text *text, const cJSON *json, bool people)
{
    char *printed = people ? cJSON_Print(json) : cJSON_PrintUnformatted(json);
    if (printed)
        text_append_clean(text, printed, "\n\t", TEXT_JSON);
    text->failed |= !printed;
    cJSON_free(printed);
}

int output_rows(const cJSON *rows, const char *format, bool vertical, struct error *error)
{
    struct text out = {0};
    if (!rows)
        return error_memory(error);
    if (strcmp(format, "json") == 0)
        output_json(&out, rows, true), text_append(&out, "\n", 1);
    else if (strcmp(format, "csv") == 0)
        print_csv(&out, rows);
    else if (vertical)
        print_vertical(&out, rows);
    else
        print_table(&out, rows);
    int code = out.failed ? error_memory(error) : output_file(NULL, &out, error);
    text_free(&out);
    return code;
}

/* Whether the file has these bytes: then its date stays, and nothing that depends on it is made again. */
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
    static const char *const names[] = {[KIND_JOURNAL] = "a journal", [KIND_DATABASE] = "a database"};
    enum file_kind found = KIND_OTHER;
    if (is_stdout(path))
        return 0;
    for (size_t i = 0; i < count; i++)
        if (inputs[i] && file_same(path, inputs[i])) {
            error_set(error, ERROR_USAGE, "--output: %s is an input, too", path);
            error_hint(error, "name another file");
            return ERROR_USAGE;
        }
    if (kind_find(path, &found, NULL) == 0 && found != KIND_OTHER && found != made) {
        error_set(error, ERROR_USAGE, "--output: %s is %s, which this would destroy", path, names[found]);
        error_hint(error, "name another file, or delete it first");
        return ERROR_USAGE;
    }
    return 0;
}

int output_file(const char *path, const struct text *text, struct error *error)
{
    struct stat status;
    if (is_stdout(path)) {
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

static void print_one(const struct error *error)
{
    static const char mark[] = "error:";
    char text[4096];
    error_format(error, text, sizeof text);
    /* Names and lines from files must not be able to steer the terminal. */
    text_clean(text, "\n\t", '?');
    const char *place = error->source[0] || error->line ? "" : "cutune: ";
    const char *word = strstr(text + strlen(error->source), mark);
    if (word && output_colour(STDERR_FILENO))
        fprintf(stderr, "%s%.*s\033[1;31m%s\033[0m%s", place, (int)(word - text), text, mark, word + strlen(mark));
    else
        fprintf(stderr, "%s%s", place, text);
}

void output_error(const struct error *error)
{
    const struct error_list *list = error->list;
    if (!list || list->count == 0)
        print_one(error);
    for (size_t i = 0; list && i < list->count; i++)
        print_one(&list->errors[i]);
    if (list && list->total > list->count)
        fprintf(stderr, "cutune: and %s%zu more errors\n", list->all ? "" : "at least ", list->total - list->count);
}

void output_note_list(const char *format, va_list arguments)
{
    char *line = NULL;
    if (vasprintf(&line, format, arguments) < 0)
        return; /* memory is out: the note is not worth the run */
    text_clean(line, "", ' ');
    fprintf(stderr, "cutune: %s\n", line);
    free(line);
}

void output_note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    output_note_list(format, arguments);
    va_end(arguments);
}

int output_append(const char *path, const char *title, const char *text, struct error *error)
{
    FILE *file = fopen(path, "a");
    if (!file)
        return error_errno(error, ERROR_IO, "cannot open %s", path);
    bool written = fprintf(file, "---- %s\n%s\n", title, text) >= 0;
    return fclose(file) || !written ? error_errno(error, ERROR_IO, "cannot write %s", path) : 0;
}
