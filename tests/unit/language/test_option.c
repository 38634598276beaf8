#include "language/option.h"

#include "same.h"

/* The options of the second configuration, in one line. */
static void meaning(void)
{
    static const uint32_t choices[] = {1};
    static const struct {
        const char *statements;
        bool nvcc;
        const char *options;
    } rows[] = {{"", false, "-DT=5"},
                {"option \"-a\"\noption \"-b=\" T + 1\n", false, "-DT=5 -a -b=6"},
                {"compiler nvcc\n", true, "-DT=5"},
                {"compiler nvcc \"\"\n", true, "-DT=5"},
                {"compiler nvcc \"-O3\"\noption \"-b=\" T\n", true, "-DT=5 -O3 -b=5"},
                /* In any order. An option that begins like a refused option is another one. */
                {"option \"-a\"\ncompiler nvcc \" -Xcompiler  -Wall -optf=o -archive\"\noption \"-I\"\noption \".\"\n",
                 true, "-DT=5 -Xcompiler -Wall -optf=o -archive -a -I ."},
                /* NVRTC itself reports unknown options. */
                {"option \"-arch=sm_90\"\n", false, "-DT=5 -arch=sm_90"}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct text text = {0}, options = {0}, line = {0};
        struct error error = {0};
        size_t count = 0, at = 0;
        text_printf(&text, SPACE_HEAD SPACE_SHAPE "param T = 4, 5\n%s", rows[i].statements);
        struct space *space = bound(text_string(&text), "T", NULL);
        CU_ASSERT_PTR_NOT_NULL_FATAL(space);
        CU_ASSERT_EQUAL(space->nvcc, rows[i].nvcc);
        CU_ASSERT_EQUAL(space_compile_options(space, choices, &options, &count, &error), 0);
        for (size_t o = 0; o < count; o++, at += strlen(options.bytes + at) + 1)
            text_printf(&line, "%s%s", o ? " " : "", options.bytes + at);
        expect_text(rows[i].statements, text_string(&line), rows[i].options);
        text_free(&text);
        text_free(&options);
        text_free(&line);
        space_free(space);
    }
}

CU_TestInfo tests_option[] = {{"meaning", meaning}, CU_TEST_INFO_NULL};
