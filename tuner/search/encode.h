/* Where the values of a parameter stand on a line, for strategies that need distances. */
#ifndef CUTUNE_SEARCH_ENCODE_H
#define CUTUNE_SEARCH_ENCODE_H

#include "base/error.h"
#include "base/measurement.h"
#include "space/valid_set.h"

enum encode_scale {
    ENCODE_ORDINAL, /* the rank among the values */
    ENCODE_LOG2,    /* the logarithm; of value + 1 - least where not all are positive */
    ENCODE_MIXED    /* the mean of both */
};

/* Something that a time may depend on smoothly. Every parameter has its position; one of positive integers that are not
 * in the order of the powers of two that divide them has its alignment too: the exponent of the greatest power of two
 * that divides the value. Warps, banks, vectors and lines make 64 and 128 more alike than 64 and 65. */
struct feature {
    bool nominal;      /* words: two values are equal or 1 apart */
    double *positions; /* by value, 0 to 1; NULL: nominal */
};

enum {
    ENCODE_LEVELS = 256,
    ENCODE_DIMENSIONS_MAX = SPACE_PARAMETERS_MAX + COMPILER_METRICS,
    ENCODE_FEATURES_MAX = 2 * SPACE_PARAMETERS_MAX + COMPILER_METRICS
};

/* The parameters that have more than one value, and behind them compiler metrics: what is known of every configuration
 * before it is measured. A zeroed one is empty. */
struct encoding {
    size_t parameters, count, feature_count; /* count: dimensions, parameters and compiler metrics */
    struct dimension {
        size_t parameter; /* of the space; not of a metric */
        uint32_t values;
        size_t first_feature, feature_count; /* the first is the position */
    } dimensions[ENCODE_DIMENSIONS_MAX];
    struct feature features[ENCODE_FEATURES_MAX];
};

int encoding_make(struct encoding *encoding, const struct space *space, enum encode_scale scale, struct error *error);
void encoding_free(struct encoding *encoding);

/* Adds what the compiler says of `count` configurations (by enum compiler_metric and configuration; NaN, unknown, is
 * taken for the median) as dimensions of ENCODE_LEVELS values: *levels, the caller's, has them by added dimension and
 * configuration. Counts stand by their logarithms. What is the same everywhere is not added. False: memory is out. */
bool encoding_add_compiler_metrics(struct encoding *encoding, const double *compiler_metrics, size_t count,
                                   uint8_t **levels);

/* The square of the distance of two values in a feature. */
double feature_squared(const struct feature *feature, uint32_t a, uint32_t b);
/* The same in the position of a dimension. */
double encoding_squared(const struct encoding *encoding, size_t dimension, uint32_t a, uint32_t b);

#endif
