/* Launches in the header; run.sh compiles them. */
#include "rows.h"

static const char text[] = "space 2\nkernel k \"k.cu\"\nproblem N = 8\nproblem X = 1.5\nparam T = 1, 2, 4\n"
                           "buffer out float[16] output\nargs out\nblock T * 32\ngrid ceildiv(N, T)\nshared N * T\n"
                           "reference r block 1 grid 1\n";

static void in_headers(void)
{
    static const struct {
        const char *rows[ROWS_MAX], *has, *has_not;
    } cases[] = {
        {{"A|N=1 X=1|T=1|T=2|1"},
         "    case 0:\n        {\n            const long long numbers[] = {32LL, 1, 1, ",
         NULL},
        {{"A|N=1 X=1|T=1|T=2|1"},
         "{64LL, 1, 1, p_tuned_ceildiv(problem_N, 2LL), 1, 1, 1, 1, 1, p_tuned_times(problem_N, 2LL), 1, 1};\n"
         "            if (!p_tuned_launch_add(launch, &count, \"k\", 0, 0, numbers))\n                return 0;\n",
         NULL},
        {{"A|N=1 X=1|T=1|T=2|1"}, "#define P_TUNED_LAUNCHES 1 ", NULL},
        {{"A|N=1 X=1|T=1|T=2|1"}, "    (void)problem_N, (void)problem_X, (void)launch;\n", NULL},
        {{"A|N=1 X=1|T=3|T=2|1"}, "    case 1:\n", "    case 0:\n"}, /* not a configuration of the space */
        {{"A|M=1 X=1|T=1|T=2|1"}, "    switch (", "    case 0:\n"},  /* other sizes */
    };
    struct space *space = NULL;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "k.space", text, sizeof text - 1, "", &error), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char copies[ROWS_MAX][256];
        struct best rows[ROWS_MAX];
        const struct best *pointers[] = {&rows[0]};
        struct emit_request request = {.prefix = "p", .format = "header"};
        struct text own = {0};
        make_rows(cases[i].rows, copies, rows);
        CU_ASSERT_EQUAL(emit_kernel_k(pointers, 1, space, request, &own, &error), 0);
        CU_ASSERT_PTR_NOT_NULL(strstr(text_string(&own), cases[i].has));
        CU_ASSERT(!cases[i].has_not || !strstr(text_string(&own), cases[i].has_not));
        text_free(&own);
    }
    space_free(space);
}

/* Macros by the parameters' own names. */
static void plain_macros(void)
{
    static const struct {
        const char *row, *format;
        int code;
        const char *has;
    } cases[] = {
        {"A|N=1|T=1 U=x|T=2 U=y|1", "header", 0,
         "#define P_T 1\n#ifndef T\n#define T 1\n#endif\n#define P_U x\n#ifndef U\n"},
        {"A|N=1|T=1 U=x|T=2 U=y|1", "header", 0, "    int tuned_T;\n    const char *tuned_U;\n"},
        {"A|N=1|T=1 int=2|T=1 int=2|1", "header", ERROR_DATA, "the parameter int cannot be a macro of its own name"},
        {"A|N=1|T=1|T=2|1", "cmake", ERROR_USAGE, "--plain-macros is for a header, not for --format cmake"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char copies[ROWS_MAX][256];
        struct best rows[ROWS_MAX];
        const struct best *pointers[] = {&rows[0]};
        struct emit_request request = {.prefix = "p", .format = cases[i].format, .plain_macros = true};
        struct text own = {0};
        struct error error = {0};
        make_rows((const char *const[ROWS_MAX]){cases[i].row}, copies, rows);
        CU_ASSERT_EQUAL(emit_kernel_k(pointers, 1, NULL, request, &own, &error), cases[i].code);
        CU_ASSERT_PTR_NOT_NULL(strstr(cases[i].code ? error.message : text_string(&own), cases[i].has));
        text_free(&own);
    }
}

CU_TestInfo tests_header_launch[] = {
    {"sizes of launches", in_headers}, {"plain macros", plain_macros}, CU_TEST_INFO_NULL};
