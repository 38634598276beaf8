#include "db/csv.h"

#include <csv.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/measurement.h"
#include "db/database.h"

/* ---- Records ---- */

struct reader {
    struct text bytes; /* cells of the record so far, each with a NUL */
    size_t offsets[CSV_CELLS_MAX];
    const char *cells[CSV_CELLS_MAX];
    size_t count;
    int record_line;
    bool ended; /* libcsv took the line's end for the end of a record, so it is not inside a quoted cell */
    csv_take *take;
    void *context;
    struct error *error;
    int code;
};

static void take_cell(void *bytes, size_t length, void *context)
{
    struct reader *reader = context;
    if (reader->code)
        return;
    if (reader->count == CSV_CELLS_MAX) {
        reader->code = error_set(reader->error, ERROR_DATA, "a record of more than %d cells", CSV_CELLS_MAX);
    } else if (length && memchr(bytes, '\0', length)) {
        reader->code = error_set(reader->error, ERROR_DATA, "a NUL byte in cell %zu", reader->count + 1);
        error_hint(reader->error, "the file is damaged; delete this line");
    } else {
        reader->offsets[reader->count++] = reader->bytes.length;
        text_append(&reader->bytes, bytes, length);
        text_append(&reader->bytes, "", 1);
        if (reader->bytes.failed)
            reader->code = error_memory(reader->error);
    }
}

static void take_end(int character, void *context)
{
    struct reader *reader = context;
    (void)character;
    reader->ended = true;
    if (reader->count && !reader->code) {
        for (size_t i = 0; i < reader->count; i++)
            reader->cells[i] = reader->bytes.bytes + reader->offsets[i];
        struct csv_record record = {reader->record_line, reader->count, reader->cells};
        reader->code = reader->take(reader->context, &record, reader->error);
    }
    reader->count = 0;
    text_clear(&reader->bytes);
}

static int fail(struct csv_parser *parser, struct error *error, const char *message)
{
    if (csv_error(parser) != CSV_EPARSE)
        return error_memory(error);
    error_set(error, ERROR_DATA, "%s", message);
    error_hint(error,
               "a cell with a quote or a comma stands in quotes, and each quote inside is doubled: \"a \"\"b\"\"\"");
    return ERROR_DATA;
}

/* libcsv knows no lines, so it is fed one at a time: that also tells where a record begins. */
static int read_lines(struct csv_parser *parser, struct reader *reader, const char *path, const char *text,
                      size_t length, int line)
{
    for (size_t at = 0; at < length; line++) {
        const char *newline = memchr(text + at, '\n', length - at);
        size_t size = newline ? (size_t)(newline - text) + 1 - at : length - at;
        if (reader->ended)
            reader->record_line = line;
        reader->ended = false;
        size_t done = csv_parse(parser, text + at, size, take_cell, take_end, reader);
        if (reader->code)
            break;
        if (done != size) {
            reader->code = fail(parser, reader->error, "malformed quoting");
            error_place(reader->error, path, line, done < INT_MAX ? (int)done + 1 : 0);
            break;
        }
        at += size;
    }
    if (!reader->code && csv_fini(parser, take_cell, take_end, reader) && !reader->code)
        reader->code = fail(parser, reader->error, "a quoted cell has no end");
    error_place(reader->error, path, reader->record_line, 0);
    return reader->code;
}

int csv_records(const char *path, const char *text, size_t length, int line, csv_take *take, void *context,
                struct error *error)
{
    struct csv_parser parser;
    if (length >= (size_t)(INT_MAX - line)) {
        error_set(error, ERROR_DATA, "the file is larger than %d bytes", INT_MAX);
        error_place(error, path, 0, 0);
        return ERROR_DATA;
    }
    struct reader *reader = calloc(1, sizeof *reader);
    if (!reader)
        return error_memory(error);
    reader->take = take;
    reader->context = context;
    reader->error = error;
    reader->ended = true;
    int code = 0;
    /* CSV_REPALL_NL: every line end outside of quotes is reported, also that of a blank line. */
    if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI | CSV_REPALL_NL)) {
        code = error_memory(error);
    } else {
        csv_set_blk_size(&parser, 4 << 10);
        code = read_lines(&parser, reader, path, text, length, line);
        csv_free(&parser);
    }
    text_free(&reader->bytes);
    free(reader);
    return code;
}

int csv_check_file(const char *path, struct error *error)
{
    struct stat status;
    if (stat(path, &status) || S_ISREG(status.st_mode))
        return 0;
    return error_set(error, ERROR_IO, "%s is %s", path,
                     S_ISDIR(status.st_mode) ? "a directory, not a file" : "no regular file");
}

int csv_load(const char *path, struct text *text, struct error *error)
{
    int code = csv_check_file(path, error);
    return code ? code : file_read(path, INT_MAX - 1, text, error);
}

