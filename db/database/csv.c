#include "database/csv.h"

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
#include "base/range.h"
#include "base/text.h"
#include "database/database.h"

/* ---- Records ---- */

struct csv_reader {
    struct csv_parser parser;
    bool has_parser;
    const char *path;
    int line;          /* of the next record */
    size_t taken;      /* bytes read so far */
    struct text bytes; /* cells of the current record, each with a NUL */
    size_t offsets[CSV_CELLS_MAX];
    const char *cells[CSV_CELLS_MAX];
    size_t count;
    int record_line;
    bool ended; /* libcsv reported the line's end as the end of a record, so no quoted cell is open */
    csv_take *take;
    void *context;
    struct error *error;
    int code;
};

/* Drops the apostrophe of csv_append. */
static const char *plain(const char *cell)
{
    return cell + (*cell == '\'' && text_is_formula(cell));
}

static int too_many_cells(struct csv_reader *reader)
{
    return reader->code = error_set(reader->error, ERROR_DATA, "a record of more than %d cells", CSV_CELLS_MAX);
}

static void take_cell(void *bytes, size_t length, void *context)
{
    struct csv_reader *reader = context;
    if (reader->code)
        return;
    if (reader->count == CSV_CELLS_MAX) {
        too_many_cells(reader);
    } else if (length && memchr(bytes, '\0', length)) {
        reader->code = error_set(reader->error, ERROR_DATA, "a NUL byte in cell %zu", reader->count + 1);
        error_hint(reader->error, "the file is damaged: delete this line");
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
    struct csv_reader *reader = context;
    (void)character;
    reader->ended = true;
    if (reader->count && !reader->code) {
        for (size_t i = 0; i < reader->count; i++)
            reader->cells[i] = plain(reader->bytes.bytes + reader->offsets[i]);
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

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Splits a copied line without quotes into the cells that libcsv would return, but faster. */
static void split(struct csv_reader *reader, char *at, char *end)
{
    for (bool more = true; more; at++) {
        char *comma = memchr(at, ',', (size_t)(end - at)), *last = comma ? comma : end;
        more = comma != NULL;
        while (at < last && is_blank(*at))
            at++;
        for (*last = '\0'; last > at && is_blank(last[-1]); last--)
            last[-1] = '\0';
        if (reader->count == CSV_CELLS_MAX) {
            too_many_cells(reader);
            return;
        }
        reader->cells[reader->count++] = plain(at);
        at = more ? comma : end;
    }
    struct csv_record record = {reader->line, reader->count, reader->cells};
    reader->code = reader->take(reader->context, &record, reader->error);
}

/* Takes a line that is a whole record without quotes, which needs no libcsv. Returns false for any other line. */
static bool plain_line(struct csv_reader *reader, const char *line, size_t size)
{
    size_t blanks = 0;
    if (!reader->ended)
        return false;
    size -= size && line[size - 1] == '\n';
    size -= size && line[size - 1] == '\r';
    if (memchr(line, '"', size) || memchr(line, '\r', size) || memchr(line, '\0', size))
        return false;
    while (blanks < size && is_blank(line[blanks]))
        blanks++;
    if (blanks == size)
        return true; /* skip a blank line */
    text_append(&reader->bytes, line, size);
    if (reader->bytes.failed)
        reader->code = error_memory(reader->error);
    else
        split(reader, reader->bytes.bytes, reader->bytes.bytes + size);
    reader->count = 0;
    text_clear(&reader->bytes);
    return true;
}

/* libcsv does not report positions. Feeds it up to the next character that may end a record: the record ends there
 * unless the character is inside a quoted cell. */
static void read_hard_line(struct csv_reader *reader, const char *line, size_t size)
{
    for (size_t at = 0, next; at < size && !reader->code; at = next) {
        const char *end = memchr(line + at, '\r', size - at);
        next = end ? (size_t)(end - line) + 1 : size;
        if (reader->ended)
            reader->record_line = reader->line;
        reader->ended = false;
        size_t done = csv_parse(&reader->parser, line + at, next - at, take_cell, take_end, reader);
        if (!reader->code && done != next - at) {
            reader->code = fail(&reader->parser, reader->error, "malformed quoting");
            error_place(reader->error, reader->path, reader->line, at + done < INT_MAX ? (int)(at + done) + 1 : 0);
        }
    }
}

static void read_line(struct csv_reader *reader, const char *line, size_t size)
{
    if (reader->ended)
        reader->record_line = reader->line;
    if (!plain_line(reader, line, size))
        read_hard_line(reader, line, size);
    if (reader->code)
        error_place(reader->error, reader->path, reader->record_line, 0);
    reader->line++;
}

int csv_reader_feed(struct csv_reader *reader, const char *text, size_t length)
{
    if (reader->code)
        return reader->code;
    if (length >= (size_t)INT_MAX - reader->taken) {
        reader->code = error_set(reader->error, ERROR_DATA, "the file is larger than %d bytes", INT_MAX);
        error_place(reader->error, reader->path, 0, 0);
        return reader->code;
    }
    reader->taken += length;
    for (size_t at = 0; at < length && !reader->code;) {
        const char *newline = memchr(text + at, '\n', length - at);
        size_t size = newline ? (size_t)(newline - text) + 1 - at : length - at;
        read_line(reader, text + at, size);
        at += size;
    }
    return reader->code;
}

int csv_reader_end(struct csv_reader *reader)
{
    if (!reader->code && csv_fini(&reader->parser, take_cell, take_end, reader) && !reader->code)
        reader->code = fail(&reader->parser, reader->error, "a quoted cell has no end");
    if (reader->code)
        error_place(reader->error, reader->path, reader->record_line, 0);
    return reader->code;
}

int csv_reader_line(const struct csv_reader *reader)
{
    return reader->line;
}

void csv_reader_close(struct csv_reader *reader)
{
    if (!reader)
        return;
    if (reader->has_parser)
        csv_free(&reader->parser);
    text_free(&reader->bytes);
    free(reader);
}

int csv_reader_open(struct csv_reader **result, const char *path, int line, csv_take *take, void *context,
                    struct error *error)
{
    struct csv_reader *reader = calloc(1, sizeof *reader);
    *result = NULL;
    if (!reader)
        return error_memory(error);
    /* CSV_REPALL_NL reports every line end outside of quotes, blank lines included. */
    if (csv_init(&reader->parser, CSV_STRICT | CSV_STRICT_FINI | CSV_REPALL_NL)) {
        csv_reader_close(reader);
        return error_memory(error);
    }
    csv_set_blk_size(&reader->parser, 4 << 10);
    reader->has_parser = true;
    reader->path = path;
    reader->line = line;
    reader->take = take;
    reader->context = context;
    reader->error = error;
    reader->ended = true;
    *result = reader;
    return 0;
}

int csv_records(const char *path, const char *text, size_t length, int line, csv_take *take, void *context,
                struct error *error)
{
    struct csv_reader *reader;
    int code = csv_reader_open(&reader, path, line, take, context, error);
    if (!code)
        code = csv_reader_feed(reader, text, length);
    if (!code)
        code = csv_reader_end(reader);
    csv_reader_close(reader);
    return code;
}

int csv_load(const char *path, struct text *text, struct error *error)
{
    return file_read_regular(path, INT_MAX - 1, text, error);
}

size_t csv_mark_length(const char *text, size_t length)
{
    return length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

static void append(struct text *text, const char *field, int last)
{
    size_t length = strlen(field);
    bool first = text->length == 0 || text->bytes[text->length - 1] == '\n';
    /* libcsv trims blanks around bare cells and skips blank lines; '#' begins a comment of a journal. */
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

void csv_append(struct text *text, const char *field, int last)
{
    char *escaped = NULL;
    if (text_is_formula(field) && asprintf(&escaped, "'%s", field) < 0)
        text->failed = true;
    else
        append(text, escaped ? escaped : field, last);
    free(escaped);
}

/* ---- Cells ---- */

static bool read_integer(const char *cell, int64_t *number)
{
    size_t digits = 0;
    char *end;
    for (*number = 0; cell[digits] >= '0' && cell[digits] <= '9' && digits < 18; digits++)
        *number = *number * 10 + (cell[digits] - '0');
    if (digits && !cell[digits])
        return true;
    if (!*cell || strspn(cell, "+-0123456789") != strlen(cell))
        return false;
    errno = 0;
    *number = strtoll(cell, &end, 10);
    return *end == '\0' && errno == 0;
}

/* Reads "123.45" of at most 15 digits: the digits and the power of ten are both exact doubles, so their quotient is the
 * nearest double (Clinger, "How to read floating point numbers accurately", 1990). Returns false if strtod must
 * decide. */
static bool read_short_real(const char *cell, double *number)
{
    static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    uint64_t digits = 0;
    size_t count = 0, behind = 0;
    for (bool point = false; *cell; cell++) {
        if (*cell == '.' && !point && count) {
            point = true;
        } else if (*cell >= '0' && *cell <= '9' && count < 15) {
            digits = digits * 10 + (uint64_t)(*cell - '0');
            count++;
            behind += point;
        } else {
            return false;
        }
    }
    *number = (double)digits / powers[behind];
    return count > 0;
}

static bool read_real(const char *cell, double *number)
{
    char *end;
    *number = NAN;
    if (!*cell || read_short_real(cell, number))
        return true;
    /* strtod also takes hexadecimal, "inf" and "nan" */
    if (strspn(cell, "+-.0123456789eE") != strlen(cell))
        return false;
    *number = text_number(cell, &end) + 0.0; /* -0 becomes 0 */
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

/* The permitted content of a cell, by kind: a number in a range, or the content that the message names. */
static const struct {
    bool real, integer;
    enum range range;
    const char *expected; /* NULL: a number of the range, or empty */
} kinds[] = {
    [CSV_STATUS] = {.expected = "the name of a status"},
    [CSV_PLAYOFF] = {.expected = ""}, /* expect_names */
    [CSV_PROPOSER] = {.expected = ""},
    [CSV_SUSPICIONS] = {.expected = "names of evidence, separated by '/'"},
    [CSV_REAL] = {.real = true, .range = RANGE_AMOUNT},
    [CSV_ABOVE_ZERO] = {.real = true, .range = RANGE_ABOVE_ZERO},
    [CSV_SHARE] = {.real = true, .range = RANGE_SHARE},
    [CSV_VALUE] = {.real = true, .expected = ""}, /* its objective says */
    [CSV_NATURAL] = {.integer = true, .range = RANGE_WHOLE},
    [CSV_WHOLE] = {.integer = true, .range = RANGE_WHOLE},
    [CSV_INTEGER] = {.integer = true, .expected = "a whole number of 64 bits"},
    [CSV_COUNT] = {.integer = true, .expected = "a whole number from 0 to 4294967295"},
    [CSV_TEXT] = {.expected = "a text"},
    [CSV_NAME] = {.expected = "a name, not a path"},
    [CSV_CHARS] = {.expected = "a shorter text"},
};

bool csv_is_real(enum csv_kind kind)
{
    return kinds[kind].real;
}

bool csv_is_integer(enum csv_kind kind)
{
    return kinds[kind].integer;
}

/* Names the values that a cell may hold. */
static void expect_names(enum csv_kind kind, struct error *error)
{
    int count = kind == CSV_PLAYOFF ? (int)PLAYOFF_COUNT : (int)PROPOSER_COUNT;
    struct text names = {0};
    for (int i = 1; i < count; i++) /* 0 is "" */
        text_printf(&names, "%s, ",
                    kind == CSV_PLAYOFF ? playoff_name((enum playoff)i) : proposer_name((enum proposer)i));
    error_hint(error, "expected %sor empty", text_string(&names));
    text_free(&names);
}

/* True if the object's value is of the column's objective. */
static bool applies(const struct csv_column *column, const void *object)
{
    if (!column->objective_offset)
        return true;
    const char *name = *(const char *const *)(const void *)((const char *)object + column->objective_offset);
    return name && strcmp(name, column->objective->name) == 0;
}

int csv_cell_read(const struct csv_column *column, const char *cell, void *object, struct error *error)
{
    void *field = (char *)object + column->offset;
    int64_t number = column->kind == CSV_NATURAL ? -1 : 0;
    bool ok = true;
    if (!applies(column, object))
        return 0;
    switch (column->kind) {
    case CSV_STATUS:
        ok = status_find(cell, field);
        break;
    case CSV_PLAYOFF:
        ok = playoff_find(cell, field);
        break;
    case CSV_PROPOSER:
        ok = proposer_find(cell, field);
        break;
    case CSV_SUSPICIONS:
        ok = suspicions_find(cell, field);
        break;
    case CSV_REAL:
    case CSV_ABOVE_ZERO:
    case CSV_SHARE:
        ok = read_real(cell, field) && (!*cell || range_has(kinds[column->kind].range, *(double *)field));
        break;
    case CSV_VALUE:
        ok = read_real(cell, field) && (!*cell || objective_is_value(column->objective, *(double *)field));
        break;
    case CSV_NATURAL:
    case CSV_WHOLE:
    case CSV_INTEGER:
    case CSV_COUNT:
        if (*cell)
            ok = read_integer(cell, &number) && (column->kind == CSV_INTEGER || range_has(RANGE_WHOLE, (double)number));
        if (ok && column->kind != CSV_COUNT)
            memcpy(field, &number, sizeof number);
        else if (ok && (ok = number <= UINT32_MAX))
            *(uint32_t *)field = (uint32_t)number;
        break;
    case CSV_NAME:
        ok = !strchr(cell, '/');
        *(const char **)field = cell;
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
    else if ((column->kind == CSV_REAL || column->kind == CSV_VALUE) && strchr(cell, ','))
        error_hint(error, "expected a point for the decimal comma, as cutune writes it in every locale");
    else if (column->kind == CSV_PLAYOFF || column->kind == CSV_PROPOSER)
        expect_names(column->kind, error);
    else if (column->kind == CSV_VALUE)
        error_hint(error, "expected %s", column->objective->expected);
    else if (kinds[column->kind].expected)
        error_hint(error, "expected %s", kinds[column->kind].expected);
    else
        error_hint(error, "expected %s, or empty", range_expected(kinds[column->kind].range));
    return ERROR_DATA;
}

/* Uses the fewest digits that read back as the same number. */
double csv_cell_number(const struct csv_column *column, const void *object)
{
    const void *field = (const char *)object + column->offset;
    if (!applies(column, object))
        return NAN;
    switch (column->kind) {
    case CSV_REAL:
    case CSV_ABOVE_ZERO:
    case CSV_SHARE:
    case CSV_VALUE:
        return *(const double *)field;
    case CSV_NATURAL:
    case CSV_WHOLE:
    case CSV_INTEGER:
        return (double)*(const int64_t *)field;
    case CSV_COUNT:
        return *(const uint32_t *)field;
    case CSV_STATUS:
    case CSV_PLAYOFF:
    case CSV_PROPOSER:
    case CSV_SUSPICIONS:
    case CSV_TEXT:
    case CSV_NAME:
    case CSV_CHARS:
        break;
    }
    return NAN;
}

int csv_cell_text(const struct csv_column *column, const void *object, char buffer[CSV_BUFFER_BYTES], const char **cell,
                  struct error *error)
{
    const void *field = (const char *)object + column->offset;
    *cell = buffer;
    buffer[0] = '\0';
    if (!applies(column, object))
        return 0;
    switch (column->kind) {
    case CSV_STATUS:
        *cell = status_name(*(const enum status *)field);
        break;
    case CSV_PLAYOFF:
        *cell = playoff_name(*(const enum playoff *)field);
        break;
    case CSV_PROPOSER:
        *cell = proposer_name(*(const enum proposer *)field);
        break;
    case CSV_SUSPICIONS:
        suspicions_print(*(const uint64_t *)field, buffer);
        break;
    case CSV_REAL:
    case CSV_ABOVE_ZERO:
    case CSV_SHARE:
    case CSV_VALUE: {
        double number = *(const double *)field;
        if (!isnan(number) && !(column->kind == CSV_VALUE ? objective_is_value(column->objective, number)
                                                          : range_has(kinds[column->kind].range, number)))
            return error_set(error, ERROR_VALUE, "%s cannot be %g", column->name, number);
        if (!isnan(number))
            text_real(number, buffer);
        break;
    }
    case CSV_NATURAL:
    case CSV_WHOLE:
    case CSV_INTEGER: {
        int64_t number = *(const int64_t *)field;
        bool unknown = column->kind == CSV_NATURAL && number == -1;
        if (column->kind != CSV_INTEGER && !unknown && !range_has(kinds[column->kind].range, (double)number))
            return error_set(error, ERROR_VALUE, "%s cannot be %" PRId64, column->name, number);
        if (!unknown)
            snprintf(buffer, CSV_BUFFER_BYTES, "%" PRId64, number);
        break;
    }
    case CSV_COUNT:
        snprintf(buffer, CSV_BUFFER_BYTES, "%" PRIu32, *(const uint32_t *)field);
        break;
    case CSV_TEXT:
    case CSV_NAME:
        if (*(const char *const *)field) /* else "" */
            *cell = *(const char *const *)field;
        if (column->kind == CSV_NAME && strchr(*cell, '/'))
            return error_set(error, ERROR_VALUE, "%s cannot be '%.60s': a name, not a path", column->name, *cell);
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
