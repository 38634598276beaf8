#include "db/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"
#include "db/csv.h"
#include "db/database.h"
#include "db/journal_head.h"

enum { INTERN_SLOTS = 1024, FILE_DIGITS = 16 };

struct journal {
    struct arena arena;
    const char *path;
    struct journal_head head;
    int *columns;        /* for each column behind the parameters: which of measurement_columns, or -1 */
    size_t column_count; /* of those; 0: the column names were not read yet */
    struct journal_row *rows;
    size_t row_count, row_room;
    const char *interned[INTERN_SLOTS];
    int torn_line;  /* 0: none */
    int descriptor; /* open for appending; else -1 */
    off_t length;   /* of the file's whole lines */
    bool ragged;    /* a failed line could not be taken back yet */
};

static const struct csv_column measurement_columns[] = {
#define KIND_STATUS               CSV_STATUS
#define KIND_PLAYOFF              CSV_PLAYOFF
#define KIND_REAL                 CSV_REAL
#define KIND_INT                  CSV_NATURAL
#define KIND_COUNT                CSV_COUNT
#define KIND_TEXT                 CSV_CHARS
#define COLUMN(name, kind, field) CSV_COLUMN(#name, KIND_##kind, struct measurement, field),
#include "db/journal_columns.def"
#undef COLUMN
};
enum { MEASUREMENT_COLUMNS = sizeof measurement_columns / sizeof *measurement_columns };

/* ---- Rows ---- */

static int read_column_names(struct journal *journal, const struct csv_record *record, struct error *error)
{
    struct journal_header *header = &journal->head.header;
    size_t parameters = journal->head.parameters;
    bool has_status = false;
    if (!journal->head.has_parameters)
        return error_set(error, ERROR_DATA, "the header has no line '# parameters = N'");
    if (parameters >= record->count)
        return error_set(error, ERROR_DATA, "%zu columns, too few for %zu parameters", record->count, parameters);
    const char **names = arena_array(&journal->arena, parameters + 1, sizeof *names);
    journal->column_count = record->count - parameters;
    journal->columns = arena_array(&journal->arena, journal->column_count, sizeof *journal->columns);
    if (!names || !journal->columns)
        return error_memory(error);
    for (size_t i = 0; i < parameters; i++)
        if (!(names[i] = arena_copy(&journal->arena, record->cells[i], strlen(record->cells[i]))))
            return error_memory(error);
    header->parameters = names;
    header->parameter_count = parameters;
    for (size_t i = 0; i < journal->column_count; i++) {
        journal->columns[i] = csv_column_find(measurement_columns, MEASUREMENT_COLUMNS, record->cells[parameters + i]);
        has_status |= journal->columns[i] >= 0 && measurement_columns[journal->columns[i]].kind == CSV_STATUS;
    }
    if (!has_status)
        return error_set(error, ERROR_DATA, "no column 'status' behind the %zu parameters", parameters);
    /* A parameter may have the name of a measurement's column: the place tells them apart. */
    int code = csv_check_names(record->cells, parameters, error);
    return code ? code : csv_check_names(record->cells + parameters, journal->column_count, error);
}

/* A copy of the cell; few values come again and again, so most share one. */
static const char *intern(struct journal *journal, const char *cell)
{
    size_t length = strlen(cell);
    const char **slot = &journal->interned[hash_u64(cell, length, 0) % INTERN_SLOTS];
    if (!*slot || strcmp(*slot, cell) != 0)
        *slot = arena_copy(&journal->arena, cell, length);
    return *slot;
}

static int add_row(struct journal *journal, struct journal_row **row, struct error *error)
{
    if (journal->row_count == journal->row_room) {
        size_t room = journal->row_room * 2 + 64;
        struct journal_row *rows = realloc(journal->rows, room * sizeof *rows);
        if (!rows)
            return error_memory(error);
        journal->rows = rows;
        journal->row_room = room;
    }
    *row = &journal->rows[journal->row_count];
    return 0;
}

