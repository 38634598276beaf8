/* The one interpretation of a journal: the outcome of each configuration, from all its rows. Resuming, replaying,
 * comparing, reporting and choosing use it; a run adds its new rows as they come.
 *
 * - The last row of the search counts; a play-off's outcome is kept beside it and takes precedence.
 * - A configuration that fails, in a play-off or when measured again, has failed: its earlier times do not count.
 * - A duplicate has the outcome of the configuration whose machine code it shares, whatever happens to that one later,
 *   unless it was measured itself. A duplicate whose original is unknown stands for itself.
 * - A row of the proposer `resume` is the best of an earlier session, measured again. If it differs by more than the
 *   reach of a play-off, the device's speed has changed: all earlier times are scaled by that ratio, so that all times
 *   of a journal are comparable.
 * - A configuration that was stopped early was slower than the best of its day, which a reader may leave out. Its row
 *   says how fast it can be at best, and nothing about those that are slower than that (outcomes_bound_counts). It does
 *   not replace a time, which says more. */
#ifndef CUTUNE_JOURNAL_OUTCOMES_H
#define CUTUNE_JOURNAL_OUTCOMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/hash_table.h"
#include "base/measurement.h"

#define OUTCOME_NO_DUPLICATE UINT64_MAX

/* One configuration. Readers may change only `marks`. */
struct outcome {
    uint64_t key;       /* the reader's number of the configuration */
    uint64_t duplicate; /* key of its original; OUTCOME_NO_DUPLICATE: it has a measurement of its own */
    const struct measurement *last, *final; /* of the search, and of a play-off; NULL: none */
    uint32_t session, final_session;        /* sessions of these measurements */
    enum proposer proposer;                 /* who proposed it first */
    bool broken;                            /* had a time and failed later */
    unsigned marks;                         /* the reader's own; 0 at first */
};

/* Zeroed: empty. */
struct outcomes {
    struct outcome *items; /* in order of first appearance; adding one may move them */
    size_t count, room;
    struct hash_table table; /* items by key */
    double *scales;          /* by session: factor from times of the first session to times of that one */
    size_t session_count, session_room;
    /* Orders two configurations by their keys, which decides between equal measurements. NULL: the lower key is first.
     */
    int (*order)(const void *reader, uint64_t a, uint64_t b);
    const void *reader;
};

/* Negative: `a` comes before `b`. */
int outcomes_order(const struct outcomes *outcomes, uint64_t a, uint64_t b);

/* The outcome of a configuration; NULL if it has none. Valid until the next outcomes_get or outcomes_add. */
struct outcome *outcomes_find(const struct outcomes *outcomes, uint64_t key);

/* Finds it likewise, or adds one of class OUTCOME_UNKNOWN. NULL if memory is out. */
struct outcome *outcomes_get(struct outcomes *outcomes, uint64_t key);

/* Adds the next row of a configuration. The measurement is borrowed as long as the outcomes live. `duplicate` is the
 * key of the configuration that its message names (measurement_duplicate), or OUTCOME_NO_DUPLICATE. The only error is
 * ERROR_MEMORY. */
int outcomes_add(struct outcomes *outcomes, uint64_t key, uint64_t duplicate, const struct measurement *row,
                 struct error *error);

/* Adds the result of a play-off, whatever the row's `playoff` says. */
int outcomes_add_final(struct outcomes *outcomes, uint64_t key, const struct measurement *row, struct error *error);

/* Which rows count: those of the search alone, or a play-off's where one exists. */
enum outcome_part { OUTCOME_OF_SEARCH, OUTCOME_KNOWN_AS };

/* The measurement that stands for a configuration, in times of the last session. A duplicate has its original's
 * numbers, or its failure, after the original's name in the message. `outcome` must have a row. */
struct measurement outcomes_measurement(const struct outcomes *outcomes, const struct outcome *outcome,
                                        enum outcome_part part);

/* Returns the same: the row itself if it is unchanged, else a copy in the arena. NULL if memory is out. */
const struct measurement *outcomes_view(const struct outcomes *outcomes, const struct outcome *outcome,
                                        enum outcome_part part, struct arena *arena);

/* The class of a configuration by all its rows; OUTCOME_UNKNOWN if it has none. */
enum outcome_class outcomes_class(const struct outcomes *outcomes, const struct outcome *outcome);

/* The configuration that a measurement belongs to: itself, or its original. */
const struct outcome *outcomes_original(const struct outcomes *outcomes, const struct outcome *outcome,
                                        enum outcome_part part);

/* Whether it was in a play-off of the last session. */
bool outcomes_has_final(const struct outcomes *outcomes, const struct outcome *outcome);

void outcomes_free(struct outcomes *outcomes);

/* How far beyond the end of the best one's interval another one's may begin and still be as good, as far as a search
 * can tell: the search's intervals are short and know no drift. A value of the leader's objective. */
double outcomes_reach(const struct measurement *leader);

/* The best value that a configuration which was stopped early can have: the end of its interval to the better. The two
 * samples after which a hopeless one is stopped are no interval: less than that is promised by them. */
double outcomes_bound(const struct measurement *bound);

/* Is what was stopped early certainly worse than a value, such as the best of those that a reader looks at? */
bool outcomes_bound_counts(const struct measurement *bound, double value);

/* The fastest of a play-off, of equal ones the first. `finals`: the measurements; NULL or one without a time is out.
 * SIZE_MAX if none has a time. */
size_t outcomes_fastest(const struct measurement *const *finals, size_t count);

/* Whether another finalist (NULL: none) is tied with the fastest: not measurably slower. */
bool outcomes_tied(const struct measurement *fastest, const struct measurement *final);

/* The winner of a play-off: the first by measurement_compare_tied among the fastest and those tied with it; of equal
 * ones the fastest. `finals`: the measurements; NULL or one without a time is out. *tied: how many are as fast as the
 * fastest, which counts; 0: none but the fastest. SIZE_MAX if none has a time. db/journal/winner.h says who takes part.
 */
size_t outcomes_winner(const struct measurement *const *finals, size_t count, size_t *tied);

#endif
