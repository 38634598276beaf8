/* A #define that replaces a macro of the space. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../scratch.h"
#include "base/file.h"
#include "language/code.h"
#include "space/space.h"
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
        {"#define OTHER(x) TILE\n#define\n", 0, 0},
        /* conditions */
        {"#ifndef TILE\n#define TILE 32\n#endif\n", 0, 0},
        {"#include <a.h>\n#if defined(X)\n#define TILE 1\n#else\n#define TILE 2\n#endif\n", 0, 0},
        {"#ifdef X\n#if Y\n#endif\n#define TILE 1\n#endif\n#define TILE 1\n", 6, 9},
        {"#endif\n#endif\n#ifdef X\n#define TILE 1\n#endif\n", 0, 0},
        /* an include guard does not redefine a macro */
        {"// guard\n#ifndef A_H\n#define A_H\n#define TILE 1\n#endif\n", 4, 9},
        {"#ifndef A_H\n#define B_H\n#define TILE 1\n#endif\n", 0, 0},
        {"#ifndef TILE\n#define TILE 1\n#endif\n#define TILE 2\n", 4, 9},
        {"#ifdef A_H\n#define A_H\n#define TILE 1\n#endif\n", 0, 0},
        {"#ifndef A_H\n#define A_H\n#ifdef X\n#define TILE 1\n#endif\n#endif\n", 0, 0},
        /* values for builds without cutune, one after the other */
        {"#ifndef TILE\n#define TILE 1\n#endif\n#ifndef N\n#define N 1\n#endif\n", 0, 0},
        {"#ifndef OTHER\n#define OTHER 1\n#endif\n#ifndef TILE\n#define TILE 1\n#endif\n", 0, 0},
        {"#ifndef A_H\n#define A_H\n#ifndef TILE\n#define TILE 1\n#endif\n#ifndef N\n#define N 1\n#endif\n#endif\n", 0,
         0},
        {"#if !defined(TILE)\n#define TILE 1\n#endif\n#if ! defined N\n#define N 1\n#endif\n", 0, 0},
        {"#ifndef /* a */ \\\n TILE // b\n// c\n\n#define TILE \\\n 1\n#endif\n#ifndef N\n#define N 1\n#endif", 0, 0},
        {"#ifdef TILE\n#else\n#define TILE 1\n#endif\n", 0, 0},
        {"#ifdef TILE\nint a;\n#elif 1\n#define TILE 1\n#else\n#define TILE 2\n#endif\n", 0, 0},
        {"#if defined(TILE)\n#elif X\n#define TILE 1\n#endif\n", 0, 0},
        {"#ifndef TILE\n#ifdef X\n#define TILE 1\n#else\n#define TILE 2\n#endif\n#endif\n", 0, 0},
        {"#if 0\n#define TILE 1\n#elif X\n#define TILE 1\n#endif\n", 0, 0},
        {"#if defined(TILE) && X\n#define TILE 1\n#endif\n#if TILE\n#define TILE 1\n#endif\n", 0, 0},
        {"#if !defined(TILE) || X\n#define TILE 1\n#endif\n", 0, 0},
        {"#if 1\n#else\n#define TILE 1\n#endif\n", 0, 0},
        {"#if X\n#elif 1\n#else\n#define TILE 1\n#endif\n", 0, 0},
        /* conditions that hold */
        {"#ifdef TILE\n#define TILE 1\n#endif\n", 2, 9},
        {"#if defined(TILE)\n#define TILE 1\n#endif\n", 2, 9},
        {"#if defined N\n#define TILE 1\n#endif\n", 2, 9},
        {"#if 1\n#define TILE 1\n#endif\n", 2, 9},
        {"#if 0\n#else\n#define TILE 1\n#endif\n", 3, 9},
        {"#if 0\n#elif 1\n#define TILE 1\n#endif\n", 3, 9},
        {"#ifndef TILE\n#elifdef N\n#define TILE 1\n#endif\n", 3, 9},
        {"#ifndef TILE\n#elifndef X\n#define X\n#define TILE 1\n#endif\n", 4, 9},
        {"#ifndef TILE\n#define TILE 1\n#else\n#define TILE 1\n#endif\n", 4, 9},
        {"#if !defined(A_H)\n#define A_H\n#define TILE 1\n#endif\n", 3, 9},
        /* once undefined, a macro is like any other */
        {"#undef TILE\n#define TILE 1\n", 2, 9},
        {"#undef TILE\n#ifndef TILE\n#define TILE 1\n#endif\n", 3, 9},
        {"#ifdef X\n#undef TILE\n#endif\n#ifndef TILE\n#define TILE 1\n#endif\n", 0, 0},
        {"#undef N\n#undef PITCH\n#ifndef TILE\n#define TILE 1\n#endif\n", 0, 0},
        {"#undef PITCH\n#ifndef PITCH\n#define PITCH 1\n#endif\n", 3, 9},
        {"#undef N\n#undef PITCH\n#ifndef PITCH\n#define PITCH 1\n#endif\n", 4, 9},
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
        {"#define \\\r\n TILE 1\r\n", 2, 2},
        {"char a[] = R\"(\n#define TILE 1\n)\";\n", 0, 0},
        {"char a[] = R\"x(\")\"\n#define TILE 1\n)x\";\n#define N 1\n", 4, 9},
        {"char a[] = LR\"(", 0, 0},
        {"int WR; char b[] = FOUR\"\\\"(\";\n#define TILE 1\n", 2, 9},
        {"int a = 1'000; //'\n#define TILE 1\n", 2, 9},
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

