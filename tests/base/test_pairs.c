#include "base/pairs.h"

#include <string.h>

#include <CUnit/Basic.h>

/* Parses and prints again; or the error. */
static void reading(void)
{
    static const struct {
        const char *text, *printed, *message;
    } rows[] = {{"", "", NULL},
                {"A=1", "A=1", NULL},
                {"  A=1   b_2=x=y ", "A=1 b_2=x=y", NULL},
                {"A=", "A=", NULL},
                {"A", NULL, "'A' is not NAME=VALUE"},
                {"=1", NULL, "'=1' is not NAME=VALUE"},
                {"A=1 2B=1", NULL, "'2B=1' is not NAME=VALUE"},
                {"A-B=1", NULL, "'A-B=1' is not NAME=VALUE"},
                {"A=1 B=2 A=3", NULL, "A has two values"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena arena = {0};
        struct error error = {0};
        struct pairs pairs;
        int code = pairs_read(&arena, rows[i].text, &pairs, &error);
        CU_ASSERT_EQUAL(code, rows[i].message ? ERROR_DATA : 0);
        if (rows[i].message)
            CU_ASSERT_STRING_EQUAL(error.message, rows[i].message)
        else
            CU_ASSERT_STRING_EQUAL(pairs_text(&arena, &pairs), rows[i].printed);
        arena_free(&arena);
    }
}

static void finding_and_order(void)
{
    static const struct {
        const char *first, *other, *ordered; /* NULL: other names */
    } rows[] = {{"A=1 B=2", "B=4 A=3", "A=3 B=4"}, {"A=1", "A=2", "A=2"},   {"", "", ""}, {"A=1", "B=1", NULL},
                {"A=1", "A=1 B=1", NULL},          {"A=1 B=1", "A=1", NULL}};
    struct arena arena = {0};
    struct error error = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct pairs first, other;
        bool same;
        CU_ASSERT_EQUAL_FATAL(pairs_read(&arena, rows[i].first, &first, &error), 0);
        CU_ASSERT_EQUAL_FATAL(pairs_read(&arena, rows[i].other, &other, &error), 0);
        CU_ASSERT_EQUAL(pairs_order(&arena, &first, &other, &same, &error), 0);
        CU_ASSERT_EQUAL(same, rows[i].ordered != NULL);
        CU_ASSERT_STRING_EQUAL(pairs_text(&arena, &other), same ? rows[i].ordered : rows[i].other);
    }
    struct pairs pairs;
    CU_ASSERT_EQUAL_FATAL(pairs_read(&arena, "TILE=64 TILES=32", &pairs, &error), 0);
    CU_ASSERT_STRING_EQUAL(pairs_find(&pairs, "TILES"), "32");
    CU_ASSERT_PTR_NULL(pairs_find(&pairs, "TIL"));
    arena_free(&arena);
}

/* Texts with the same pairs in any order are equal; the order is total. */
static void comparing(void)
{
    static const char *const texts[] = {"", "A=1", "A=1 B=1", "A=1 B=2", "A=12", "B=1"};
    enum { TEXTS = sizeof texts / sizeof *texts };
    for (size_t i = 0; i < TEXTS; i++)
        for (size_t j = 0; j < TEXTS; j++) {
            int order = pairs_compare(texts[i], texts[j]);
            CU_ASSERT_EQUAL((order > 0) - (order < 0), (i > j) - (i < j));
        }
    CU_ASSERT_EQUAL(pairs_compare("N=1 M=2 K=3", " K=3  N=1 M=2"), 0);
    CU_ASSERT_NOT_EQUAL(pairs_compare("N=1 M=2", "N=2 M=1"), 0);
}

static void identifiers(void)
{
    static const struct {
        const char *text;
        bool good;
    } rows[] = {{"a", true},   {"_", true},    {"A9_z", true}, {"", false},
                {"9a", false}, {"a-b", false}, {"a b", false}, {"\xc3\xa9", false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CU_ASSERT_EQUAL(pairs_identifier(rows[i].text, strlen(rows[i].text)), rows[i].good);
    CU_ASSERT_TRUE(pairs_identifier("ab=c", 2));
}

CU_TestInfo tests_pairs[] = {{"reading", reading},
                             {"finding and order", finding_and_order},
                             {"comparing", comparing},
                             {"identifiers", identifiers},
                             CU_TEST_INFO_NULL};
