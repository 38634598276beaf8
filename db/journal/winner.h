/* The winner of a run, by the outcomes of its configurations, and the row of the database that it gets: the same for
 * a session, a replay, a comparison and a journal. */
#ifndef CUTUNE_JOURNAL_WINNER_H
#define CUTUNE_JOURNAL_WINNER_H

#include "database/database.h"
#include "journal/journal.h"
#include "journal/outcomes.h"

enum { FINALISTS_MAX = 64 }; /* of a play-off */

/* Selects the finalists of a play-off among the outcomes with `mark` (0: all): the `most` fastest (up to
 * FINALISTS_MAX), without those whose interval begins beyond the reach of the fastest one's. Only one of several
 * configurations with equal machine code takes part: the original if it is marked, else a duplicate. Writes up to
 * `most` keys, the fastest first, and returns their number. */
size_t winner_finalists(const struct outcomes *outcomes, unsigned mark, size_t most, uint64_t *keys);

struct winner {
    uint64_t key;
    struct measurement measurement; /* from the play-off or, without a play-off, the search */
    struct measurement default_;    /* of the default likewise; NaN: it has no time */
    size_t finalists;               /* number of finalists of the deciding play-off; 0: no play-off */
    size_t tied; /* number of finalists tied for the first place, the fastest included; 0: only the fastest */
    uint64_t keys[FINALISTS_MAX]; /* of the finalists */
    bool ties[FINALISTS_MAX];     /* marks the finalists that are as fast as the fastest, including it */
};

/* Finds the winner among the outcomes with `mark` (0: all). If the fastest of the search took part in a play-off of
 * the last session, the play-off decides (outcomes_winner), else the fastest of the search wins. `default_key`: the
 * space's default; UINT64_MAX: none. False if no outcome has a time. */
bool winner_find(const struct outcomes *outcomes, unsigned mark, uint64_t default_key, struct winner *winner);

/* The efficiency of a configuration in a run, 0 to 1: the winner's time over its own. It is 1 for all that are tied
 * with the fastest, 0 for a configuration that fails, NaN for one that was not evaluated. For a censored
 * configuration it is an upper bound. */
double winner_efficiency(const struct outcomes *outcomes, const struct winner *winner, uint64_t key);

/* The row of the database. If times are per unit of work, so are traffic, operations and roofline time. Borrows
 * texts. The caller sets the rest, which is 0 and "": the states, the number of valid configurations, the strategy and
 * its seed. */
struct best winner_row(const struct winner *winner, const struct provenance *provenance, const char *configuration,
                       uint64_t evaluated);
/* Adds the library that the winner was compared with; NULL: none. Borrows its name. */
void winner_row_library(struct best *row, const struct journal_library *library);

#endif
