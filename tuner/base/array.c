#include "base/array.h"

#include <stdint.h>
#include <stdlib.h>

enum { ROOM_FIRST = 64 };

void *array_grow(void *array, size_t *room, size_t need, size_t size)
{
    if (need <= *room)
        return array;
    size_t larger = *room > SIZE_MAX / 2 || *room * 2 < need ? need : *room * 2;
    larger = larger < ROOM_FIRST ? ROOM_FIRST : larger;
    void *grown = larger <= PTRDIFF_MAX / size ? realloc(array, larger * size) : NULL;
    if (grown)
        *room = larger;
    return grown;
}
