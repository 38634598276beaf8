/* Converts a CSV table of configurations and times to a journal. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "database/csv.h"
#include "exchange/exchange.h"

enum role { ROLE_PARAMETER, ROLE_TIME, ROLE_STATUS, ROLE_COMPILE_TIME, ROLE_MEASURE_TIME, ROLE_SAMPLES, ROLE_IGNORED };

/* Options that name columns. */
static const char *const options[] = {
    [ROLE_TIME] = "--time",
    [ROLE_STATUS] = "--status",
    [ROLE_COMPILE_TIME] = "--compile-time",
    [ROLE_MEASURE_TIME] = "--measure-time",
    [ROLE_SAMPLES] = "--samples",
    [ROLE_IGNORED] = "--ignore",
};

struct column {
    const char *name;
    enum role role;
    double unit_ns;
};

struct table {
    struct exchange exchange;
    struct column *columns; /* NULL: the names are not read yet */
    size_t count, rows;
    bool unit_used;
    const char **values; /* values of the row's parameters */
};

/* ---- Columns ---- */

/* A name that ends in _ns, _us, _ms or _s gives its unit; --unit applies to the others. */
static int find_unit(struct table *table, struct column *column)
{
    struct error *error = table->exchange.error;
    const char *ending = strrchr(column->name, '_'), *unit = table->exchange.setup->unit;
    column->unit_ns = ending ? exchange_unit_ns(ending + 1) : 0;
    if (column->unit_ns == 0 && unit) {
        column->unit_ns = exchange_unit_ns(unit);
        table->unit_used = true;
    }
    if (column->unit_ns > 0)
        return 0;
    error_set(error, ERROR_USAGE, "the unit of the column '%.60s' is unknown", column->name);
    error_hint(error, "give it with --unit ns, us, ms or s, or in the column's name, as in time_ms");
    return ERROR_USAGE;
}

static int no_column(struct table *table, const char *name, enum role role)
{
    struct error *error = table->exchange.error;
    const char **names = arena_array(&table->exchange.arena, table->count + 1, sizeof *names);
    struct text list = {0};
    if (!names)
        return error_memory(error);
    for (size_t i = 0; i < table->count; i++) {
        names[i] = table->columns[i].name;
        text_printf(&list, "%s%.60s", i ? ", " : "", names[i]);
    }
    const char *near = text_nearest(name, names, table->count);
    error_set(error, ERROR_USAGE, "%s: there is no column '%.60s'", options[role], name);
    if (near)
        error_hint(error, "did you mean '%.60s'?", near);
    else
        error_hint(error, "commas separate columns; those of the first line are: %.300s", text_string(&list));
    text_free(&list);
    return ERROR_USAGE;
}

static int give_role(struct table *table, const char *name, enum role role)
{
    struct error *error = table->exchange.error;
    size_t i = 0;
    if (!name)
        return 0;
    while (i < table->count && strcmp(table->columns[i].name, name) != 0)
        i++;
    if (i == table->count)
        return no_column(table, name, role);
    struct column *column = &table->columns[i];
    if (column->role != ROLE_PARAMETER)
        return error_set(error, ERROR_USAGE, "%s and %s both name the column '%.60s'", name, options[column->role],
                         options[role]);
    column->role = role;
    return role == ROLE_TIME || role == ROLE_COMPILE_TIME || role == ROLE_MEASURE_TIME ? find_unit(table, column) : 0;
}

