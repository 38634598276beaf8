#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "base/arena.h"

static void pieces_are_zeroed_aligned_and_apart(void)
{
    static const size_t sizes[] = {1, 16, 17, 0, 4095, 4096, 4097, 16384, 16385, 100000, 3, 1 << 20, 8};
    enum { COUNT = 200 };
    struct arena arena = {0};
    unsigned char *pieces[COUNT];
    size_t wrong = 0;
    for (size_t i = 0; i < COUNT; i++) {
        size_t size = sizes[i % (sizeof sizes / sizeof *sizes)];
        pieces[i] = arena_alloc(&arena, size);
        CU_ASSERT_PTR_NOT_NULL_FATAL(pieces[i]);
        wrong += (uintptr_t)pieces[i] % _Alignof(max_align_t) != 0;
        for (size_t b = 0; b < size; b++)
            wrong += pieces[i][b] != 0;
        memset(pieces[i], (int)i, size);
    }
    for (size_t i = 0; i < COUNT; i++)
        for (size_t b = 0; b < sizes[i % (sizeof sizes / sizeof *sizes)]; b++)
            wrong += pieces[i][b] != (unsigned char)i;
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(arena.bytes > 1 << 20);
    arena_free(&arena);
    CU_ASSERT_PTR_NULL(arena.head);
    CU_ASSERT_EQUAL(arena.bytes, 0);
}

static void usable_after_free(void)
{
    struct arena arena = {0};
    arena_free(&arena);
    CU_ASSERT_PTR_NOT_NULL(arena_alloc(&arena, 10));
    arena_free(&arena);
    CU_ASSERT_PTR_NOT_NULL(arena_alloc(&arena, 10));
    arena_free(&arena);
}

static void absurd_sizes_are_refused(void)
{
    struct arena arena = {0};
    CU_ASSERT_PTR_NULL(arena_alloc(&arena, SIZE_MAX));
    CU_ASSERT_PTR_NULL(arena_alloc(&arena, SIZE_MAX / 2 + 1));
    CU_ASSERT_PTR_NULL(arena_array(&arena, SIZE_MAX, 2));
    CU_ASSERT_PTR_NULL(arena_array(&arena, SIZE_MAX / 16 + 1, 16));
    CU_ASSERT_PTR_NULL(arena_array(&arena, (size_t)1 << 32, (size_t)1 << 32));
    CU_ASSERT_PTR_NULL(arena_copy(&arena, "", SIZE_MAX));
    CU_ASSERT_PTR_NOT_NULL(arena_array(&arena, 0, 8));
    CU_ASSERT_PTR_NOT_NULL(arena_array(&arena, 8, 0));
    arena_free(&arena);
}

static void arrays_are_whole(void)
{
    static const struct {
        size_t count, size;
    } rows[] = {{1, 1}, {7, 3}, {3, 7}, {100, 8}, {5000, 24}, {1, 100000}};
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t bytes = rows[i].count * rows[i].size, before = arena.bytes;
        CU_ASSERT_PTR_NOT_NULL_FATAL(arena_array(&arena, rows[i].count, rows[i].size));
        CU_ASSERT(arena.bytes - before >= bytes && arena.bytes - before < bytes + _Alignof(max_align_t));
    }
    arena_free(&arena);
}

static void copies_and_prints(void)
{
    struct arena arena = {0};
    char *copy = arena_copy(&arena, "abcdef", 3), *none = arena_copy(&arena, NULL, 0);
    CU_ASSERT_STRING_EQUAL(copy, "abc");
    CU_ASSERT_STRING_EQUAL(none, "");
    CU_ASSERT_STRING_EQUAL(arena_printf(&arena, "%s-%d", "x", 7), "x-7");
    char *wide = arena_printf(&arena, "%20000d", 5);
    CU_ASSERT_PTR_NOT_NULL_FATAL(wide);
    CU_ASSERT_EQUAL(strlen(wide), 20000);
    CU_ASSERT_EQUAL(wide[19999], '5');
    CU_ASSERT_STRING_EQUAL(copy, "abc");
    /* Pieces of all lengths stay intact while later ones are allocated. */
    char *pieces[64];
    for (int i = 0; i < 64; i++)
        pieces[i] = arena_printf(&arena, "%*s", i, "");
    for (size_t i = 0; i < 64; i++)
        CU_ASSERT_EQUAL(strlen(pieces[i]), i);
    arena_free(&arena);
}

CU_TestInfo tests_arena[] = {{"pieces are zeroed, aligned and apart", pieces_are_zeroed_aligned_and_apart},
                             {"usable after it was freed", usable_after_free},
                             {"absurd sizes are refused", absurd_sizes_are_refused},
                             {"arrays are whole", arrays_are_whole},
                             {"copies and prints", copies_and_prints},
                             CU_TEST_INFO_NULL};
