#include "journal/journal_merge.h"

#include <string.h>

#include "base/samples_text.h"
#include "base/text_set.h"
#include "journal/journal_outcomes.h"

struct merging {
    const struct journal *const *journals;
    size_t count;
    struct journal_header header; /* of the result */
    const char **cells;           /* of its extra columns, in the row being written */
    struct text_set rows;
    struct arena arena;
    struct text *out;
};

static const char *device_of(const struct journal *journal)
{
    return journal_get_header(journal)->provenance.device.uuid;
}

/* ---- The header ---- */

static bool same_parameters(const struct journal_header *a, const struct journal_header *b)
{
    bool same = a->parameter_count == b->parameter_count;
    for (size_t i = 0; i < a->parameter_count && same; i++)
        same = strcmp(a->parameters[i], b->parameters[i]) == 0;
    return same;
}

static int check(const struct merging *merging, const struct journal *journal, struct error *error)
{
    const struct journal_header *first = journal_get_header(merging->journals[0]);
    const struct journal_header *other = journal_get_header(journal);
    const char *differs = NULL;
    if (strcmp(first->provenance.fingerprint, other->provenance.fingerprint) != 0)
        differs = "fingerprint";
    else if (!same_parameters(first, other))
        differs = "list of parameters";
    else if (first->objective != other->objective)
        differs = "objective";
    if (!differs)
        return 0;
    error_set(error, ERROR_DATA, "%s has another %s than %s", journal_file(journal), differs,
              journal_file(merging->journals[0]));
    error_hint(error, "journals become one if kernel, problem, device model, toolchain and options are the same; "
                      "cutune compare compares others");
    return ERROR_DATA;
}

static size_t find_extra(const struct journal_header *header, const char *name)
{
    size_t i = 0;
    while (i < header->extra_count && strcmp(header->extras[i], name) != 0)
        i++;
    return i;
}

static void add_extra(struct journal_header *header, const char **extras, const char *name)
{
    header->extras = extras;
    if (find_extra(header, name) == header->extra_count)
        extras[header->extra_count++] = name;
}

/* Collects the extra columns of all journals. */
static int make_extras(struct merging *merging, struct error *error)
{
    size_t most = 0;
    for (size_t i = 0; i < merging->count; i++)
        most += journal_get_header(merging->journals[i])->extra_count;
    const char **extras = arena_array(&merging->arena, most + 1, sizeof *extras);
    merging->cells = arena_array(&merging->arena, most + 1, sizeof *merging->cells);
    if (!extras || !merging->cells)
        return error_memory(error);
    merging->header.extra_count = 0;
    for (size_t i = 0; i < merging->count; i++) {
        const struct journal_header *header = journal_get_header(merging->journals[i]);
        for (size_t e = 0; e < header->extra_count; e++)
            add_extra(&merging->header, extras, header->extras[e]);
    }
    return 0;
}

/* ---- The rows ---- */

static int add_once(struct merging *merging, const struct text *line, struct error *error)
{
    const char **place = line->failed ? NULL : text_set_place(&merging->rows, text_string(line));
    if (place && !*place && (*place = arena_copy(&merging->arena, line->bytes, line->length)))
        text_append(merging->out, line->bytes, line->length);
    return !place || !*place || merging->out->failed ? error_memory(error) : 0;
}

static void fill_cells(struct merging *merging, const struct journal *journal, const struct journal_row *row)
{
    const struct journal_header *header = journal_get_header(journal);
    for (size_t i = 0; i < merging->header.extra_count; i++) {
        const char *name = merging->header.extras[i];
        size_t own = find_extra(header, name);
        merging->cells[i] = own < header->extra_count && row->extras ? row->extras[own] : "";
    }
}

