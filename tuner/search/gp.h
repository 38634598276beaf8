/* A Gaussian process over configurations. Rasmussen and Williams, "Gaussian Processes for Machine Learning" (2006),
 * chapters 2, 4.2 and 5.4. The correlation of two configurations is Matern 5/2 of their distance with a length scale
 * per feature, and to a small part, which is fitted too, a rough one that falls with the number of parameters that
 * differ: what values do on their own (compiler metrics are no part of that). Constant mean, noise; the variance is a
 * factor of its own. */
#ifndef CUTUNE_SEARCH_GP_H
#define CUTUNE_SEARCH_GP_H

#include "search/encode.h"

struct gp {
    const struct encoding *encoding;
    size_t count, room;
    uint32_t *choices; /* count x encoding->count */
    double *y;         /* what was observed */
    bool *pending;     /* not observed yet: its y is what the rows before it predict ("kriging believer") */
    double *l;         /* room x room, rows: the Cholesky factor of the correlations with noise on the diagonal */
    double *z;         /* L^-1 (y - mean); 0 of a pending row */
    double inverse[ENCODE_FEATURES_MAX]; /* of the squares of the length scales, by feature */
    double noise, rough, mean, variance; /* noise: relative to the variance; rough: that part of the correlation */
};

int gp_open(struct gp *gp, const struct encoding *encoding, struct error *error);
void gp_close(struct gp *gp);

/* Adds a row: `choices` by dimension. False when memory is out. O(rows x rows). The first call to gp_refactor has to
 * come before this extends the factor. */
bool gp_add(struct gp *gp, const uint32_t *choices);
/* Sets what was observed of a row and brings z up to date from there on. */
void gp_observe(struct gp *gp, size_t row, double y);

/* The factor and z for the parameters as they are; variance by its most likely value. False when the matrix is not
 * positive definite. */
bool gp_refactor(struct gp *gp);

/* Sets the length scales, the noise, the rough part and the mean to their most probable values given the rows that are
 * observed, by at most `evaluations` of the likelihood from each of two places: what they are, and what they are before
 * anything is known. False: memory is out. gp_refactor has to follow. */
bool gp_fit(struct gp *gp, size_t evaluations);

/* What is thought of a parameter before anything was measured: normal over its logarithm, within bounds. */
struct gp_prior {
    double median, stddev, low, high;
};
extern const struct gp_prior gp_length_prior, gp_noise_prior, gp_rough_prior;

/* The logarithm of the marginal likelihood (mean and variance at their most likely values; *mean is that) times the
 * priors, and its gradient by log length scale (one per feature), log noise and log rough. `theta` is those logarithms.
 * NaN when the matrix is not positive definite. NULL: memory is out. */
struct gp_likelihood;
struct gp_likelihood *gp_likelihood_open(const struct gp *gp);
void gp_likelihood_close(struct gp_likelihood *likelihood);
double gp_likelihood_at(struct gp_likelihood *likelihood, const double *theta, double *gradient, double *mean);

/* The correlation at a scaled distance whose square is this; and that of the rough part, of two configurations that
 * differ in so many parameters. */
double gp_matern(double squared);
double gp_rough(size_t differ);
#define GP_ROUGH_DECAY 0.7 /* minus the logarithm of what one parameter that differs leaves */

/* Prediction at one configuration, for tests and single ones: mean, and variance without the noise. O(rows x rows). */
void gp_predict(const struct gp *gp, const uint32_t *choices, double *mean, double *variance);

#endif
