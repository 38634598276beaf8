/* The source line of an error of nvcc, found from its preprocessed text. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "../scratch.h"
#include "evaluate/compiler_source.h"

static void columns(void)
{
    /* The marks ^ are at the column: of `seen`, then of `line`; without one in `line`, nothing is restored. */
    static const struct {
        const char *line, *seen, *seen_mark, *line_mark;
    } rows[] = {
        {"int TILE = 4; out[0] = TILE;", "int 1 = 4; out[0] = 1;", /* */
         "    ^", "    ^"},
        {"int TILE = 4; out[0] = TILE;", "int 1 = 4; out[0] = 1;", /* */
         "                    ^", "                       ^"},
        {"template <int TILE> __global__ void q()", "template <int 16> __attribute__((global)) void q()",
         "              ^", "              ^"},
        {"template <int TILE> __global__ void q()", "template <int 16> __attribute__((global)) void q()",
         "                                               ^", "                                    ^"},
        {"__global__ void q(int n)", "__attribute__((global)) void q(int n)", /* a name with the same beginning */
         "                                   ^", "                      ^"},
        {"EMPTY int x = M;", " int x = M;", "         ^", "              ^"},
        {"EMPTY EMPTY x = M;", "  x = M;", "      ^", "                ^"},
        {"x = LAST", "x = 12", "      ^", "        ^"},
        {"x = y;", "x = y;", "    ^", "    ^"},
        {"x = y;", "z[3] + 4", "    ^", NULL},
        {"x = y;", "x = y;", "             ^", NULL},
        {"", "x = y;", "^", NULL},
        {"x = F(1, 2);", "x = ((1) + (2));", "     ^", NULL},
    };
    const struct scratch scratch = scratch_open("k.cu");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct space space = {.nvcc = true};
        struct compiler_error found = {.line = 2, .column = (int)strlen(rows[i].seen_mark)};
        char text[256];
        bool restored = rows[i].line_mark;
        snprintf(text, sizeof text, "first\n%s\r\nlast\n", rows[i].line);
        scratch_write(&scratch, text);
        snprintf(found.path, sizeof found.path, "%s", scratch.path);
        snprintf(found.excerpt, sizeof found.excerpt, "%s", rows[i].seen);
        compiler_source_restore(&space, &found);
        if (strcmp(found.excerpt, restored ? rows[i].line : rows[i].seen) != 0 ||
            found.column != (int)strlen(restored ? rows[i].line_mark : rows[i].seen_mark))
            printf("row %zu: %s\n%*s^\n", i, found.excerpt, found.column - 1, "");
        CU_ASSERT_STRING_EQUAL(found.excerpt, restored ? rows[i].line : rows[i].seen);
        CU_ASSERT_EQUAL(found.column, (int)strlen(restored ? rows[i].line_mark : rows[i].seen_mark));
    }
    scratch_close(&scratch);
}

/* An error that quotes no line is at the name in its message. */
static void names(void)
{
    static const struct {
        const char *message, *line, *mark;
    } rows[] = {{"calling a __host__ function(\"part(float)\") from a __global__ function(\"k\") is not allowed",
                 "    out[0] = parts[0] * part(values[n]);", "                        ^"},
                {"identifier \"space::values\" is undefined in device code", "out[0] = values[n];", "         ^"},
                {"calling a __host__ function(\"f<int>(T1)\") from", "f(1);", "^"},
                {"identifier \"values\" is undefined in device code", "out[0] = N;", ""},
                {"no name is quoted", "out[0] = N;", ""},
                {"an open \"quote", "quote", "^"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct space space = {.nvcc = true, .source = rows[i].line, .source_path = "k.cu"};
        struct compiler_error found = {.path = "k.cu", .line = 1};
        snprintf(found.message, sizeof found.message, "%s", rows[i].message);
        compiler_source_restore(&space, &found);
        CU_ASSERT_STRING_EQUAL(found.excerpt, rows[i].line);
        CU_ASSERT_EQUAL(found.column, (int)strlen(rows[i].mark));
    }
}

/* NVRTC quotes the source itself. The text of the kernel's source stands for its file. */
static void sources(void)
{
    static const struct {
        bool nvcc;
        const char *path;
        int line, column;
        const char *excerpt;
    } rows[] = {{true, "k.cu", 1, 5, "int TILE;"}, {true, "other.cu", 1, 5, "int 16;"},
                {true, "k.cu", 2, 5, "int 16;"},   {true, "k.cu", 0, 5, "int 16;"},
                {true, "k.cu", 1, 0, "int 16;"},   {false, "k.cu", 1, 5, "int 16;"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct space space = {.nvcc = rows[i].nvcc, .source = "int TILE;", .source_path = "k.cu"};
        struct compiler_error found = {.line = rows[i].line, .column = rows[i].column, .excerpt = "int 16;"};
        snprintf(found.path, sizeof found.path, "%s", rows[i].path);
        compiler_source_restore(&space, &found);
        CU_ASSERT_STRING_EQUAL(found.excerpt, rows[i].excerpt);
        CU_ASSERT_EQUAL(found.column, rows[i].column);
    }
}

CU_TestInfo tests_compiler_source[] = {{"columns", columns}, {"names", names}, {"sources", sources}, CU_TEST_INFO_NULL};
