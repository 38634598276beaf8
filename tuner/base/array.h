/* Arrays that grow. */
#ifndef CUTUNE_BASE_ARRAY_H
#define CUTUNE_BASE_ARRAY_H

#include <stddef.h>

/* Room for `need` elements of `size` bytes in an array from malloc (NULL: none yet) that has room for `*room`. Returns
 * the array, moved where it had to be, and sets *room, which at least doubles. NULL when memory is out: the old array
 * is as it was. */
void *array_grow(void *array, size_t *room, size_t need, size_t size);

#endif
