/* Who wins a run, by the outcomes of its configurations, and the row of the database that the winner gets: the same for
 * a session, a replay, a comparison and a journal. */
#ifndef CUTUNE_JOURNAL_WINNER_H
#define CUTUNE_JOURNAL_WINNER_H

#include "database/database.h"
#include "journal/journal.h"
#include "journal/outcomes.h"

enum { FINALISTS_MAX = 64 }; /* of a play-off */

/* Selects the finalists of a play-off among the outcomes with `mark` (0: all): the `most` fastest (up to
 * FINALISTS_MAX), without those whose interval begins beyond the reach of the fastest one's. Of equal machine code only
 * one takes part: the original if it is marked, else a duplicate. Writes up to `most` keys, the fastest first, and
 * returns their number. */
size_t winner_finalists(const struct outcomes *outcomes, unsigned mark, size_t most, uint64_t *keys);

struct winner {
    uint64_t key;
    struct measurement measurement; /* what the play-off or, without one, the search measured */
    struct measurement default_;    /* of the default likewise; NaN: it has no time */
    size_t finalists;               /* of the play-off that decided; 0: none did */
    size_t tied;                    /* of these: as fast as the fastest, which counts; 0: none but the fastest */
    uint64_t keys[FINALISTS_MAX];   /* of the finalists */
    bool ties[FINALISTS_MAX];       /* which of them are as fast as the fastest, which is one of them */
};

/* Finds the winner among the outcomes with `mark` (0: all). If the fastest of the search took part in a play-off of the
 * last session, it is that play-off's winner (outcomes_winner), else the fastest of the search. `default_key`: the
 * space's default; UINT64_MAX: none. False if nothing has a time. */
bool winner_find(const struct outcomes *outcomes, unsigned mark, uint64_t default_key, struct winner *winner);

/* The efficiency of a configuration in a run, 0 to 1: the winner's time over its own. 1 for all that are tied with the
 * fastest, 0 for a configuration that fails, NaN for one that was not evaluated. The time of a configuration that was
 * stopped early is a bound, and its efficiency, too. */
double winner_efficiency(const struct outcomes *outcomes, const struct winner *winner, uint64_t key);

/* The row of the database. Where times are per unit of work, its traffic, operations and floor are so, too. Texts are
 * borrowed. The caller knows the rest: the number of valid configurations, the
 * strategy and its seed, which stay 0 and "". */
struct best winner_row(const struct winner *winner, const struct provenance *provenance, const char *configuration,
                       uint64_t evaluated);
/* Adds the library that the winner was compared with; NULL: none. Borrows its name. */
void winner_row_library(struct best *row, const struct journal_library *library);

#endif
