/* Internals of a valid set. */
#ifndef CUTUNE_SET_VALID_SET_INTERNAL_H
#define CUTUNE_SET_VALID_SET_INTERNAL_H

#include "set/build.h"
#include "set/valid_set.h"

/* The set is the product of its components; the index's most significant digit is the first component's. */
struct valid_set {
    const struct space *space;
    size_t parameter_count, max_bytes;
    uint32_t value_counts[SPACE_PARAMETERS_MAX];
    uint64_t cartesian, count;
    struct diagram diagram;
    size_t component_count;
    struct component components[SPACE_PARAMETERS_MAX];
    uint8_t component_of[SPACE_PARAMETERS_MAX]; /* by parameter */
    size_t digit_count;
    uint8_t digits[SPACE_PARAMETERS_MAX];   /* components with more than one configuration, last one first */
    uint64_t strides[SPACE_PARAMETERS_MAX]; /* by component: product of the counts of later components; saturates */
    double *left; /* by k: number of configurations that the first k constraints allow; NaN: not computed. NULL: the set
                     is a list */
};

/* Counts a component's configurations. If 64 bits do not suffice, fills *counts (by node; the caller frees it;
 * initially NULL) in a pass over the diagram. NaN when out of memory. */
double set_component_real(const struct valid_set *set, const struct component *component, double **counts);

/* Converts a component's part of the index to its part of a configuration, and back. If counts saturate, the index is
 * meaningless, but the result still says if the configuration is valid. */
void set_get_component(const struct valid_set *set, const struct component *component, uint64_t rest,
                       uint32_t *choices);
bool set_find_component(const struct valid_set *set, const struct component *component, const uint32_t *choices,
                        uint64_t *index);

#endif