/* Deeper than CODE_CONDITIONS_MAX, a condition may be true or false. */
static void deep_conditions(void)
{
    static const struct {
        int open, closed; /* conditions before the definition */
        bool found;
    } rows[] = {{CODE_CONDITIONS_MAX, 0, true},
                {CODE_CONDITIONS_MAX + 1, 0, false},
                {CODE_CONDITIONS_MAX + 2, 1, false},
                {CODE_CONDITIONS_MAX + 2, 2, true}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct text source = {0};
        struct space *space = NULL;
        struct error error = {0};
        for (int k = 0; k < rows[i].open; k++)
            text_printf(&source, "#if 0\n#else\n");
        for (int k = 0; k < rows[i].closed; k++)
            text_printf(&source, "#endif\n");
        text_printf(&source, "#define TILE 1\n");
        int code = space_parse_text(&space, "t.space", space_text, strlen(space_text), text_string(&source), &error);
        CU_ASSERT_EQUAL(code, rows[i].found ? ERROR_DATA : 0);
        space_free(space);
        text_free(&source);
    }
}

/* Sizes with the name of a constant of the source. */
static void shadows(void)
{
    static const struct {
        const char *source;
        int line, column; /* 0: none */
    } rows[] = {
        {"#define M 3\n", 1, 9},
        {"#ifndef M\n#define M 17\n#endif\n", 2, 9},
        {"#if !defined(M)\n#define M 17\n#endif\n", 2, 9},
        {"#ifndef TILE\n#define TILE 1\n#endif\n#ifndef M\n#define M (1 << 4)\n#endif\n", 5, 9},
        {"#define HALF (int)(2 * sizeof(float))\n", 1, 9},
        {"#ifdef TILE\n#define M 17u\n#endif\n", 2, 9},
        {"const int M = 17;\n", 1, 11},
        {"static constexpr int M{17};\n", 1, 22},
        {"namespace a {\nnamespace b { int c; }\nconstexpr size_t A = 1, M = 2 * (8 + 1);\n}\n", 3, 25},
        {"enum sizes : int { L, M = 17 };\n", 1, 23},
        {"extern \"C\" {\n__constant__ int M = 3;\n}\n", 2, 18},
        {"int f() { return 1; }\nextern \"C\" __global__ void k(float *o)\n{\n  if (1) {\n    const int M = 17;\n", 5,
         15},
        {"int a = f(\n#ifdef X\n(1\n#else\n(2\n#endif\n));\nconst int M = 17;\n", 8, 11},
        /* made of cutune's macros, or of unknown ones */
        {"#define HALF (TILE / 2)\n#define M OTHER\n", 0, 0},
        {"constexpr int M = TILE * 2;\nconst int HALF = n / 2;\n", 0, 0},
        {"#define M\n#define HALF \"a\"\n", 0, 0},
        /* another kind of name */
        {"#define M(x) 17\n", 0, 0},
        {"__global__ void k(float *M, const int n = 3);\n", 0, 0},
        {"__global__ void k(const int M = 3);\n", 0, 0},
        {"template <int M = 17> struct s { int HALF = 3; };\n", 0, 0},
        {"int M = 17; bool b = M == 17; int *p; const int *q = p + M * 3;\n", 0, 0},
        {"const int a = M == 17, b = 1;\n", 0, 0},
        {"__device__ void f() { const int M = 17; }\n__global__ void k();\nstruct s { enum { M = 3 }; };\n", 0, 0},
        {"__global__ void k() { }\nvoid f() { constexpr int M = 3; }\n", 0, 0},
        {"__attribute__((section(\"a\"))) void f() { const int M = 3; }\nextern void g() { const int M = 3; }\n", 0, 0},
        {"__global__ void k() { const struct { int M = 3; } s; }\n", 0, 0},
        {"// #define M 17\nchar a[] = \"\\\nconst int M = 17;\";\n", 0, 0},
        /* perhaps not compiled */
        {"#ifdef X\n#define M 17\nconst int M = 17;\n#endif\n", 0, 0},
        {"#if 0\n#define M 17\n#endif\n", 0, 0},
        /* a macro of the space */
        {"#ifndef N\n#define N 17\n#endif\n", 0, 0},
    };
    static const char text[] =
        "space 2\nkernel k \"k.cu\"\nproblem N = 64\nproblem M = 64\nparam TILE = 1, 2\ndefine N\nlet HALF = M / 2\n"
        "buffer out float[N] output\nargs out\nblock 32\ngrid 1\nreference k block 32 grid 1\n";
    for (size_t i = 0; i < COUNT(rows); i++) {
        char source[512];
        struct space *space = NULL;
        struct error error = {0};
        snprintf(source, sizeof source, "%s//k", rows[i].source);
        int code = space_parse_text(&space, "t.space", text, strlen(text), source, &error);
        CU_ASSERT_EQUAL(code, rows[i].line ? ERROR_DATA : 0);
        if (error.line != rows[i].line || error.column != rows[i].column)
            fprintf(stderr, "\n%s: line %d, column %d: %s\n", rows[i].source, error.line, error.column, error.message);
        CU_ASSERT_EQUAL(error.line, rows[i].line);
        CU_ASSERT_EQUAL(error.column, rows[i].column);
        CU_ASSERT(!rows[i].line || (strcmp(error.source, "k.cu") == 0 && strstr(error.hint, "`define ")));
        CU_ASSERT(!rows[i].line || strstr(error.message, "of t.space)"));
        bool guarded = strstr(rows[i].source, "#if") && strstr(rows[i].source, "#define M"); /* other builds use it */
        CU_ASSERT(!rows[i].line || !strstr(error.hint, "delete this line") == guarded);
        space_free(space);
    }
}

