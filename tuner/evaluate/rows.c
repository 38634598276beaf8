#include "evaluate/rows.h"

#include <stdlib.h>
#include <string.h>

/* Which column of the journal holds each parameter. */
static int match_columns(const struct space *space, const struct journal *journal, size_t *columns, struct error *error)
{
    const struct journal_header *header = journal_get_header(journal);
    for (size_t p = 0; p < space->parameter_count; p++) {
        size_t column = 0;
        while (column < header->parameter_count && strcmp(header->parameters[column], space->parameters[p].name) != 0)
            column++;
        if (column == header->parameter_count)
            return error_set(error, ERROR_DATA, "%s has no column for the parameter %s of %s", journal_file(journal),
                             space->parameters[p].name, space->path);
        columns[p] = column;
    }
    if (header->parameter_count != space->parameter_count)
        return error_set(error, ERROR_DATA, "%s has %zu parameters, %s has %zu", journal_file(journal),
                         header->parameter_count, space->path, space->parameter_count);
    return 0;
}

int rows_choices(const struct space *space, const struct journal *journal, uint32_t **choices, struct error *error)
{
    size_t columns[SPACE_PARAMETERS_MAX], rows = journal_row_count(journal), width = space->parameter_count;
    int code = match_columns(space, journal, columns, error);
    uint32_t *all = NULL;
    if (!code && !(all = calloc(rows * width + 1, sizeof *all)))
        code = error_memory(error);
    for (size_t row = 0; row < rows && !code; row++) {
        const char *const *values = journal_get_row(journal, row)->values;
        for (size_t p = 0; p < width && !code; p++)
            if (!space_choice_find(&space->parameters[p], values[columns[p]], &all[row * width + p]))
                code = error_set(error, ERROR_DATA, "%s, row %zu: %s=%s is not a value of that parameter in %s",
                                 journal_file(journal), row + 1, space->parameters[p].name, values[columns[p]],
                                 space->path);
    }
    if (code) {
        free(all);
        all = NULL;
    }
    *choices = all;
    return code;
}

int rows_append(struct journal *journal, const struct space *space, const uint32_t *choices,
                const struct measurement *measurement, struct error *error)
{
    char texts[SPACE_PARAMETERS_MAX][VALUE_TEXT_BYTES];
    const char *values[SPACE_PARAMETERS_MAX];
    for (size_t p = 0; p < space->parameter_count; p++)
        values[p] = value_text(&space->parameters[p].values[choices[p]], texts[p], sizeof texts[p]);
    return journal_append(journal, &(struct journal_row){.values = values, .measurement = *measurement}, error);
}
