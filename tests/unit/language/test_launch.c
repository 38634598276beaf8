#include <math.h>

#include "support.h"

static const char transpose[] = SPACE_HEAD
    "problem ROWS = 100\nproblem UNUSED = 5\nproblem ALPHA = 2\nparam TILE = 16, 32\nparam PAD = 0, 1\n"
    "define ALPHA\nlet HALF = ROWS / 2\nparam MODE = row, column\nparam SCALE = 0.5, 1e20\nparam HOST = 7\n"
    "define PITCH = TILE + PAD\ndefine HALF\ndefine FLAG = true\nblock TILE, 4\n"
    "grid ceildiv(ROWS, TILE), 2, PAD + 1\nshared TILE * (TILE + PAD) * sizeof(float)\noption \"-lineinfo\"\n"
    "option \"--maxrregcount=\" 32 + 32 * PAD\ndefault TILE=32 PAD=1 MODE=column SCALE=0.5 HOST=7\n";

static void shapes(void)
{
    struct device_limits limits = h200_limits();
    struct space *space = bound(transpose, "", &limits);
    struct launch launch;
    struct error error = {0};
    const uint32_t choices[] = {1, 1, 0, 0, 0};
    CU_ASSERT_EQUAL(space_launch(space, choices, &launch, &error), 0);
    CU_ASSERT_EQUAL(launch.steps[0].block[0], 32);
    CU_ASSERT_EQUAL(launch.steps[0].block[1], 4);
    CU_ASSERT_EQUAL(launch.steps[0].block[2], 1);
    CU_ASSERT_EQUAL(launch.steps[0].grid[0], 4);
    CU_ASSERT_EQUAL(launch.steps[0].grid[1], 2);
    CU_ASSERT_EQUAL(launch.steps[0].grid[2], 2);
    CU_ASSERT_EQUAL(launch.steps[0].shared_bytes, 32 * 33 * 4);
    CU_ASSERT_EQUAL(launch.argument_count, 1);
    CU_ASSERT_EQUAL(launch.arguments[0].buffer, 0);
    CU_ASSERT_EQUAL(space_reference_launch(space, 0, &launch, &error), 0);
    CU_ASSERT_EQUAL(launch.steps[0].block[0], 1);
    CU_ASSERT_EQUAL(launch.steps[0].shared_bytes, 0);
    space_free(space);
}

/* The reference uses the default configuration. */
static void reference(void)
{
    struct space *space = bound("space 2\nkernel k \"k.cu\"\nparam T = 2, 3\nbuffer o int[4] output\nargs o, int T\n"
                                "block T\ngrid 1\nreference r block T, 5 grid T * 2 shared T * 8\ndefault T=3\n",
                                "", NULL);
    struct launch launch;
    struct error error = {0};
    CU_ASSERT_EQUAL(space_reference_launch(space, 0, &launch, &error), 0);
    CU_ASSERT_EQUAL(launch.steps[0].block[0], 3);
    CU_ASSERT_EQUAL(launch.steps[0].block[1], 5);
    CU_ASSERT_EQUAL(launch.steps[0].grid[0], 6);
    CU_ASSERT_EQUAL(launch.steps[0].shared_bytes, 24);
    CU_ASSERT_EQUAL(launch.words[launch.arguments[1].word].bits, 3);
    space_free(space);
}

