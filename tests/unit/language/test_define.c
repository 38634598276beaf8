#include "same.h"

#include <stdlib.h>

/* Checks the macros of a configuration, in one line. */
static void macros(const char *statements, const char *source, const uint32_t *choices, const char *expected)
{
    char text[1024];
    struct text options = {0}, line = {0};
    struct error error = {0};
    size_t count = 0, at = 0;
    snprintf(text, sizeof text, SPACE_HEAD SPACE_SHAPE "%s", statements);
    struct space *space = bound(text, source, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(space);
    CU_ASSERT_EQUAL(space_compile_options(space, choices, &options, &count, &error), 0);
    for (size_t i = 0; i < count; i++, at += strlen(options.bytes + at) + 1)
        text_printf(&line, "%s%s", i ? " " : "", options.bytes + at);
    expect_text(statements, text_string(&line), expected);
    CU_ASSERT_EQUAL(at, options.length);
    text_free(&options);
    text_free(&line);
    space_free(space);
}

static void meaning(void)
{
    static const uint32_t choices[] = {1, 0};
    static const struct {
        const char *statements, *source, *macros;
    } rows[] = {
        /* Sizes and named expressions are not macros, even if the source has their names. */
        {"problem width = 8\nlet middle = width / 2\nparam T = 4, 5\n", "int width, middle, T;", "-DT=5"},
        {"problem N = 8\ndefine N\nparam T = 4, 5\n", "int T;", "-DT=5 -DN=8"},
        {"problem N = 8\nlet HALF = N / 2\nparam T = 4, 5\ndefine HALF\ndefine N\n", "", "-DHALF=4 -DN=8"},
        {"param T = 4, 5\ndefine PITCH = T + 1\nlet AREA = PITCH * T\ndefine AREA\n", "", "-DT=5 -DPITCH=6 -DAREA=30"},
        {"param T = 4, 5\ndefine X = 0.5 * T\ndefine ON = true\ndefine OFF = T < 5\n", "",
         "-DT=5 -DX=2.5 -DON=1 -DOFF=0"},
        {"param T = 4, 5\nparam W = row, column\ndefine SAME = W\n", "", "-DW=row -DSAME=row"},
        {"param T = false, true\n", "T", "-DT=1"},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        macros(rows[i].statements, rows[i].source, choices, rows[i].macros);
}

/* A parameter of a macro's value is a compile-time parameter. */
static void parameters(void)
{
    struct space *space = bound(SPACE_HEAD SPACE_SHAPE "param A = 1, 2\nparam B = 1, 2\nparam C = 1, 2\nlet S = A + 1\n"
                                                       "define S\ndefine D = B\n",
                                "", NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(space);
    CU_ASSERT_TRUE(space->parameters[0].in_source);
    CU_ASSERT_TRUE(space->parameters[1].in_source);
    CU_ASSERT_FALSE(space->parameters[2].in_source);
    space_free(space);
}

/* A size from the command line is also the macro's; a missing value is an error of the configuration. */
static void values(void)
{
    static const char text[] = SPACE_HEAD SPACE_SHAPE "problem N = 8\nparam T = 4, 0\ndefine N\ndefine Q = N / T\n";
    static const char *const sizes[] = {"N=12"};
    const uint32_t four = 0, zero = 1;
    struct error error = {0};
    struct text options = {0};
    size_t count;
    struct space *space = parsed(text, "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(space);
    CU_ASSERT_EQUAL(space_bind(space, sizes, 1, NULL, &error), 0);
    CU_ASSERT_EQUAL(space_compile_options(space, &four, &options, &count, &error), 0);
    CU_ASSERT_EQUAL_FATAL(options.length, sizeof "-DT=4\0-DN=12\0-DQ=3");
    CU_ASSERT_EQUAL(memcmp(options.bytes, "-DT=4\0-DN=12\0-DQ=3", options.length), 0);
    CU_ASSERT_EQUAL(space_compile_options(space, &zero, &options, &count, &error), ERROR_VALUE);
    expect_text("message", error.message, "division by zero: 12 / 0, in define at T=0");
    text_free(&options);
    space_free(space);
}

/* `true` and `false` are numbers in lists, conditions, braces, `default`, --set and --config. */
static void truths(void)
{
    static const char *const sets[] = {"S=true"};
    struct space *space = parsed(SPACE_HEAD SPACE_SHAPE "param S = false, true\nparam T = 0..2\nrequire S == true\n"
                                                        "require T in {true, false}\ndefault S=true T=0\n",
                                 "");
    struct error error = {0};
    struct text text = {0};
    uint32_t choices[2];
    CU_ASSERT_PTR_NOT_NULL_FATAL(space);
    CU_ASSERT_EQUAL(space_narrow(space, sets[0], &error), 0);
    CU_ASSERT_EQUAL(space_bind(space, NULL, 0, NULL, &error), 0);
    valid_text(space, &text);
    expect_text("valid", text_string(&text), "S=1 T=0\nS=1 T=1\n");
    CU_ASSERT_EQUAL(space_config_parse(space, "T=false S=true", choices, &error), 0);
    CU_ASSERT(choices[0] == 1 && choices[1] == 0);
    CU_ASSERT_EQUAL(space_config_parse(space, "T=truth S=true", choices, &error), ERROR_DATA);
    text_free(&text);
    space_free(space);
}

CU_TestInfo tests_define[] = {{"meaning", meaning},
                              {"parameters", parameters},
                              {"values", values},
                              {"true and false", truths},
                              CU_TEST_INFO_NULL};
