/* A strategy's memory of its run: the configurations that it proposed, and their results. It keeps every strategy from
 * proposing a configuration twice, and provides a new configuration as long as one is left. */
#ifndef CUTUNE_SEARCH_ARCHIVE_H
#define CUTUNE_SEARCH_ARCHIVE_H

#include "base/hash_table.h"
#include "base/random.h"
#include "search/strategy.h"

/* The most that archive_best_few finds. */
enum { ARCHIVE_BEST_MAX = 16 };

struct archive_entry {
    uint64_t index;
    bool told, ok, bound;        /* this and the rest: as in struct cost, if told */
    double value, least, effort; /* value: if bound, not below `least` */
    unsigned cause;
};

/* A zeroed archive is closed. Read-only for strategies. */
struct archive {
    const struct valid_set *set;
    uint64_t seed, valid, cursor;
    struct archive_entry *entries; /* in the order in which they became known */
    size_t count, room;
    struct hash_table table;                 /* entries by index */
    size_t best;                             /* entry of the least value; SIZE_MAX: nothing has worked yet */
    size_t few[ARCHIVE_BEST_MAX], few_count; /* for archive_best_few */
    uint64_t *around;                        /* scratch for neighbours */
    size_t around_room;
    bool failed; /* memory is out; everything else still works */
};

int archive_open(struct archive *archive, const struct strategy_setup *setup, struct error *error);
void archive_close(struct archive *archive);

/* The entry of a configuration that was proposed or told, else NULL. Valid until the next addition. */
struct archive_entry *archive_find(const struct archive *archive, uint64_t index);
/* Records a result and returns the entry; NULL if memory is out. */
struct archive_entry *archive_tell(struct archive *archive, uint64_t index, const struct cost *cost);

/* A configuration that is not in the archive, uniformly among those; false if none is left. All calls of a run together
 * make one pass over a permutation of the set. */
bool archive_fresh(struct archive *archive, uint64_t *index);

/* A neighbour of `index` that is not in the archive, uniformly among those; false if there is none. */
bool archive_neighbour(struct archive *archive, uint64_t index, enum neighbourhood neighbourhood, struct random *random,
                       uint64_t *neighbour);
/* Writes all neighbours to archive->around; returns their number. */
size_t archive_around(struct archive *archive, uint64_t index, enum neighbourhood neighbourhood);

/* Finds the best `most` entries, at most ARCHIVE_BEST_MAX, that have worked, the best first; returns their number. One
 * that was stopped early counts with its estimate. */
size_t archive_best_few(const struct archive *archive, size_t *best, size_t most);

/* Implements a strategy's `ask` by its function for one proposal. If that returns false or a configuration in the
 * archive, archive_fresh provides one. */
typedef bool archive_propose(void *state, uint64_t *index);
int archive_ask(struct archive *archive, archive_propose *propose, void *state, uint64_t *configs, size_t room,
                size_t *count, struct error *error);

#endif
