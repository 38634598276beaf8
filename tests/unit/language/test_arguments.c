/* Arguments: the bytes of scalars, vectors and structs in C's layout, and pointers into buffers. */
#include "support.h"

enum { TEXT_BYTES = 16384 };

/* "o + 8" for pointers, "role 1", or the bytes in hexadecimal, lowest first, and behind them the parts: " 8: o + 4". */
static void argument_text(const struct space *space, const struct launch *launch,
                          const struct launch_argument *argument, char *text)
{
    const unsigned char *bytes = (const unsigned char *)&launch->words[argument->word];
    if (argument->buffer >= 0)
        snprintf(text, TEXT_BYTES, "%s + %llu", space->buffers[argument->buffer].name,
                 (unsigned long long)argument->offset_bytes);
    else if (argument->role != ARGUMENT_PLAIN)
        snprintf(text, TEXT_BYTES, "role %u", argument->role);
    else
        for (uint32_t b = 0; b < argument->bytes; b++)
            snprintf(text + 2 * b, 3, "%02x", bytes[b]);
    for (uint32_t i = 0; i < argument->part_count; i++) {
        const struct launch_argument *part = &launch->parts[argument->part_first + i];
        text += strlen(text);
        text += sprintf(text, " %u: ", part->at);
        argument_text(space, launch, part, text);
    }
}

/* The second argument, or the error's message. */
struct row {
    const char *argument, *expected;
};

static void expect_arguments(const struct row *rows, size_t count)
{
    static char actual[TEXT_BYTES];
    for (size_t i = 0; i < count; i++) {
        char text[1024];
        struct error error = {0};
        struct launch launch;
        const uint32_t choice[2] = {1, 0};
        snprintf(text, sizeof text,
                 "space 2\nkernel k \"k.cu\"\nparam T = 2, 4\nparam WORD = plain, tiled\nbuffer o int[16] output\n"
                 "buffer in float4[16] random\nbuffer s short[4 * T] scratch\nargs o, %s, s\nblock T\ngrid 1\n"
                 "reference r block 1 grid 1\n",
                 rows[i].argument);
        struct space *space = bound(text, "", NULL);
        if (!space)
            continue;
        memset(actual, 0, sizeof actual);
        if (space_launch(space, choice, &launch, &error) == 0)
            argument_text(space, &launch, &launch.arguments[1], actual);
        else
            snprintf(actual, sizeof actual, "%s", error.message);
        expect_text(rows[i].argument, actual, rows[i].expected);
        space_free(space);
    }
}

static void vectors(void)
{
    static const struct row rows[] = {
        {"float2 { 1.5, T }", "0000c03f00008040"},
        {"int4 { 1, 2, 3, -1 }", "010000000200000003000000ffffffff"},
        {"double2 { 1, -2 }", "000000000000f03f00000000000000c0"},
        {"float2 { 1, 1e39 }", "1e+39 does not fit the type float, in args at T=4 WORD=plain"},
        {"int2 { 1, 0.5 }", "0.5 is not an integer, but its type is int, in args at T=4 WORD=plain"},
        {"int2 { 1, WORD }", "the word plain cannot be passed to a kernel, in args at T=4 WORD=plain"},
    };
    expect_arguments(rows, COUNT(rows));
}

#define Z "00"

/* Each member at a multiple of its alignment, the size a multiple of the greatest; padding is zero. */
static void structs(void)
{
    static const struct row rows[] = {
        {"struct { int T }", "04000000"},
        {"struct { int 1, int 2, float 0.1 }", "0100000002000000cdcccc3d"},
        {"struct { char 1, int -1 }", "01" Z Z Z "ffffffff"},
        {"struct { int -1, char 1 }", "ffffffff01" Z Z Z},
        {"struct { char 1, short 2, char 3, double 1, char 4 }", "01" Z "0200"
                                                                 "03" Z Z Z "000000000000f03f"
                                                                 "04" Z Z Z Z Z Z Z},
        {"struct { bool true, bool false, half 1, uchar 255 }", "0100003cff" Z},
        {"struct { char 1, int2 { 2, 3 } }", "01" Z Z Z Z Z Z Z "0200000003000000"},
        {"struct { char 1, uchar4 { 2, 3, 4, 5 }, char3 { 6, 7, 8 }, ushort2 { 9, 10 } }",
         "01" Z Z Z "02030405060708" Z "09000a00"},
        {"struct { char 1, float3 { 1, 2, 3 }, half2 { 1, 2 } }", "01" Z Z Z "0000803f0000004000004040003c0040"},
        {"struct { float 1, float4 { 1, 2, 3, 4 }, char 1 }",
         "0000803f" Z Z Z Z Z Z Z Z Z Z Z Z "0000803f000000400000404000008040"
         "01" Z Z Z Z Z Z Z Z Z Z Z Z Z Z Z},
        {"struct { size_t 1, int8_t -1, uint16_t 2, int64_t -1 }", "0100000000000000"
                                                                   "ff" Z "0200" Z Z Z Z "ffffffffffffffff"},
        {"struct { int 1, uchar 64 * T }", "256 does not fit the type uchar, in args at T=4 WORD=plain"},
    };
    expect_arguments(rows, COUNT(rows));
}

