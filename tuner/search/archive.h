/* A strategy's memory of its run: the configurations that it proposed, and their results. It keeps every strategy from
 * proposing a configuration twice, and provides a new configuration while any remains. */
#ifndef CUTUNE_SEARCH_ARCHIVE_H
#define CUTUNE_SEARCH_ARCHIVE_H

#include "base/hash_table.h"
#include "base/random.h"
#include "search/strategy.h"

/* Maximum of archive_best_few. */
enum { ARCHIVE_BEST_MAX = 16 };

struct archive_entry {
    uint64_t index;
    bool told, ok, censored;     /* this and the rest: as in struct cost, if told */
    double value, least, effort; /* value: if bound, at least `least` */
    unsigned cause;
};

/* A zeroed archive is closed. Read-only for strategies. */
struct archive {
    const struct valid_set *set;
    uint64_t seed, valid, cursor;
    struct archive_entry *entries; /* in the order of proposal or result */
    size_t count, room;
    struct hash_table table;                 /* index to entry */
    size_t best;                             /* entry of the least value; SIZE_MAX: none is feasible so far */
    size_t few[ARCHIVE_BEST_MAX], few_count; /* for archive_best_few */
    uint64_t *around;                        /* scratch for neighbours */
    size_t around_room;
    bool failed; /* memory is out; all functions still work */
};

int archive_open(struct archive *archive, const struct strategy_setup *setup, struct error *error);
void archive_close(struct archive *archive);

/* Returns the entry of a proposed or told configuration, else NULL. Valid until the next addition. */
struct archive_entry *archive_find(const struct archive *archive, uint64_t index);
/* Records a proposal, unless the archive has the configuration, and returns its entry; NULL if memory is out. */
struct archive_entry *archive_add(struct archive *archive, uint64_t index);
/* Records a result and returns the entry; NULL if memory is out. */
struct archive_entry *archive_tell(struct archive *archive, uint64_t index, const struct cost *cost);

/* Draws a configuration outside the archive, uniformly; false if none remains. All calls of a run together make one
 * pass over a permutation of the set. */
bool archive_fresh(struct archive *archive, uint64_t *index);

/* Draws a neighbour of `index` outside the archive, uniformly; false if it has none. */
bool archive_neighbour(struct archive *archive, uint64_t index, enum neighbourhood neighbourhood, struct random *random,
                       uint64_t *neighbour);
/* Writes all neighbours to archive->around; returns their number. */
size_t archive_around(struct archive *archive, uint64_t index, enum neighbourhood neighbourhood);

/* Finds the best `most` feasible entries, at most ARCHIVE_BEST_MAX, the best first; returns their number. A censored
 * entry counts with its estimate. */
size_t archive_best_few(const struct archive *archive, size_t *best, size_t most);

/* Implements a strategy's `ask` by its function for one proposal. If that function returns false or a configuration in
 * the archive, archive_fresh provides one. */
typedef bool archive_propose(void *state, uint64_t *index);
int archive_ask(struct archive *archive, archive_propose *propose, void *state, uint64_t *configs, size_t room,
                size_t *count, struct error *error);

#endif