static int give_roles(struct table *table)
{
    const struct exchange_setup *setup = table->exchange.setup;
    const struct {
        const char *name;
        enum role role;
    } single[] = {{setup->time, ROLE_TIME},
                  {setup->status, ROLE_STATUS},
                  {setup->compile_time, ROLE_COMPILE_TIME},
                  {setup->samples, ROLE_SAMPLES}};
    int code = 0;
    for (size_t i = 0; i < sizeof single / sizeof *single && !code; i++)
        code = give_role(table, single[i].name, single[i].role);
    for (size_t i = 0; setup->measure_time && i < setup->measure_time->count && !code; i++)
        code = give_role(table, setup->measure_time->items[i], ROLE_MEASURE_TIME);
    for (size_t i = 0; setup->ignore && i < setup->ignore->count && !code; i++)
        code = give_role(table, setup->ignore->items[i], ROLE_IGNORED);
    if (!code && setup->unit && !table->unit_used)
        code = error_set(table->exchange.error, ERROR_USAGE,
                         "--unit is %s, but the names of all time columns give their units", setup->unit);
    return code;
}

static int start(struct table *table, const struct csv_record *record)
{
    struct exchange *exchange = &table->exchange;
    const char **names = arena_array(&exchange->arena, record->count, sizeof *names);
    size_t parameters = 0;
    table->columns = arena_array(&exchange->arena, record->count, sizeof *table->columns);
    table->values = arena_array(&exchange->arena, record->count, sizeof *table->values);
    if (!names || !table->columns || !table->values)
        return error_memory(exchange->error);
    table->count = record->count;
    for (size_t i = 0; i < record->count; i++)
        if (!(table->columns[i].name = arena_copy(&exchange->arena, record->cells[i], strlen(record->cells[i]))))
            return error_memory(exchange->error);
    int code = csv_check_names(record->cells, record->count, exchange->error);
    if (!code)
        code = give_roles(table);
    for (size_t i = 0; i < table->count && !code; i++)
        if (table->columns[i].role == ROLE_PARAMETER) {
            names[parameters++] = table->columns[i].name;
            code = exchange_check_name(exchange, table->columns[i].name);
        }
    if (!code && parameters == 0)
        code = error_set(exchange->error, ERROR_DATA, "no column is left for parameters");
    exchange->header.parameters = names;
    exchange->header.parameter_count = parameters;
    return code;
}

/* ---- Rows ---- */

/* Reads the whole cell as a number of any size; false if it is not one. */
static bool read_number(const char *cell, double *number)
{
    char *end;
    if (!*cell || cell[strspn(cell, "+-.0123456789eE")])
        return false;
    *number = text_number(cell, &end);
    return *end == '\0' && isfinite(*number);
}

static int cell_error(const struct table *table, const struct column *column, const char *cell, const char *expected)
{
    error_set(table->exchange.error, ERROR_DATA, "%.60s cannot be '%.60s'", column->name, cell);
    error_hint(table->exchange.error, "expected %s", expected);
    return ERROR_DATA;
}

static int take_duration(const struct table *table, const struct column *column, const char *cell, int64_t *sum_ns)
{
    double number;
    int64_t duration_ns;
    if (!*cell)
        return 0;
    if (!read_number(cell, &number) || !exchange_duration(number, column->unit_ns, &duration_ns) ||
        __builtin_add_overflow(*sum_ns > 0 ? *sum_ns : 0, duration_ns, sum_ns))
        return cell_error(table, column, cell, "a time that is not negative, or nothing");
    return 0;
}

static int take_samples(const struct table *table, const struct column *column, const char *cell, uint32_t *samples)
{
    double number = 0;
    if (*cell && (!read_number(cell, &number) || !(number >= 0 && number <= UINT32_MAX) || number != floor(number)))
        return cell_error(table, column, cell, "a whole number from 0 to 4294967295, or nothing");
    *samples = (uint32_t)number;
    return 0;
}

