#include "database/limits_file.h"
#include "base/damage.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "database/csv.h"

static const struct csv_column texts[] = {
    CSV_COLUMN("name", CSV_CHARS, struct device_limits, name, NULL),
    CSV_COLUMN("driver", CSV_CHARS, struct device_limits, driver, NULL),
};

enum { COLUMNS_MAX = 128 };

struct reader {
    struct device_limits *limits;
    char names[COLUMNS_MAX][64]; /* of the file's columns */
    size_t count;
    size_t rows;
};

static const char hint[] = "`cutune devices --format csv` writes such a file";

static bool known(const char *name)
{
    static const char *const others[] = {"device", "name", "driver", "cuda"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(name, others[i]) == 0)
            return true;
    return limit_find(name) != NULL;
}

static bool has_column(const struct reader *reader, const char *name)
{
    for (size_t i = 0; i < reader->count; i++)
        if (strcmp(reader->names[i], name) == 0)
            return true;
    return false;
}

static int missing_column(const char *name, struct error *error)
{
    int code = error_set(error, ERROR_DATA, "there is no column '%s'", name);
    error_hint(error, "%s", hint);
    return code;
}

static int take_header(struct reader *reader, const struct csv_record *record, struct error *error)
{
    int code = csv_check_names(record->cells, record->count, error);
    if (code)
        return code;
    for (size_t i = 0; i < record->count; i++) {
        if (!known(record->cells[i])) {
            code = error_set(error, ERROR_DATA, "there is no device limit '%.60s'", record->cells[i]);
            error_hint(error, "%s", hint);
            return code;
        }
        snprintf(reader->names[i], sizeof reader->names[i], "%s",
                 record->cells[i]); /* names never outnumber the room */
    }
    reader->count = record->count;
    if (!has_column(reader, "name"))
        return missing_column("name", error);
    for (size_t i = 0; i < limit_count; i++)
        if (!has_column(reader, limit_rows[i].name))
            return missing_column(limit_rows[i].name, error);
    return 0;
}

/* Converts "13.0" to 13000. */
static int read_cuda(const char *cell, int64_t *cuda, struct error *error)
{
    int major, minor, end = 0;
    *cuda = 0;
    if (!*cell)
        return 0;
    if (strlen(cell) > 6 || sscanf(cell, "%3d.%2d%n", &major, &minor, &end) != 2 || cell[end] || major < 0 ||
        minor < 0) {
        int code = error_set(error, ERROR_DATA, "cuda cannot be '%.60s'", cell);
        error_hint(error, "expected a version, as in 13.0");
        return code;
    }
    *cuda = major * 1000 + minor * 10;
    return 0;
}

static int read_limit(const struct limit_row *row, const char *cell, struct device_limits *limits, struct error *error)
{
    const struct csv_column column = {row->name, row->description, CSV_NATURAL, row->offset, sizeof(int64_t), NULL, 0};
    int code = *cell ? csv_cell_read(&column, cell, limits, error) : 0;
    if (*cell && !code && limit_get(limits, row) < row->least) {
        code = error_set(error, ERROR_DATA, "%s cannot be '%.60s'", row->name, cell);
        error_hint(error, "every device has more: %s", row->description);
    }
    if (*cell)
        return code;
    code = error_set(error, ERROR_DATA, "%s has no value", row->name);
    error_hint(error, "every limit is needed: %s", row->description);
    return code;
}

static int read_cell(const char *name, const char *cell, struct device_limits *limits, struct error *error)
{
    const struct limit_row *limit = limit_find(name);
    int text = csv_column_find(texts, sizeof texts / sizeof *texts, name);
    if (limit)
        return read_limit(limit, cell, limits, error);
    if (text >= 0)
        return csv_cell_read(&texts[text], cell, limits, error);
    return strcmp(name, "cuda") == 0 ? read_cuda(cell, &limits->cuda, error) : 0;
}

static int take_row(struct reader *reader, const struct csv_record *record, struct error *error)
{
    struct device_limits limits = {.driver = "unknown"};
    if (record->count != reader->count)
        return error_set(error, ERROR_DATA, "%zu cells, but %zu columns", record->count, reader->count);
    for (size_t i = 0; i < record->count; i++) {
        int code = read_cell(reader->names[i], record->cells[i], &limits, error);
        if (code)
            return code;
    }
    if (!limits.name[0])
        return error_set(error, ERROR_DATA, "the device has no name");
    if (reader->rows++ == 0) {
        *reader->limits = limits;
    } else if (strcmp(reader->limits->name, limits.name) != 0) {
        int code = error_set(error, ERROR_DATA, "a second device: %s and %s", reader->limits->name, limits.name);
        error_hint(error, "keep the header and the row of one device");
        return code;
    }
    return 0;
}

static int take(void *context, const struct csv_record *record, struct error *error)
{
    struct reader *reader = context;
    if (reader->count)
        return take_row(reader, record, error);
    if (record->count > COLUMNS_MAX)
        return error_set(error, ERROR_DATA, "the file has more than %d columns", COLUMNS_MAX);
    return take_header(reader, record, error);
}

int limits_parse(const char *path, const char *text, size_t length, struct device_limits *limits, struct error *error)
{
    size_t at = csv_mark_length(text, length);
    int line = 1;
    while (at < length && text[at] == '#') {
        const char *newline = memchr(text + at, '\n', length - at);
        at = newline ? (size_t)(newline - text) + 1 : length;
        line++;
    }
    struct reader *reader = calloc(1, sizeof *reader);
    if (!reader)
        return error_memory(error);
    reader->limits = limits;
    int code = csv_records(path, text + at, length - at, line, take, reader, error);
    if (!code && reader->rows == 0) {
        code = error_set(error, ERROR_DATA, reader->count ? "the file has no device" : "the file is empty");
        error_place(error, path, 0, 0);
        error_hint(error, "%s", hint);
    }
    free(reader);
    return code;
}

int limits_read(const char *path, struct device_limits *limits, struct error *error)
{
    struct text text = {0};
    int code = csv_load(path, &text, error);
    if (!code)
        code = damage_explain(DAMAGE_LIMITS, path, text_string(&text), text.length,
                              limits_parse(path, text_string(&text), text.length, limits, error), error);
    text_free(&text);
    return code;
}
