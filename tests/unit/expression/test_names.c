#include "expression/names.h"

#include "../language/support.h"

/* Equal names share one entry and one pointer, also after growth; a prefix of a name is a different name. */
static void interning(void)
{
    enum { COUNT_OF_NAMES = 3000 };
    struct names names = {0};
    struct arena arena = {0};
    char text[32];
    CU_ASSERT_PTR_NULL(names_find(&names, "a", 1));
    for (int i = 0; i < COUNT_OF_NAMES; i++) {
        size_t length = (size_t)snprintf(text, sizeof text, "name%d", i);
        struct name *name = names_intern(&names, &arena, text, length);
        CU_ASSERT_PTR_NOT_NULL_FATAL(name);
        CU_ASSERT_EQUAL(name->kind, NAME_FREE);
        name->kind = NAME_LET;
        name->index = (uint32_t)i;
    }
    CU_ASSERT_EQUAL(names.count, COUNT_OF_NAMES);
    for (int i = 0; i < COUNT_OF_NAMES; i++) {
        size_t length = (size_t)snprintf(text, sizeof text, "name%d", i);
        const struct name *name = names_find(&names, text, length);
        CU_ASSERT_PTR_NOT_NULL_FATAL(name);
        CU_ASSERT(name->index == (uint32_t)i && name->kind == NAME_LET);
        CU_ASSERT_EQUAL(names_intern(&names, &arena, text, length)->text, name->text);
    }
    CU_ASSERT_EQUAL(names.count, COUNT_OF_NAMES);
    CU_ASSERT_PTR_NULL(names_find(&names, "name", 4));
    CU_ASSERT_EQUAL(names_find(&names, "name12345", 5)->index, 1);
    names_free(&names);
    arena_free(&arena);
}

static void nearest(void)
{
    static const struct {
        const char *text;
        enum name_kind kind;
        int word_line;
    } entries[] = {
        {"TILE", NAME_PARAMETER, 0}, {"TIDE", NAME_PROBLEM, 0}, {"tile", NAME_FREE, 7}, {"SMALL", NAME_FREE, 0}};
    static const struct {
        const char *text;
        unsigned kinds;
        const char *nearest;
    } rows[] = {{"TILF", 1u << NAME_PARAMETER, "TILE"},
                {"TIDF", 1u << NAME_PARAMETER, "TILE"},
                {"TIDF", 1u << NAME_PARAMETER | 1u << NAME_PROBLEM, "TIDE"},
                {"TILE", 1u << NAME_PARAMETER, NULL}, /* found */
                {"tilf", 1u << NAME_FREE, "tile"},
                {"SMALX", 1u << NAME_FREE, NULL}, /* only interned */
                {"something", 1u << NAME_PARAMETER, NULL}};
    struct names names = {0};
    struct arena arena = {0};
    for (size_t i = 0; i < COUNT(entries); i++) {
        struct name *name = names_intern(&names, &arena, entries[i].text, strlen(entries[i].text));
        CU_ASSERT_PTR_NOT_NULL_FATAL(name);
        name->kind = entries[i].kind;
        name->word_line = entries[i].word_line;
    }
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *found = names_nearest(&names, rows[i].text, strlen(rows[i].text), rows[i].kinds);
        expect_text(rows[i].text, found ? found : "none", rows[i].nearest ? rows[i].nearest : "none");
    }
    expect_text("kind", name_kind_text(NAME_LIMIT), "a device limit");
    expect_text("kind", name_kind_text(NAME_FAULTY), "a name with a faulty declaration");
    names_free(&names);
    arena_free(&arena);
}

CU_TestInfo tests_names[] = {{"interning", interning}, {"the nearest", nearest}, CU_TEST_INFO_NULL};