/* Kernels that fill use the default configuration. */
static void fills_by_kernels(void)
{
    static const struct {
        const char *fill;
        uint32_t block[2], grid[2];
        size_t argument_count;
    } rows[] = {{"by f", {256, 1}, {4, 1}, 2},
                {"by f(a, int T)", {256, 1}, {4, 1}, 4},
                {"by f<2>(int 7) inout", {256, 1}, {4, 1}, 3},
                {"by \"f\" block 1 grid 1", {1, 1}, {1, 1}, 2},
                {"by f(int 1, a) block T, 8 grid ceildiv(N, T), 2", {3, 8}, {334, 2}, 4}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[500];
        struct launch launch;
        struct error error = {0};
        uint64_t count;
        snprintf(text, sizeof text,
                 "space 2\nkernel k \"k.cu\"\nbuffer out float[16] output\nargs out, b\nreference r block 1 grid "
                 "1\n" SPACE_SHAPE "problem N = 1001\nparam T = 2, 3\nbuffer a int[4] zero\nbuffer b int[N] %s\n"
                 "default T=3\n",
                 rows[i].fill);
        struct space *space = bound(text, "f(", NULL);
        CU_ASSERT_PTR_NOT_NULL_FATAL(space);
        CU_ASSERT_EQUAL(space_fill_launch(space, 2, &launch, &error), 0);
        for (int d = 0; d < 3; d++)
            CU_ASSERT(launch.steps[0].block[d] == (d < 2 ? rows[i].block[d] : 1) &&
                      launch.steps[0].grid[d] == (d < 2 ? rows[i].grid[d] : 1));
        CU_ASSERT(launch.step_count == 1 && launch.kernel_count == 1 && launch.steps[0].argument_first == 0);
        CU_ASSERT_EQUAL_FATAL(launch.argument_count, rows[i].argument_count);
        CU_ASSERT_EQUAL(launch.steps[0].argument_count, rows[i].argument_count);
        CU_ASSERT_EQUAL(launch.arguments[0].buffer, 2);
        count = launch.words[launch.arguments[1].word].bits;
        CU_ASSERT(launch.arguments[1].buffer == -1 && launch.arguments[1].bytes == 8 && count == 1001);
        if (strstr(rows[i].fill, "a, int T"))
            CU_ASSERT(launch.arguments[2].buffer == 1 && launch.words[launch.arguments[3].word].bits == 3);
        space_free(space);
    }
}

/* A fill with a thread for each element, of more elements than threads in a grid. */
static void large_fill(void)
{
    struct space *space = bound(SPACE_HEAD SPACE_SHAPE "param T = 2, 3\nbuffer b char[1 << 40] by f\n", "f(", NULL);
    struct launch launch;
    struct error error = {0};
    CU_ASSERT_PTR_NOT_NULL_FATAL(space);
    CU_ASSERT_EQUAL(space_fill_launch(space, 1, &launch, &error), ERROR_VALUE);
    expect_text("hint", error.hint, "write its shape: by f block X grid X");
    expect_text("message", error.message, "'b' has too many elements for a thread each, in buffer at T=2");
    space_free(space);
}