static int read_row(void *context, const struct csv_record *record, struct error *error)
{
    struct journal *journal = context;
    struct journal_row *row = NULL;
    int code;
    if (journal->column_count == 0)
        return read_column_names(journal, record, error);
    size_t parameters = journal->head.header.parameter_count;
    if (record->count != parameters + journal->column_count) {
        error_set(error, ERROR_DATA, "%zu cells where there are %zu columns", record->count,
                  parameters + journal->column_count);
        error_hint(error, "delete this line: its configuration is then measured again");
        return ERROR_DATA;
    }
    const char **values = arena_array(&journal->arena, parameters, sizeof *values);
    if (!values)
        return error_memory(error);
    if ((code = add_row(journal, &row, error)))
        return code;
    for (size_t i = 0; i < parameters; i++) {
        if (record->cells[i][0] == '\0')
            return error_set(error, ERROR_DATA, "%s has no value", journal->head.header.parameters[i]);
        if (!(values[i] = intern(journal, record->cells[i])))
            return error_memory(error);
    }
    row->values = values;
    row->measurement = measurement_unknown(STATUS_OK);
    for (size_t i = 0; i < journal->column_count && !code; i++)
        if (journal->columns[i] >= 0)
            code = csv_cell_read(&measurement_columns[journal->columns[i]], record->cells[parameters + i],
                                 &row->measurement, error);
    if (!code)
        journal->row_count++;
    return code;
}

/* ---- Reading ---- */

static int new_journal(struct journal **journal, const char *path, struct error *error)
{
    struct journal *fresh = calloc(1, sizeof *fresh);
    if (!fresh)
        return error_memory(error);
    fresh->descriptor = -1;
    fresh->path = arena_copy(&fresh->arena, path, strlen(path));
    if (!fresh->path) {
        arena_free(&fresh->arena);
        free(fresh);
        return error_memory(error);
    }
    *journal = fresh;
    return 0;
}

/* Length of the whole lines; what is behind them is a line that was being written when the run was killed. */
static size_t whole_lines(const char *text, size_t length)
{
    while (length && text[length - 1] != '\n')
        length--;
    return length;
}

static int count_lines(const char *text, size_t length)
{
    int lines = 0;
    for (const char *at = text; length && (at = memchr(at, '\n', length - (size_t)(at - text))); at++)
        lines++;
    return lines;
}

static int parse(struct journal *journal, const char *text, size_t length, struct error *error)
{
    size_t whole = whole_lines(text, length), at = csv_mark_length(text, length);
    int line = 1, code;
    if (whole < length)
        journal->torn_line = count_lines(text, whole) + 1;
    if (at >= whole) {
        error_set(error, ERROR_DATA, length ? "the journal ends within its first line" : "the journal is empty");
        error_place(error, journal->path, 1, 0);
        return ERROR_DATA;
    }
    if ((code = journal_head_read(&journal->head, &journal->arena, journal->path, text, whole, &at, &line, error)))
        return code;
    if ((code = csv_records(journal->path, text + at, whole - at, line, read_row, journal, error)))
        return code;
    if (journal->column_count == 0) {
        error_set(error, ERROR_DATA, "the journal ends before its column names");
        error_place(error, journal->path, line, 0);
        return ERROR_DATA;
    }
    journal->length = (off_t)whole;
    return 0;
}

int journal_parse(struct journal **journal, const char *path, const char *text, size_t length, struct error *error)
{
    struct journal *fresh = NULL;
    int code = new_journal(&fresh, path, error);
    if (code)
        return code;
    if ((code = parse(fresh, text, length, error)))
        journal_close(fresh, NULL);
    else
        *journal = fresh;
    return code;
}

int journal_read(struct journal **journal, const char *path, struct error *error)
{
    struct text text = {0};
    int code = csv_load(path, &text, error);
    if (!code)
        code = journal_parse(journal, path, text_string(&text), text.length, error);
    text_free(&text);
    return code;
}

/* ---- Writing ---- */

