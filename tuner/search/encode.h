/* Positions of parameter values on a line, for strategies that need distances. */
#ifndef CUTUNE_SEARCH_ENCODE_H
#define CUTUNE_SEARCH_ENCODE_H

#include "base/error.h"
#include "set/valid_set.h"

/* A quantity on which a time may depend smoothly. Every parameter has its position. Positive integers also have their
 * alignment, the exponent of the greatest power of two that divides them, unless it orders the values alike. It
 * reflects warps, banks, vectors and cache lines: 64 and 128 are more alike than 64 and 65. A power of two adds half of
 * the alignment's range, so that 1, 2 and 4 are more alike than 3, and 32 and 128 than 96. */
struct feature {
    bool nominal;      /* words: two values are equal or 1 apart */
    double *positions; /* by value, 0 to 1; NULL: nominal */
};

enum { ENCODE_DIMENSIONS_MAX = SPACE_PARAMETERS_MAX, ENCODE_FEATURES_MAX = 2 * SPACE_PARAMETERS_MAX };

/* The parameters with more than one value. Empty when zeroed. */
struct encoding {
    size_t count, feature_count; /* count: dimensions */
    struct dimension {
        size_t parameter; /* its number in the space */
        uint32_t values;
        size_t first_feature, feature_count; /* the first is the position */
        bool *uneven;                        /* by value: not a power of two; NULL: the parameter has no alignment */
    } dimensions[ENCODE_DIMENSIONS_MAX];
    struct feature features[ENCODE_FEATURES_MAX];
};

int encoding_make(struct encoding *encoding, const struct space *space, struct error *error);
void encoding_free(struct encoding *encoding);

/* Copies the choices of a configuration from the order of the space's parameters to that of dimensions. */
void encoding_order(const struct encoding *encoding, const uint32_t *choices, uint32_t *by_dimension);

/* Returns the squared distance of two values in a feature. */
double feature_squared(const struct feature *feature, uint32_t a, uint32_t b);
/* Returns the squared distance of two values in the position of a dimension. */
double encoding_squared(const struct encoding *encoding, size_t dimension, uint32_t a, uint32_t b);

#endif
