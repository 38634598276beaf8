/* A Gaussian process over configurations. Rasmussen and Williams, "Gaussian Processes for Machine Learning" (2006),
 * chapters 2, 4.2 and 5.4. The correlation of two configurations is Matern 5/2 of their distance, with a length scale
 * per feature, mixed with two parts that fall with the number of differing parameters. The additive part models values
 * with effects of their own, the rough part joint effects of values; their shares are fitted. The mean is constant, the
 * noise is fitted, and the variance is a separate factor. (The additive part is the first order of Duvenaud, Nickisch
 * and Rasmussen, "Additive Gaussian processes", 2011. It predicts far from all observations, where a distance does
 * not.) */
#ifndef CUTUNE_SEARCH_GP_H
#define CUTUNE_SEARCH_GP_H

#include "search/encode.h"

/* Parts of the correlation, in the order of mixing. */
enum gp_part { GP_ADDITIVE, GP_ROUGH, GP_PARTS };

struct gp {
    const struct encoding *encoding;
    size_t count, room;
    uint32_t *choices; /* count x encoding->count */
    double *positions; /* features x room; for words, the number of the value */
    double *y;         /* observations */
    bool *pending;     /* not observed yet: y is the prediction of all observed rows ("kriging believer") */
    double *blur;      /* excess of a row's noise over the common noise, relative to the variance */
    double *share;     /* factor of a row's z: below 1 for a blur that the Cholesky factor lacks */
    double *l;       /* room x room, by rows: the Cholesky factor of the correlations with noise on the diagonal; above
                        the diagonal, scratch of gp_update: columns of pending rows */
    double *squared; /* scratch of gp_update: the squared lengths of these columns */
    double *z;       /* L^-1 (y - mean) */
    double inverse[ENCODE_FEATURES_MAX]; /* inverse squared length scales, by feature */
    double medians[ENCODE_FEATURES_MAX]; /* of the length scales' priors */
    double part_medians[GP_PARTS];       /* of the parts' priors */
    double spread;                       /* of these priors, in the logarithm */
    double guess, guess_rows;            /* prior of the variance: its value, and its weight in observations */
    double parts[GP_PARTS];              /* share of each part in itself and those before it */
    double noise, mean, variance;        /* noise: relative to the variance */
};

int gp_open(struct gp *gp, const struct encoding *encoding, struct error *error);
void gp_close(struct gp *gp);

/* Adds a row: `choices` by dimension. O(rows x rows). False if memory is out. Extends the factor only after the first
 * call to gp_refactor. */
bool gp_add(struct gp *gp, const uint32_t *choices);
/* Adds a row without its part of the factor; gp_extend or gp_refactor computes it later. O(1). */
bool gp_append(struct gp *gp, const uint32_t *choices);
/* Extends the factor by the rows from `first` on, as gp_add does for one. */
void gp_extend(struct gp *gp, size_t first);
/* Sets the observation of a row, with its own stddev in addition to the common noise. Updates z from this row, or from
 * the first pending row, on. The next gp_refactor includes the stddev in the factor; until then it affects the mean,
 * but not the variances. */
void gp_observe(struct gp *gp, size_t row, double y, double stddev);
/* The same in two steps, so that many observations update z once: gp_note for each, then gp_update from the least row
 * on. */
void gp_note(struct gp *gp, size_t row, double y, double stddev);
void gp_update(struct gp *gp, size_t from);
/* Returns the blur of an observation with this stddev. */
double gp_blur(const struct gp *gp, double stddev);

/* Computes the factor and z for the current parameters, and the most likely variance. False if the matrix is not
 * positive definite. */
bool gp_refactor(struct gp *gp);

/* Sets the length scales, the noise, the shares of the parts and the mean to their most probable values given the
 * observed rows. Makes at most `evaluations` of the likelihood from each of two starts: the current parameters and the
 * priors' medians. Call gp_refactor afterwards. False if memory is out. */
bool gp_fit(struct gp *gp, size_t evaluations);

/* Prior of a parameter: normal over its logarithm, within bounds. */
struct gp_prior {
    double median, stddev, low, high;
};
extern const struct gp_prior gp_length_prior, gp_noise_prior, gp_part_priors[GP_PARTS];
/* Sets the priors of the length scales: a median, and the stddev of the logarithm. */
void gp_expect_lengths(struct gp *gp, double median, double stddev);
/* Sets the share of a part and the median of its prior. */
void gp_expect_part(struct gp *gp, enum gp_part part, double share);

/* Returns the logarithm of the marginal likelihood times the priors, and its gradient by log length scale (one per
 * feature), log noise and log share of each part. `theta` holds those logarithms. Mean and variance take their most
 * likely values; *mean receives the former. NaN if the matrix is not positive definite. gp_likelihood_open returns NULL
 * if memory is out. */
struct gp_likelihood;
struct gp_likelihood *gp_likelihood_open(const struct gp *gp);
void gp_likelihood_close(struct gp_likelihood *likelihood);
double gp_likelihood_at(struct gp_likelihood *likelihood, const double *theta, double *gradient, double *mean);

/* Returns the logarithm of a time, also of 0, which a clock too coarse for a kernel gives. */
double gp_log(double value);

/* Return Matern's correlation at a squared scaled distance, and that of a part, for a number of differing parameters of
 * all. */
double gp_matern(double squared);
double gp_part_at(enum gp_part part, size_t differ, size_t parameters);
#define GP_ROUGH_DECAY 0.7 /* minus the logarithm of the factor per differing parameter */
/* Returns the share of a part, or of Matern's correlation (GP_PARTS): each part leaves the rest to those before it. The
 * shares add up to 1. */
double gp_share(const struct gp *gp, enum gp_part part);

/* Returns the most probable variance, given the sum of the squares of z of the observed rows. */
double gp_variance(const struct gp *gp, double sum, size_t observed);

/* Predicts one configuration, for tests and single predictions: mean, and variance without the noise. O(rows x
 * rows). */
void gp_predict(const struct gp *gp, const uint32_t *choices, double *mean, double *variance);

#endif
