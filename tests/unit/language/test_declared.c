#include "same.h"

static void declared_names(void)
{
    static const char file[] = SPACE_HEAD SPACE_SHAPE "param TILE = 16\nproblem N = 8\nproblem M = 8\nlet A = N\n"
                                                      "let B = N\ndefine C = N\ndefine M\ndefine B\n";
    static const struct {
        const char *name, *statement; /* NULL: none */
        int line;                     /* behind the head */
        bool macro;
    } rows[] = {{"TILE", "param", 0, true}, {"N", "problem", 1, false},  {"M", "problem", 2, true},
                {"A", "let", 3, false},     {"B", "let", 4, true},       {"C", "define", 5, true},
                {"X", NULL, 0, false},      {"TIL", NULL, 0, false},     {"warp", NULL, 0, false},
                {"float", NULL, 0, false},  {"ceildiv", NULL, 0, false}, {"out", NULL, 0, false}};
    struct space *space = parsed(file, "");
    if (!space)
        return;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct space_declared declared = {0};
        bool found = space_declared(space, rows[i].name, strlen(rows[i].name), &declared);
        CU_ASSERT_EQUAL(found, rows[i].statement != NULL);
        if (!found)
            continue;
        expect_text("statement", declared.statement, rows[i].statement);
        expect_text("name", declared.name, rows[i].name);
        expect_text("path", declared.path, space->path);
        CU_ASSERT_EQUAL(declared.line, space->parameters[0].line + rows[i].line);
        CU_ASSERT_EQUAL(declared.macro, rows[i].macro);
    }
    space_free(space);
}

CU_TestInfo tests_declared[] = {{"declared names", declared_names}, CU_TEST_INFO_NULL};