char *journal_path(struct arena *arena, const char *folder, const struct journal_header *header)
{
    size_t length = strlen(folder);
    const char *slash = length && folder[length - 1] != '/' ? "/" : "";
    char *path = arena_printf(arena, "%s%s%s.%s.%.*s.csv", folder, slash, header->kernel, header->limits.name,
                              FILE_DIGITS, header->fingerprint);
    if (path)
        for (char *c = path + length + strlen(slash); *c; c++)
            if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-", *c))
                *c = '-';
    return path;
}

/* The run was killed while it wrote the very first lines: nothing but a beginning of a header is there. */
static bool torn_header(const char *text, size_t length)
{
    char first[64];
    int size = snprintf(first, sizeof first, JOURNAL_MAGIC "%d\n", JOURNAL_SCHEMA);
    if (memcmp(text, first, length < (size_t)size ? length : (size_t)size) != 0)
        return false;
    for (size_t at = 0; at < length;) {
        const char *newline = memchr(text + at, '\n', length - at);
        if (newline && text[at] != '#')
            return false;
        at = newline ? (size_t)(newline - text) + 1 : length;
    }
    return true;
}

bool journal_begun(const char *path)
{
    struct text text = {0};
    bool begun = file_read(path, SIZE_MAX / 2, &text, NULL) == 0 && !torn_header(text_string(&text), text.length);
    text_free(&text);
    return begun;
}

/* Is the file of this very header? */
static int compare(const struct journal *journal, const struct journal_header *wanted, struct error *error)
{
    const struct journal_header *found = &journal->head.header;
    size_t known = 0;
    bool same = found->parameter_count == wanted->parameter_count;
    for (size_t i = 0; i < wanted->parameter_count && same; i++)
        same = strcmp(found->parameters[i], wanted->parameters[i]) == 0;
    for (size_t i = 0; i < journal->column_count; i++)
        known += journal->columns[i] >= 0;
    if (strcmp(found->fingerprint, wanted->fingerprint) != 0)
        error_set(error, ERROR_DATA, "a journal of another fingerprint: '%.60s', not '%.60s'", found->fingerprint,
                  wanted->fingerprint);
    else if (!same)
        error_set(error, ERROR_DATA, "the journal's parameters are not those of this run");
    else if (known < MEASUREMENT_COLUMNS)
        error_set(error, ERROR_DATA, "the journal lacks columns that this cutune writes");
    else
        return 0;
    error_place(error, journal->path, 0, 0);
    error_hint(error, "move the file away, or keep this run's journal in another folder");
    return ERROR_DATA;
}

static int print_header(const struct journal_header *header, struct text *text, struct error *error)
{
    int code = journal_head_print(text, header, error);
    for (size_t i = 0; i < header->parameter_count; i++)
        csv_append(text, header->parameters[i], false);
    for (size_t i = 0; i < MEASUREMENT_COLUMNS; i++)
        csv_append(text, measurement_columns[i].name, i + 1 == MEASUREMENT_COLUMNS);
    return code ? code : text->failed ? error_memory(error) : 0;
}

static int start_file(struct journal *journal, const struct journal_header *header, struct text *text,
                      struct error *error)
{
    text_clear(text);
    int code = print_header(header, text, error);
    if (!code && ftruncate(journal->descriptor, 0))
        code = error_errno(error, ERROR_IO, "cannot write %s", journal->path);
    if (!code && (code = file_write_all(journal->descriptor, text->bytes, text->length, journal->path, error)))
        journal->ragged = ftruncate(journal->descriptor, 0) != 0;
    return code;
}

static int load_for_append(struct journal *journal, const struct journal_header *header, struct error *error)
{
    struct text text = {0};
    struct stat status;
    int torn = 0, code = 0;
    if (fstat(journal->descriptor, &status) || fcntl(journal->descriptor, F_SETFL, O_APPEND))
        code = error_errno(error, ERROR_IO, "cannot open %s", journal->path);
    else
        code = csv_load(journal->path, &text, error);
    if (!code && torn_header(text_string(&text), text.length)) {
        torn = text.length ? count_lines(text.bytes, text.length) + 1 : 0;
        code = start_file(journal, header, &text, error);
    }
    if (!code)
        code = parse(journal, text_string(&text), text.length, error);
    if (!code)
        code = compare(journal, header, error);
    if (!code && journal->torn_line && ftruncate(journal->descriptor, journal->length))
        code = error_errno(error, ERROR_IO, "cannot cut the torn last line off %s", journal->path);
    if (torn)
        journal->torn_line = torn;
    text_free(&text);
    return code;
}

