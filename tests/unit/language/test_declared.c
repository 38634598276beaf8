#include "same.h"

static void declared_names(void)
{
    static const char file[] =
        SPACE_HEAD SPACE_SHAPE "param TILE = 16\nproblem N = 8\nproblem M = 8\nlet A = N\n"
                               "let B = N\ndefine C = N\ndefine M\ndefine B\nparam T as \"warp\" = 2\n";
    static const struct {
        const char *word, *name, *statement; /* statement NULL: none */
        int line;                            /* behind the head */
        const char *macro;
    } rows[] = {{"TILE", "TILE", "param", 0, "TILE"}, {"N", "N", "problem", 1, NULL},    {"M", "M", "problem", 2, "M"},
                {"A", "A", "let", 3, NULL},           {"B", "B", "let", 4, "B"},         {"C", "C", "define", 5, "C"},
                {"T", "T", "param", 8, "warp"},       {"warp", "T", "param", 8, "warp"}, {"X", NULL, NULL, 0, NULL},
                {"TIL", NULL, NULL, 0, NULL},         {"war", NULL, NULL, 0, NULL},      {"float", NULL, NULL, 0, NULL},
                {"ceildiv", NULL, NULL, 0, NULL},     {"out", NULL, NULL, 0, NULL}};
    struct space *space = parsed(file, "");
    if (!space)
        return;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct space_declared declared = {0};
        bool found = space_declared(space, rows[i].word, strlen(rows[i].word), &declared);
        CU_ASSERT_EQUAL(found, rows[i].statement != NULL);
        if (!found)
            continue;
        expect_text("statement", declared.statement, rows[i].statement);
        expect_text("name", declared.name, rows[i].name);
        expect_text("path", declared.path, space->path);
        CU_ASSERT_EQUAL(declared.line, space->parameters[0].line + rows[i].line);
        expect_text(rows[i].word, declared.macro ? declared.macro : "none", rows[i].macro ? rows[i].macro : "none");
    }
    space_free(space);
}

CU_TestInfo tests_declared[] = {{"declared names", declared_names}, CU_TEST_INFO_NULL};
