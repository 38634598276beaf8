/* What a fit over sizes expects of sizes that nobody measured: how long a configuration takes there.
 *
 * The time is first taken apart (fit_parts.h). The logarithm of what is left over is a Gaussian process over the sizes
 * (Rasmussen and Williams, "Gaussian Processes for Machine Learning", 2006: prediction 2.2, basis functions 2.7, choice
 * of scales 5.4.1): a quadratic function of the sizes' logarithms, and a smooth one (Matern 5/2) of what a kernel feels
 * of them, the inputs below. All configurations have the same scales, since they are measured at the same sizes: few of
 * these then suffice. */
#ifndef CUTUNE_ANALYSE_FIT_MODEL_H
#define CUTUNE_ANALYSE_FIT_MODEL_H

#include <stddef.h>

#include "analyse/fit.h"

enum fit_input {
    FIT_INPUT_SIZE,      /* logarithms of the sizes */
    FIT_INPUT_ALIGNMENT, /* powers of two, up to 8, that divide each of them: vectors, and sectors of the cache */
    FIT_INPUT_VOLUME,    /* logarithm of their product */
    FIT_INPUT_BLOCKS,    /* logarithm of the blocks that the configuration launches */
    FIT_INPUT_WAVE,      /* and how much the last of their waves leaves idle, of each of fit_waves */
    FIT_INPUT_TRAIT,     /* logarithms of what tells its programs apart at different sizes */
    FIT_INPUT_KINDS
};

/* A model learns from so many times or more; from at most FIT_MODEL_MOST, evenly taken from more: its work is of the
 * third power. */
enum { FIT_MODEL_LEAST = 10, FIT_MODEL_MOST = 512 };

struct fit_model;

/* Finds the inputs of all sizes of a table, which the model borrows. ERROR_SYNTAX: a number of blocks. The model
 * belongs to the arena. */
int fit_model_open(struct arena *arena, const struct fit_table *table, struct fit_model **model, struct error *error);

/* Chooses the scales that explain the times of some configurations at sizes[0 .. count) best. */
int fit_model_tune(struct fit_model *model, const size_t *configurations, size_t configuration_count,
                   const size_t *sizes, size_t count, struct error *error);

/* Writes the expected logarithm of the configuration's time at each of at[0 .. at_count), from its times at sizes[0 ..
 * count). NaN: there are too few of these. All sizes are numbers in the table. */
int fit_model_predict(const struct fit_model *model, size_t configuration, const size_t *sizes, size_t count,
                      const size_t *at, size_t at_count, double *expected, struct error *error);

#endif