int journal_open(struct journal **journal, const char *path, const struct journal_header *header, struct error *error)
{
    struct journal *fresh = NULL;
    int code = new_journal(&fresh, path, error);
    if (code)
        return code;
    char *folder = arena_copy(&fresh->arena, path, file_folder_length(path));
    if (!folder)
        code = error_memory(error);
    else if (*folder)
        code = file_make_folder(folder, error);
    if (!code && (code = file_lock(path, false, &fresh->descriptor, error)) == ERROR_BUSY)
        error_hint(error, "another run of the same kernel, problem and device is writing it; wait for its end");
    if (!code)
        code = load_for_append(fresh, header, error);
    if (code)
        journal_close(fresh, NULL);
    else
        *journal = fresh;
    return code;
}

static int print_row(const struct journal *journal, const struct journal_row *row, struct text *line,
                     struct error *error)
{
    size_t parameters = journal->head.header.parameter_count;
    char buffer[CSV_BUFFER_BYTES];
    int code = 0;
    for (size_t i = 0; i < parameters; i++) {
        if (row->values[i][0] == '\0')
            return error_set(error, ERROR_VALUE, "%s has no value", journal->head.header.parameters[i]);
        csv_append(line, row->values[i], false);
    }
    for (size_t i = 0; i < journal->column_count && !code; i++) {
        const char *cell = "";
        if (journal->columns[i] >= 0)
            code = csv_cell_text(&measurement_columns[journal->columns[i]], &row->measurement, buffer, &cell, error);
        csv_append(line, cell, i + 1 == journal->column_count);
    }
    return code ? code : line->failed ? error_memory(error) : 0;
}

int journal_append(struct journal *journal, const struct journal_row *row, struct error *error)
{
    struct text line = {0};
    int code = 0;
    if (journal->descriptor < 0)
        return error_set(error, ERROR_IO, "%s is not open for writing", journal->path);
    if (journal->ragged && ftruncate(journal->descriptor, journal->length))
        return error_errno(error, ERROR_IO, "cannot take back an unfinished line of %s", journal->path);
    journal->ragged = false;
    code = print_row(journal, row, &line, error);
    if (!code) {
        code = file_write_all(journal->descriptor, line.bytes, line.length, journal->path, error);
        if (code)
            journal->ragged = ftruncate(journal->descriptor, journal->length) != 0;
        else
            journal->length += (off_t)line.length;
    }
    text_free(&line);
    return code;
}

int journal_close(struct journal *journal, struct error *error)
{
    int code = 0;
    if (!journal)
        return 0;
    if (journal->descriptor >= 0) {
        if (fdatasync(journal->descriptor) && errno != EINVAL && errno != ENOSYS)
            code = error_errno(error, ERROR_IO, "cannot write %s", journal->path);
        if (close(journal->descriptor) && !code)
            code = error_errno(error, ERROR_IO, "cannot write %s", journal->path);
    }
    free(journal->rows);
    arena_free(&journal->arena);
    free(journal);
    return code;
}

/* ---- What was read ---- */

const char *journal_file(const struct journal *journal)
{
    return journal->path;
}

const struct journal_header *journal_get_header(const struct journal *journal)
{
    return &journal->head.header;
}

size_t journal_row_count(const struct journal *journal)
{
    return journal->row_count;
}

const struct journal_row *journal_get_row(const struct journal *journal, size_t row)
{
    return &journal->rows[row];
}

int journal_torn(const struct journal *journal, int *line)
{
    if (line)
        *line = journal->torn_line;
    return journal->torn_line != 0;
}
