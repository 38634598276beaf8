/* The inside of a valid set. */
#ifndef CUTUNE_SPACE_SET_H
#define CUTUNE_SPACE_SET_H

#include "space/build.h"
#include "space/valid_set.h"

/* The configurations are the product of the components'; the index's most significant digit is the first component's.
 */
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
    uint8_t digits[SPACE_PARAMETERS_MAX];   /* components with a choice, the last one first */
    uint64_t strides[SPACE_PARAMETERS_MAX]; /* by component: product of the counts behind it; saturates */
    double *left; /* by k: what the first k constraints leave; NaN: not computed yet. NULL: a list */
};

enum { SET_NO_LEVEL = 0xff };

/* The level at which each node of the diagram, finished or not, is reached from a root: SET_NO_LEVEL for those that are
 * not. */
void set_mark_levels(const struct diagram *diagram, uint32_t root, uint8_t *level, bool finished);

/* Configurations of a component, where 64 bits do not hold them by a pass over the diagram that fills *counts (by node;
 * the caller frees it; NULL at first). NaN when memory is out. */
double set_component_real(const struct valid_set *set, const struct component *component, double **counts);

/* A component's part of a configuration from its part of the index, and back. Where counts saturate the index found
 * means nothing; whether it is valid is right. */
void set_get_component(const struct valid_set *set, const struct component *component, uint64_t rest,
                       uint32_t *choices);
bool set_find_component(const struct valid_set *set, const struct component *component, const uint32_t *choices,
                        uint64_t *index);

#endif
