/* Reads journals. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/damage.h"
#include "base/file.h"
#include "base/samples_text.h"
#include "base/text.h"
#include "database/csv.h"
#include "journal/journal_state.h"

/* ---- Rows ---- */

static int copy_names(struct arena *arena, const char *const *cells, size_t count, const char ***names,
                      struct error *error)
{
    if (!(*names = arena_array(arena, count + 1, sizeof **names)))
        return error_memory(error);
    for (size_t i = 0; i < count; i++)
        if (!((*names)[i] = arena_copy(arena, cells[i], strlen(cells[i]))))
            return error_memory(error);
    return 0;
}

/* Finds the objective whose value has a column; without a column, as in a journal of failures alone, the default. */
static void find_objective(struct journal *journal, const char *const *cells, size_t count)
{
    const struct objective *found = objective_default();
    for (size_t o = 0; o < OBJECTIVE_COUNT; o++)
        for (size_t i = 0; i < count; i++)
            if (strcmp(cells[i], objective_columns(objective_rows[o])->value) == 0)
                found = objective_rows[o];
    journal->head.header.objective = found;
    journal->known_count = journal_columns(found, journal->known);
}

/* Distinguishes cutune's columns after the parameters from extra ones. */
static int match_columns(struct journal *journal, const char *const *cells, size_t count, struct error *error)
{
    struct journal_header *header = &journal->head.header;
    const char **extras = arena_array(&journal->arena, count + 1, sizeof *extras);
    bool has_status = false;
    journal->columns = arena_array(&journal->arena, count, sizeof *journal->columns);
    if (!extras || !journal->columns)
        return error_memory(error);
    find_objective(journal, cells, count);
    for (size_t i = 0; i < count; i++) {
        int column = journal_column_find(journal->known, journal->known_count, cells[i]);
        has_status |= column >= 0 && journal->known[column].kind == CSV_STATUS;
        if (column < 0) {
            column = -1 - (int)header->extra_count;
            extras[header->extra_count++] = cells[i];
        }
        journal->columns[i] = column;
    }
    journal->column_count = count;
    if (!has_status)
        return error_set(error, ERROR_DATA, "no column 'status' behind the %zu parameters", header->parameter_count);
    int code = copy_names(&journal->arena, extras, header->extra_count, &extras, error);
    header->extras = extras;
    journal->samples = code ? 0 : journal_find_samples(header);
    return code;
}

static int read_column_names(struct journal *journal, const struct csv_record *record, struct error *error)
{
    struct journal_header *header = &journal->head.header;
    size_t parameters = journal->head.parameters;
    const char **names;
    if (!journal->head.has_parameters)
        return error_set(error, ERROR_DATA, "the header has no line '# parameters = N'");
    if (parameters >= record->count)
        return error_set(error, ERROR_DATA, "%zu columns, too few for %zu parameters", record->count, parameters);
    int code = copy_names(&journal->arena, record->cells, parameters, &names, error);
    if (code)
        return code;
    header->parameters = names;
    header->parameter_count = parameters;
    code = match_columns(journal, record->cells + parameters, record->count - parameters, error);
    journal->texts = arena_array(&journal->arena, parameters + header->extra_count + 1, sizeof *journal->texts);
    if (!code && (!journal->texts || !journal_rows_start(&journal->rows, parameters + header->extra_count)))
        code = error_memory(error);
    /* A parameter may have the name of a measurement's column; its position distinguishes them. */
    if (!code)
        code = csv_check_names(record->cells, parameters, error);
    return code ? code : csv_check_names(record->cells + parameters, journal->column_count, error);
}

/* The cell of a column, JOURNAL_COLUMN_...; "" if the file does not have it. */
static const char *cell_of(const struct journal *journal, const char *const *cells, int column)
{
    for (size_t i = 0; i < journal->column_count; i++)
        if (journal->columns[i] == column)
            return cells[i];
    return "";
}

static int read_evidence(struct journal *journal, const char *const *cells, struct error *error)
{
    struct evidence evidence;
    const char *kernel = cell_of(journal, cells, JOURNAL_COLUMN_kernel);
    int code = evidence_parse(cell_of(journal, cells, JOURNAL_COLUMN_message), &evidence, error);
    if (!code && strlen(kernel) >= sizeof evidence.kernel)
        code = error_set(error, ERROR_DATA, "kernel: '%.60s' is too long", kernel);
    if (code)
        return code;
    strcpy(evidence.kernel, kernel);
    return journal_evidences_add(&journal->evidences, journal->texts, journal->head.header.parameter_count, &evidence,
                                 error);
}

