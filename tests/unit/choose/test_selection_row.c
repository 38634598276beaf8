#include <string.h>

#include <CUnit/Basic.h>

#include "choose/selection_row.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* 64-bit integers are exact; a double would not be. */
static void numbers(void)
{
    static const struct {
        const char *text;
        bool is_number;
        long double number;
    } rows[] = {{"8192", true, 8192},
                {"-1", true, -1},
                {"+7", true, 7},
                {"9223372036854775807", true, 9223372036854775807.0L},
                {"9007199254740993", true, 9007199254740993.0L},
                {"9223372036854775808", false, 0},
                {"0.5", true, 0.5L},
                {"1e3", true, 1000},
                {"1e999", false, 0},
                {"", false, 0},
                {"+", false, 0},
                {"--1", false, 0},
                {"inf", false, 0},
                {"nan", false, 0},
                {"0x10", false, 0},
                {" 1", false, 0},
                {"1 ", false, 0}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        long double number = 0;
        bool is_number = selection_number(rows[i].text, strlen(rows[i].text), &number);
        if (is_number != rows[i].is_number || (is_number && number != rows[i].number))
            CU_FAIL(rows[i].text);
    }
}

/* The names of `first` in its order, or the unchanged pairs without `first`. */
static void pairs(void)
{
    static const struct {
        const char *text;
        bool ordered;
        int code;
        bool same;
        const char *result;
    } rows[] = {{"B=2 A=1", false, 0, true, "B=2 A=1"},
                {"B=2 A=1", true, 0, true, "A=1 B=2"},
                {"A=1", true, 0, false, NULL},
                {"A=1 B=2 C=3", true, 0, false, NULL},
                {"A=1 A=2", true, ERROR_DATA, true, NULL},
                {"A", false, ERROR_DATA, true, NULL}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct selection selection = {0};
        struct error error = {0};
        const struct pairs *first = NULL, *found = NULL;
        bool same = false;
        CU_ASSERT_EQUAL(selection_pairs(&selection, "A=5 B=6", NULL, &first, &same, &error), 0);
        int code = selection_pairs(&selection, rows[i].text, rows[i].ordered ? first : NULL, &found, &same, &error);
        CU_ASSERT_EQUAL(code, rows[i].code);
        CU_ASSERT_EQUAL(same, rows[i].same);
        if (rows[i].result)
            CU_ASSERT_STRING_EQUAL(pairs_text(&selection.arena, found), rows[i].result);
        arena_free(&selection.arena);
    }
}

CU_TestInfo tests_selection_row[] = {{"numbers", numbers}, {"pairs", pairs}, CU_TEST_INFO_NULL};