size_t csv_mark_length(const char *text, size_t length)
{
    return length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

void csv_append(struct text *text, const char *field, int last)
{
    size_t length = strlen(field);
    bool first = text->length == 0 || text->bytes[text->length - 1] == '\n';
    /* libcsv cuts blanks at the ends of bare cells, skips blank lines, and '#' begins a comment of a journal. */
    bool quote = strpbrk(field, ",\"\r\n") || (first && (*field == '#' || (last && !length))) ||
                 (length && (strchr(" \t", field[0]) || strchr(" \t", field[length - 1])));
    if (quote) {
        size_t need = csv_write(NULL, 0, field, length);
        char *quoted = malloc(need);
        if (quoted) {
            csv_write(quoted, need, field, length);
            text_append(text, quoted, need);
            free(quoted);
        } else {
            text->failed = true;
        }
    } else {
        text_append(text, field, length);
    }
    text_append(text, last ? "\n" : ",", 1);
}

/* ---- Cells ---- */

static bool read_integer(const char *cell, int64_t *number)
{
    char *end;
    if (!*cell || strspn(cell, "+-0123456789") != strlen(cell))
        return false;
    errno = 0;
    *number = strtoll(cell, &end, 10);
    return *end == '\0' && errno == 0;
}

static bool read_real(const char *cell, double *number)
{
    char *end;
    *number = NAN;
    if (!*cell)
        return true;
    /* strtod also takes hexadecimal, "inf" and "nan" */
    if (strspn(cell, "+-.0123456789eE") != strlen(cell))
        return false;
    *number = strtod(cell, &end);
    return *end == '\0' && isfinite(*number) && *number >= 0;
}

static bool read_chars(const struct csv_column *column, const char *cell, char *field)
{
    size_t length = strlen(cell);
    if (length >= column->size)
        return false;
    memcpy(field, cell, length + 1);
    return true;
}

/* What a cell of each kind must be, for messages. */
static const char *const expected[] = {
    [CSV_STATUS] = "the name of a status",
    [CSV_PLAYOFF] = "leader, tied, lost, or empty",
    [CSV_REAL] = "a number that is not negative, or empty",
    [CSV_NATURAL] = "a whole number that is not negative, or empty",
    [CSV_INTEGER] = "a whole number of 64 bits",
    [CSV_COUNT] = "a whole number from 0 to 4294967295",
    [CSV_TEXT] = "a text",
    [CSV_CHARS] = "a shorter text",
};

int csv_cell_read(const struct csv_column *column, const char *cell, void *object, struct error *error)
{
    void *field = (char *)object + column->offset;
    int64_t number = column->kind == CSV_NATURAL ? -1 : 0;
    bool ok = true;
    switch (column->kind) {
    case CSV_STATUS:
        ok = status_find(cell, field);
        break;
    case CSV_PLAYOFF:
        ok = playoff_find(cell, field);
        break;
    case CSV_REAL:
        ok = read_real(cell, field);
        break;
    case CSV_NATURAL:
    case CSV_INTEGER:
    case CSV_COUNT:
        if (*cell)
            ok = read_integer(cell, &number) && (column->kind == CSV_INTEGER || number >= 0);
        if (ok && column->kind != CSV_COUNT)
            memcpy(field, &number, sizeof number);
        else if (ok && (ok = number <= UINT32_MAX))
            *(uint32_t *)field = (uint32_t)number;
        break;
    case CSV_TEXT:
        *(const char **)field = cell;
        break;
    case CSV_CHARS:
        ok = read_chars(column, cell, field);
        break;
    }
    if (ok)
        return 0;
    error_set(error, ERROR_DATA, "%s cannot be '%.60s'", column->name, cell);
    if (column->kind == CSV_CHARS)
        error_hint(error, "expected at most %zu bytes, not %zu", column->size - 1, strlen(cell));
    else
        error_hint(error, "expected %s", expected[column->kind]);
    return ERROR_DATA;
}

/* The fewest digits that read back as the same number. */
static void print_real(double number, char buffer[CSV_BUFFER_BYTES])
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(buffer, CSV_BUFFER_BYTES, "%.*g", digits, number);
        if (strtod(buffer, NULL) == number)
            break;
    }
}

int csv_cell_text(const struct csv_column *column, const void *object, char buffer[CSV_BUFFER_BYTES], const char **cell,
                  struct error *error)
{
    const void *field = (const char *)object + column->offset;
    *cell = buffer;
    buffer[0] = '\0';
    switch (column->kind) {
    case CSV_STATUS:
        *cell = status_name(*(const enum status *)field);
        break;
    case CSV_PLAYOFF:
        *cell = playoff_name(*(const enum playoff *)field);
        break;
    case CSV_REAL: {
        double number = *(const double *)field;
        if (isinf(number) || number < 0)
            return error_set(error, ERROR_VALUE, "%s cannot be %g", column->name, number);
        if (!isnan(number))
            print_real(number, buffer);
        break;
    }
    case CSV_NATURAL:
    case CSV_INTEGER: {
        int64_t number = *(const int64_t *)field;
        if (column->kind == CSV_NATURAL && number < -1)
            return error_set(error, ERROR_VALUE, "%s cannot be %" PRId64, column->name, number);
        if (column->kind == CSV_INTEGER || number >= 0)
            snprintf(buffer, CSV_BUFFER_BYTES, "%" PRId64, number);
        break;
    }
    case CSV_COUNT:
        snprintf(buffer, CSV_BUFFER_BYTES, "%" PRIu32, *(const uint32_t *)field);
        break;
    case CSV_TEXT:
        if (*(const char *const *)field) /* else "" */
            *cell = *(const char *const *)field;
        break;
    case CSV_CHARS:
        *cell = field;
        break;
    }
    return 0;
}

int csv_column_find(const struct csv_column *columns, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(columns[i].name, name) == 0)
            return (int)i;
    return -1;
}

int csv_check_names(const char *const *names, size_t count, struct error *error)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (strcmp(names[i], names[j]) == 0)
                return error_set(error, ERROR_DATA, "columns %zu and %zu are both named '%.60s'", j + 1, i + 1,
                                 names[i]);
    return 0;
}
