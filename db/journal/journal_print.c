#include "journal/journal_print.h"

#include <stdio.h>

#include "database/database.h"
#include "journal/journal_energy.h"
#include "journal/journal_evidence.h"
#include "journal/journal_head.h"
#include "journal/journal_library.h"

static size_t columns_of(const struct journal_header *header, struct csv_column columns[JOURNAL_COLUMNS])
{
    return journal_columns(header->objective ? header->objective : objective_default(), columns);
}

int journal_print_header(struct text *text, const struct journal_header *header, struct error *error)
{
    struct csv_column known[JOURNAL_COLUMNS];
    size_t count = columns_of(header, known);
    int code = journal_head_print(text, header, error);
    for (size_t i = 0; i < header->parameter_count; i++)
        csv_append(text, header->parameters[i], false);
    for (size_t i = 0; i < count; i++)
        csv_append(text, known[i].name, i + 1 == count + header->extra_count);
    for (size_t i = 0; i < header->extra_count; i++)
        csv_append(text, header->extras[i], i + 1 == header->extra_count);
    return code ? code : text->failed ? error_memory(error) : 0;
}

static int print_values(const struct journal_header *header, const char *const *values, struct text *line,
                        struct error *error)
{
    for (size_t i = 0; i < header->parameter_count; i++) {
        if (values[i][0] == '\0')
            return error_set(error, ERROR_VALUE, "%s has no value", header->parameters[i]);
        csv_append(line, values[i], false);
    }
    return 0;
}

int journal_print_cells(const struct journal_header *header, const int *columns, size_t column_count,
                        const struct journal_row *row, struct text *line, struct error *error)
{
    struct csv_column known[JOURNAL_COLUMNS];
    char buffer[CSV_BUFFER_BYTES];
    const size_t samples = journal_find_samples(header);
    int code = print_values(header, row->values, line, error);
    columns_of(header, known);
    for (size_t i = 0; i < column_count && !code; i++) {
        const char *cell = "";
        if (columns[i] >= 0)
            code = csv_cell_text(&known[columns[i]], &row->measurement, buffer, &cell, error);
        else if (row->samples && (size_t)(-1 - columns[i]) == samples)
            cell = row->samples;
        else if (row->extras)
            cell = row->extras[-1 - columns[i]];
        csv_append(line, cell, i + 1 == column_count);
    }
    return code ? code : line->failed ? error_memory(error) : 0;
}

/* A separate column has the kernel's name, which may contain spaces. */
int journal_print_evidence_cells(const struct journal_header *header, const int *columns, size_t column_count,
                                 const struct journal_evidence *evidence, struct text *lines, struct error *error)
{
    struct text numbers = {0};
    int code = 0;
    for (size_t launch = 0; launch < evidence->count && !code; launch++) {
        struct evidence nameless = evidence->launches[launch];
        nameless.kernel[0] = '\0';
        text_clear(&numbers);
        evidence_append(&numbers, &nameless);
        code = print_values(header, evidence->values, lines, error);
        for (size_t i = 0; i < column_count && !code; i++)
            csv_append(lines,
                       columns[i] == JOURNAL_COLUMN_status    ? JOURNAL_EVIDENCE
                       : columns[i] == JOURNAL_COLUMN_kernel  ? evidence->launches[launch].kernel
                       : columns[i] == JOURNAL_COLUMN_message ? text_string(&numbers)
                                                              : "",
                       i + 1 == column_count);
    }
    lines->failed |= numbers.failed;
    text_free(&numbers);
    return code ? code : lines->failed ? error_memory(error) : 0;
}

