/* The types of a space's buffers, as arrays have them. */
#ifndef CUTUNE_PYTHON_ELEMENTS_H
#define CUTUNE_PYTHON_ELEMENTS_H

#include "arrays.h"

struct element {
    uint8_t code, bits; /* of a component */
    uint8_t components;
};

/* Finds a type by its name in the space language, "float4". An unknown name, of a later language, gives 0 components,
 * which match all arrays. */
void element_find(const char *name, struct element *element);

/* True if an array's elements may be those of the buffer: the same scalars, complex numbers for vectors of two, raw
 * bytes of the same size, and formats of eight bits for bytes. */
int element_matches(const struct element *element, const struct array *array);

#endif
