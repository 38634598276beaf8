/* An arena: memory that is freed all at once. A zeroed struct is an empty arena. */
#ifndef CUTUNE_BASE_ARENA_H
#define CUTUNE_BASE_ARENA_H

#include <stddef.h>

struct arena {
    struct arena_block *head; /* the block in use; links to the full ones */
    size_t bytes;             /* allocated so far */
};

/* Returns zeroed memory, aligned for any type, which lives as long as the arena. NULL when out of memory or when
 * `bytes` is absurdly large. */
void *arena_alloc(struct arena *arena, size_t bytes);

/* Returns zeroed memory for `count` elements of `size` bytes; NULL when out of memory or when the product overflows. */
void *arena_array(struct arena *arena, size_t count, size_t size);

/* Copies `length` bytes and appends a NUL. NULL when out of memory. */
char *arena_copy(struct arena *arena, const char *bytes, size_t length);

char *arena_printf(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Frees everything. The arena is empty and can be used again. */
void arena_free(struct arena *arena);

#endif
