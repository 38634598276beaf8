/* Parameters without effect. */
#include "support.h"

static const char head[] =
    "space 2\nkernel k \"k.cu\"\nproblem N = 64\nparam A = 1, 2\nparam B = 1, 2\nbuffer in int[N] zero\n"
    "buffer out int[N] output\nreference r block 1 grid 1\n";

/* The effect of B; A always has one. */
static void effects(void)
{
    static const struct {
        const char *source, *statements;
        bool has;
    } rows[] = {
        {"int b = B;", "", true},
        {"", "", false},
        /* the text of the source */
        {"// B\n/* B */ char b[] = \"B\", c = 'B', d[] = R\"(B)\";", "", false},
        {"#ifdef B\n#endif\n#ifndef B\n#define B 1\n#endif\n#undef B\n", "", false},
        {"#if defined(B) || defined B || !defined ( B )\nint a;\n#endif\n", "", false},
        {"#if defined(C) && B\nint a;\n#endif\n", "", true},
        {"#if C\n#elif B > 1\n#endif\n", "", true},
        {"#if 0\nint b = B;\n#endif\n", "", false},
        {"#ifdef C\nint b = B;\n#endif\n", "", true},
        {"#ifndef A\nint b = B;\n#endif\n", "", false},
        {"#ifdef C\n#else B\n#endif B\n", "", false},
        {"#define C (B + 1)\n", "", true},
        {"#define B_ 1\nint BB, aB;\n", "", false},
        {"#pragma unroll B\n", "", true},
        {"_Pragma(\"unroll B\") for (;;);", "", true},
        {"f(\"unroll B\"); _Pragma(\"once\") char b[] = \"B\";", "", false},
        {"\"unroll B\";", "", false},
        /* statements */
        {"", "block B\n", true},
        {"", "shared B\n", true},
        {"", "option \"-maxrregcount=\" B\n", true},
        {"", "carveout B\n", true},
        {"", "buffer s float[B] scratch\n", true},
        {"", "require A * B < 4\n", false},
        {"", "let C = B + 1\n", false},
        {"", "let C = B + 1\nrequire C < 9\n", false},
        {"", "let C = B + 1\nshared C\n", true},
        {"", "define C = B + 1\n", false},
        {"int c = C;", "define C = B + 1\n", true},
        {"// C", "define C = B + 1\n", false},
        {"", "work B * N\n", false},
        {"", "default A=1 B=2\n", false},
        {"", "host B\n", true},
        {"", "host A, B\n", true},
        {"", "host A\n", false},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[1024], source[256];
        struct space *space = NULL;
        struct error error = {0};
        bool block = strstr(rows[i].statements, "block") != NULL, buffer = strstr(rows[i].statements, "buffer") != NULL;
        snprintf(text, sizeof text, "%s%s%sgrid 1\nargs out, in%s, int A\n", head, rows[i].statements,
                 block ? "" : "block 1\n", buffer ? ", s" : "");
        snprintf(source, sizeof source, "%s\nint k, r = A;", rows[i].source);
        CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "t.space", text, strlen(text), source, &error), 0);
        int code = space_check_effects(space, &error);
        if (code != (rows[i].has ? 0 : ERROR_DATA))
            fprintf(stderr, "\n%s%s: %s\n", rows[i].source, rows[i].statements, error.message);
        CU_ASSERT_EQUAL(code, rows[i].has ? 0 : ERROR_DATA);
        CU_ASSERT(rows[i].has || (error.line == 5 && strstr(error.message, "'B'") && strstr(error.hint, "host B")));
        space_free(space);
    }
}

static void messages(void)
{
    static const struct {
        const char *kernel, *param, *source, *message, *hint;
    } rows[] = {
        {"k", "BLOCK_SIZ = 1, 2", "int a = BLOCK_SIZE;",
         "no value of 'BLOCK_SIZ' changes anything: it occurs neither in the source nor in a launch",
         "did you mean 'BLOCK_SIZE', which k.cu has? Otherwise remove it, or write `host BLOCK_SIZ`"},
        {"k", "LDG = 0, 1", "#ifdef LDG\n#endif", "no value of 'LDG' changes anything: it is not in the code of k.cu",
         "remove it, or write `host LDG` if it is for code that cutune does not see"},
        {"k", "T = 1", "", "", ""},
        {"k<T>", "T = 1, 2", "", "", ""},
        {"\"k<T + 1>\"", "T = 1, 2", "", "", ""},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[512], source[256];
        struct space *space = NULL;
        struct error error = {0};
        snprintf(text, sizeof text,
                 "space 2\nkernel %s \"k.cu\"\nparam %s\nbuffer out int[8] output\nargs out\n" SPACE_SHAPE
                 "reference r block 1 grid 1\n",
                 rows[i].kernel, rows[i].param);
        snprintf(source, sizeof source, "%s\nint k, r;", rows[i].source);
        CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "t.space", text, strlen(text), source, &error), 0);
        space_check_effects(space, &error);
        expect_text(rows[i].param, error.message, rows[i].message);
        expect_text(rows[i].param, error.hint, rows[i].hint);
        space_free(space);
    }
}

/* A space without a kernel, or with unknown files, may have any parameters. */
static void no_kernel(void)
{
    struct space *space = parsed("space 2\nparam A = 1, 2\n", NULL);
    struct error error = {0};
    CU_ASSERT_EQUAL(space_check_effects(space, &error), 0);
    space_free(space);
}

CU_TestInfo tests_effects[] = {
    {"effects", effects}, {"messages", messages}, {"no kernel", no_kernel}, CU_TEST_INFO_NULL};