static int check_samples(const struct journal *journal, const struct measurement *row, struct error *error)
{
    const struct journal_header *header = &journal->head.header;
    struct error why = {0};
    if (journal->samples == header->extra_count ||
        !samples_text_check(journal->texts[header->parameter_count + journal->samples], row->samples, &why))
        return 0;
    error_set(error, why.code, JOURNAL_SAMPLES ": %s", why.message);
    if (*why.hint)
        error_hint(error, "%s", why.hint);
    return why.code;
}

/* Reads cutune's own cells (only those with its time and states for a library) and keeps the others. */
static int read_cells(struct journal *journal, const char *const *cells, bool library, struct measurement *row,
                      struct error *error)
{
    int code = 0;
    *row = measurement_unknown(STATUS_OK);
    row->objective = objective_number(journal->head.header.objective);
    for (size_t i = 0; i < journal->column_count && !code; i++) {
        const struct csv_column *column = journal->columns[i] < 0 ? NULL : &journal->known[journal->columns[i]];
        if (!column)
            journal->texts[journal->head.header.parameter_count + (size_t)(-1 - journal->columns[i])] = cells[i];
        else if (!library || column->kind == CSV_VALUE || column->kind == CSV_COUNT ||
                 journal->columns[i] == JOURNAL_COLUMN_states)
            code = csv_cell_read(column, cells[i], row, error);
    }
    if (!code && !library)
        code = check_samples(journal, row, error);
    return code ? code : range_check_interval(row->low, row->high, error);
}

static int read_row(void *context, const struct csv_record *record, struct error *error)
{
    struct journal *journal = context;
    if (journal->column_count == 0)
        return read_column_names(journal, record, error);
    size_t parameters = journal->head.header.parameter_count;
    if (record->count != parameters + journal->column_count) {
        error_set(error, ERROR_DATA, "%zu cells where there are %zu columns", record->count,
                  parameters + journal->column_count);
        error_hint(error, "delete this line: its configuration is then measured again");
        return ERROR_DATA;
    }
    for (size_t i = 0; i < parameters; i++) {
        if (record->cells[i][0] == '\0')
            return error_set(error, ERROR_DATA, "%s has no value", journal->head.header.parameters[i]);
        journal->texts[i] = record->cells[i];
    }
    const char *const *cells = record->cells + parameters, *status = cell_of(journal, cells, JOURNAL_COLUMN_status);
    bool library = strcmp(status, JOURNAL_LIBRARY) == 0;
    struct measurement row;
    if (strcmp(status, JOURNAL_EVIDENCE) == 0)
        return read_evidence(journal, cells, error);
    if (strcmp(status, JOURNAL_ENERGY) == 0)
        return journal_energies_read(&journal->energies, journal->texts, parameters,
                                     cell_of(journal, cells, JOURNAL_COLUMN_message),
                                     cell_of(journal, cells, JOURNAL_COLUMN_states), error);
    int code = read_cells(journal, cells, library, &row, error);
    if (!code && library)
        return journal_libraries_add(&journal->libraries, journal->texts, parameters, &row,
                                     cell_of(journal, cells, JOURNAL_COLUMN_kernel),
                                     cell_of(journal, cells, JOURNAL_COLUMN_message), error);
    if (!code && !journal_rows_add(&journal->rows, journal->texts, &row))
        code = error_memory(error);
    return code;
}

/* ---- Reading ---- */

int journal_new(struct journal **journal, const char *path, struct error *error)
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

/* A journal that is read in pieces of the file. */
struct stream {
    struct journal *journal;
    struct csv_reader *rows; /* NULL: the header lines are not read yet */
    struct error *error;
};

static int read_head(struct stream *stream, const char *text, size_t whole, bool empty, size_t *done)
{
    struct journal *journal = stream->journal;
    size_t at = csv_mark_length(text, whole);
    int line = 1;
    if (at >= whole) {
        error_set(stream->error, ERROR_DATA, empty ? "the journal is empty" : "the journal ends within its first line");
        error_place(stream->error, journal->path, 1, 0);
        return ERROR_DATA;
    }
    int code =
        journal_head_read(&journal->head, &journal->arena, journal->path, text, whole, &at, &line, stream->error);
    *done = at;
    return code ? code : csv_reader_open(&stream->rows, journal->path, line, read_row, journal, stream->error);
}

