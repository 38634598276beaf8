/* Memory that lives and dies together. A zeroed struct is an empty arena. */
#ifndef CUTUNE_BASE_ARENA_H
#define CUTUNE_BASE_ARENA_H

#include <stddef.h>

struct arena {
    struct arena_block *head; /* the block that is being filled; it links to the full ones */
    size_t bytes;             /* handed out so far */
};

/* Zeroed memory, aligned for any type, freed with the arena. NULL when memory is out (or `bytes` is absurd). */
void *arena_alloc(struct arena *arena, size_t bytes);

/* Zeroed memory for `count` elements of `size` bytes; NULL also when the product overflows. */
void *arena_array(struct arena *arena, size_t count, size_t size);

/* A copy of `length` bytes with a NUL after them; NULL when memory is out. */
char *arena_copy(struct arena *arena, const char *bytes, size_t length);

char *arena_printf(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Frees everything; the arena is empty and usable again. */
void arena_free(struct arena *arena);

#endif
