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
#include "journal/journal_outcomes.h"

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

/* The median time of a run; NaN: unknown. */
static double median_ns(const struct measurement *measurement)
{
    const struct objective *objective = measurement_objective(measurement);
    bool time = objective->seconds > 0 && objective->seconds == objective_default()->seconds;
    return !measurement_has_value(measurement) ? NAN
           : objective->per_work || !time      ? measurement->run_ns
                                               : measurement->value;
}

/* The configuration's energy among the journal's last ones; NULL: none. */
static const struct energy *find_energy(const struct journal *journal, const char *const *values)
{
    size_t count;
    const struct journal_energy *energies = journal_last_energies(journal, &count);
    const size_t width = journal_get_header(journal)->parameter_count;
    for (size_t i = 0; i < count; i++) {
        size_t p = 0;
        while (p < width && strcmp(energies[i].values[p], values[p]) == 0)
            p++;
        if (p == width)
            return &energies[i].energy;
    }
    return NULL;
}

/* Appends what an energy says to the measurements, and to the objectives if it has a value. */
static void add_energy(const struct energy *energy, struct text *out, struct text *objectives)
{
    const struct objective *const rows[] = {&objective_row_energy, &objective_row_power, &objective_row_energy_delay};
    for (size_t i = 0; i < sizeof rows / sizeof *rows && energy; i++) {
        const struct objective *objective = energy_objective(rows[i], !isnan(energy->work));
        const struct bounded value = energy_value(energy, objective, 0.95);
        const struct objective_columns *names = objective_columns(objective);
        const struct {
            const char *name;
            double number;
        } numbers[] = {{objective->name, value.value}, {names->low, value.low}, {names->high, value.high}};
        char number[TEXT_REAL_BYTES];
        if (isnan(value.value))
            continue;
        text_printf(objectives, ",\"%s\"", objective->name);
        for (size_t k = 0; k < 3; k++)
            if (isfinite(numbers[k].number))
                text_printf(out, "%s{\"name\":\"%s\",\"value\":%s,\"unit\":\"%s\"}",
                            out->bytes[out->length - 1] == '[' ? "" : ",", numbers[k].name,
                            text_real(numbers[k].number, number), objective->unit);
    }
}

/* Appends the members of a result behind its opening bracket. `energy`: of a row that stands; NULL: none. */
static int add_row(struct text *out, const struct journal_header *header, const struct journal_row *row,
                   const struct energy *energy, struct error *error)
{
    struct text objectives = {0};
    const struct measurement *measurement = &row->measurement;
    struct csv_column columns[JOURNAL_COLUMNS];
    const bool sampled = row->samples && *row->samples, has_median = median_ns(measurement) > 0;
    char number[TEXT_REAL_BYTES];
    int code = 0;
    text_printf(out, "\"configuration\":");
    t4_configuration(out, header, row->values);
    text_printf(out, ",\"times\":{");
    if (measurement->compile_ns >= 0)
        text_printf(out, "\"compilation\":%lld,", (long long)measurement->compile_ns);
    if (measurement->measure_ns >= 0) /* verifying and timing together */
        text_printf(out, "\"validation\":%lld,", (long long)measurement->measure_ns);
    text_printf(out, "\"runtimes\":[");
    if (sampled)
        code = t4_samples(out, row->samples, error);
    else if (has_median)
        text_printf(out, "%s", text_real(median_ns(measurement), number));
    text_printf(out, "]},\"invalidity\":\"%s\",\"correctness\":%d,\"measurements\":[", status_t4(measurement->status),
                strcmp(status_t4(measurement->status), "correct") == 0);
    size_t count = journal_columns(measurement_objective(measurement), columns);
    for (size_t i = 0; i < count && !code; i++)
        code = add_column(out, &columns[i], measurement, error);
    if (sampled || (row->samples && has_median))
        text_printf(out, ",{\"name\":\"" T4_RUNTIMES "\",\"value\":\"%s\",\"unit\":\"\"}",
                    sampled ? T4_SAMPLES : T4_MEDIAN);
    add_energy(energy, out, &objectives);
    text_printf(out, "],\"objectives\":[\"%s\"%s]}", measurement_objective(measurement)->name,
                text_string(&objectives));
    out->failed |= objectives.failed;
    text_free(&objectives);
    return code;
}