/* A word in place of a time is the reason why the time is missing. */
static int take_time(const struct table *table, const struct column *column, const char *cell, bool has_status,
                     struct measurement *measurement)
{
    static const char *const none[] = {"", "nan", "inf", "none", "null", "n/a"};
    double number;
    bool failed = false;
    if (read_number(cell, &number)) {
        if (number == 0) /* some tables use 0 for failures */
            return 0;
        if (!objective_is_value(measurement_objective(measurement), number * column->unit_ns))
            return cell_error(table, column, cell, "a time above 0, at most 1e18 ns, or 0 for none");
        measurement->value = number * column->unit_ns;
        return 0;
    }
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        failed |= text_compare_letters(cell, none[i], SIZE_MAX) == 0;
    if (has_status)
        return failed || exchange_status(cell, &(enum status){0}) ? 0 : cell_error(table, column, cell, "a time");
    measurement->status = STATUS_LAUNCH_ERROR;
    if (!failed && (!exchange_status(cell, &measurement->status) || measurement->status == STATUS_OK))
        return cell_error(table, column, cell, "a time, nothing, or the reason why it is missing: " EXCHANGE_STATUSES);
    measurement_explain(measurement, "%s", *cell ? cell : "no time in the table");
    return 0;
}

static int take_cell(struct table *table, const struct column *column, const char *cell, struct journal_row *row)
{
    struct measurement *measurement = &row->measurement;
    switch (column->role) {
    case ROLE_TIME:
        return take_time(table, column, cell, table->exchange.setup->status != NULL, measurement);
    case ROLE_STATUS:
        return exchange_status(cell, &measurement->status) ? 0 : cell_error(table, column, cell, EXCHANGE_STATUSES);
    case ROLE_COMPILE_TIME:
        return take_duration(table, column, cell, &measurement->compile_ns);
    case ROLE_MEASURE_TIME:
        return take_duration(table, column, cell, &measurement->measure_ns);
    case ROLE_SAMPLES:
        return take_samples(table, column, cell, &measurement->samples);
    case ROLE_PARAMETER:
        return exchange_check_value(&table->exchange, column->name, cell);
    case ROLE_IGNORED:
        break;
    }
    return 0;
}

static int take_record(void *context, const struct csv_record *record, struct error *error)
{
    struct table *table = context;
    struct journal_row row = {.values = table->values, .measurement = measurement_unknown(STATUS_OK)};
    size_t parameters = 0;
    int code = 0;
    if (!table->columns)
        return start(table, record);
    if (table->rows++ == 0 && !table->exchange.first_pass)
        return 0; /* the names, which the first pass has read */
    if (record->count != table->count)
        return error_set(error, ERROR_DATA, "%zu cells where there are %zu columns", record->count, table->count);
    for (size_t i = 0; i < record->count && !code; i++) {
        code = take_cell(table, &table->columns[i], record->cells[i], &row);
        if (table->columns[i].role == ROLE_PARAMETER)
            table->values[parameters++] = record->cells[i];
    }
    enum status status = row.measurement.status;
    if (!code && status_class(status) == OUTCOME_TIMED && isnan(row.measurement.value)) {
        code = error_set(error, ERROR_DATA, "the status is %s, but the time is not above 0", status_name(status));
        error_hint(error, table->exchange.setup->status ? "a failed configuration needs the status of a failure"
                                                        : "--status names the column that says which ones failed");
    }
    return code ? code : exchange_add(&table->exchange, &row);
}

int table_import(const struct exchange_setup *setup, const char *text, size_t length, struct text *journal,
                 struct error *error)
{
    struct table table = {0};
    size_t mark = csv_mark_length(text, length);
    int code = exchange_start(&table.exchange, setup, error);
    table.exchange.first_pass = true;
    if (!code)
        code = csv_records(setup->path, text + mark, length - mark, 1, take_record, &table, error);
    if (!code && table.rows == 0) {
        code = error_set(error, ERROR_DATA, "%s has no %s", setup->path, table.columns ? "rows" : "columns");
        error_hint(error, "the first line names the columns");
    }
    exchange_second_pass(&table.exchange);
    table.rows = 0;
    if (!code)
        code = csv_records(setup->path, text + mark, length - mark, 1, take_record, &table, error);
    if (!code)
        code = exchange_finish(&table.exchange, journal);
    exchange_free(&table.exchange);
    return code;
}
