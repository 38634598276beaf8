/* The outcome of each configuration of a journal, read without its space. */
#ifndef CUTUNE_JOURNAL_JOURNAL_OUTCOMES_H
#define CUTUNE_JOURNAL_JOURNAL_OUTCOMES_H

#include "journal/journal.h"
#include "journal/outcomes.h"

struct journal_outcomes {
    const struct journal *journal; /* borrowed */
    struct outcomes outcomes;      /* keys: journal_outcomes_key */
    size_t *rows;                  /* by position in `outcomes`: a row of the journal with that configuration */
    struct measurement *measurements;
};

/* Reads all rows. Equal configurations are ordered by their values, parameter by parameter. `outcomes` must not move
 * until journal_outcomes_free. The only error is ERROR_MEMORY. */
int journal_outcomes_read(struct journal_outcomes *outcomes, const struct journal *journal, struct error *error);

/* Reads only the rows of the search, without those of a fit over sizes (PROPOSER_FIT), so that measurements for a
 * fit do not change the search's result. */
int journal_outcomes_read_search(struct journal_outcomes *outcomes, const struct journal *journal, struct error *error);

/* The key of a configuration, "TILE=64 PAD=1" in the order of the journal's columns. */
uint64_t journal_outcomes_key(const char *configuration);

/* Appends the configuration of a row of the journal in the same form. */
void journal_outcomes_text(const struct journal *journal, size_t row, struct text *text);

void journal_outcomes_free(struct journal_outcomes *outcomes);

/* True if the journal has rows that a fit proposed and none of a search: it knows only the configurations of the fit.
 */
bool journal_is_probed(const struct journal *journal);

#endif
