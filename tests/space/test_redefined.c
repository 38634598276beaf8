/* Which #define takes the place of a macro of the space. */
#include <string.h>

#include "space/private.h"
#include "support.h"

static const char space_text[] =
    "space 2\nkernel k \"k.cu\"\nproblem N = 64\nproblem M = 64\nparam TILE = 1, 2\ndefine N\n"
    "define PITCH = TILE + 1\nbuffer out float[N] output\nargs out\nblock 32\ngrid 1\n"
    "reference k block 32 grid 1\n";

static void finds(void)
{
    static const struct {
        const char *source;
        int line, column; /* 0: none */
    } rows[] = {
        {"int TILE;\n", 0, 0},
        {"#define TILE 32\n", 1, 9},
        {"// one\n  #  define /* two */ TILE(x) 32", 2, 23},
        {"#define N 1\n", 1, 9},
        {"#define PITCH\n", 1, 9},
        {"#define OTHER TILE\n#define TILE_ 1\n#define T TILE\n#undef TILE\n", 0, 0},
        {"#define M 3\n", 0, 0}, /* a size that is no macro */
        /* conditions */
        {"#ifndef TILE\n#define TILE 32\n#endif\n", 0, 0},
        {"#include <a.h>\n#if defined(X)\n#define TILE 1\n#else\n#define TILE 2\n#endif\n", 0, 0},
        {"#ifdef X\n#if Y\n#endif\n#define TILE 1\n#endif\n#define TILE 1\n", 6, 9},
        {"#endif\n#endif\n#ifdef X\n#define TILE 1\n#endif\n", 0, 0},
        /* an include guard is not one */
        {"// guard\n#ifndef A_H\n#define A_H\n#define TILE 1\n#endif\n", 4, 9},
        {"#ifndef A_H\n#define B_H\n#define TILE 1\n#endif\n", 0, 0},
        {"#ifndef TILE\n#define TILE 1\n#endif\n#define TILE 2\n", 4, 9},
        {"#ifdef A_H\n#define A_H\n#define TILE 1\n#endif\n", 0, 0},
        {"#ifndef A_H\n#define A_H\n#ifdef X\n#define TILE 1\n#endif\n#endif\n", 0, 0},
        /* comments, literals and continued lines */
        {"/*\n#define TILE 1\n*/ int a; // \\\n#define TILE 1\n", 0, 0},
        {"/*/\n#define TILE 1\n*/\n#define TILE 1", 4, 9},
        {"char a = '\"', b[] = \"/*\\\"\"; \n#define TILE 1\n", 2, 9},
        {"char b[] = \"\\\n#define TILE 1\\\n\";\n", 0, 0},
        {"#define A \\\r\n#define TILE 1\r\n", 0, 0},
        {"int a; #define TILE 1\n", 0, 0},
        {"#define", 0, 0},
        {"#", 0, 0},
        {"/* #define TILE", 0, 0},
        {"'", 0, 0},
        {"\\", 0, 0},
        {"#define \\", 0, 0},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct space *space = NULL;
        struct error error = {0};
        int code = space_parse_text(&space, "t.space", space_text, strlen(space_text), rows[i].source, &error);
        CU_ASSERT_EQUAL(code, rows[i].line ? ERROR_DATA : 0);
        if (error.line != rows[i].line || error.column != rows[i].column)
            fprintf(stderr, "\n%s: line %d, column %d: %s\n", rows[i].source, error.line, error.column, error.message);
        CU_ASSERT_EQUAL(error.line, rows[i].line);
        CU_ASSERT_EQUAL(error.column, rows[i].column);
        CU_ASSERT(!rows[i].line || (strcmp(error.source, "k.cu") == 0 && strstr(error.hint, "#ifndef")));
        space_free(space);
    }
}

CU_TestInfo tests_redefined[] = {{"macros that the source defines", finds}, CU_TEST_INFO_NULL};