static char folder[64];

/* Included files count if they are surely included; the reference's own file may have its own parameters. */
static void other_files(void)
{
    static const char *const names[] = {"k.cu", "r.cu", "a.h", "b.h", "t.space"};
    static const struct {
        const char *kernel, *reference, *a, *b;
        const char *file; /* file with the error; "": none */
    } rows[] = {
        {"#include \"a.h\"\n", "", "#define TILE 3\n", "", "a.h"},
        {"#include <a.h>\n", "", "#include \"b.h\"\n", "const int M = 3;\n", "b.h"},
        {"#ifdef TILE\n#include \"a.h\"\n#endif\n", "", "#define M 3\n", "", "a.h"},
        {"#ifdef X\n#include \"a.h\"\n#endif\n", "", "#define TILE 3\n", "", ""},
        {"#ifdef X\n#include \"a.h\"\n#endif\n", "", "#include \"b.h\"\n", "#define M 3\n", ""},
        {"", "#define TILE 3\n", "", "", ""},
        {"", "#define M 3\n", "", "", "r.cu"},
        {"", "#include \"a.h\"\n", "#define M 3\n", "", "a.h"},
        {"#include\n#include \"\"\n#include <\n", "", "#define M 3\n", "", ""},
    };
    char path[128];
    strcpy(folder, "/tmp/cutune-test-XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct space *space = NULL;
        struct error error = {0};
        write_inside(folder, "t.space",
                     "space 2\nkernel k \"k.cu\"\nproblem M = 64\nparam TILE = 1, 2\nbuffer out float[M] output\n"
                     "args out\nblock TILE\ngrid 1\nreference r \"r.cu\" block 32 grid 1\n");
        write_inside(folder, "k.cu", rows[i].kernel);
        write_inside(folder, "r.cu", rows[i].reference);
        write_inside(folder, "a.h", rows[i].a);
        write_inside(folder, "b.h", rows[i].b);
        snprintf(path, sizeof path, "%s/t.space", folder);
        int code = space_parse(&space, path, &error);
        CU_ASSERT_EQUAL(code, *rows[i].file ? ERROR_DATA : 0);
        const char *slash = strrchr(error.source, '/');
        expect_text(rows[i].kernel, slash ? slash + 1 : error.source, rows[i].file);
        space_free(space);
    }
    for (size_t i = 0; i < COUNT(names); i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
}

CU_TestInfo tests_redefined[] = {{"macros that the source defines", finds},
                                 {"deep conditions", deep_conditions},
                                 {"constants in place of sizes", shadows},
                                 {"other files", other_files},
                                 CU_TEST_INFO_NULL};
