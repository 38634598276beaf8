/* What a model examines for its next proposal: all valid configurations, or a pool of those in a larger set. */
#ifndef CUTUNE_SEARCH_CANDIDATES_H
#define CUTUNE_SEARCH_CANDIDATES_H

#include "search/archive.h"
#include "search/posterior.h"

enum { CANDIDATES_INCUMBENTS_MAX = 10 };

/* Set by the owner before candidates_open; all borrowed. */
struct candidates_setup {
    struct archive *archive;
    const struct encoding *encoding;
    const uint8_t *levels; /* of compiler metrics, by metric of the encoding and configuration; NULL: none */
    uint64_t whole;        /* examine all of a set of up to this many */
    size_t sample;         /* size of the pool of a larger one */
    size_t incumbents;     /* the best that contribute neighbours; at most CANDIDATES_INCUMBENTS_MAX */
    struct random *random;
};

struct candidates {
    struct candidates_setup setup;
    size_t count;
    struct posterior posterior; /* the model's predictions for them */
    bool *taken;                /* by candidate: already in the archive */
    uint64_t *pool;             /* configuration by candidate; NULL: all, so that a candidate is an index */
    size_t pool_near;           /* the first candidates of the pool are neighbours of the best */
    size_t pool_best;           /* the archive's best when the pool was drawn */
    size_t *near;               /* result of candidates_near */
};

int candidates_open(struct candidates *candidates, const struct candidates_setup *setup, struct error *error);
void candidates_close(struct candidates *candidates);

/* The configuration of a candidate. */
uint64_t candidates_index(const struct candidates *candidates, size_t candidate);
/* The values of a configuration by dimension of the encoding. */
void candidates_choices(const struct candidates *candidates, uint64_t index, uint32_t *by_dimension);

/* Draws a pool: neighbours of the best, and a sample. Its posterior must be rebuilt. Nothing if all are candidates. */
void candidates_draw(struct candidates *candidates);
/* Has the archive's best changed since the pool was drawn? */
bool candidates_stale(const struct candidates *candidates);
/* A configuration has come into the archive. */
void candidates_take(struct candidates *candidates, uint64_t index);
/* Writes the candidates that are neighbours of the best few and not in the archive to `near`; returns their number. */
size_t candidates_near(struct candidates *candidates);

#endif
