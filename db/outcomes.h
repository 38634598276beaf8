/* The one reading of a journal: what all rows of a configuration say of it together. Resuming, replaying, comparing,
 * reporting and choosing go through it; a run adds its new rows to it as they come.
 *
 * - The last row of the search counts; the outcome of a play-off stands beside it and is what the configuration is
 *   known as.
 * - A configuration that fails, in a play-off or measured again, has failed: its earlier times count for nothing.
 * - A duplicate has the outcome of the configuration whose machine code it shares, whatever becomes of that one, unless
 *   it was measured itself. One whose original is not known stands for itself.
 * - A row of the proposer `resume` is the best of an earlier session, measured again. When it differs by more than the
 *   reach of a play-off, the device is faster or slower now, and all earlier times are read as that ratio of what was
 *   recorded, so that all times of a journal can be compared. */
#ifndef CUTUNE_DB_OUTCOMES_H
#define CUTUNE_DB_OUTCOMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/hash_table.h"
#include "base/measurement.h"

#define OUTCOME_NO_DUPLICATE UINT64_MAX

/* One configuration. Of the fields only `marks` is for readers to change. */
struct outcome {
    uint64_t key;       /* the reader's number of the configuration */
    uint64_t duplicate; /* key of the one whose number it takes; OUTCOME_NO_DUPLICATE: it has its own */
    const struct measurement *last, *final; /* of the search, and of a play-off; NULL: none */
    uint32_t session, final_session;        /* in which they were measured */
    enum proposer proposer;                 /* who named it first */
    bool broken;                            /* had a time, and failed later */
    unsigned marks;                         /* the reader's own; 0 at first */
};

/* Zeroed: empty. */
struct outcomes {
    struct outcome *items; /* in the order of their coming; they move when one is added */
    size_t count, room;
    struct hash_table table; /* items by key */
    double *scales;          /* by session: what times of the first one are multiplied by to be times of that one */
    size_t session_count, session_room;
    double undone; /* the best value, the interval's end to the worse, of all that are broken; 0: none is */
};

/* The outcome of a configuration. NULL: there is none. Valid until the next outcomes_get or outcomes_add. */
struct outcome *outcomes_find(const struct outcomes *outcomes, uint64_t key);

/* The same; one that is not there is made, of OUTCOME_UNKNOWN. NULL: memory is out. */
struct outcome *outcomes_get(struct outcomes *outcomes, uint64_t key);

/* The next row of a configuration. The measurement is borrowed as long as the outcomes live. `duplicate`: key of the
 * configuration that its message names (measurement_duplicate), OUTCOME_NO_DUPLICATE when it names none. The only error
 * is ERROR_MEMORY. */
int outcomes_add(struct outcomes *outcomes, uint64_t key, uint64_t duplicate, const struct measurement *row,
                 struct error *error);

/* The same for what became of it in a play-off, whatever the row says of that. */
int outcomes_add_final(struct outcomes *outcomes, uint64_t key, const struct measurement *row, struct error *error);

/* Which rows are asked for: those of the search alone, or the outcome of a play-off where there is one. */
enum outcome_part { OUTCOME_OF_SEARCH, OUTCOME_KNOWN_AS };

/* What a configuration is known as, in times of the last session. A duplicate has the numbers of its original, or its
 * failure, behind the name of the original in the message. `outcome` must have a row. */
struct measurement outcomes_measurement(const struct outcomes *outcomes, const struct outcome *outcome,
                                        enum outcome_part part);

/* The same: the row itself where that says it all, else made in the arena. NULL: memory is out. */
const struct measurement *outcomes_view(const struct outcomes *outcomes, const struct outcome *outcome,
                                        enum outcome_part part, struct arena *arena);

/* What all rows of a configuration come to; OUTCOME_UNKNOWN: there is none. */
enum outcome_class outcomes_class(const struct outcomes *outcomes, const struct outcome *outcome);

/* Whose numbers a configuration has: its own, or its original's. */
const struct outcome *outcomes_original(const struct outcomes *outcomes, const struct outcome *outcome,
                                        enum outcome_part part);

/* It was in a play-off of the last session. */
bool outcomes_has_final(const struct outcomes *outcomes, const struct outcome *outcome);

void outcomes_free(struct outcomes *outcomes);

/* How far beyond the end of the best one's interval another one's may begin and still be as good, as far as a search
 * can tell: the search's intervals are short and know no drift. A value of the leader's objective. */
double outcomes_reach(const struct measurement *leader);

/* The winner of a play-off: of the fastest and of those that are tied with it, the cheapest (measurement_better).
 * `finals`: what became of each; NULL, or without a time: it is out. `keys`: the configurations, for the order of
 * equals; NULL: they are numbered as they stand. *tied: how many are tied with the fastest. SIZE_MAX when nobody has a
 * time. */
size_t outcomes_winner(const struct measurement *const *finals, const uint64_t *keys, size_t count, size_t *tied);

#endif