/* The outcome of a configuration, as an ordinary row in times of the journal's last session. */
static struct measurement measurement_of(const struct outcomes *outcomes, const struct outcome *outcome)
{
    bool whole = outcome->broken || !outcome->last;
    struct measurement measurement =
        outcome->duplicate != OUTCOME_NO_DUPLICATE && !whole
            ? *outcome->last
            : outcomes_measurement(outcomes, outcome, whole ? OUTCOME_KNOWN_AS : OUTCOME_OF_SEARCH);
    measurement.playoff = PLAYOFF_NONE;
    measurement.proposer = outcome->proposer;
    return measurement;
}

/* Names the device of a measurement. A row without a device has that of its journal's header. */
static void name_device(const struct merging *merging, const struct journal *journal, struct measurement *measurement)
{
    if (!*measurement->uuid)
        memcpy(measurement->uuid, device_of(journal), sizeof measurement->uuid);
    if (strcmp(measurement->uuid, device_of(merging->journals[0])) == 0)
        measurement->uuid[0] = '\0';
}

/* Appends the samples behind an outcome's measurement, in the same times. A play-off's has none. */
static int find_samples(const struct journal_outcomes *outcomes, size_t number, const struct measurement *measurement,
                        struct text *samples, struct error *error)
{
    const struct measurement *last = outcomes->outcomes.items[number].last;
    if (!last || last->samples != measurement->samples || !(last->value > 0))
        return 0;
    const struct journal_row row = journal_get_row(outcomes->journal, (size_t)(last - outcomes->measurements));
    if (row.samples && measurement->value == last->value)
        text_append(samples, row.samples, strlen(row.samples));
    else if (row.samples && measurement->value > 0)
        return samples_text_multiply(samples, row.samples, measurement->value / last->value, error);
    return samples->failed ? error_memory(error) : 0;
}

static int add_row(struct merging *merging, const struct journal_outcomes *outcomes, size_t number, struct text *line,
                   struct error *error)
{
    struct journal_row row = journal_get_row(outcomes->journal, outcomes->rows[number]);
    struct text samples = {0};
    fill_cells(merging, outcomes->journal, &row);
    row.extras = merging->cells;
    row.measurement = measurement_of(&outcomes->outcomes, &outcomes->outcomes.items[number]);
    name_device(merging, outcomes->journal, &row.measurement);
    text_clear(line);
    int code = find_samples(outcomes, number, &row.measurement, &samples, error);
    row.samples = text_string(&samples);
    if (!code)
        code = journal_print_row(line, &merging->header, &row, error);
    text_free(&samples);
    return code ? code : add_once(merging, line, error);
}

static int add_journal(struct merging *merging, const struct journal *journal, struct error *error)
{
    struct text line = {0};
    struct journal_outcomes outcomes;
    int code = journal_outcomes_read(&outcomes, journal, error);
    for (size_t i = 0; i < outcomes.outcomes.count && !code; i++)
        code = add_row(merging, &outcomes, i, &line, error);
    journal_outcomes_free(&outcomes);
    for (size_t i = 0; i < journal_evidence_count(journal) && !code; i++) {
        const struct journal_evidence evidence = journal_get_evidence(journal, i);
        text_clear(&line);
        code = journal_print_evidence(&line, &merging->header, &evidence, error);
        if (!code)
            code = add_once(merging, &line, error);
    }
    text_free(&line);
    return code;
}

int journal_merge(const struct journal *const *journals, size_t count, struct text *out, struct error *error)
{
    struct merging merging = {.journals = journals, .count = count, .out = out};
    int code = 0;
    merging.header = *journal_get_header(journals[0]);
    for (size_t i = 1; i < count && !code; i++)
        code = check(&merging, journals[i], error);
    if (!code)
        code = make_extras(&merging, error);
    if (!code)
        code = journal_print_header(out, &merging.header, error);
    for (size_t i = 0; i < count && !code; i++)
        code = add_journal(&merging, journals[i], error);
    text_set_free(&merging.rows);
    arena_free(&merging.arena);
    return code;
}
