/* The winner of a run, by the outcomes of its configurations, and the row of the database that it gets: the same for
 * a session, a replay, a comparison and a journal. */
#ifndef CUTUNE_JOURNAL_WINNER_H
#define CUTUNE_JOURNAL_WINNER_H

#include "database/database.h"
#include "journal/journal.h"
#include "journal/outcomes.h"

enum { FINALISTS_MAX = 64 }; /* of a play-off, besides the default and the incumbent */

/* Selects the finalists of a play-off among the outcomes with `mark` (0: all): the `most` fastest (up to
 * FINALISTS_MAX), without those whose interval begins beyond the reach of the fastest one's. Only one of several
 * configurations with equal machine code takes part: the original if it is marked, else a duplicate. Writes up to
 * `most` keys, the fastest first, and returns their number. */
size_t winner_finalists(const struct outcomes *outcomes, unsigned mark, size_t most, uint64_t *keys);

/* Adds the incumbent to `count` finalists, in reach or not: in place of the one with its machine code, else as the
 * last. Returns the new count. The incumbent has an outcome. */
size_t winner_add_incumbent(const struct outcomes *outcomes, uint64_t incumbent, uint64_t *keys, size_t count);

/* The verdict of a play-off on the incumbent, the configuration of the database's row. */
enum incumbent_verdict {
    INCUMBENT_NONE,     /* it did not play */
    INCUMBENT_HOLDS,    /* it is measurably the fastest */
    INCUMBENT_TIED,     /* it is tied with others, and stays the winner */
    INCUMBENT_REPLACED, /* another one is measurably faster, and is the winner */
    INCUMBENT_COUNT
};
/* "" for INCUMBENT_NONE, else "holds", "tied", "replaced". */
const char *incumbent_verdict_name(enum incumbent_verdict verdict);

struct winner {
    uint64_t key;
    struct measurement measurement; /* from the play-off or, without a play-off, the search */
    struct measurement default_;    /* of the default likewise; NaN: it has no time */
    size_t finalists;               /* number of finalists of the deciding play-off; 0: no play-off */
    size_t tied; /* number of finalists tied for the first place, the fastest included; 0: only the fastest */
    uint64_t keys[FINALISTS_MAX + 1]; /* of the finalists, including an incumbent out of reach */
    bool ties[FINALISTS_MAX + 1];     /* marks the finalists that are as fast as the fastest, including it */
};

/* Finds the winner among the outcomes with `mark` (0: all). If the fastest of the search took part in a play-off of
 * the last session, the play-off decides (outcomes_winner) with the incumbent that it names, else the fastest of the
 * search wins. `default_key`: the space's default; UINT64_MAX: none. False if no outcome has a time. */
bool winner_find(const struct outcomes *outcomes, unsigned mark, uint64_t default_key, struct winner *winner);

/* The verdict of the deciding play-off on an incumbent. Sets *ratio to its time over that of the fastest other
 * finalist, or to NaN without another. */
enum incumbent_verdict winner_verdict(const struct outcomes *outcomes, const struct winner *winner, uint64_t incumbent,
                                      double *ratio);

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