/* A struct in a struct is at a multiple of its own alignment, and fills a multiple of it. */
static void nested_structs(void)
{
    static const struct row rows[] = {
        {"struct { struct { int 1 } }", "01" Z Z Z},
        {"struct { char 1, struct { short 2, char 3 }, char 4 }", "01" Z "0200"
                                                                  "03" Z "04" Z},
        {"struct { int 1, struct { char 2, struct { double 1 } }, char 3 }",
         "01" Z Z Z Z Z Z Z "02" Z Z Z Z Z Z Z "000000000000f03f"
         "03" Z Z Z Z Z Z Z},
        {"struct { char 1, struct alignas(8) { char 2 }, char 3 }",
         "01" Z Z Z Z Z Z Z "02" Z Z Z Z Z Z Z "03" Z Z Z Z Z Z Z},
        {"struct alignas(2) { int 1 }", "01" Z Z Z}, /* the members' alignment is larger */
        {"struct { struct { in }, struct { struct { int 1, s + T } } }",
         Z Z Z Z Z Z Z Z "01" Z Z Z Z Z Z Z Z Z Z Z Z Z Z Z " 0: in + 0 16: s + 8"},
    };
    expect_arguments(rows, COUNT(rows));
}

static void arrays(void)
{
    static const struct row rows[] = {
        {"struct { char 1, int[2] { 2, T }, char 3 }", "01" Z Z Z "02" Z Z Z "04" Z Z Z "03" Z Z Z},
        {"struct { short[4] { 1, 2 }, char 3 }", "0100"
                                                 "0200" Z Z Z Z "03" Z}, /* the others are zero */
        {"struct { char 1, double[1] { } }", "01" Z Z Z Z Z Z Z Z Z Z Z Z Z Z Z},
        {"struct { char 1, float2[2] { { 0, 1 }, { 0.5, 0 } } }",
         "01" Z Z Z Z Z Z Z Z Z Z Z "0000803f0000003f" Z Z Z Z},
        {"struct { char3[2] { { 1, 2, 3 }, { 4, 5, 6 } } }", "010203040506"},
        {"struct { int[2] { 1, WORD } }", "the word plain cannot be passed to a kernel, in args at T=4 WORD=plain"},
    };
    expect_arguments(rows, COUNT(rows));
}

/* Addresses and objects are parts, which the device process puts among the bytes. */
static void struct_pointers(void)
{
    static const struct row rows[] = {
        {"struct { in }", Z Z Z Z Z Z Z Z " 0: in + 0"},
        {"struct { int 1, in + T, null, o, char 2 }",
         "01" Z Z Z Z Z Z Z Z Z Z Z Z Z Z Z Z Z Z Z Z Z Z Z Z Z Z Z Z Z Z Z "02" Z Z Z Z Z Z Z " 8: in + 64 24: o + 0"},
        {"struct { int 1, in + T * 5 }",
         "the pointer is 20 elements into 'in', which has 16, in args at T=4 WORD=plain"},
    };
    expect_arguments(rows, COUNT(rows));
}

/* The other launch's parts are behind those of the first. */
static void parts_of_launches(void)
{
    struct space *space = bound(
        "space 2\nkernel k \"k.cu\"\nparam T = 1, 2\nbuffer o int[16] output\nbuffer in int[8] random\n"
        "launch k args struct { o, in + 1 } block 1 grid 1\nlaunch k args in, struct { null, in } block 1 grid 1\n"
        "reference r args o block 1 grid 1\n",
        "", NULL);
    struct launch launch;
    struct error error = {0};
    const uint32_t choice = 0;
    if (!space)
        return;
    CU_ASSERT_EQUAL(space_launch(space, &choice, &launch, &error), 0);
    CU_ASSERT_EQUAL(launch.part_count, 3);
    CU_ASSERT(launch.arguments[0].part_first == 0 && launch.arguments[0].part_count == 2);
    CU_ASSERT(launch.arguments[2].part_first == 2 && launch.arguments[2].part_count == 1);
    CU_ASSERT(launch.parts[1].buffer == 1 && launch.parts[1].offset_bytes == 4 && launch.parts[2].at == 8);
    space_free(space);
}

