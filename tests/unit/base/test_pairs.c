#include "base/pairs.h"

#include <string.h>

#include <CUnit/Basic.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool is(const char *found, size_t length, const char *expected)
{
    return strlen(expected) == length && memcmp(found, expected, length) == 0;
}

/* Splits at the first '=' and ignores text beyond `length`. */
static void splits(void)
{
    static const struct {
        const char *text;
        size_t length;
        const char *name, *value; /* NULL: no pair */
    } rows[] = {{"N=1", 3, "N", "1"},       {"N=a=b", 5, "N", "a=b"}, {"N=", 2, "N", ""},  {"=1", 2, "", "1"},
                {"N=12 M=3", 4, "N", "12"}, {"N", 1, NULL, NULL},     {"", 0, NULL, NULL}, {"N=1", 1, NULL, NULL}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct pair_parts parts = {0};
        bool split = pairs_split(rows[i].text, rows[i].length, &parts);
        CU_ASSERT_EQUAL(split, rows[i].name != NULL);
        CU_ASSERT(!split || is(parts.name, parts.name_length, rows[i].name));
        CU_ASSERT(!split || is(parts.value, parts.value_length, rows[i].value));
    }
}

static void words(void)
{
    static const char *const expected[] = {"A=1", "B", "C=2"};
    const char *at = "  A=1 B   C=2 ";
    size_t length, count = 0;
    for (; (at = pairs_word(at, &length)); at += length) {
        CU_ASSERT_FATAL(count < COUNT(expected));
        CU_ASSERT(is(at, length, expected[count++]));
    }
    CU_ASSERT_EQUAL(count, COUNT(expected));
    CU_ASSERT_PTR_NULL(pairs_word("", &length));
    CU_ASSERT_PTR_NULL(pairs_word("  ", &length));
}

/* Finds the first word of a name, and neither a longer name nor a name inside a value. */
static void values(void)
{
    static const struct {
        const char *text, *name, *value; /* NULL: none */
    } rows[] = {{"A=1 B=2", "A", "1"},   {"A=1 B=2", "B", "2"},    {" A=1  B=2 ", "B", "2"}, {"AB=1 A=2", "A", "2"},
                {"A=1 AB=2", "AB", "2"}, {"A=B=3 C=4", "B", NULL}, {"A=1 A=2", "A", "1"},    {"A=", "A", ""},
                {"A B=1", "A", NULL},    {"", "A", NULL},          {"A=B=3", "A", "B=3"},    {"A=1", "C", NULL}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        size_t length = 0;
        const char *found = pairs_value(rows[i].text, rows[i].name, &length);
        CU_ASSERT_EQUAL(found != NULL, rows[i].value != NULL);
        CU_ASSERT(!found || !rows[i].value || is(found, length, rows[i].value));
    }
}

#define T10 "TTTTTTTTTT"
#define T80 T10 T10 T10 T10 T10 T10 T10 T10

/* Parses and prints again, or returns the error, which quotes at most 80 characters. */
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
                {"A=1 B=2 A=3", NULL, "A has two values"},
                {T80 "TT=1 " T80 "x", NULL, "'" T80 "' is not NAME=VALUE"}};
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

static void many(void)
{
    for (int count = PAIRS_MAX; count <= PAIRS_MAX + 1; count++) {
        struct arena arena = {0};
        struct error error = {0};
        struct pairs pairs;
        const char *text = "";
        for (int i = 0; i < count; i++)
            text = arena_printf(&arena, "%s A%d=%d", text, i, i);
        CU_ASSERT_EQUAL(pairs_read(&arena, text, &pairs, &error), count > PAIRS_MAX ? ERROR_DATA : 0);
        arena_free(&arena);
    }
}

/* Numbers by size, before words. */
static void order_of_values(void)
{
    static const char *const texts[] = {"-2", "0.5", "1", "9", "10", "1e3", "", "10x", "9x", "nan", "word"};
    enum { TEXTS = sizeof texts / sizeof *texts };
    double number;
    for (size_t i = 0; i < TEXTS; i++)
        for (size_t j = 0; j < TEXTS; j++) {
            int order = pairs_compare_values(texts[i], texts[j]);
            CU_ASSERT_EQUAL((order > 0) - (order < 0), (i > j) - (i < j));
        }
    CU_ASSERT_EQUAL(pairs_compare_values("1", "1.0"), 0);
    for (size_t i = 0; i < TEXTS; i++)
        CU_ASSERT_EQUAL(pairs_number(texts[i], &number), i < 6);
    CU_ASSERT(pairs_number("-2.5", &number) && number == -2.5);
}

CU_TestInfo tests_pairs[] = {{"splits at the first '='", splits},
                             {"words", words},
                             {"the value of a name", values},
                             {"how many", many},
                             {"reading", reading},
                             {"finding and order", finding_and_order},
                             {"comparing", comparing},
                             {"identifiers", identifiers},
                             {"the order of values", order_of_values},
                             CU_TEST_INFO_NULL};
