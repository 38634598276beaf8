/* The constraints of a space as one graph, to evaluate them while only some parameters have values: each partial result
 * is computed and compared once.
 *
 * A node is closed when all its parameters are bound. Then it has a value, which may be a fault. A fault is an error
 * only if the whole constraint needs it (as in C, && || ?: guard their right sides) and nothing else excludes the
 * configuration. */
#ifndef CUTUNE_SET_ROOTS_H
#define CUTUNE_SET_ROOTS_H

#include "expression/expr.h"

/* A condition that must hold. A chain of && has one root per operand. */
struct root {
    uint32_t node;
    uint32_t constraint; /* index of the space's constraint */
};

struct roots {
    struct expression_graph graph; /* its names are the parameters with more than one value */
    struct root *all;
    size_t count, room;
};

/* Finds the roots of the first `constraint_count` constraints of a bound space. A zeroed struct is empty. */
int roots_find(struct roots *roots, const struct space *space, size_t constraint_count, struct error *error);
void roots_free(struct roots *roots);

#endif
