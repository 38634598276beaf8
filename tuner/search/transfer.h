/* What landscapes elsewhere say of this one: for each, a score of any configuration, the logarithm of its time there
 * over the best one; and the weights with which the scores together explain what has been observed here. */
#ifndef CUTUNE_SEARCH_TRANSFER_H
#define CUTUNE_SEARCH_TRANSFER_H

#include "search/posterior.h"
#include "search/strategy.h"

enum { TRANSFER_MAX = 8 };

/* Zeroed: nothing is known elsewhere. */
struct transfer {
    size_t count; /* landscapes: the first TRANSFER_MAX of the setup */
    struct transfer_source *sources;
    double weights[TRANSFER_MAX];
    double covariance[TRANSFER_MAX][TRANSFER_MAX]; /* of the weights, once there are observations */
    double centre[TRANSFER_MAX];                   /* their mean scores */
    double mean;                                   /* of the logarithms of times here, where all scores are 0 */
    double variance; /* expected of what the scores leave unexplained, before anything is observed */
};

/* Landscapes of which nothing worked are left out. The setup is needed during the call only; the encoding must outlive
 * the transfer. */
int transfer_open(struct transfer *transfer, const struct strategy_setup *setup, const struct encoding *encoding,
                  struct error *error);
void transfer_close(struct transfer *transfer);

/* Writes the scores of a configuration, by landscape: as measured there, else as a Gaussian process predicts them.
 * O(1) or O(rows x rows). */
void transfer_score(const struct transfer *transfer, uint64_t index, const uint32_t *by_dimension, float *scores);

/* The same for the candidates of a block of a posterior, of which `indices` gives the configurations. The scores of one
 * landscape stand together: scores[landscape * stride + candidate in the block]. O(rows). Call transfer_place before.
 */
void transfer_score_block(const struct transfer *transfer, const struct posterior *posterior, size_t block,
                          const uint64_t *indices, float *scores, size_t stride);
/* Prepares that. The posterior must be open. False if memory is out. */
bool transfer_place(struct transfer *transfer, const struct posterior *posterior);

/* The part of the expected logarithm that the landscapes explain. */
double transfer_expect(const struct transfer *transfer, const float *scores);

/* The variance of that part as far as the weights are uncertain: it grows with the distance of the scores from those of
 * the observations. The score of landscape s is scores[s * stride]. */
double transfer_doubt(const struct transfer *transfer, const float *scores, size_t stride);

/* Sets the length scales, the noise and the rough part of a process to those that are typical of the landscapes, and
 * the priors of the length scales and of the variance accordingly. */
void transfer_shape(const struct transfer *transfer, struct gp *gp);

/* Finds the most probable weights and mean, given observations y that the process has rows of and the scores by row
 * and landscape: generalised least squares with the process's correlations and a normal prior of the weights, none of
 * which is negative. The process must be factored. False if memory is out. */
bool transfer_weigh(struct transfer *transfer, const struct gp *gp, const double *y, const float *scores);

#endif
