/* Access to a journal in memory. */
#include "journal/journal_state.h"

bool journal_has_column(const struct journal *journal, int column)
{
    return journal_columns_have(journal->columns, journal->column_count, column);
}

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
    return journal->rows.count;
}

const char *const *journal_get_values(const struct journal *journal, size_t row)
{
    return journal_rows_texts(&journal->rows, row);
}

struct journal_row journal_get_row(const struct journal *journal, size_t row)
{
    const char *const *texts = journal_rows_texts(&journal->rows, row);
    const struct journal_header *header = &journal->head.header;
    const char *const *extras = texts + header->parameter_count;
    return (struct journal_row){.values = texts,
                                .measurement = journal_rows_measurement(&journal->rows, row),
                                .extras = extras,
                                .samples = journal->samples < header->extra_count ? extras[journal->samples] : NULL};
}

size_t journal_evidence_count(const struct journal *journal)
{
    return journal->evidences.count;
}

struct journal_evidence journal_get_evidence(const struct journal *journal, size_t number)
{
    return journal->evidences.items[number];
}

const struct journal_evidence *journal_find_evidence(const struct journal *journal, const char *const *values)
{
    return journal_evidences_find(&journal->evidences, values);
}

const struct journal_library *journal_get_libraries(const struct journal *journal, size_t *count)
{
    *count = journal->libraries.count;
    return journal->libraries.items;
}

const struct journal_library *journal_find_library(const struct journal *journal, const char *const *values)
{
    return journal_libraries_find(&journal->libraries, values, journal->head.header.parameter_count);
}

const struct journal_energy *journal_get_energies(const struct journal *journal, size_t *count)
{
    *count = journal->energies.count;
    return journal->energies.items;
}

const struct journal_energy *journal_last_energies(const struct journal *journal, size_t *count)
{
    const struct journal_energy *items = journal->energies.items;
    const size_t all = journal->energies.count;
    for (*count = 0; *count < all && items[all - 1 - *count].energy.group == items[all - 1].energy.group;)
        ++*count;
    return *count ? items + (all - *count) : NULL;
}

int journal_torn(const struct journal *journal, int *line)
{
    if (line)
        *line = journal->torn_line;
    return journal->torn_line != 0;
}