/* Returns the bytes of a scalar argument in hexadecimal, lowest first; or the error's message. */
static void scalars(void)
{
    static const struct {
        const char *argument, *expected;
    } rows[] = {
        {"int -2", "feffffff"},
        {"int 2147483647", "ffffff7f"},
        {"uint 4294967295", "ffffffff"},
        {"char -128", "80"},
        {"uchar 255", "ff"},
        {"short -32768", "0080"},
        {"ushort 65535", "ffff"},
        {"long -1", "ffffffffffffffff"},
        {"ulong 9223372036854775807", "ffffffffffffff7f"},
        {"float 1.5", "0000c03f"},
        {"float 3", "00004040"},
        {"float -0.0", "00000080"},
        {"double 0.1", "9a9999999999b93f"},
        {"half 1", "003c"},
        {"half -2.5", "00c1"},
        {"half 65504", "ff7b"},
        {"half 65519.9", "ff7b"},
        {"half 1.0009765625", "013c"},
        {"half 1.00048828125", "003c"}, /* halfway: rounds to even */
        {"half 1.00146484375", "023c"},
        {"half 0.00006103515625", "0004"},           /* the smallest normal */
        {"half 0.000000059604644775390625", "0100"}, /* the smallest subnormal */
        {"half 0.00000002", "0000"},
        {"half 0.999999", "003c"}, /* rounds up into the next exponent */
        {"half 0", "0000"},
        {"bfloat16 1", "803f"},
        {"bfloat16 -3.140625", "49c0"},
        {"bfloat16 1e38", "967e"},
        {"int 2147483648", "2147483648 does not fit the type int, in args at T=4"},
        {"int -2147483649", "-2147483649 does not fit the type int, in args at T=4"},
        {"uint -1", "-1 does not fit the type uint, in args at T=4"},
        {"uchar 256", "256 does not fit the type uchar, in args at T=4"},
        {"ulong -1", "-1 does not fit the type ulong, in args at T=4"},
        {"float 1e39", "1e+39 does not fit the type float, in args at T=4"},
        {"half 65520", "65520 does not fit the type half, in args at T=4"},
        {"bfloat16 3.4e38", "3.4e+38 does not fit the type bfloat16, in args at T=4"},
        {"int T / 2.0", "2.0 is not an integer, but its type is int, in args at T=4"},
        {"int T / (T - 4)", "division by zero: 4 / 0, in args at T=4"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[512], actual[64] = "";
        struct error error = {0};
        struct launch launch;
        const uint32_t choice = 0;
        snprintf(text, sizeof text,
                 "space 2\nkernel k \"k.cu\"\nparam T = 4\nbuffer o int[4] output\nargs o, %s\nblock T\ngrid 1\n"
                 "reference r block 1 grid 1\n",
                 rows[i].argument);
        struct space *space = bound(text, "", NULL);
        if (!space)
            continue;
        if (space_launch(space, &choice, &launch, &error) == 0) {
            for (uint32_t b = 0; b < launch.arguments[1].bytes; b++)
                snprintf(actual + 2 * b, 3, "%02x",
                         ((const unsigned char *)&launch.words[launch.arguments[1].word])[b]);
            CU_ASSERT_EQUAL(launch.arguments[1].buffer, -1);
            expect_text(rows[i].argument, actual, rows[i].expected);
        } else {
            expect_text(rows[i].argument, error.message, rows[i].expected);
        }
        space_free(space);
    }
}

static void wrong_shapes(void)
{
    static const struct {
        const char *shape, *message;
    } rows[] = {
        {"block T - 4\ngrid 1\n", "a block's size must be from 1 to 4294967295, not 0, in block at T=4"},
        {"block 1\ngrid -T\n", "a grid's size must be from 1 to 4294967295, not -4, in grid at T=4"},
        {"block 1\ngrid 1, 1, T << 30\n", "a grid's size must be from 1 to 4294967295, not 4294967296, in grid at T=4"},
        {"block T * 1.0\ngrid 1\n", "a block's size must be an integer, not 4.0, in block at T=4"},
        {"block 1\ngrid 1\nshared T - 5\n",
         "the size of shared memory must be from 0 to 4294967295, not -1, in shared at T=4"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[512];
        struct error error = {0};
        struct launch launch;
        const uint32_t choice = 0;
        snprintf(text, sizeof text, SPACE_HEAD "param T = 4\n%s", rows[i].shape);
        struct space *space = bound(text, "", NULL);
        CU_ASSERT_EQUAL(space_launch(space, &choice, &launch, &error), ERROR_VALUE);
        expect_text(rows[i].shape, error.message, rows[i].message);
        CU_ASSERT(error.line > 0 && error.excerpt[0]);
        space_free(space);
    }
}

static void compile_options(void)
{
    static const char source[] = "int a[TILE][ROWS], PAD; float s = SCALE; // MODE, but HOSTS is another name\n";
    static const char *const expected[] = {"-DTILE=16", "-DPAD=1",          "-DMODE=column", "-DSCALE=1e+20",
                                           "-DALPHA=2", "-DPITCH=17",       "-DHALF=50",     "-DFLAG=1",
                                           "-lineinfo", "--maxrregcount=64"};
    struct space *space = bound(transpose, source, NULL);
    struct text text = {0};
    struct error error = {0};
    size_t count = 0, at = 0;
    const uint32_t choices[] = {0, 1, 1, 1, 0};
    CU_ASSERT_EQUAL(space_compile_options(space, choices, &text, &count, &error), 0);
    CU_ASSERT_EQUAL_FATAL(count, COUNT(expected));
    for (size_t i = 0; i < count; i++) {
        expect_text("option", text.bytes + at, expected[i]);
        at += strlen(text.bytes + at) + 1;
    }
    CU_ASSERT_EQUAL(at, text.length);
    CU_ASSERT_FALSE(space->parameters[4].in_source);
    text_free(&text);
    space_free(space);
}

CU_TestInfo tests_launch[] = {{"shapes", shapes},
                              {"reference", reference},
                              {"fills by kernels", fills_by_kernels},
                              {"a large fill", large_fill},
                              {"scalars", scalars},
                              {"wrong shapes", wrong_shapes},
                              {"compile options", compile_options},
                              CU_TEST_INFO_NULL};
