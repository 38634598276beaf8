#include "base/arena.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* The first block is small: clearing a large one would dominate the cost of a short-lived arena. */
enum { FIRST_BYTES = 1 << 10, BLOCK_BYTES = 16 << 10, ALIGNMENT = _Alignof(max_align_t) };

struct arena_block {
    struct arena_block *next;
    size_t used, size;
    max_align_t memory[];
};

void *arena_alloc(struct arena *arena, size_t bytes)
{
    struct arena_block *block = arena->head;
    if (bytes > SIZE_MAX / 2)
        return NULL;
    bytes = (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    if (!block || block->size - block->used < bytes) {
        /* A large request gets a block of its own behind the current one, which keeps its free room. */
        size_t room = block ? BLOCK_BYTES : FIRST_BYTES;
        bool large = bytes > room / 4;
        size_t size = large ? bytes : room;
        block = calloc(1, sizeof *block + size);
        if (!block)
            return NULL;
        block->size = size;
        if (arena->head && large) {
            block->next = arena->head->next;
            arena->head->next = block;
        } else {
            block->next = arena->head;
            arena->head = block;
        }
    }
    void *memory = (char *)block->memory + block->used;
    block->used += bytes;
    arena->bytes += bytes;
    return memory;
}

void *arena_array(struct arena *arena, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / 2 / size)
        return NULL;
    return arena_alloc(arena, count * size);
}

char *arena_copy(struct arena *arena, const char *bytes, size_t length)
{
    char *copy = length < SIZE_MAX / 2 ? arena_alloc(arena, length + 1) : NULL;
    if (copy && length)
        memcpy(copy, bytes, length);
    return copy;
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
    va_list arguments, again;
    char *text = NULL;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = text_vformat(NULL, 0, format, arguments);
    if (length >= 0 && (text = arena_alloc(arena, (size_t)length + 1)))
        text_vformat(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(arguments);
    return text;
}

void arena_free(struct arena *arena)
{
    for (struct arena_block *block = arena->head, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    memset(arena, 0, sizeof *arena);
}
