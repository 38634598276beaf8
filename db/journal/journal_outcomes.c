#include "journal/journal_outcomes.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/pairs.h"

void journal_outcomes_text(const struct journal *journal, size_t row, struct text *text)
{
    const struct journal_header *header = journal_get_header(journal);
    const char *const *values = journal_get_values(journal, row);
    for (size_t i = 0; i < header->parameter_count; i++)
        text_printf(text, "%s%s=%s", i ? " " : "", header->parameters[i], values[i]);
}

uint64_t journal_outcomes_key(const char *configuration)
{
    return hash_u64(configuration, strlen(configuration), 0);
}

/* The key of the original whose result a row repeats. */
static uint64_t duplicate_of(const struct measurement *measurement)
{
    size_t length;
    const char *name = measurement_duplicate(measurement, &length);
    return name ? hash_u64(name, length, 0) : OUTCOME_NO_DUPLICATE;
}

static const char *const *values_of(const struct journal_outcomes *outcomes, uint64_t key)
{
    const struct outcome *outcome = outcomes_find(&outcomes->outcomes, key);
    return journal_get_values(outcomes->journal, outcomes->rows[outcome - outcomes->outcomes.items]);
}

static int order_values(const void *reader, uint64_t a, uint64_t b)
{
    const struct journal_outcomes *outcomes = reader;
    const char *const *x = values_of(outcomes, a), *const *y = values_of(outcomes, b);
    int order = 0;
    for (size_t p = 0; p < journal_get_header(outcomes->journal)->parameter_count && order == 0; p++)
        order = x[p] == y[p] ? 0 : pairs_compare_values(x[p], y[p]);
    return order;
}

static int read_rows(struct journal_outcomes *outcomes, const struct journal *journal, enum proposer without,
                     struct error *error)
{
    size_t rows = journal_row_count(journal);
    struct text text = {0};
    *outcomes = (struct journal_outcomes){.journal = journal,
                                          .outcomes = {.order = order_values, .reader = outcomes},
                                          .rows = calloc(rows + 1, sizeof *outcomes->rows),
                                          .measurements = calloc(rows + 1, sizeof *outcomes->measurements)};
    int code = outcomes->rows && outcomes->measurements ? 0 : error_memory(error);
    for (size_t row = 0; row < rows && !code; row++) {
        struct measurement *measurement = &outcomes->measurements[row];
        size_t before = outcomes->outcomes.count;
        *measurement = journal_get_row(journal, row).measurement;
        if (measurement->proposer == without)
            continue;
        text_clear(&text);
        journal_outcomes_text(journal, row, &text);
        code = text.failed ? error_memory(error)
                           : outcomes_add(&outcomes->outcomes, journal_outcomes_key(text_string(&text)),
                                          duplicate_of(measurement), measurement, error);
        if (!code && outcomes->outcomes.count > before)
            outcomes->rows[before] = row;
    }
    text_free(&text);
    return code;
}

int journal_outcomes_read(struct journal_outcomes *outcomes, const struct journal *journal, struct error *error)
{
    return read_rows(outcomes, journal, PROPOSER_COUNT, error);
}

int journal_outcomes_read_search(struct journal_outcomes *outcomes, const struct journal *journal, struct error *error)
{
    return read_rows(outcomes, journal, PROPOSER_FIT, error);
}

void journal_outcomes_free(struct journal_outcomes *outcomes)
{
    free(outcomes->rows);
    free(outcomes->measurements);
    outcomes_free(&outcomes->outcomes);
    *outcomes = (struct journal_outcomes){0};
}

bool journal_is_probed(const struct journal *journal)
{
    bool fitted = false;
    for (size_t row = 0; row < journal_row_count(journal); row++) {
        enum proposer proposer = journal_get_row(journal, row).measurement.proposer;
        if (proposer != PROPOSER_FIT && proposer != PROPOSER_UNKNOWN)
            return false;
        fitted |= proposer == PROPOSER_FIT;
    }
    return fitted;
}
