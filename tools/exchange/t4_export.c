#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "base/text.h"
#include "database/csv.h"
#include "exchange/exchange.h"
#include "exchange/json_read.h"
#include "exchange/t4.h"
#include "journal/journal_head.h"

/* ---- Journals imported from T4 ---- */

/* Reads the object in a text of the journal as strict JSON without white space, since the journal may have been edited
 * after the import. False if it is invalid. */
static bool read_object(const char *text, struct text *minified, bool *empty, bool *has_configuration)
{
    struct error ignored = {0};
    const struct json_text json = {.source = {.path = "", .text = text, .length = strlen(text)}, .error = &ignored};
    cJSON *object = NULL;
    size_t at;
    bool good = !json_parse(&json, T4_BYTES_MAX, SIZE_MAX, &object, &at) && cJSON_IsObject(object) &&
                !json_minify(&json, at, minified);
    *empty = good && !object->child;
    *has_configuration = good && cJSON_GetObjectItemCaseSensitive(object, "configuration");
    cJSON_Delete(object);
    return good;
}

static int add_kept(struct text *out, const struct journal_header *header, const struct journal_row *row,
                    const char *kept, struct error *error)
{
    struct text object = {0};
    bool empty, has;
    int code = 0;
    if (!read_object(kept, &object, &empty, &has)) {
        code = error_set(error, ERROR_DATA, "the column '" T4_COLUMN "' holds no JSON object: '%.60s'", kept);
    } else if (has) {
        text_append(out, object.bytes, object.length);
    } else {
        text_printf(out, "{\"configuration\":");
        t4_configuration(out, header, row->values);
        text_append(out, empty ? "" : ",", !empty);
        text_append(out, object.bytes + 1, object.length - 1);
    }
    out->failed |= object.failed;
    text_free(&object);
    return code;
}

/* ---- Other journals ---- */

static bool ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text), end = strlen(ending);
    return length >= end && strcmp(text + length - end, ending) == 0;
}

static int add_column(struct text *out, const struct csv_column *column, const struct measurement *measurement,
                      struct error *error)
{
    char buffer[CSV_BUFFER_BYTES];
    const char *cell, *unit = column->kind == CSV_VALUE           ? column->objective->unit
                              : ends_with(column->name, "_ns")    ? "ns"
                              : ends_with(column->name, "_bytes") ? "bytes"
                                                                  : "";
    bool value = column->kind == CSV_VALUE && strcmp(column->name, objective_columns(column->objective)->value) == 0;
    int code = csv_cell_text(column, measurement, buffer, &cell, error);
    if (code || !*cell)
        return code;
    text_printf(out, "%s{\"name\":\"%s\",\"value\":", out->bytes[out->length - 1] == '[' ? "" : ",",
                value ? column->objective->name : column->name);
    if (t4_is_number(cell) && column->kind != CSV_TEXT && column->kind != CSV_CHARS)
        text_append(out, cell, strlen(cell));
    else
        t4_string(out, cell);
    text_printf(out, ",\"unit\":\"%s\"}", unit);
    return 0;
}

static int add_row(struct text *out, const struct journal_header *header, const struct journal_row *row,
                   struct error *error)
{
    const struct measurement *measurement = &row->measurement;
    struct csv_column columns[JOURNAL_COLUMNS];
    int code = 0;
    text_printf(out, "{\"configuration\":");
    t4_configuration(out, header, row->values);
    text_printf(out, ",\"times\":{");
    if (measurement->compile_ns >= 0)
        text_printf(out, "\"compilation\":%lld,", (long long)measurement->compile_ns);
    if (measurement->measure_ns >= 0) /* verifying and timing together */
        text_printf(out, "\"validation\":%lld,", (long long)measurement->measure_ns);
    text_printf(out, "\"runtimes\":[]},\"invalidity\":\"%s\",\"correctness\":%d,\"measurements\":[",
                status_t4(measurement->status), strcmp(status_t4(measurement->status), "correct") == 0);
    size_t count = journal_columns(measurement_objective(measurement), columns);
    for (size_t i = 0; i < count && !code; i++)
        code = add_column(out, &columns[i], measurement, error);
    text_printf(out, "],\"objectives\":[\"%s\"]}", measurement_objective(measurement)->name);
    return code;
}

/* Appends the file's members outside the rows. */
static int add_rest(struct text *out, const struct journal *journal, struct error *error)
{
    struct text object = {0};
    bool empty, has;
    int code = 0;
    if (read_object(journal_get_header(journal)->t4, &object, &empty, &has))
        text_printf(out, "%s%s\n", empty ? "" : ",\n", text_string(&object) + 1);
    else
        code = error_set(error, ERROR_DATA, "%s: the header line 't4' holds no JSON object", journal_file(journal));
    out->failed |= object.failed;
    text_free(&object);
    return code;
}

static int add_origin(struct text *out, const struct journal *journal, struct error *error)
{
    struct text lines = {0};
    size_t libraries;
    int code = journal_head_print(&lines, journal_get_header(journal), error);
    text_printf(out, ",\n\"metadata\":{\"timeunit\":\"nanoseconds\",\"" T4_ORIGIN "\":");
    t4_string(out, text_string(&lines));
    if (journal_evidence_count(journal)) {
        text_printf(out, ",\"" T4_EVIDENCE "\":");
        t4_evidence(out, journal);
    }
    journal_get_libraries(journal, &libraries);
    if (libraries) {
        text_printf(out, ",\"" T4_LIBRARIES "\":");
        t4_libraries(out, journal);
    }
    text_printf(out, "},\"schema_version\":\"1.0.0\"}\n");
    text_free(&lines);
    return code;
}

int t4_export(const struct journal *journal, struct text *out, struct error *error)
{
    const struct journal_header *header = journal_get_header(journal);
    bool kept = header->t4 && *header->t4;
    struct text piece = {0};
    size_t column = 0;
    int code = 0;
    while (column < header->extra_count && strcmp(header->extras[column], T4_COLUMN) != 0)
        column++;
    if (kept != (column < header->extra_count))
        return error_set(error, ERROR_DATA,
                         "%s has one of the header line 't4' and the column '" T4_COLUMN "', not both",
                         journal_file(journal));
    if (journal_row_count(journal) == 0)
        return error_set(error, ERROR_DATA, "%s has no rows to export", journal_file(journal));
    text_printf(out, "{\"results\":[");
    for (size_t i = 0; i < journal_row_count(journal) && !code; i++) {
        struct journal_row row = journal_get_row(journal, i);
        text_clear(&piece);
        text_append(out, i ? ",\n" : "\n", i ? 2 : 1);
        code = kept ? add_kept(&piece, header, &row, row.extras[column], error) : add_row(&piece, header, &row, error);
        text_append_clean(out, text_string(&piece), "", TEXT_JSON);
        out->failed |= piece.failed;
        if (code)
            error_place(error, journal_file(journal), 0, 0);
    }
    text_printf(out, "\n]");
    text_clear(&piece);
    if (!code)
        code = kept ? add_rest(&piece, journal, error) : add_origin(&piece, journal, error);
    text_append_clean(out, text_string(&piece), "\n", TEXT_JSON);
    out->failed |= piece.failed;
    text_free(&piece);
    return code ? code : out->failed ? error_memory(error) : 0;
}