/* Reads the complete lines of `text` and sets *done to their length in bytes. The caller passes the rest again with
 * more text. An incomplete line in the `last` piece is torn. */
static int read_piece(struct stream *stream, const char *text, size_t length, bool last, size_t *done)
{
    struct journal *journal = stream->journal;
    /* The run was killed while it wrote an incomplete last line. */
    size_t whole = text_whole_lines(text, length), head = 0;
    int code = 0;
    *done = 0;
    if (!stream->rows) {
        if (!last && !journal_head_ends(text, whole))
            return 0;
        code = read_head(stream, text, whole, length == 0, &head);
    }
    if (!code)
        code = csv_reader_feed(stream->rows, text + head, whole - head);
    if (!code && last)
        code = csv_reader_end(stream->rows);
    if (code)
        return code;
    *done = whole;
    journal->length += (off_t)whole;
    if (last && whole < length) {
        journal->torn_line = csv_reader_line(stream->rows);
        journal->torn = (off_t)(length - whole);
    }
    if (last && journal->column_count == 0) {
        code = error_set(stream->error, ERROR_DATA, "the journal ends before its column names");
        error_place(stream->error, journal->path, csv_reader_line(stream->rows), 0);
    }
    return code;
}

/* Bytes of the file that are not yet processed. */
struct pending {
    char *bytes;
    size_t length, room;
};

/* Appends what a read returns; sets *end at the end of the file. */
static int read_chunk(int descriptor, const char *path, struct pending *pending, bool *end, struct error *error)
{
    if (pending->room - pending->length <
        JOURNAL_CHUNK_BYTES) { /* doubling limits the number of scans of a long line */
        size_t room = 2 * pending->room + 2 * JOURNAL_CHUNK_BYTES;
        char *bytes = realloc(pending->bytes, room);
        if (!bytes)
            return error_memory(error);
        pending->bytes = bytes;
        pending->room = room;
    }
    ssize_t got;
    do
        got = read(descriptor, pending->bytes + pending->length, pending->room - pending->length);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return error_errno(error, ERROR_IO, "cannot read %s", path);
    pending->length += (size_t)got;
    *end = got == 0;
    return 0;
}

static int read_descriptor(struct journal *journal, int descriptor, struct error *error)
{
    struct stream stream = {.journal = journal, .error = error};
    struct pending pending = {0};
    bool end = false;
    int code = 0;
    while (!code && !end) {
        size_t done = 0;
        code = read_chunk(descriptor, journal->path, &pending, &end, error);
        if (!code)
            code = read_piece(&stream, pending.bytes, pending.length, end, &done);
        pending.length -= done;
        if (done)
            memmove(pending.bytes, pending.bytes + done, pending.length);
    }
    csv_reader_close(stream.rows);
    free(pending.bytes);
    return code;
}

int journal_load(struct journal *journal, struct error *error)
{
    int code = file_check_regular(journal->path, error);
    int descriptor = code ? -1 : open(journal->path, O_RDONLY | O_CLOEXEC);
    if (!code && descriptor < 0)
        code = error_errno(error, errno == ENOENT ? ERROR_NOT_FOUND : ERROR_IO, "cannot open %s", journal->path);
    if (!code)
        code = read_descriptor(journal, descriptor, error);
    if (descriptor >= 0)
        close(descriptor);
    return code ? damage_explain_file(DAMAGE_JOURNAL, journal->path, code, error) : 0;
}

int journal_parse(struct journal **journal, const char *path, const char *text, size_t length, struct error *error)
{
    struct journal *fresh = NULL;
    int code = journal_new(&fresh, path, error);
    if (code)
        return code;
    struct stream stream = {.journal = fresh, .error = error};
    size_t done;
    code = read_piece(&stream, text, length, true, &done);
    csv_reader_close(stream.rows);
    if (code)
        journal_close(fresh, NULL);
    else
        *journal = fresh;
    return code;
}

int journal_read(struct journal **journal, const char *path, struct error *error)
{
    struct journal *fresh = NULL;
    int code = journal_new(&fresh, path, error);
    if (code)
        return code;
    if ((code = journal_load(fresh, error)))
        journal_close(fresh, NULL);
    else
        *journal = fresh;
    return code;
}
