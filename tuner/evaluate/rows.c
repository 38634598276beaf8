#include "evaluate/rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "journal/journal_outcomes.h"

/* Finds the journal's column of each parameter. */
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

/* Caches values by the text's pointer: journals repeat few texts many times, and share their pointers. */
enum { FOUND_SLOTS = 512 };
struct found {
    const char *text;
    uint32_t choice;
};

static bool find_choice(const struct parameter *parameter, struct found *found, const char *text, uint32_t *choice)
{
    struct found *slot = &found[((uintptr_t)text >> 3) % FOUND_SLOTS];
    if (slot->text != text) {
        if (!space_choice_find(parameter, text, &slot->choice))
            return false;
        slot->text = text;
    }
    *choice = slot->choice;
    return true;
}

int rows_choices(const struct space *space, const struct journal *journal, uint32_t **choices, struct error *error)
{
    size_t columns[SPACE_PARAMETERS_MAX], rows = journal_row_count(journal), width = space->parameter_count;
    int code = match_columns(space, journal, columns, error);
    uint32_t *all = NULL;
    struct found *found = calloc(width * FOUND_SLOTS + 1, sizeof *found);
    if (!code && (!found || !(all = calloc(rows * width + 1, sizeof *all))))
        code = error_memory(error);
    for (size_t row = 0; row < rows && !code; row++) {
        const char *const *values = journal_get_values(journal, row);
        for (size_t p = 0; p < width && !code; p++)
            if (!find_choice(&space->parameters[p], found + p * FOUND_SLOTS, values[columns[p]], &all[row * width + p]))
                code = error_set(error, ERROR_DATA, "%s, row %zu: %s=%s is not a value of that parameter in %s",
                                 journal_file(journal), row + 1, space->parameters[p].name, values[columns[p]],
                                 space->path);
    }
    free(found);
    if (code) {
        free(all);
        all = NULL;
    }
    *choices = all;
    return code;
}

/* Returns the index of a configuration, or a hash if it is not in the set or has no index. */
static uint64_t key_of(const struct space *space, const struct valid_set *set, const uint32_t *choices, bool *outside)
{
    uint64_t index;
    *outside = !valid_set_find(set, choices, &index) || index == UINT64_MAX;
    return *outside ? hash_u64(choices, space->parameter_count * sizeof *choices, 1) : index;
}

/* Returns the key of a duplicate's original; OUTCOME_NO_DUPLICATE: not a duplicate. */
static uint64_t duplicate_of(const struct space *space, const struct valid_set *set,
                             const struct measurement *measurement)
{
    char text[sizeof measurement->message];
    uint32_t choices[SPACE_PARAMETERS_MAX];
    size_t length;
    bool outside;
    struct error unread = {0};
    const char *name = measurement_duplicate(measurement, &length);
    if (!name)
        return OUTCOME_NO_DUPLICATE;
    memcpy(text, name, length);
    text[length] = '\0';
    return space_config_parse(space, text, choices, &unread) ? OUTCOME_NO_DUPLICATE
                                                             : key_of(space, set, choices, &outside);
}

int rows_outcomes(const struct space *space, const struct valid_set *set, const struct journal *journal,
                  struct outcomes *outcomes, struct arena *arena, struct error *error)
{
    size_t rows = journal_row_count(journal), width = space->parameter_count;
    struct measurement *measurements = arena_array(arena, rows + 1, sizeof *measurements);
    uint32_t *choices = NULL;
    int code = measurements ? rows_choices(space, journal, &choices, error) : error_memory(error);
    for (size_t row = 0; row < rows && !code; row++) {
        bool outside;
        uint64_t key = key_of(space, set, choices + row * width, &outside);
        measurements[row] = journal_get_row(journal, row).measurement;
        code = outcomes_add(outcomes, key, duplicate_of(space, set, &measurements[row]), &measurements[row], error);
        if (!code && outside)
            outcomes_find(outcomes, key)->marks |= ROWS_OUTSIDE;
    }
    free(choices);
    return code;
}

/* The texts of a configuration's values. */
struct row_values {
    char texts[SPACE_PARAMETERS_MAX][VALUE_TEXT_BYTES];
    const char *values[SPACE_PARAMETERS_MAX];
};

static void name_values(const struct space *space, const uint32_t *choices, struct row_values *row)
{
    for (size_t p = 0; p < space->parameter_count; p++)
        row->values[p] = value_text(&space->parameters[p].values[choices[p]], row->texts[p], sizeof row->texts[p]);
}

int rows_append(struct journal *journal, const struct space *space, const uint32_t *choices,
                const struct measurement *measurement, const char *samples, struct error *error)
{
    struct row_values row;
    struct measurement own = *measurement;
    if (strcmp(own.uuid, journal_get_header(journal)->provenance.device.uuid) == 0)
        own.uuid[0] = '\0';
    name_values(space, choices, &row);
    return journal_append(journal, &(struct journal_row){.values = row.values, .measurement = own, .samples = samples},
                          error);
}

