/* Converts a CSV table of configurations and times to a journal. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pairs.h"
#include "base/text.h"
#include "database/csv.h"
#include "exchange/exchange.h"

enum role {
    ROLE_NONE, /* not named yet */
    ROLE_PARAMETER,
    ROLE_TIME,
    ROLE_STATUS,
    ROLE_SKIPPED, /* nvbench: "Yes" for a benchmark that its program left out, else "No" */
    ROLE_COMPILE_TIME,
    ROLE_MEASURE_TIME,
    ROLE_SAMPLES,
    ROLE_IGNORED,
    ROLE_LEFT_OUT, /* ignored, which a note says */
    ROLE_SIZE,     /* --problem gives its value, which a row must have to count */
    ROLE_KERNEL,   /* likewise, --kernel and --device; without the option, all rows must have the same */
    ROLE_DEVICE
};

/* Options that name columns, or give their values. */
static const char *const options[] = {
    [ROLE_PARAMETER] = "--params", [ROLE_TIME] = "--time",
    [ROLE_STATUS] = "--status",    [ROLE_COMPILE_TIME] = "--compile-time",
    [ROLE_SAMPLES] = "--samples",  [ROLE_MEASURE_TIME] = "--measure-time",
    [ROLE_IGNORED] = "--ignore",   [ROLE_SIZE] = "--problem",
    [ROLE_KERNEL] = "--kernel",    [ROLE_DEVICE] = "--device",
};

struct column {
    const char *name;
    enum role role;
    double unit_ns;
    const char *wanted; /* value of SIZE, KERNEL and DEVICE; NULL: that of the first row */
    bool chosen;        /* an option gives it */
};

struct table {
    struct exchange exchange;
    struct column *columns; /* NULL: the names are not read yet */
    size_t count, rows, kept;
    bool nvbench, unit_used, has_status;
    const char **values; /* values of the row's parameters */
};

/* ---- Columns ---- */

/* The unit that ends a name, as in time_ms or "GPU Time (sec)"; 0: none. */
static double unit_of_name(const char *name)
{
    char unit[16] = "";
    const char *ending = strrchr(name, '_'), *bracket = strrchr(name, '(');
    size_t length = bracket ? strcspn(bracket + 1, ")") : sizeof unit;
    if (length < sizeof unit && bracket[length + 1] == ')' && !bracket[length + 2])
        memcpy(unit, bracket + 1, length);
    return exchange_unit_ns(*unit ? unit : ending ? ending + 1 : "");
}

/* --unit applies to columns whose names do not give their units. */
static int find_unit(struct table *table, struct column *column)
{
    struct error *error = table->exchange.error;
    const char *unit = table->exchange.setup->unit;
    column->unit_ns = unit_of_name(column->name);
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
    if (column->role != ROLE_NONE)
        return error_set(error, ERROR_USAGE, "%s and %s both name the column '%.60s'", options[column->role],
                         options[role], name);
    column->role = role;
    return role == ROLE_TIME || role == ROLE_COMPILE_TIME || role == ROLE_MEASURE_TIME ? find_unit(table, column) : 0;
}

/* Gives the columns that options name their roles. */
static int give_named(struct table *table)
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
    for (const char *name = setup->parameters; name && !code;) {
        size_t length = strcspn(name, ",");
        const char *copy = arena_copy(&table->exchange.arena, name, length);
        code = copy ? give_role(table, copy, ROLE_PARAMETER) : error_memory(table->exchange.error);
        name = name[length] ? name + length + 1 : NULL;
    }
    return code;
}

/* A size of --problem that is a column chooses rows, and is no parameter. */
static int give_sizes(struct table *table)
{
    size_t length;
    for (const char *at = table->exchange.setup->problem; at && (at = pairs_word(at, &length)); at += length) {
        struct pair_parts parts;
        for (size_t i = 0; pairs_split(at, length, &parts) && i < table->count; i++) {
            struct column *column = &table->columns[i];
            if (column->role != ROLE_NONE || strlen(column->name) != parts.name_length ||
                memcmp(column->name, parts.name, parts.name_length) != 0)
                continue;
            column->role = ROLE_SIZE;
            column->chosen = true;
            if (!(column->wanted = arena_copy(&table->exchange.arena, parts.value, parts.value_length)))
                return error_memory(table->exchange.error);
        }
    }
    return 0;
}

static void give_choice(struct column *column, enum role role, const char *wanted)
{
    column->role = role;
    column->wanted = wanted;
    column->chosen = wanted != NULL;
}

/* nvbench's columns, in this order: benchmark, device, axes, of which each power of two has a second column before its
 * own, "Skipped", and summaries, some of the same name. Axes of further benchmarks are between these. */
