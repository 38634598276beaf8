/* The only interpretation of a journal: the outcome of each configuration, from all its rows. Resuming, replaying,
 * comparing, reporting and choosing use it; a run adds its new rows as they come.
 *
 * - The last row of the search counts; a play-off's outcome is stored beside it and takes precedence.
 * - A configuration that fails, in a play-off or when it is remeasured, has failed: its earlier times do not count.
 * - A duplicate has the outcome of the configuration with the same machine code, including later changes, unless it was
 * measured itself. A duplicate of an unknown original has its own outcome.
 * - A row of the proposer `resume` remeasures the best configuration of an earlier session. If its time differs by more
 * than the reach of a play-off, the device's speed has changed: all earlier times are scaled by that ratio, so that all
 * times of a journal are comparable.
 * - A censored configuration (stopped early) was slower than the best of its time, which a reader may leave out. Its
 * row is a bound on its speed, and does not rank it against slower configurations (outcomes_censored_counts). It does
 * not replace a time, which is more precise. */
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
    uint64_t duplicate; /* key of its original; OUTCOME_NO_DUPLICATE: has a measurement of its own */
    const struct measurement *last, *final; /* of the search, and of a play-off; NULL: none */
    uint32_t session, final_session;        /* sessions of these measurements */
    enum proposer proposer;                 /* first proposer */
    bool broken;                            /* had a time and failed later */
    unsigned marks;                         /* for the reader; initially 0 */
};

/* Zeroed: empty. */
struct outcomes {
    struct outcome *items; /* in order of first appearance; adding one may move them */
    size_t count, room;
    struct hash_table table; /* items by key */
    double *scales;          /* by session: factor from times of the first session to times of that one */
    size_t session_count, session_room;
    bool has_incumbent;
    uint64_t incumbent; /* key of the last configuration that a play-off names PROPOSER_INCUMBENT */
    /* Orders two configurations by their keys, which decides between equal measurements. NULL: by ascending key. */
    int (*order)(const void *reader, uint64_t a, uint64_t b);
    const void *reader;
};

/* Negative: `a` comes before `b`. */
int outcomes_order(const struct outcomes *outcomes, uint64_t a, uint64_t b);

/* The outcome of a configuration; NULL if it has none. Valid until the next outcomes_get or outcomes_add. */
struct outcome *outcomes_find(const struct outcomes *outcomes, uint64_t key);

/* Finds it likewise, or adds one of class OUTCOME_UNKNOWN. NULL when out of memory. */
struct outcome *outcomes_get(struct outcomes *outcomes, uint64_t key);

/* Adds the next row of a configuration. Borrows the measurement while the outcomes live. `duplicate` is the key of
 * the configuration that its message names (measurement_duplicate), or OUTCOME_NO_DUPLICATE. The only error is
 * ERROR_MEMORY. */
int outcomes_add(struct outcomes *outcomes, uint64_t key, uint64_t duplicate, const struct measurement *row,
                 struct error *error);

/* Adds the result of a play-off, whatever the row's `playoff` is. */
int outcomes_add_final(struct outcomes *outcomes, uint64_t key, const struct measurement *row, struct error *error);

/* The rows that count: those of the search alone, or a play-off's if it exists. */
enum outcome_part { OUTCOME_OF_SEARCH, OUTCOME_KNOWN_AS };

/* The measurement of a configuration in times of the last session. A duplicate has its original's numbers, or its
 * failure, after the original's name in the message. `outcome` must have a row. */
struct measurement outcomes_measurement(const struct outcomes *outcomes, const struct outcome *outcome,
                                        enum outcome_part part);

/* Returns the same measurement: the row itself if it is unchanged, else a copy in the arena. NULL when out of
 * memory. */
const struct measurement *outcomes_view(const struct outcomes *outcomes, const struct outcome *outcome,
                                        enum outcome_part part, struct arena *arena);

/* The class of a configuration by all its rows; OUTCOME_UNKNOWN without rows. */
enum outcome_class outcomes_class(const struct outcomes *outcomes, const struct outcome *outcome);

/* The measured configuration: itself, or its original. */
const struct outcome *outcomes_original(const struct outcomes *outcomes, const struct outcome *outcome,
                                        enum outcome_part part);

/* True if it was in a play-off of the last session. */
bool outcomes_has_final(const struct outcomes *outcomes, const struct outcome *outcome);

void outcomes_free(struct outcomes *outcomes);

/* The limit up to which another configuration may be as good as the leader: the end of the leader's interval,
 * extended because the search's intervals are short and ignore drift. A value of the leader's objective. */
double outcomes_reach(const struct measurement *leader);

/* The best possible value of a censored configuration: the better end of its interval. A configuration stopped after
 * two samples has no interval that can be relied on, so its bound is laxer. */
double outcomes_censored_end(const struct measurement *censored);

/* True if a censored configuration is certainly worse than a value, such as the reader's best. */
bool outcomes_censored_counts(const struct measurement *censored, double value);

/* The fastest of a play-off, beaten ones (playoff_beaten) last; the first of equals. Skips NULL and measurements
 * without a time in `finals`. SIZE_MAX if no measurement has a time. */
size_t outcomes_fastest(const struct measurement *const *finals, size_t count);

/* True if another finalist (NULL: none) is tied with the fastest: neither measurably slower nor unsteady. */
bool outcomes_tied(const struct measurement *fastest, const struct measurement *final);

/* The winner of a play-off among the fastest and those tied with it: `incumbent`, its place in `finals` (SIZE_MAX:
 * none), else the first by measurement_compare_tied, and the fastest of equals. Skips NULL and measurements without a
 * time in `finals`. Sets *tied to the number of tied finalists, including the fastest; 0: only the fastest. SIZE_MAX if
 * no measurement has a time. The participants are those of db/journal/winner.h. */
size_t outcomes_winner(const struct measurement *const *finals, size_t count, size_t incumbent, size_t *tied);

#endif