int rows_append_evidence(struct journal *journal, const struct space *space, const uint32_t *choices,
                         const struct evidence *launches, size_t count, struct error *error)
{
    struct row_values row;
    struct evidence numbered[SPACE_LAUNCHES_MAX];
    bool measured = false;
    name_values(space, choices, &row);
    for (size_t i = 0; i < count && i < SPACE_LAUNCHES_MAX; i++) {
        numbered[i] = launches[i];
        if (isnan(numbered[i].launch))
            numbered[i].launch = (double)i;
        measured |= evidence_has_measured(&launches[i]);
    }
    if (!measured && journal_find_evidence(journal, row.values))
        return 0;
    return journal_append_evidence(
        journal,
        &(struct journal_evidence){row.values, numbered, count < SPACE_LAUNCHES_MAX ? count : SPACE_LAUNCHES_MAX},
        error);
}

int rows_append_library(struct journal *journal, const struct space *space, const uint32_t *choices,
                        const struct journal_library *library, struct error *error)
{
    struct row_values row;
    struct journal_library named = *library;
    name_values(space, choices, &row);
    named.values = row.values;
    return journal_append_library(journal, &named, error);
}

const struct journal_library *rows_find_library(const struct journal *journal, const struct space *space,
                                                const uint32_t *choices)
{
    struct row_values row;
    name_values(space, choices, &row);
    return journal_find_library(journal, row.values);
}

int rows_append_energy(struct journal *journal, const struct space *space, const struct valid_set *set, uint64_t index,
                       const struct energy *energy, struct error *error)
{
    struct row_values row;
    uint32_t choices[SPACE_PARAMETERS_MAX];
    valid_set_get(set, index, choices);
    name_values(space, choices, &row);
    return journal_append_energy(journal, &(struct journal_energy){row.values, *energy}, error);
}

const struct energy *rows_find_energy(const struct journal_energy *energies, size_t count,
                                      const struct journal *journal, const struct space *space,
                                      const struct valid_set *set, uint64_t index)
{
    struct row_values row;
    uint32_t choices[SPACE_PARAMETERS_MAX];
    const size_t width = count ? journal_get_header(journal)->parameter_count : 0;
    valid_set_get(set, index, choices);
    name_values(space, choices, &row);
    for (size_t i = 0; i < count; i++) {
        size_t p = 0;
        while (p < width && strcmp(energies[i].values[p], row.values[p]) == 0)
            p++;
        if (p == width)
            return &energies[i].energy;
    }
    return NULL;
}

/* *pruned: number of outcomes without information about times, because that run's user excluded them. */
static int take_landscape(const struct space *space, const struct journal_outcomes *read, const size_t *columns,
                          struct arena *arena, struct prior_run *landscape, size_t *pruned, struct error *error)
{
    size_t width = space->parameter_count;
    uint32_t *choices = arena_array(arena, read->outcomes.count * width + 1, sizeof *choices);
    double *costs = arena_array(arena, read->outcomes.count + 1, sizeof *costs);
    if (!choices || !costs)
        return error_memory(error);
    *landscape = (struct prior_run){.choices = choices, .costs = costs};
    for (size_t i = 0; i < read->outcomes.count; i++) {
        const struct outcome *outcome = &read->outcomes.items[i];
        const char *const *values = journal_get_values(read->journal, read->rows[i]);
        const struct measurement known = outcomes_measurement(&read->outcomes, outcome, OUTCOME_KNOWN_AS);
        size_t p = 0;
        if (known.status == STATUS_PRUNED_OCCUPANCY) {
            ++*pruned;
            continue;
        }
        while (p < width &&
               space_choice_find(&space->parameters[p], values[columns[p]], &choices[landscape->count * width + p]))
            p++;
        if (p == width)
            costs[landscape->count++] = measurement_class(&known) == OUTCOME_FAILED ? NAN : known.value;
    }
    return 0;
}

int rows_landscape(const struct space *space, const struct journal *journal, struct arena *arena,
                   struct prior_run *landscape, size_t *left_out, struct error *error)
{
    size_t columns[SPACE_PARAMETERS_MAX], pruned = 0;
    struct journal_outcomes read = {0};
    int code = match_columns(space, journal, columns, error);
    if (!code)
        code = journal_outcomes_read(&read, journal, error);
    if (!code)
        code = take_landscape(space, &read, columns, arena, landscape, &pruned, error);
    if (!code)
        *left_out = read.outcomes.count - landscape->count - pruned;
    journal_outcomes_free(&read);
    return code;
}

static const char *const *values_of(const void *context, size_t row)
{
    return journal_get_values(context, row);
}

int rows_space(struct space **space, const struct journal *journal, struct error *error)
{
    const struct journal_header *header = journal_get_header(journal);
    *space = NULL;
    if (journal_row_count(journal) == 0)
        return error_set(error, ERROR_DATA, "%s has no rows: there is nothing to search", journal_file(journal));
    int code = space_from_rows(space,
                               &(struct space_rows){.path = journal_file(journal),
                                                    .name = header->provenance.kernel,
                                                    .title = header->provenance.title,
                                                    .default_ = header->provenance.default_,
                                                    .parameter_count = header->parameter_count,
                                                    .row_count = journal_row_count(journal),
                                                    .names = header->parameters,
                                                    .row = values_of,
                                                    .context = journal},
                               error);
    if (code)
        return code;
    (*space)->bytes = header->provenance.bytes;
    (*space)->flops = header->provenance.flops;
    snprintf((*space)->source_hash, sizeof(*space)->source_hash, "%s", header->provenance.source_hash);
    snprintf((*space)->text_hash, sizeof(*space)->text_hash, "%s", header->provenance.space_hash);
    return 0;
}