static int give_nvbench(struct table *table)
{
    const struct exchange_setup *setup = table->exchange.setup;
    bool axes = true, timed = setup->time != NULL, sampled = timed || setup->samples;
    int code = 0;
    for (size_t i = 0; i < table->count && !code; i++) {
        struct column *column = &table->columns[i];
        const char *name = column->name;
        size_t length = i + 1 < table->count ? strlen(table->columns[i + 1].name) : 0;
        if (strcmp(name, "Skipped") == 0)
            axes = false;
        if (column->role != ROLE_NONE)
            continue;
        if (strcmp(name, "Benchmark") == 0)
            give_choice(column, ROLE_KERNEL, setup->kernel);
        else if (strcmp(name, "Device Name") == 0)
            give_choice(column, ROLE_DEVICE, setup->device);
        else if (strcmp(name, "Skipped") == 0)
            column->role = ROLE_SKIPPED;
        else if (strcmp(name, "GPU Time (sec)") == 0 && !timed)
            code = give_role(table, name, ROLE_TIME);
        else if (strcmp(name, "Samples") == 0 && !sampled)
            column->role = ROLE_SAMPLES;
        else if (strcmp(name, "Device") == 0 || (length && strncmp(name, table->columns[i + 1].name, length) == 0 &&
                                                 strcmp(name + length, " (pow2)") == 0))
            column->role = ROLE_IGNORED;
        else if (!axes && !setup->parameters)
            column->role = ROLE_LEFT_OUT;
        timed |= column->role == ROLE_TIME;
        sampled |= column->role == ROLE_SAMPLES;
    }
    return code || timed ? code : no_column(table, "GPU Time (sec)", ROLE_TIME);
}

