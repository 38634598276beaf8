/* A Gaussian process's predictions for many configurations: mean and variance at every candidate, updated row by row.
 * Let w_i = L^-1 k_i, with i the row of an observation and k_i its correlations with all candidates. The mean is the
 * sum of z_i w_i, and the variance is 1 minus the sum of their squares, so a new row costs O(candidates x rows). Blocks
 * of candidates may lag: bounds show which of them must be updated.
 *
 * Single precision, in blocks of candidates that fit in a cache. Multiplications and additions are never fused and sums
 * never reordered, so results are the same on every machine. */
#ifndef CUTUNE_SEARCH_POSTERIOR_H
#define CUTUNE_SEARCH_POSTERIOR_H

#include "search/gp.h"

struct posterior_top {
    size_t candidate;
    float score, u;
    bool given;   /* by the acquisition, since it last compared all blocks */
    bool current; /* unchanged since, except for taken candidates */
};

struct posterior {
    const struct encoding *encoding;
    size_t count, blocks, padded; /* count: candidates; padded: blocks x POSTERIOR_BLOCK */
    size_t row_count, row_room;   /* known rows of the process; allocated rows */
    size_t *rows_in;              /* by block: rows included in its sums */
    /* A group combines a few dimensions: their values together form one code. */
    size_t group_count;
    struct posterior_group {
        size_t first, count; /* dimensions */
        uint32_t size;       /* number of codes */
        uint16_t *codes;     /* padded */
    } groups[ENCODE_DIMENSIONS_MAX];
    float *effort;      /* by value of each group: effect on the logarithm of the effort; NULL: effort is free */
    size_t cause_count; /* of failure */
    float *causes; /* by cause: its share of all outcomes, then by value of each group the effect on it; NULL: not set
                      yet */
    size_t code_count;    /* sum of the groups' sizes */
    float *positions;     /* by block, feature and candidate of the block; for words, the number of the value */
    float *row_positions; /* row_room x features */
    float *w;             /* by strip of a block, row_room rows */
    float *applied;       /* row_room: the z included in the mean of the blocks with the row */
    bool *failed;         /* row_room */
    float *factor;        /* row_room x row_room: L of the process */
    /* By candidate, without the process's variance; the process's mean is subtracted from the mean. */
    float *mean, *variance;
    float *prior, *doubt; /* by candidate: mean and additional variance without any row; 0 unless the owner sets them
                             before the block is cleared or all is rebuilt */
    struct posterior_top *tops; /* for acquisition_best, by block: the best candidate, SIZE_MAX: none */
    double top_best;            /* likewise: the value to improve on */
    float *near, *near_failed;  /* sums of the correlations with all rows, and with the failed ones */
    float *feasible;            /* by candidate: the probability that no cause of failure applies */
};

enum { POSTERIOR_BLOCK = 128, POSTERIOR_CAUSES_MAX = 16 };
/* Maximum probability of a cause of failure: after any number of failures, other configurations may be feasible. */
#define POSTERIOR_SURE 0.95f

/* Makes room for `count` candidates; set each with posterior_place. The encoding must outlive the posterior. */
int posterior_open(struct posterior *posterior, const struct encoding *encoding, size_t count, struct error *error);
void posterior_close(struct posterior *posterior);
/* `choices` by dimension. */
void posterior_place(struct posterior *posterior, size_t candidate, const uint32_t *choices);

/* Clears the predictions of a block with replaced candidates. It is updated when needed. */
void posterior_clear(struct posterior *posterior, size_t block);
/* Computes the mean of another process of the same encoding at the candidates of a block: the sum of `alpha`, by row,
 * times the correlations. O(rows). `mean` has room for POSTERIOR_BLOCK. */
void posterior_smooth(const struct posterior *posterior, const struct gp *gp, const double *alpha, size_t block,
                      float *mean);

/* Recomputes all rows of the process, after gp_refactor. `failed` is by row. False if memory is out. */
bool posterior_rebuild(struct posterior *posterior, const struct gp *gp, const bool *failed);
/* Registers new rows of the process, changed z and newly failed rows. Blocks include the new rows later. O(candidates)
 * per change. False if memory is out. */
bool posterior_update(struct posterior *posterior, const struct gp *gp, const bool *failed);

/* Makes acquisitions count per effort: `effects` by dimension and value add to its logarithm; NULL: effort is free.
 * False if memory is out. */
bool posterior_set_effort(struct posterior *posterior, const double *effects);

/* Adds a cause of failure to cause_count, at most POSTERIOR_CAUSES_MAX: its share of all outcomes, and `effects` on it,
 * by dimension and value. Blocks cleared from now on include it. False if memory is out. */
bool posterior_add_cause(struct posterior *posterior, double share, const double *effects);

/* posterior_update_block adds the missing rows to a block. O(rows x new rows). Until then its variances are too large,
 * and its means are off by at most posterior_lagging() x the square root of the variance. (Cauchy and Schwarz: the
 * squares of the missing w sum to at most the variance.) */
void posterior_update_block(struct posterior *posterior, const struct gp *gp, size_t block);
double posterior_lagging(const struct posterior *posterior, size_t block);

#endif
