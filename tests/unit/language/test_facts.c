/* Facts of the arguments of a kernel, for a compiler command. */
#include "support.h"

#include <stdlib.h>

#include "space/facts.h"

#define HEAD                                                                                                           \
    "space 2\nkernel k\ncompiler command \"c\"\nproblem ROWS = 6\nproblem COLS = 4\nparam T = 1, 2\n"                  \
    "buffer a float[ROWS, COLS] zero\nbuffer b float[COLS] zero\nbuffer out float[ROWS * COLS] output\n"               \
    "reference file(\"out.npy\")\n"

static void describe(const struct argument_facts *facts, size_t count, struct text *text)
{
    static const char *const kinds[] = {"buffer", "scalar", "struct", "map", "texture", "surface", "null"};
    for (size_t i = 0; i < count; i++) {
        text_printf(text, "%s%s %s", i ? "; " : "", kinds[facts[i].kind], facts[i].name);
        if (facts[i].type)
            text_printf(text, " %s", facts[i].type->name);
        if (facts[i].has_value && facts[i].type->family == FAMILY_FLOAT)
            text_printf(text, " =%g", facts[i].real);
        else if (facts[i].has_value)
            text_printf(text, " =%lld", (long long)facts[i].integer);
        if (facts[i].kind == FACT_BUFFER)
            text_printf(text, " @%u", (unsigned)facts[i].alignment);
        for (size_t d = 0; d < facts[i].extent_count; d++)
            text_printf(text, " %lld/%lld", (long long)facts[i].extents[d], (long long)facts[i].strides[d]);
        if (facts[i].kind == FACT_STRUCT)
            text_printf(text, " %u", (unsigned)facts[i].bytes);
    }
}

static struct launch *launch_of(const struct space *space, const uint32_t *choices)
{
    struct launch *launch = calloc(1, sizeof *launch);
    struct error error = {0};
    CU_ASSERT_PTR_NOT_NULL_FATAL(launch);
    CU_ASSERT_EQUAL_FATAL(space_launch(space, choices, launch, &error), 0);
    return launch;
}

/* Facts hold for all launches of the kernel. */
static void facts(void)
{
    static const struct {
        const char *launches, *facts;
    } rows[] = {
        {"args a, out, int ROWS\nblock 1\ngrid 1\n",
         "buffer a float @256 6/4 4/1; buffer out float @256 24/1; scalar ROWS int =6"},
        {"args a + 2, out, int -T, float 0.5, double T / 2.0, half 1\nblock 1\ngrid 1\n",
         "buffer a float @8 6/4 4/1; buffer out float @256 24/1; scalar -T int =-2; scalar 0.5 float =0.5; "
         "scalar T / 2.0 double =1; scalar 1 half"},
        {"args out, uchar 200, ulong 1, null, struct { a, int T }, float2 { 1, 2 }\nblock 1\ngrid 1\n",
         "buffer out float @256 24/1; scalar 200 uchar =200; scalar 1 ulong =1; null ; struct  16; struct  float2 8"},
        /* Launches of one kernel: a value or an address that differs is unknown. */
        {"launch k args a, out, int 1, int 7 block 1 grid 1\nlaunch k args a + 4, out, int 2, int 7 block 1 grid 1\n",
         "buffer a float @16 6/4 4/1; buffer out float @256 24/1; scalar 1 int; scalar 7 int =7"},
        {"launch k args a, out block 1 grid 1\nlaunch k args b, out block 1 grid 1\n",
         "buffer a float @256; buffer out float @256 24/1"},
        /* Rounds of a loop. */
        {"loop i = 0..3\nlaunch k args a + 2 * i, out, int i, int 5 block 1 grid 1\nend\n",
         "buffer a float @8 6/4 4/1; buffer out float @256 24/1; scalar i int; scalar 5 int =5"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[2048];
        const uint32_t choices[] = {1};
        struct argument_facts *found = calloc(SPACE_ARGUMENTS_MAX, sizeof *found);
        struct error error = {0};
        struct text list = {0};
        size_t count = 0;
        snprintf(text, sizeof text, "%s%s", HEAD, rows[i].launches);
        struct space *space = bound(text, NULL, NULL);
        CU_ASSERT_PTR_NOT_NULL_FATAL(space);
        CU_ASSERT_PTR_NOT_NULL_FATAL(found);
        struct launch *launch = launch_of(space, choices);
        int code = space_argument_facts(space, choices, launch, 0, found, &count, &error);
        CU_ASSERT_EQUAL(code, 0);
        describe(found, count, &list);
        expect_text(rows[i].launches, text_string(&list), rows[i].facts);
        text_free(&list);
        free(found);
        free(launch);
        space_free(space);
    }
}

CU_TestInfo tests_facts[] = {{"facts", facts}, CU_TEST_INFO_NULL};
