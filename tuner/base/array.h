/* Arrays that grow. */
#ifndef CUTUNE_BASE_ARRAY_H
#define CUTUNE_BASE_ARRAY_H

#include <stddef.h>

/* Makes room for `need` elements of `size` bytes in an array from malloc (NULL: none yet) that has room for `*room`.
 * Returns the array, which may have moved, and sets *room, which at least doubles. NULL when out of memory: the old
 * array is unchanged. */
void *array_grow(void *array, size_t *room, size_t need, size_t size);

#endif
