#include "database/database.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/damage.h"
#include "base/file.h"
#include "base/pairs.h"
#include "base/range.h"
#include "database/csv.h"
#include "database/rule.h"

enum {
#define COLUMN(name, kind, field, meaning) COLUMN_##name,
#define PROVENANCE(name)                   COLUMN_##name,
#define VALUE(field)                       COLUMN_##field,
#include "database/database_columns.def"
#undef COLUMN
#undef PROVENANCE
#undef VALUE
    OWN_COLUMNS,
    VALUES = 4, /* columns of each objective */
    COLUMNS = OWN_COLUMNS + VALUES * (OBJECTIVE_COUNT - 1)
};

static const struct csv_column columns[COLUMNS] = {
#define KIND_INT        CSV_INTEGER
#define KIND_WHOLE      CSV_WHOLE
#define KIND_INTEGER    CSV_WHOLE
#define KIND_COUNT      CSV_COUNT
#define KIND_REAL       CSV_REAL
#define KIND_ABOVE_ZERO CSV_ABOVE_ZERO
#define KIND_TEXT       CSV_TEXT
#define KIND_NAME       CSV_NAME
#define KIND_PAIRS      CSV_TEXT
#define KIND_CHARS      CSV_CHARS
#define COLUMN(name, kind, field, meaning)                                                                             \
    [COLUMN_##name] = CSV_COLUMN(#name, KIND_##kind, struct best, field, meaning),
#define PROVENANCE(name) /* from provenance.def, included below */
#define VALUE(field)     /* from objectives.def */
#define JOURNAL_FIELD(field, kind, key, part, meaning)
#define FIELD(field, kind, key, column, part, meaning) COLUMN(column, kind, provenance.field, meaning)
#define VALUE_COLUMN(of, place, field, name, meaning)                                                                  \
    [OBJECTIVE_##of ? OWN_COLUMNS + VALUES * (OBJECTIVE_##of - 1) + place : COLUMN_##                                  \
        field] = {name,                                                                                                \
                  meaning,                                                                                             \
                  CSV_VALUE,                                                                                           \
                  offsetof(struct best, field),                                                                        \
                  sizeof(double),                                                                                      \
                  &objective_row_##of,                                                                                 \
                  offsetof(struct best, objective)},
#define OBJECTIVE(name, at_value, at_low, at_high, at_default)                                                         \
    VALUE_COLUMN(name, 0, value, #at_value, "median over the samples")                                                 \
    VALUE_COLUMN(name, 1, low, #at_low, "lower end of the median's confidence interval")                               \
    VALUE_COLUMN(name, 2, high, #at_high, "upper end of the median's confidence interval")                             \
    VALUE_COLUMN(name, 3, default_value, #at_default, "median of the default configuration")
#include "base/provenance.def"
#include "database/database_columns.def"
#include "lists/objectives.def"
#undef COLUMN
#undef PROVENANCE
#undef VALUE
#undef JOURNAL_FIELD
#undef FIELD
#undef OBJECTIVE
};

const struct csv_column *database_columns(size_t *count)
{
    if (count)
        *count = COLUMNS;
    return columns;
}

/* The columns that every row needs. */
static const struct {
    const char *name;
    bool may_be_empty;
} required[] = {{"schema", false}, {"kernel", false},    {"device", false},
                {"problem", true}, {"objective", false}, {"configuration", true}};

struct row {
    struct best best;
    const char *const *cells; /* in the order of the file's columns */
    int line;
};

struct database {
    struct arena arena;
    const char *path;
    char generation[HASH_HEX_BYTES];
    size_t column_count; /* of the file; 0: the header is not read yet */
    const char **names;  /* names of the file's columns */
    int *known;          /* for each of them, its index in `columns`, or -1 */
    int places[COLUMNS]; /* for each of `columns`, its index in the file, or -1 */
    struct row *rows;    /* by key */
    size_t count, room;
};

/* ---- Reading ---- */

bool database_is_fit(const struct best *best)
{
    return best->fit && *best->fit;
}

bool database_optional(const struct csv_column *column)
{
    return column == &columns[COLUMN_fit] || column == &columns[COLUMN_fit_quality] ||
           column == &columns[COLUMN_condition] || column == &columns[COLUMN_states] ||
           column == &columns[COLUMN_library_states] ||
           (column->kind == CSV_VALUE && column->objective != objective_default());
}

int database_compare_keys(const struct best *a, const struct best *b)
{
    const struct provenance *x = &a->provenance, *y = &b->provenance;
    int order = strcmp(x->kernel, y->kernel);
    order = order ? order : strcmp(x->device.name, y->device.name);
    order = order ? order : database_is_fit(a) - database_is_fit(b);
    order = order || database_is_fit(a) ? order : pairs_compare(x->problem, y->problem);
    return order ? order : strcmp(objective_aim(a->objective), objective_aim(b->objective));
}

static int compare_rows(const void *a, const void *b)
{
    const struct row *first = a, *second = b;
    int order = database_compare_keys(&first->best, &second->best);
    return order ? order : (first->line > second->line) - (first->line < second->line);
}

static const char **copy_cells(struct arena *arena, const struct csv_record *record)
{
    const char **cells = arena_array(arena, record->count, sizeof *cells);
    for (size_t i = 0; cells && i < record->count; i++)
        if (!(cells[i] = arena_copy(arena, record->cells[i], strlen(record->cells[i]))))
            return NULL;
    return cells;
}

static int read_names(struct database *database, const struct csv_record *record, struct error *error)
{
    database->names = copy_cells(&database->arena, record);
    database->known = arena_array(&database->arena, record->count, sizeof *database->known);
    if (!database->names || !database->known)
        return error_memory(error);
    database->column_count = record->count;
    for (size_t i = 0; i < record->count; i++) {
        int column = csv_column_find(columns, COLUMNS, database->names[i]);
        database->known[i] = column;
        if (column >= 0)
            database->places[column] = (int)i;
    }
    if (database->places[0] < 0) {
        error_set(error, ERROR_DATA, "not a database of cutune: its first line names no column '%s'", columns[0].name);
        return ERROR_DATA;
    }
    return csv_check_names(database->names, record->count, error);
}

static int check_required(const struct database *database, const char *const *cells, struct error *error)
{
    for (size_t i = 0; i < sizeof required / sizeof *required; i++) {
        int place = database->places[csv_column_find(columns, COLUMNS, required[i].name)];
        if (place < 0)
            return error_set(error, ERROR_DATA, "there is no column '%s'", required[i].name);
        if (!cells[place][0] && !required[i].may_be_empty)
            return error_set(error, ERROR_DATA, "the row has no %s", required[i].name);
    }
    return 0;
}

/* Checks "mean=0.98 held=0.9/-/1": numbers; in a list, "-" is an unknown one. */
static int check_quality(const char *quality, struct error *error)
{
    size_t length;
    for (const char *word = pairs_word(quality, &length); word; word = pairs_word(word + length, &length)) {
        struct pair_parts parts;
        bool right = pairs_split(word, length, &parts);
        for (size_t at = 0, size; right && at <= parts.value_length; at += size + 1) {
            char item[64];
            double number;
            for (size = 0; at + size < parts.value_length && parts.value[at + size] != '/'; size++)
                ;
            text_format(item, sizeof item, "%.*s", (int)size, parts.value + at);
            right = strcmp(item, "-") == 0 || (pairs_number(item, &number) && range_has(RANGE_AMOUNT, number));
        }
        if (right)
            continue;
        error_set(error, ERROR_DATA, "fit_quality cannot have '%.*s'", (int)(length < 60 ? length : 60), word);
        error_hint(error, "expected NAME=NUMBER, %s: fit again, or delete the row", range_expected(RANGE_AMOUNT));
        return ERROR_DATA;
    }
    return 0;
}

/* Reads cells into a row, the schema first: in a newer schema, the other cells may have any meaning. */
static int read_cells(const struct database *database, const char *const *cells, struct best *best, struct error *error)
{
    *best = (struct best){.provenance = provenance_unknown(),
                          .value = NAN,
                          .low = NAN,
                          .high = NAN,
                          .default_value = NAN,
                          .library_value = NAN,
                          .library_ratio = NAN};
    int code = csv_cell_read(&columns[0], cells[database->places[0]], best, error);
    if (code)
        return code;
    if (best->schema > DATABASE_SCHEMA) {
        error_set(error, ERROR_SCHEMA, "a row of schema %lld; this cutune reads up to schema %d",
                  (long long)best->schema, DATABASE_SCHEMA);
        error_hint(error, "use a newer cutune, or another file with --db");
        return ERROR_SCHEMA;
    }
    if ((code = check_required(database, cells, error)))
        return code;
    if (best->schema < 1) {
        error_set(error, ERROR_DATA, "schema cannot be %lld", (long long)best->schema);
        error_hint(error, "expected a whole number from 1 to %d", DATABASE_SCHEMA);
        return ERROR_DATA;
    }
    for (size_t i = 0; i < COLUMNS && !code; i++)
        code = csv_cell_read(&columns[i], database->places[i] >= 0 ? cells[database->places[i]] : "", best, error);
    if (!code && database_is_fit(best) && best->schema < DATABASE_SCHEMA_FIT)
        code = error_set(error, ERROR_DATA, "a fit is a row of schema %d, not %lld", DATABASE_SCHEMA_FIT,
                         (long long)best->schema);
    if (!code)
        code = range_check_interval(best->low, best->high, error);
    return code || !database_is_fit(best) ? code : check_quality(best->fit_quality, error);
}

static int read_row(void *context, const struct csv_record *record, struct error *error)
{
    struct database *database = context;
    if (database->column_count == 0)
        return read_names(database, record, error);
    if (record->count != database->column_count) {
        error_set(error, ERROR_DATA, "%zu cells where there are %zu columns", record->count, database->column_count);
        error_hint(error, "mend or delete this line");
        return ERROR_DATA;
    }
    if (database->count == database->room) {
        size_t room = database->room * 2 + 16;
        struct row *rows = realloc(database->rows, room * sizeof *rows);
        if (!rows)
            return error_memory(error);
        database->rows = rows;
        database->room = room;
    }
    struct row *row = &database->rows[database->count];
    row->line = record->line;
    if (!(row->cells = copy_cells(&database->arena, record)))
        return error_memory(error);
    int code = read_cells(database, row->cells, &row->best, error);
    if (!code)
        database->count++;
    return code;
}

static int sort_rows(struct database *database, struct error *error)
{
    if (database->count)
        qsort(database->rows, database->count, sizeof *database->rows, compare_rows);
    size_t kept = 0;
    for (size_t i = 0; i < database->count; i++) {
        struct row *row = &database->rows[i], *last = kept ? &database->rows[kept - 1] : NULL;
        if (!last || database_compare_keys(&last->best, &row->best) != 0) {
            database->rows[kept++] = *row;
        } else if (strcmp(last->best.provenance.problem, row->best.provenance.problem) != 0) {
            /* Earlier versions kept a row for each order of the sizes. Keeps the newer one. */
            if (strcmp(last->best.provenance.date, row->best.provenance.date) < 0)
                *last = *row;
        } else {
            error_set(error, ERROR_DATA, "the same kernel, device, problem and objective as in line %d", last->line);
            error_place(error, database->path, row->line, 0);
            error_hint(error, "delete one of the two lines");
            return ERROR_DATA;
        }
    }
    database->count = kept;
    return 0;
}

/* Makes a database without columns and rows; NULL when out of memory. */
static struct database *make(const char *path)
{
    struct database *fresh = calloc(1, sizeof *fresh);
    if (!fresh)
        return NULL;
    for (size_t i = 0; i < COLUMNS; i++)
        fresh->places[i] = -1;
    fresh->path = arena_copy(&fresh->arena, path, strlen(path));
    if (!fresh->path) {
        database_close(fresh);
        return NULL;
    }
    return fresh;
}

int database_parse(struct database **database, const char *path, const char *text, size_t length, struct error *error)
{
    struct database *fresh = make(path);
    if (!fresh)
        return error_memory(error);
    size_t mark = csv_mark_length(text, length);
    hash_hex(text, length, fresh->generation);
    int code = csv_records(path, text + mark, length - mark, 1, read_row, fresh, error);
    if (!code)
        code = sort_rows(fresh, error);
    if (code)
        database_close(fresh);
    else
        *database = fresh;
    return code;
}

int database_open(struct database **database, const char *path, struct error *error)
{
    struct text text = {0};
    struct error problem = {0};
    int code = csv_load(path, &text, &problem);
    if (code == ERROR_NOT_FOUND)
        code = 0; /* no database exists before the first run */
    else if (code && error && error->code == ERROR_NONE)
        *error = problem;
    if (!code) {
        code = database_parse(database, path, text_string(&text), text.length, error);
        damage_explain(DAMAGE_DATABASE, path, text_string(&text), text.length, code, error);
    }
    text_free(&text);
    return code;
}

bool database_begins(const char *text, size_t length)
{
    struct database *database = NULL;
    const char *newline = memchr(text, '\n', length);
    bool begins = newline && !database_parse(&database, "", text, (size_t)(newline - text) + 1, NULL);
    for (size_t i = 0; i < sizeof required / sizeof *required && begins; i++)
        begins = database->places[csv_column_find(columns, COLUMNS, required[i].name)] >= 0;
    database_close(database);
    return begins;
}

void database_close(struct database *database)
{
    if (!database)
        return;
    free(database->rows);
    arena_free(&database->arena);
    free(database);
}

size_t database_count(const struct database *database)
{
    return database->count;
}

const struct best *database_get(const struct database *database, size_t row)
{
    return &database->rows[row].best;
}

const char *database_path(const struct database *database)
{
    return database->path;
}

int database_line(const struct database *database, size_t row)
{
    return database->rows[row].line;
}

const char *const *database_names(const struct database *database, size_t *count)
{
    *count = database->column_count;
    return database->names;
}

const char *const *database_cells(const struct database *database, size_t row)
{
    return database->rows[row].cells;
}

/* ---- Writing ---- */

/* True if a file with this row needs the column. */
static bool needs(const struct best *best, const struct csv_column *column)
{
    if (column == &columns[COLUMN_condition])
        return best->condition && *best->condition;
    if (column == &columns[COLUMN_states])
        return best->states && *best->states;
    if (column == &columns[COLUMN_library_states])
        return best->library_states && *best->library_states;
    return !database_optional(column) ||
           (column->kind == CSV_VALUE ? strcmp(column->objective->name, best->objective) == 0 : database_is_fit(best));
}

/* Appends missing columns to the file's own; old rows are empty there. */
static int add_columns(struct database *database, const struct best *best, struct error *error)
{
    size_t old = database->column_count, missing = 0;
    for (size_t i = 0; i < COLUMNS; i++)
        missing += database->places[i] < 0 && needs(best, &columns[i]);
    const char **names = arena_array(&database->arena, old + missing, sizeof *names);
    int *known = arena_array(&database->arena, old + missing, sizeof *known);
    if (!names || !known)
        return error_memory(error);
    if (old) {
        memcpy(names, database->names, old * sizeof *names);
        memcpy(known, database->known, old * sizeof *known);
    }
    database->names = names;
    database->known = known;
    for (size_t i = 0; i < COLUMNS; i++)
        if (database->places[i] < 0 && needs(best, &columns[i])) {
            database->places[i] = (int)database->column_count;
            known[database->column_count] = (int)i;
            names[database->column_count++] = columns[i].name;
        }
    return database->column_count <= CSV_CELLS_MAX
               ? 0
               : error_set(error, ERROR_DATA, "the database has more than %d columns", CSV_CELLS_MAX);
}

/* Makes the cells of a new row, and the row as read back from them. */
static int make_row(struct database *database, const struct best *best, struct row *row, struct error *error)
{
    struct best copy = *best;
    char buffer[CSV_BUFFER_BYTES];
    int code = 0;
    copy.schema = database_is_fit(best) ? DATABASE_SCHEMA_FIT : DATABASE_SCHEMA_BEST;
    if (!objective_find(best->objective))
        return error_set(error, ERROR_VALUE, "there is no objective '%.60s'", best->objective);
    if (!(best->value > 0) && !database_is_fit(best))
        return error_set(error, ERROR_VALUE, "a row of the database needs a %s", best->objective);
    const char **cells = arena_array(&database->arena, database->column_count, sizeof *cells);
    if (!cells)
        return error_memory(error);
    for (size_t i = 0; i < database->column_count && !code; i++) {
        const char *cell = "";
        if (database->known[i] >= 0)
            code = csv_cell_text(&columns[database->known[i]], &copy, buffer, &cell, error);
        if (!(cells[i] = arena_copy(&database->arena, cell, strlen(cell))))
            code = error_memory(error);
    }
    row->cells = cells;
    row->line = 0;
    return code ? code : read_cells(database, cells, &row->best, error);
}

const char *database_generation(const struct database *database)
{
    return database->generation;
}

void database_set_generation(struct database *database, const char generation[HASH_HEX_BYTES])
{
    memcpy(database->generation, generation, HASH_HEX_BYTES);
}

int database_require_generation(const struct database *database, const char *generation, struct error *error)
{
    if (strcmp(database->generation, generation) == 0)
        return 0;
    error_set(error, ERROR_DATA, "%s has the generation %s, not %.60s", database->path, database->generation,
              generation);
    error_hint(error, "the file has changed; use the snapshot of that generation, or pin the new one");
    return ERROR_DATA;
}

int database_from_row(struct database **database, const char *path, const struct best *best, struct error *error)
{
    struct database *fresh = make(path);
    int code = fresh && (fresh->rows = calloc(1, sizeof *fresh->rows)) ? 0 : error_memory(error);
    if (!code)
        code = add_columns(fresh, best, error);
    if (!code)
        code = make_row(fresh, best, fresh->rows, error);
    if (code) {
        database_close(fresh);
        return code;
    }
    fresh->count = fresh->room = 1;
    *database = fresh;
    return 0;
}

static void print_row(const char *const *cells, size_t count, size_t columns_count, struct text *text)
{
    for (size_t i = 0; i < columns_count; i++)
        csv_append(text, i < count ? cells[i] : "", i + 1 == columns_count);
}

/* True if it is the row that was read before. */
static bool is_unchanged(const struct best *row, const struct best *before)
{
    return before && row->value == before->value && strcmp(row->objective, before->objective) == 0 &&
           strcmp(row->configuration, before->configuration) == 0 &&
           strcmp(row->provenance.date, before->provenance.date) == 0;
}

static bool is_later(const struct best *a, const struct best *b)
{
    return strcmp(a->provenance.date, b->provenance.date) > 0;
}

/* Decides between two rows of one key. If their dates are equal, the new one is the later. */
static enum database_outcome judge(const struct best *old, const struct best *fresh, const struct best *incumbent)
{
    const struct best *rows[] = {old, fresh};
    const char *reason;
    if (!provenance_same(&old->provenance, &fresh->provenance, PROVENANCE_QUESTION))
        return is_later(old, fresh) ? DATABASE_KEPT_LATER : DATABASE_REPLACED;
    int newer = provenance_newer_tools(&old->provenance, &fresh->provenance, &reason);
    if (newer < 0)
        return DATABASE_KEPT_NEWER;
    if (newer > 0 || is_unchanged(old, incumbent))
        return DATABASE_REPLACED;
    if (rule_refreshes(old, fresh))
        return is_later(old, fresh) ? DATABASE_KEPT_LATER : DATABASE_REPLACED;
    if (rule_choose(rows, 2) == 1)
        return DATABASE_REPLACED;
    return rule_faster(old, fresh) ? DATABASE_KEPT_FASTER : DATABASE_KEPT_TIED;
}

static int put(struct database *database, const struct best *best, const struct best *incumbent,
               enum database_outcome *outcome, double *previous_value, struct error *error)
{
    size_t old_columns = database->column_count, at = 0;
    struct text text = {0};
    struct row row;
    int code = add_columns(database, best, error);
    if (code || (code = make_row(database, best, &row, error)))
        return code;
    while (at < database->count && database_compare_keys(&database->rows[at].best, best) < 0)
        at++;
    bool there = at < database->count && database_compare_keys(&database->rows[at].best, best) == 0;
    enum database_outcome what = there ? judge(&database->rows[at].best, &row.best, incumbent) : DATABASE_ADDED;
    if (what == DATABASE_ADDED || what == DATABASE_REPLACED) {
        print_row(database->names, database->column_count, database->column_count, &text);
        for (size_t i = 0; i <= database->count; i++) {
            if (i == at)
                print_row(row.cells, database->column_count, database->column_count, &text);
            if (i < database->count && (i != at || !there))
                print_row(database->rows[i].cells, old_columns, database->column_count, &text);
        }
        code = text.failed ? error_memory(error) : file_replace(database->path, text.bytes, text.length, error);
    }
    if (!code && outcome)
        *outcome = what;
    if (!code && previous_value)
        *previous_value = there && strcmp(database->rows[at].best.objective, best->objective) == 0
                              ? database->rows[at].best.value
                              : NAN;
    text_free(&text);
    return code;
}

int database_lock(const char *path, int *lock, struct error *error)
{
    char target[PATH_MAX], lock_path[PATH_MAX];
    int code = file_check_regular(path, error);
    if (!code)
        code = file_target(path, target, error);
    if (!code && snprintf(lock_path, sizeof lock_path, "%s.lock", target) >= (int)sizeof lock_path)
        code = error_set(error, ERROR_IO, "the path is too long: %s", path);
    return code ? code : file_lock(lock_path, true, lock, error);
}

int database_put(const char *path, const struct best *best, const struct best *incumbent,
                 enum database_outcome *outcome, double *previous_value, struct error *error)
{
    struct database *database = NULL;
    int lock = -1, code = database_lock(path, &lock, error);
    if (code)
        error_hint(error, "cutune must be able to write to the folder of its database; --db names another file");
    if (!code)
        code = database_open(&database, path, error);
    if (!code)
        code = put(database, best, incumbent, outcome, previous_value, error);
    database_close(database);
    if (lock >= 0)
        close(lock);
    return code;
}