static int give_roles(struct table *table)
{
    const struct exchange_setup *setup = table->exchange.setup;
    const enum role others = setup->parameters ? ROLE_IGNORED : ROLE_PARAMETER;
    int code = give_named(table);
    if (!code)
        code = give_sizes(table);
    if (!code && table->nvbench)
        code = give_nvbench(table);
    for (size_t i = 0; i < table->count && !code; i++) {
        struct column *column = &table->columns[i];
        column->role = column->role == ROLE_NONE ? others : column->role;
        table->has_status |= column->role == ROLE_STATUS || column->role == ROLE_SKIPPED;
        if (column->role == ROLE_LEFT_OUT)
            code = exchange_leave_out(&table->exchange, column->name);
    }
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
    int code = table->nvbench ? 0 : csv_check_names(record->cells, record->count, exchange->error);
    if (!code)
        code = give_roles(table);
    for (size_t i = 0; i < table->count && !code; i++)
        if (table->columns[i].role == ROLE_PARAMETER) {
            names[parameters++] = table->columns[i].name;
            code = exchange_check_name(exchange, table->columns[i].name);
        }
    if (!code && parameters == 0)
        code = error_set(exchange->error, ERROR_DATA, "no column is left for parameters");
    if (!code)
        code = csv_check_names(names, parameters, exchange->error);
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

static int take_skipped(const struct table *table, const struct column *column, const char *cell,
                        struct measurement *measurement)
{
    if (strcmp(cell, "No") == 0)
        return 0;
    if (strcmp(cell, "Yes") != 0)
        return cell_error(table, column, cell, "Yes or No");
    measurement->status = STATUS_PRUNED_LIMIT;
    measurement_explain(measurement, "the benchmark skips it");
    return 0;
}

static int take_cell(struct table *table, const struct column *column, const char *cell, struct journal_row *row)
{
    struct measurement *measurement = &row->measurement;
    switch (column->role) {
    case ROLE_TIME:
        return take_time(table, column, cell, table->has_status, measurement);
    case ROLE_STATUS:
        return exchange_status(cell, &measurement->status) ? 0 : cell_error(table, column, cell, EXCHANGE_STATUSES);
    case ROLE_SKIPPED:
        return take_skipped(table, column, cell, measurement);
    case ROLE_COMPILE_TIME:
        return take_duration(table, column, cell, &measurement->compile_ns);
    case ROLE_MEASURE_TIME:
        return take_duration(table, column, cell, &measurement->measure_ns);
    case ROLE_SAMPLES:
        return take_samples(table, column, cell, &measurement->samples);
    case ROLE_PARAMETER:
        return exchange_check_value(&table->exchange, column->name, cell);
    case ROLE_NONE:
    case ROLE_IGNORED:
    case ROLE_LEFT_OUT:
    case ROLE_SIZE:
    case ROLE_KERNEL:
    case ROLE_DEVICE:
        break;
    }
    return 0;
}

/* ---- Rows that count ---- */

/* Without an option, the first row chooses. */
static int choose(struct table *table, struct column *column, const char *cell)
{
    if (!(column->wanted = arena_copy(&table->exchange.arena, cell, strlen(cell))))
        return error_memory(table->exchange.error);
    return exchange_describe(&table->exchange, column->role == ROLE_KERNEL ? cell : NULL,
                             column->role == ROLE_DEVICE ? cell : NULL, NULL);
}

/* The axes of another benchmark than the first may stand between the summaries. */
static int check_axes(const struct table *table, const struct column *column, const char *cell)
{
    if (column->role != ROLE_KERNEL || table->rows > 1 || table->exchange.setup->parameters ||
        strcmp(cell, column->wanted) == 0)
        return 0;
    error_set(table->exchange.error, ERROR_USAGE,
              "only the columns of the first benchmark, '%.60s', tell its axes from "
              "its results",
              cell);
    error_hint(table->exchange.error, "--params COLUMN,COLUMN names the parameters of '%.60s'", column->wanted);
    return ERROR_USAGE;
}

static bool is_choice(const struct column *column, bool chosen)
{
    return column->chosen == chosen &&
           (column->role == ROLE_SIZE || column->role == ROLE_KERNEL || column->role == ROLE_DEVICE);
}

static int is_wanted(struct table *table, const struct csv_record *record, bool *wanted)
{
    int code = 0;
    for (size_t i = 0; i < record->count && !code; i++) {
        const struct column *column = &table->columns[i];
        if (!is_choice(column, true))
            continue;
        code = check_axes(table, column, record->cells[i]);
        *wanted &= pairs_compare_values(record->cells[i], column->wanted) == 0;
    }
    for (size_t i = 0; i < record->count && *wanted && !code; i++) {
        struct column *column = &table->columns[i];
        if (!is_choice(column, false))
            continue;
        if (!column->wanted)
            code = choose(table, column, record->cells[i]);
        if (code || strcmp(record->cells[i], column->wanted) == 0)
            continue;
        code = error_set(table->exchange.error, ERROR_USAGE, "the table has results of '%.60s' and of '%.60s'",
                         column->wanted, record->cells[i]);
        error_hint(table->exchange.error, "%s NAME chooses", options[column->role]);
    }
    return code;
}

static int none_wanted(const struct table *table)
{
    struct text list = {0};
    for (size_t i = 0; i < table->count; i++)
        if (table->columns[i].chosen)
            text_printf(&list, "%s%.60s=%.60s", list.length ? ", " : "", table->columns[i].name,
                        table->columns[i].wanted);
    int code = error_set(table->exchange.error, ERROR_USAGE, "%s has no row with %.400s", table->exchange.setup->path,
                         text_string(&list));
    text_free(&list);
    return code;
}

static int take_record(void *context, const struct csv_record *record, struct error *error)
{
    struct table *table = context;
    struct journal_row row = {.values = table->values, .measurement = measurement_unknown(STATUS_OK)};
    size_t parameters = 0;
    bool wanted = true;
    if (!table->columns)
        return start(table, record);
    if (table->rows++ == 0 && !table->exchange.first_pass)
        return 0; /* the names, which the first pass has read */
    if (record->count != table->count)
        return error_set(error, ERROR_DATA, "%zu cells where there are %zu columns", record->count, table->count);
    int code = is_wanted(table, record, &wanted);
    if (code || !wanted)
        return code;
    table->kept++;
    for (size_t i = 0; i < record->count && !code; i++) {
        code = take_cell(table, &table->columns[i], record->cells[i], &row);
        if (table->columns[i].role == ROLE_PARAMETER)
            table->values[parameters++] = record->cells[i];
    }
    enum status status = row.measurement.status;
    if (!code && status_class(status) == OUTCOME_TIMED && isnan(row.measurement.value)) {
        code = error_set(error, ERROR_DATA, "the status is %s, but the time is not above 0", status_name(status));
        error_hint(error, table->has_status ? "a failed configuration needs the status of a failure"
                                            : "--status names the column that says which ones failed");
    }
    return code ? code : exchange_add(&table->exchange, &row);
}

/* ---- The file ---- */

static int import(bool nvbench, const struct exchange_setup *setup, const char *text, size_t length,
                  struct text *journal, struct error *error)
{
    struct error unread = {0};
    struct table table = {.nvbench = nvbench};
    size_t mark = csv_mark_length(text, length);
    error = error ? error : &unread;
    int code = exchange_start(&table.exchange, setup, error);
    table.exchange.first_pass = true;
    if (!code)
        code = csv_records(setup->path, text + mark, length - mark, 1, take_record, &table, error);
    if (!code && table.rows == 0) {
        code = error_set(error, ERROR_DATA, "%s has no %s", setup->path, table.columns ? "rows" : "columns");
        error_hint(error, "the first line names the columns");
    }
    if (!code && table.kept == 0)
        code = none_wanted(&table);
    if (!code)
        code = exchange_second_pass(&table.exchange);
    table.rows = 0;
    if (!code)
        code = csv_records(setup->path, text + mark, length - mark, 1, take_record, &table, error);
    if (!code)
        code = exchange_finish(&table.exchange, journal);
    exchange_free(&table.exchange);
    return code;
}

int table_import(const struct exchange_setup *setup, const char *text, size_t length, struct text *journal,
                 struct error *error)
{
    return import(false, setup, text, length, journal, error);
}

int nvbench_import(const struct exchange_setup *setup, const char *text, size_t length, struct text *journal,
                   struct error *error)
{
    return import(true, setup, text, length, journal, error);
}