/* An output and a texture in a struct are passed to the kernel. */
static void passed_in_structs(void)
{
    struct space *space =
        bound("space 2\nkernel k \"k.cu\"\nparam T = 1, 2\nbuffer o int[16] output\nbuffer in float[64] random\n"
              "texture t = in float 64\ntensor_map m over in size 64 box 16\n"
              "args struct { int 1, struct { o, t }, char 2, m }\nblock T\ngrid 1\n"
              "reference r block 1 grid 1\n",
              "", NULL);
    static char actual[TEXT_BYTES];
    struct launch launch;
    struct error error = {0};
    const uint32_t choice = 0;
    if (!space)
        return;
    CU_ASSERT_EQUAL(space_launch(space, &choice, &launch, &error), 0);
    CU_ASSERT_EQUAL(launch.arguments[0].bytes, 192);
    argument_text(space, &launch, &launch.arguments[0], actual);
    expect_text("parts", actual + 2 * 192, " 8: o + 0 16: role 1 64: role 3");
    space_free(space);
}

static void pointers(void)
{
    static const struct row rows[] = {
        {"null", "0000000000000000"},
        {"in", "in + 0"},
        {"in + T", "in + 64"},
        {"in + 16", "in + 256"}, /* behind the last element */
        {"in + 17", "the pointer is 17 elements into 'in', which has 16, in args at T=4 WORD=plain"},
        {"in + T - 5", "the offset of an argument must be at least 0, not -1, in args at T=4 WORD=plain"},
        {"o + 16", "o + 64"},
        {"s + 16", "s + 32"}, /* the configuration's own size */
        {"s + 17", "the pointer is 17 elements into 's', which has 16, in args at T=4 WORD=plain"},
    };
    expect_arguments(rows, COUNT(rows));
}

/* Names that the space declares come before the language's. */
static void own_names(void)
{
    struct space *space = bound("space 2\nkernel k \"k.cu\"\nparam T = 1, 2\nbuffer null int[16] output\n"
                                "buffer struct int[4] random\nargs null, struct\nblock T\ngrid 1\n"
                                "reference r block 1 grid 1\n",
                                "", NULL);
    struct launch launch;
    struct error error = {0};
    const uint32_t choice = 0;
    if (!space)
        return;
    CU_ASSERT_EQUAL(space_launch(space, &choice, &launch, &error), 0);
    CU_ASSERT_EQUAL(launch.arguments[0].buffer, 0);
    CU_ASSERT_EQUAL(launch.arguments[1].buffer, 1);
    space_free(space);
}

/* Several arguments share the pool, from which each takes whole words. */
static void pool(void)
{
    struct space *space = bound("space 2\nkernel k \"k.cu\"\nparam T = 1, 2\nbuffer o int[16] output\n"
                                "args char 1, struct { int 2, int 3, int 4 }, null, o, long 5\nblock T\ngrid 1\n"
                                "reference r block 1 grid 1\n",
                                "", NULL);
    static const uint64_t words[] = {1, 2 | 3ull << 32, 4, 0, 5};
    struct launch launch;
    struct error error = {0};
    const uint32_t choice = 0;
    if (!space)
        return;
    for (int reference = 0; reference < 2; reference++) {
        CU_ASSERT_EQUAL(reference ? space_reference_launch(space, 0, &launch, &error)
                                  : space_launch(space, &choice, &launch, &error),
                        0);
        CU_ASSERT_EQUAL(launch.word_count, COUNT(words));
        CU_ASSERT_EQUAL(memcmp(launch.words, words, sizeof words), 0);
        CU_ASSERT_EQUAL(launch.arguments[0].bytes, 1);
        CU_ASSERT_EQUAL(launch.arguments[1].bytes, 12);
        CU_ASSERT_EQUAL(launch.arguments[1].word, 1);
        CU_ASSERT_EQUAL(launch.arguments[4].word, 4);
    }
    space_free(space);
}

CU_TestInfo tests_arguments[] = {{"vectors", vectors},
                                 {"structs", structs},
                                 {"nested structs", nested_structs},
                                 {"arrays", arrays},
                                 {"pointers in structs", struct_pointers},
                                 {"parts of several launches", parts_of_launches},
                                 {"passed in structs", passed_in_structs},
                                 {"pointers", pointers},
                                 {"pool", pool},
                                 {"own names", own_names},
                                 CU_TEST_INFO_NULL};
