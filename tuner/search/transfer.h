/* Prior runs as predictors. Several weighted terms together explain the observations. Each prior run gives a score of
 * any configuration: the logarithm of its time there over the best one. Each parameter gives the effect of its value on
 * the scores, as devices differ in how much a parameter matters. */
#ifndef CUTUNE_SEARCH_TRANSFER_H
#define CUTUNE_SEARCH_TRANSFER_H

#include "search/posterior.h"
#include "search/strategy.h"

/* TRANSFER_EFFECTS_MAX: further parameters have no term. */
enum { TRANSFER_MAX = 8, TRANSFER_EFFECTS_MAX = 24, TRANSFER_TERMS_MAX = TRANSFER_MAX + TRANSFER_EFFECTS_MAX };

/* Zeroed: no prior runs. */
struct transfer {
    size_t count; /* prior runs: the first TRANSFER_MAX of the setup */
    size_t terms; /* one per prior run, then one per parameter */
    struct transfer_source *sources;
    const struct encoding *encoding;
    double *effects; /* by dimension and value: effect on a score, mean of the prior runs */
    double weights[TRANSFER_TERMS_MAX];
    double covariance[TRANSFER_TERMS_MAX][TRANSFER_TERMS_MAX]; /* of the weights, once there are observations */
    double centre[TRANSFER_TERMS_MAX];                         /* mean terms of the observations */
    double mean;     /* of the logarithms of times here, where all terms are 0 */
    double variance; /* expected variance that the terms leave unexplained, before any observation */
};

/* Reads the prior runs; skips those without a feasible configuration. The setup is needed during the call only; the
 * encoding must outlive the transfer. */
int transfer_open(struct transfer *transfer, const struct strategy_setup *setup, const struct encoding *encoding,
                  struct error *error);
void transfer_close(struct transfer *transfer);

/* Returns the best of a prior run's configurations that are valid here; UINT64_MAX: none. */
uint64_t transfer_winner(const struct transfer *transfer, size_t landscape);

/* Writes the terms of a configuration: its measured scores, else those predicted by a Gaussian process, and the
 * effects. O(1) or O(rows x rows). */
void transfer_score(const struct transfer *transfer, uint64_t index, const uint32_t *by_dimension, float *terms);

/* The same for the candidates of a block of a posterior: `indices` gives their configurations and `choices` the values,
 * ENCODE_DIMENSIONS_MAX for each, by dimension. The values of a term are contiguous: terms[term * stride + candidate in
 * the block]. O(rows). */
void transfer_score_block(const struct transfer *transfer, const struct posterior *posterior, size_t block,
                          const uint64_t *indices, const uint32_t *choices, float *terms, size_t stride);

/* Returns the part of the expected logarithm that the terms explain. */
double transfer_expect(const struct transfer *transfer, const float *terms);

/* Returns the variance of that part from uncertain weights: it grows with the distance of the terms from those of the
 * observations. Term t is terms[t * stride]. */
double transfer_doubt(const struct transfer *transfer, const float *terms, size_t stride);

/* Sets a process to the typical noise and parts of the prior runs. As it learns what they leave unexplained, sets its
 * length scales to the geometric means of the typical ones and the medians of their priors, and adapts these medians
 * and the prior of the variance. */
void transfer_shape(const struct transfer *transfer, struct gp *gp);

/* Finds the most probable weights and mean, given observations y by row of the process and the terms by row:
 * generalised least squares with the process's correlations and a normal prior of the weights. The process must be
 * factored, with its pending rows last. False if memory is out. */
bool transfer_weigh(struct transfer *transfer, const struct gp *gp, const double *y, const float *terms);

#endif
