/* Positions of parameter values on a line, for strategies that need distances. */
#ifndef CUTUNE_SEARCH_ENCODE_H
#define CUTUNE_SEARCH_ENCODE_H

#include "base/error.h"
#include "base/measurement.h"
#include "space/valid_set.h"

enum encode_scale {
    ENCODE_ORDINAL, /* the rank among the values */
    ENCODE_LOG2,    /* the logarithm; of value + 1 - least unless all are positive */
    ENCODE_MIXED    /* the mean of both */
};

/* A quantity that a time may depend on smoothly. Every parameter has its position. Positive integers have their
 * alignment as well, the exponent of the greatest power of two that divides them, unless it orders the values alike.
 * Warps, banks, vectors and cache lines make 64 and 128 more alike than 64 and 65. */
struct feature {
    bool nominal;      /* words: two values are equal or 1 apart */
    double *positions; /* by value, 0 to 1; NULL: nominal */
};

enum {
    ENCODE_LEVELS = 256,
    ENCODE_DIMENSIONS_MAX = SPACE_PARAMETERS_MAX + COMPILER_METRICS,
    ENCODE_FEATURES_MAX = 2 * SPACE_PARAMETERS_MAX + COMPILER_METRICS
};

/* The parameters that have more than one value, followed by compiler metrics, which are known before a configuration is
 * measured. Empty when zeroed. */
struct encoding {
    size_t parameters, count, feature_count; /* count: dimensions, parameters and compiler metrics together */
    struct dimension {
        size_t parameter; /* its number in the space; unused for a metric */
        uint32_t values;
        size_t first_feature, feature_count; /* the first is the position */
        bool *uneven;                        /* by value: not a power of two; NULL: the parameter has no alignment */
    } dimensions[ENCODE_DIMENSIONS_MAX];
    struct feature features[ENCODE_FEATURES_MAX];
};

int encoding_make(struct encoding *encoding, const struct space *space, enum encode_scale scale, struct error *error);
/* Parts powers of two from other values in the alignment of each parameter that has one: half of the distance is that,
 * so that 1, 2 and 4 are more alike than 3, and 32 and 128 than 96. */
void encoding_part_powers(struct encoding *encoding);
void encoding_free(struct encoding *encoding);

/* Adds the compiler's metrics of `count` configurations (by enum compiler_metric and configuration) as dimensions of
 * ENCODE_LEVELS values; NaN, unknown, becomes the median. *levels, which the caller owns, holds them by added dimension
 * and configuration. Counts are taken as logarithms. Skips metrics that are the same everywhere. False if memory is
 * out. */
bool encoding_add_compiler_metrics(struct encoding *encoding, const double *compiler_metrics, size_t count,
                                   uint8_t **levels);

/* The squared distance of two values in a feature. */
double feature_squared(const struct feature *feature, uint32_t a, uint32_t b);
/* The same in the position of a dimension. */
double encoding_squared(const struct encoding *encoding, size_t dimension, uint32_t a, uint32_t b);

#endif
