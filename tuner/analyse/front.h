/* The front of time and energy: the configurations of which no other is measurably better in one and as good in the
 * other. A pure function of recorded energies. */
#ifndef CUTUNE_ANALYSE_FRONT_H
#define CUTUNE_ANALYSE_FRONT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/energy.h"
#include "base/error.h"

/* A configuration: time and energy, both better when smaller. */
struct front_point {
    struct bounded time, energy;
    bool on; /* the front */
};

/* A point leaves the front only if another one on it is better beyond both intervals in one, and not worse beyond them
 * in the other. Points of larger products of time and energy leave first, so that one remains. A point without a number
 * is not on the front. */
void front_mark(struct front_point *points, size_t count);

/* Returns the points of energies that were measured in turn, marked. Times and energies are relative to those of the
 * energy with the least joules per unit of work, round by round, which cancels a drift of the device; then scaled by
 * its own. Allocates nothing; `points` has room for `count`. */
void front_of(const struct energy *energies, size_t count, double confidence, struct front_point *points);

/* Returns the best by an objective. If several are not measurably worse than the best one, it is the one with the least
 * time, or for a time, the least energy. SIZE_MAX: none has a number. Sets *tied to the number of these, 1: only
 * the best; may be NULL. */
size_t front_best(const struct energy *energies, size_t count, const struct objective *objective, double confidence,
                  size_t *tied);

/* Returns the configuration on the front with the least sum of weight * energy / least energy and
 * (1 - weight) * time / least time, both least of the front. `weight` is from 0 to 1. The time decides between
 * equal sums. SIZE_MAX: the front is empty. */
size_t front_weighted(const struct front_point *points, size_t count, double weight);

struct journal_library;
/* Returns the energy of a library that was measured in turn with a configuration of the front. To be comparable with
 * the front's, each of its rounds is the configuration's point times the ratios between both. Without rounds if the
 * library has no energy. */
struct energy front_library(const struct front_point *configuration, const struct journal_library *library,
                            bool per_work);

/* The last energies of a journal. */
struct front {
    size_t count; /* 0: the journal has none */
    const char **configurations;
    struct energy *energies;
    struct front_point *points;
    bool per_work;       /* times and energies are per unit of work */
    const char *library; /* the name of the library that one of them was compared with; NULL: none has an energy */
    struct energy library_energy; /* front_library */
};
struct journal;

/* Reads them into memory of the arena. The only error is ERROR_MEMORY. */
int front_read(const struct journal *journal, double confidence, struct arena *arena, struct front *front,
               struct error *error);

#endif
