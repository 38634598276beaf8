#include "same.h"

static const char narrowed[] = SPACE_HEAD SPACE_SHAPE "problem N = 8\nparam TILE = 16, 32, 64\nparam F = 0.5, 1.5\n"
                                                      "param W = red, blue\nrequire TILE < 64 || W == red\n"
                                                      "default TILE=16 F=0.5 W=red\n";

static void narrow(void)
{
    static const char *const sets[] = {"TILE=64,32", "W=red", "F=1.5"};
    struct device_limits limits = h200_limits();
    struct space *space = parsed(narrowed, "");
    struct error error = {0};
    struct text text = {0};
    if (!space)
        return;
    for (size_t i = 0; i < COUNT(sets); i++)
        CU_ASSERT_EQUAL(space_narrow(space, sets[i], &error), 0);
    CU_ASSERT_EQUAL(space_bind(space, NULL, 0, &limits, &error), 0);
    valid_text(space, &text);
    expect_text("valid", text_string(&text), "TILE=32 F=1.5 W=red\nTILE=64 F=1.5 W=red\n");
    CU_ASSERT_EQUAL(space->parameters[0].value_count, 3); /* a journal of all values fits */
    expect_text("name", space->constraints[1].name, "--set");
    expect_text("text", space->constraints[1].text, "TILE in {64, 32}");
    expect_text("text", space->constraints[3].text, "F in {1.5}");
    CU_ASSERT_FALSE(space->constraints[1].device);
    CU_ASSERT_EQUAL(space->constraints[1].line, 0);
    CU_ASSERT_PTR_NULL(space->constraints[1].path);
    CU_ASSERT_EQUAL(space_narrow(space, "TILE=16", &error), ERROR_USAGE);
    text_free(&text);
    space_free(space);
}

/* The configurations left, before the sizes are known. */
static void has(void)
{
    static const struct {
        const char *configuration;
        bool has;
    } cases[] = {{"TILE=64 F=1.5 W=red", true},
                 {"TILE=32 F=0.5 W=red", true},
                 {"TILE=16 F=0.5 W=red", false},
                 {"TILE=64 F=0.5 W=blue", false}};
    struct space *space = parsed(narrowed, "");
    struct error error = {0};
    if (!space)
        return;
    for (int narrow = 0; narrow < 2; narrow++) {
        for (size_t i = 0; i < COUNT(cases); i++) {
            uint32_t choices[SPACE_PARAMETERS_MAX];
            CU_ASSERT_EQUAL_FATAL(space_config_parse(space, cases[i].configuration, choices, &error), 0);
            CU_ASSERT_EQUAL(space_narrowed_has(space, choices), !narrow || cases[i].has);
        }
        CU_ASSERT_EQUAL(space_narrow(space, narrow ? "F=0.5" : "TILE=64,32", &error), 0);
        if (!narrow)
            CU_ASSERT_EQUAL(space_narrow(space, "W=red", &error), 0);
    }
    space_free(space);
}

static void wrong_narrow(void)
{
    static const struct {
        const char *set, *message, *hint;
    } rows[] = {
        {"TILE", "--set TILE: expected NAME=VALUE,VALUE", "for example: --set TILE=16,32"},
        {"=16", "--set =16: expected NAME=VALUE,VALUE", "for example: --set TILE=16,32"},
        {"TILES=16", "--set TILES=16: the space has no parameter of that name", "did you mean 'TILE'?"},
        {"zzzz=16", "--set zzzz=16: the space has no parameter of that name",
         "a parameter of test.space is narrowed with: --set TILE=VALUE,VALUE"},
        {"N=8", "--set N=8: the space has no parameter of that name", "N is a problem size: -D N=VALUE"},
        {"TILE=17", "--set TILE=17: TILE has no such value", "its values are 16, 32, 64"},
        {"TILE=", "--set TILE=: TILE has no such value", "its values are 16, 32, 64"},
        {"TILE=16,", "--set TILE=16,: TILE has no such value", "its values are 16, 32, 64"},
        {"TILE=16..32", "--set TILE=16..32: TILE has no such value", "its values are 16, 32, 64"},
        {"TILE=16.5", "--set TILE=16.5: TILE has no such value", "its values are 16, 32, 64"},
        {"W=Red", "--set W=Red: W has no such value", "its values are red, blue"},
        {"W=red}", "--set W=red}: W has no such value", "its values are red, blue"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct space *space = parsed(narrowed, "");
        struct error error = {0};
        if (!space)
            continue;
        CU_ASSERT_EQUAL(space_narrow(space, rows[i].set, &error), ERROR_USAGE);
        expect_text(rows[i].set, error.message, rows[i].message);
        expect_text(rows[i].set, error.hint, rows[i].hint);
        CU_ASSERT_EQUAL(space->constraint_count, 1);
        space_free(space);
    }
    struct space *space = parsed(narrowed, "");
    struct error error = {0};
    CU_ASSERT_EQUAL(space_narrow(space, "TILE=16,16,016", &error), 0);
    CU_ASSERT_EQUAL(space_narrow(space, "TILE=16", &error), ERROR_USAGE);
    expect_text("twice", error.message, "--set TILE=16: TILE is narrowed twice");
    space_free(space);
}

CU_TestInfo tests_narrow[] = {
    {"narrowing", narrow}, {"what is left", has}, {"wrong narrowing", wrong_narrow}, CU_TEST_INFO_NULL};