int journal_print_library_cells(const struct journal_header *header, const int *columns, size_t column_count,
                                const struct journal_library *library, struct text *line, struct error *error)
{
    struct csv_column known[JOURNAL_COLUMNS];
    struct measurement row = measurement_unknown(STATUS_OK);
    struct text numbers = {0};
    char buffer[CSV_BUFFER_BYTES];
    int code = print_values(header, library->values, line, error);
    columns_of(header, known);
    row.objective = objective_number(header->objective ? header->objective : objective_default());
    row.value = library->value;
    row.low = library->low;
    row.high = library->high;
    row.samples = library->samples;
    snprintf(row.states, sizeof row.states, "%s", library->states ? library->states : "");
    journal_library_print(&numbers, library);
    for (size_t i = 0; i < column_count && !code; i++) {
        const char *cell = "";
        if (columns[i] == JOURNAL_COLUMN_status)
            cell = JOURNAL_LIBRARY;
        else if (columns[i] == JOURNAL_COLUMN_kernel)
            cell = library->name;
        else if (columns[i] == JOURNAL_COLUMN_message)
            cell = text_string(&numbers);
        else if (columns[i] >= 0 && (known[columns[i]].kind == CSV_VALUE || columns[i] == JOURNAL_COLUMN_samples ||
                                     columns[i] == JOURNAL_COLUMN_states))
            code = csv_cell_text(&known[columns[i]], &row, buffer, &cell, error);
        csv_append(line, cell, i + 1 == column_count);
    }
    line->failed |= numbers.failed;
    text_free(&numbers);
    return code ? code : line->failed ? error_memory(error) : 0;
}

int journal_print_energy_cells(const struct journal_header *header, const int *columns, size_t column_count,
                               const struct journal_energy *energy, struct text *line, struct error *error)
{
    struct text numbers = {0};
    int code = print_values(header, energy->values, line, error);
    energy_append(&numbers, &energy->energy);
    for (size_t i = 0; i < column_count && !code; i++)
        csv_append(line,
                   columns[i] == JOURNAL_COLUMN_status    ? JOURNAL_ENERGY
                   : columns[i] == JOURNAL_COLUMN_message ? text_string(&numbers)
                   : columns[i] == JOURNAL_COLUMN_states  ? energy->energy.states
                                                          : "",
                   i + 1 == column_count);
    line->failed |= numbers.failed;
    text_free(&numbers);
    return code ? code : line->failed ? error_memory(error) : 0;
}

/* The columns of a new file: cutune's own, then the extra ones. */
static int new_columns(const struct journal_header *header, int columns[CSV_CELLS_MAX], size_t *count,
                       struct error *error)
{
    struct csv_column known[JOURNAL_COLUMNS];
    size_t own = columns_of(header, known);
    *count = own + header->extra_count;
    if (*count > CSV_CELLS_MAX)
        return error_set(error, ERROR_VALUE, "more than %d columns", CSV_CELLS_MAX);
    for (size_t i = 0; i < *count; i++)
        columns[i] = i < own ? (int)i : (int)own - 1 - (int)i;
    return 0;
}

int journal_print_row(struct text *text, const struct journal_header *header, const struct journal_row *row,
                      struct error *error)
{
    int columns[CSV_CELLS_MAX];
    size_t count;
    int code = new_columns(header, columns, &count, error);
    return code ? code : journal_print_cells(header, columns, count, row, text, error);
}

int journal_print_evidence(struct text *text, const struct journal_header *header,
                           const struct journal_evidence *evidence, struct error *error)
{
    int columns[CSV_CELLS_MAX];
    size_t count;
    int code = new_columns(header, columns, &count, error);
    return code ? code : journal_print_evidence_cells(header, columns, count, evidence, text, error);
}

int journal_print_library(struct text *text, const struct journal_header *header, const struct journal_library *library,
                          struct error *error)
{
    int columns[CSV_CELLS_MAX];
    size_t count;
    int code = new_columns(header, columns, &count, error);
    return code ? code : journal_print_library_cells(header, columns, count, library, text, error);
}

int journal_print_energy(struct text *text, const struct journal_header *header, const struct journal_energy *energy,
                         struct error *error)
{
    int columns[CSV_CELLS_MAX];
    size_t count;
    int code = new_columns(header, columns, &count, error);
    return code ? code : journal_print_energy_cells(header, columns, count, energy, text, error);
}
