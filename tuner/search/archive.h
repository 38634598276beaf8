/* What a strategy remembers of its run: which configurations were asked for, and what became of them. Keeps every
 * strategy from proposing anything twice, and has a configuration to propose as long as there is one. */
#ifndef CUTUNE_SEARCH_ARCHIVE_H
#define CUTUNE_SEARCH_ARCHIVE_H

#include "base/hash_table.h"
#include "base/random.h"
#include "search/strategy.h"

struct archive_entry {
    uint64_t index;
    bool told, ok, bound;
    double value; /* told and ok */
};

/* A zeroed one is closed. Read-only for strategies. */
struct archive {
    const struct valid_set *set;
    uint64_t seed, valid, cursor;
    struct archive_entry *entries; /* in the order in which they became known */
    size_t count, room;
    struct hash_table table; /* entries by index */
    size_t best;             /* entry of the least value; SIZE_MAX: nothing has worked so far */
    uint64_t *around;        /* scratch for neighbours */
    size_t around_room;
    bool failed; /* memory is out; everything else still works */
};

int archive_open(struct archive *archive, const struct strategy_setup *setup, struct error *error);
void archive_close(struct archive *archive);

/* The entry of a configuration that was asked for or told; NULL: neither. Valid until the next addition. */
struct archive_entry *archive_find(const struct archive *archive, uint64_t index);
/* Records what was told and returns the entry; NULL: memory is out. */
struct archive_entry *archive_tell(struct archive *archive, uint64_t index, const struct cost *cost);

/* A configuration that is not in the archive, uniform among those; false when there is none. In all, over a run, one
 * pass over a permutation of the set. */
bool archive_fresh(struct archive *archive, uint64_t *index);

/* A neighbour of `index` that is not in the archive, uniform among those; false when there is none. */
bool archive_neighbour(struct archive *archive, uint64_t index, enum neighbourhood neighbourhood, struct random *random,
                       uint64_t *neighbour);
/* All neighbours into archive->around; how many there are. */
size_t archive_around(struct archive *archive, uint64_t index, enum neighbourhood neighbourhood);

/* The better one: what worked before what did not, then by value. */
bool archive_better(const struct archive_entry *a, const struct archive_entry *b);

/* A strategy's `ask` by its function for one proposal: false or a configuration that is in the archive stand for "none
 * in particular", and archive_fresh gives one. */
typedef bool archive_propose(void *state, uint64_t *index);
int archive_ask(struct archive *archive, archive_propose *propose, void *state, uint64_t *configs, size_t room,
                size_t *count, struct error *error);

#endif
