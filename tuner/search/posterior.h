/* What a Gaussian process says of many configurations at once: mean and variance at every candidate, kept up to date
 * row by row. With w_i = L^-1 k_i (i the row of an observation, k_i its correlations with all candidates) the mean is
 * the sum of z_i w_i and the variance 1 minus the sum of their squares, so that a new row costs O(candidates x rows).
 * Blocks of candidates may fall behind: bounds tell which of them have to catch up.
 *
 * Single precision, in blocks of candidates that fit a cache. Multiplications and additions are never fused and sums
 * never reordered, so results are the same on every machine. */
#ifndef CUTUNE_SEARCH_POSTERIOR_H
#define CUTUNE_SEARCH_POSTERIOR_H

#include "search/gp.h"

struct posterior_top {
    size_t candidate;
    float score, u;
};

struct posterior {
    const struct encoding *encoding;
    size_t count, blocks, padded; /* candidates; padded: blocks x POSTERIOR_BLOCK */
    size_t row_count, row_room;   /* rows of the process that are known, and that there is room for */
    size_t *rows_in;              /* by block: rows that are in its sums */
    /* A group is a few dimensions whose values together are one code. */
    size_t group_count;
    struct posterior_group {
        size_t first, count; /* dimensions */
        uint32_t size;       /* codes */
        uint16_t *codes;     /* padded */
    } groups[ENCODE_DIMENSIONS_MAX];
    size_t table_count; /* sum of the sizes, twice: scaled distances, then what is rough */
    float *tables;      /* row_room x table_count: by value of each group, what it adds to the square of the
                           scaled distance to a row, and to the decay of the rough part */
    float *w;           /* blocks x row_room x POSTERIOR_BLOCK */
    float *applied;     /* row_room: the z that is in the mean of the blocks that have the row */
    bool *failed;       /* row_room */
    float *factor;      /* row_room x row_room: the process's L */
    /* By candidate; all without the process's variance, the mean is less the process's mean. */
    float *mean, *variance;
    struct posterior_top *tops; /* for acquisition_best, by block: the best candidate, SIZE_MAX for none */
    float *near, *near_failed;  /* sums of the correlations with the rows, and with those that failed */
};

enum { POSTERIOR_BLOCK = 128 };

/* Room for `count` candidates; posterior_place sets each. The encoding outlives the posterior. */
int posterior_open(struct posterior *posterior, const struct encoding *encoding, size_t count, struct error *error);
void posterior_close(struct posterior *posterior);
/* `choices` by dimension. */
void posterior_place(struct posterior *posterior, size_t candidate, const uint32_t *choices);

/* All rows of the process anew, after gp_refactor. `failed` by row. False: memory is out. */
bool posterior_rebuild(struct posterior *posterior, const struct gp *gp, const bool *failed);
/* Takes note of the rows that the process has and the posterior has not, of the z that have changed and of rows that
 * have failed. The blocks do not have the new rows yet. O(candidates) for each change. False: memory is out. */
bool posterior_update(struct posterior *posterior, const struct gp *gp, const bool *failed);

/* Adds to a block the rows that it does not have. O(rows x new rows). Until then its variances are too large, and its
 * means are off by at most posterior_behind() x the square root of the variance (the squares of the w that are missing
 * sum up to no more than the variance; Cauchy and Schwarz). */
void posterior_catch_up(struct posterior *posterior, const struct gp *gp, size_t block);
double posterior_behind(const struct posterior *posterior, size_t block);

#endif
