/* What landscapes elsewhere say of this one. Several terms explain together what has been observed here, each with a
 * weight: for each landscape a score of any configuration, the logarithm of its time there over the best one; and for
 * each parameter what its value adds to the scores, as devices differ in how much a parameter matters. */
#ifndef CUTUNE_SEARCH_TRANSFER_H
#define CUTUNE_SEARCH_TRANSFER_H

#include "search/posterior.h"
#include "search/strategy.h"

/* TRANSFER_EFFECTS_MAX: further parameters have no term. */
enum { TRANSFER_MAX = 8, TRANSFER_EFFECTS_MAX = 24, TRANSFER_TERMS_MAX = TRANSFER_MAX + TRANSFER_EFFECTS_MAX };

/* Zeroed: nothing is known elsewhere. */
struct transfer {
    size_t count; /* landscapes: the first TRANSFER_MAX of the setup */
    size_t terms; /* the landscapes, then the parameters */
    struct transfer_source *sources;
    const struct encoding *encoding;
    double *effects; /* by dimension and value: what it adds to a score, the mean of the landscapes */
    double weights[TRANSFER_TERMS_MAX];
    double covariance[TRANSFER_TERMS_MAX][TRANSFER_TERMS_MAX]; /* of the weights, once there are observations */
    double centre[TRANSFER_TERMS_MAX];                         /* mean terms of the observations */
    double mean;     /* of the logarithms of times here, where all terms are 0 */
    double variance; /* expected of what the terms leave unexplained, before anything is observed */
};

/* Landscapes of which nothing worked are left out. The setup is needed during the call only; the encoding must outlive
 * the transfer. */
int transfer_open(struct transfer *transfer, const struct strategy_setup *setup, const struct encoding *encoding,
                  struct error *error);
void transfer_close(struct transfer *transfer);

/* The best of a landscape's configurations that are valid here; UINT64_MAX: none is. */
uint64_t transfer_winner(const struct transfer *transfer, size_t landscape);

/* Writes the terms of a configuration: the scores as measured there, else as a Gaussian process predicts them, and the
 * effects. O(1) or O(rows x rows). */
void transfer_score(const struct transfer *transfer, uint64_t index, const uint32_t *by_dimension, float *terms);

/* The same for the candidates of a block of a posterior, of which `indices` gives the configurations and `choices` the
 * values, ENCODE_DIMENSIONS_MAX for each, by dimension. One term of all stands together: terms[term * stride +
 * candidate in the block]. O(rows). */
void transfer_score_block(const struct transfer *transfer, const struct posterior *posterior, size_t block,
                          const uint64_t *indices, const uint32_t *choices, float *terms, size_t stride);

/* The part of the expected logarithm that the terms explain. */
double transfer_expect(const struct transfer *transfer, const float *terms);

/* The variance of that part as far as the weights are uncertain: it grows with the distance of the
 * terms from those of the observations. Term t is terms[t * stride]. */
double transfer_doubt(const struct transfer *transfer, const float *terms, size_t stride);

/* Sets the noise and the parts of a process to those that are typical of the landscapes, its length scales to the
 * geometric means of the typical ones and the medians of their priors, as the process learns what the landscapes leave
 * unexplained, and these medians and the prior of the variance accordingly. */
void transfer_shape(const struct transfer *transfer, struct gp *gp);

/* Finds the most probable weights and mean, given observations y that the process has rows of and the terms by row:
 * generalised least squares with the process's correlations and a normal prior of the weights. The process must be
 * factored, and its pending rows the last. False if memory is out. */
bool transfer_weigh(struct transfer *transfer, const struct gp *gp, const double *y, const float *terms);

#endif
