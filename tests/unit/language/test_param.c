#include "expression/expr.h"

#include "same.h"

/* The values of a list in order: numbers, words and ranges. */
static void lists(void)
{
    static const struct {
        const char *list, *values;
    } rows[] = {{"4, 1, -2", "4 1 -2"},
                {"1..4, 9", "1 2 3 4 9"},
                {"8..1024 times 4, 0.5", "8 32 128 512 0.5"},
                {"-3..3 step 3, red", "-3 0 3 red"},
                {"2, 1 when 1 else 2", "2 1"},
                {"2, 1 when 1 else 3", "2 1 3"}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        char file[512], value[VALUE_TEXT_BYTES];
        struct text values = {0};
        snprintf(file, sizeof file, SPACE_HEAD SPACE_SHAPE "param A = %s\n", rows[i].list);
        struct space *space = parsed(file, "");
        for (size_t v = 0; space && v < space->parameters[0].value_count; v++)
            text_printf(&values, "%s%s", v ? " " : "",
                        value_text(&space->parameters[0].values[v], value, sizeof value));
        expect_text(rows[i].list, text_string(&values), rows[i].values);
        text_free(&values);
        space_free(space);
    }
}

static void when(void)
{
    expect_same("param T = 1..4\nparam A = 1, 2, 3 when T > 2 else 1",
                "param T = 1..4\nparam A = 1, 2, 3\nrequire T > 2 || A == 1");
    /* the other value is added at the end, outside the list */
    expect_same("param T = 1..4\nparam A = 8, 2..6 step 2 when T > 2 else 0",
                "param T = 1..4\nparam A = 8, 2, 4, 6, 0\nrequire T > 2 ? A != 0 : A == 0");
    /* later names, words, sizes */
    expect_same("param A = red, blue when N > 4 && B == 1 else none\nproblem N = 8\nparam B = 1, 2",
                "param A = red, blue, none\nparam B = 1, 2\nrequire B == 1 ? A != none : A == none");
    expect_same("problem N = 2\nparam A = red, blue when N > 4 else none",
                "param A = red, blue, none\nrequire A == none");
    expect_same("param A = 1, 2 when B == 2 else 1\nparam B = 2, 3 when C => 1 else 3\nparam C = 0, 1",
                "param A = 1, 2\nparam B = 2, 3\nparam C = 0, 1\nrequire B == 2 || A == 1");
    struct space *space = parsed(SPACE_HEAD SPACE_SHAPE "param A = 4, 2 \\\n  when T <  2 else -1\nparam T = 1, 2\n"
                                                        "require T > 0\ndefault A=-1 T=2\n",
                                 "");
    if (!space)
        return;
    CU_ASSERT_EQUAL(space->parameters[0].value_count, 3);
    CU_ASSERT_EQUAL(space->parameters[0].values[2].integer, -1);
    CU_ASSERT_EQUAL(space->parameters[0].default_, 2);
    CU_ASSERT_EQUAL_FATAL(space->constraint_count, 2);
    expect_text("name", space->constraints[0].name, "when");
    expect_text("text", space->constraints[0].text, "A = 4, 2 when T < 2 else -1");
    CU_ASSERT_EQUAL(space->constraints[0].line, 8);
    CU_ASSERT_EQUAL(space->constraints[0].condition->parameters, 3);
    expect_text("path", space->constraints[0].path, "test.space");
    space_free(space);
}

CU_TestInfo tests_param[] = {{"lists", lists}, {"when", when}, CU_TEST_INFO_NULL};
