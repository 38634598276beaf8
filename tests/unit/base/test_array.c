#include <stdint.h>
#include <stdlib.h>

#include <CUnit/Basic.h>

#include "base/array.h"

static void room_at_least_doubles(void)
{
    static const struct {
        size_t room, need, becomes;
    } rows[] = {{0, 1, 64}, {0, 65, 65}, {64, 64, 64}, {64, 65, 128}, {64, 1000, 1000}, {100, 101, 200}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t room = rows[i].room;
        uint32_t *array = malloc(room * sizeof *array + 1);
        CU_ASSERT_PTR_NOT_NULL_FATAL(array);
        for (uint32_t j = 0; j < room; j++)
            array[j] = j;
        uint32_t *grown = array_grow(array, &room, rows[i].need, sizeof *array);
        CU_ASSERT_PTR_NOT_NULL_FATAL(grown);
        CU_ASSERT_EQUAL(room, rows[i].becomes);
        for (uint32_t j = 0; j < rows[i].room; j++)
            CU_ASSERT_EQUAL(grown[j], j);
        grown[room - 1] = 1; /* a sanitizer detects missing room */
        free(grown);
    }
}

/* The old array stays. */
static void too_large(void)
{
    static const struct {
        size_t room, need, size;
    } rows[] = {{4, SIZE_MAX / 8 + 1, 16}, {4, SIZE_MAX, 1}, {SIZE_MAX / 2 + 2, SIZE_MAX / 2 + 3, 4}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t room = rows[i].room;
        void *array = malloc(64);
        CU_ASSERT_PTR_NULL(array_grow(array, &room, rows[i].need, rows[i].size));
        CU_ASSERT_EQUAL(room, rows[i].room);
        free(array);
    }
}

CU_TestInfo tests_array[] = {
    {"the room at least doubles", room_at_least_doubles}, {"a size too large", too_large}, CU_TEST_INFO_NULL};