/* Marks the row of each configuration that counts. NULL when out of memory. */
static bool *standing_rows(const struct journal *journal, struct error *error)
{
    struct journal_outcomes read = {.journal = NULL};
    bool *stands = calloc(journal_row_count(journal) + 1, sizeof *stands);
    int code = stands ? journal_outcomes_read(&read, journal, error) : error_memory(error);
    for (size_t i = 0; !code && i < read.outcomes.count; i++) {
        const struct outcome *outcome = &read.outcomes.items[i];
        stands[(outcome->final ? outcome->final : outcome->last) - read.measurements] = true;
    }
    journal_outcomes_free(&read);
    if (code) {
        free(stands);
        return NULL;
    }
    return stands;
}

/* A journal that becomes T4. */
struct export
{
    const struct journal *journal;
    size_t column; /* of the extra columns, T4_COLUMN; SIZE_MAX: the journal is not from T4 */
    bool *stands;  /* by row; NULL: all */
};

/* Appends a list of the rows that stand, or of the others with their numbers. */
static int add_rows(struct text *out, const struct export *export, bool standing, struct error *error)
{
    const struct journal_header *header = journal_get_header(export->journal);
    struct text piece = {0};
    const char *separator = "[\n";
    int code = 0;
    for (size_t i = 0; i < journal_row_count(export->journal) && !code; i++) {
        struct journal_row row = journal_get_row(export->journal, i);
        if (export->stands && export->stands[i] != standing)
            continue;
        text_clear(&piece);
        if (export->column != SIZE_MAX) {
            code = add_kept(&piece, header, &row, row.extras[export->column], error);
        } else {
            text_printf(&piece, "{");
            if (!standing)
                text_printf(&piece, "\"row\":%zu,", i);
            code = add_row(&piece, header, &row, standing ? find_energy(export->journal, row.values) : NULL, error);
        }
        text_printf(out, "%s", separator);
        text_append_clean(out, text_string(&piece), "", TEXT_JSON);
        out->failed |= piece.failed;
        separator = ",\n";
        if (code)
            error_place(error, journal_file(export->journal), 0, 0);
    }
    text_printf(out, "\n]");
    text_free(&piece);
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

static int add_origin(struct text *out, const struct export *export, struct error *error)
{
    const struct journal *journal = export->journal;
    struct text lines = {0};
    size_t libraries, earlier = 0;
    int code = journal_head_print(&lines, journal_get_header(journal), error);
    const struct journal_header *header = journal_get_header(journal);
    text_printf(out, ",\n\"metadata\":{\"timeunit\":\"nanoseconds\",\"" T4_RUNTIMES "\":\"%s\",\"" T4_ORIGIN "\":",
                journal_find_samples(header) < header->extra_count ? T4_KEPT : T4_MEDIANS);
    t4_string(out, text_string(&lines));
    for (size_t i = 0; i < journal_row_count(journal); i++)
        earlier += !export->stands[i];
    if (earlier) {
        text_printf(out, ",\"" T4_EARLIER "\":");
        code = code ? code : add_rows(out, export, false, error);
    }
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
    struct export export = {.journal = journal};
    bool kept = header->t4 && *header->t4;
    struct text rest = {0};
    while (export.column < header->extra_count && strcmp(header->extras[export.column], T4_COLUMN) != 0)
        export.column++;
    if (kept != (export.column < header->extra_count))
        return error_set(error, ERROR_DATA,
                         "%s has one of the header line 't4' and the column '" T4_COLUMN "', not both",
                         journal_file(journal));
    if (journal_row_count(journal) == 0)
        return error_set(error, ERROR_DATA, "%s has no rows to export", journal_file(journal));
    if (!kept) {
        export.column = SIZE_MAX;
        if (!(export.stands = standing_rows(journal, error)))
            return ERROR_MEMORY;
    }
    text_printf(out, "{\"results\":");
    int code = add_rows(out, &export, true, error);
    if (!code)
        code = kept ? add_rest(&rest, journal, error) : add_origin(&rest, &export, error);
    text_append_clean(out, text_string(&rest), "\n", TEXT_JSON);
    out->failed |= rest.failed;
    text_free(&rest);
    free(export.stands);
    return code ? code : out->failed ? error_memory(error) : 0;
}
