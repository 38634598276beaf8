/* The candidates of a model's next proposal: all valid configurations or, for a large set, a pool that follows the
 * search. The pool consists of families. The family of a configuration has its neighbours, its crossovers with the
 * best, changes of two of its parameters, and a few configurations drawn from the set. The incumbents always have
 * families. The other families belong to the candidates that the model found most promising; the least promising family
 * makes room for a new one. */
#ifndef CUTUNE_SEARCH_CANDIDATES_H
#define CUTUNE_SEARCH_CANDIDATES_H

#include "search/archive.h"
#include "search/posterior.h"

enum { CANDIDATES_INCUMBENTS_MAX = 10 };

/* Set by the owner before candidates_open; all borrowed. */
struct candidates_setup {
    struct archive *archive;
    const struct encoding *encoding;
    uint64_t whole; /* largest set that is examined whole */
    size_t sample;  /* least size of the pool of a larger set; rounded up to whole families */
    struct random *random;
    /* Called before a block of replaced candidates is cleared: sets their prior in the posterior. May be NULL. */
    void (*replaced)(void *context, size_t block);
    void *context;
};

struct family {
    uint64_t centre; /* UINT64_MAX: none, all are drawn from the set */
    size_t near;     /* number of neighbours of the centre, which come first */
    bool held;       /* its centre is an incumbent */
};

struct candidates {
    struct candidates_setup setup;
    size_t count;
    struct posterior posterior; /* the model's predictions for them */
    bool *taken;                /* by candidate: already in the archive */
    size_t *near;               /* result of candidates_near */
    double *bounds;             /* scratch for the caller of candidates_near, with the length of `near` */
    uint64_t *pool;             /* configuration by candidate; NULL: a candidate is an index of the set */
    struct family *families;
    size_t family_count, family_blocks; /* family_blocks: blocks of the posterior per family */
    bool drawn, exploit;                /* exploit: the next expansion is that of the fastest */
};

int candidates_open(struct candidates *candidates, const struct candidates_setup *setup, struct error *error);
void candidates_close(struct candidates *candidates);

/* Returns the configuration of a candidate. */
uint64_t candidates_index(const struct candidates *candidates, size_t candidate);
/* Writes the values of a configuration by dimension of the encoding. */
void candidates_choices(const struct candidates *candidates, uint64_t index, uint32_t *by_dimension);

/* Draws the pool when first called, before the posterior is built. No effect if all are candidates. */
void candidates_draw(struct candidates *candidates);
/* Marks a configuration that has entered the archive. */
void candidates_take(struct candidates *candidates, uint64_t index);
/* Writes the candidates that are neighbours of incumbents and outside the archive to `near`; returns their number. The
 * incumbents are `count` entries of the archive, at most CANDIDATES_INCUMBENTS_MAX. */
size_t candidates_near(struct candidates *candidates, const size_t *incumbents, size_t count);
/* A step of hill climbing: gives a family to the candidate without one that has, in turns, the greatest acquisition or
 * the least predicted time. A large set has too many unknown regions for climbing the acquisition alone. Call it after
 * acquisition_best, and acquisition_best again afterwards. False if nothing has changed, as always if all are
 * candidates. */
bool candidates_expand(struct candidates *candidates);

#endif
