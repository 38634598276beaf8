/* Tensor maps in a configuration's launch, and each rule of the driver on both sides of its limit. */
#include "technique.h"

#define PLACE ", in tensor_map at A=1 R=0.25 HOST=pageable WHEN=before"

static void meaning(void)
{
    static const struct meaning_row rows[] = {
        {"tensor_map t over table size 64, 32 box 8 * A, 4", ", t", "A=2",
         "map 2 + 0 type 7 [64 by 0 box 16 step 1] [32 by 256 box 4 step 1] interleave 0 swizzle 0 atom 16 flip 0 l2 0 "
         "out "
         "0"},
        {"tensor_map t over table + 64 * A box 4, 2, 1 size 16, 8, 2 stride 512, 64 element_stride 1, A, 3 type "
         /* options */
         "tfloat32 "
         "interleave 16 * A swizzle 128 atom 32 flip A == 2 l2_promotion 256 out_of_bounds nan when A > 1",
         ", t", "A=2",
         "map 2 + 512 type 11 [16 by 0 box 4 step 1] [8 by 512 box 2 step 2] [2 by 64 box 1 step 3] interleave 32 "
         "swizzle "
         "128 atom 32 flip 1 l2 256 out 1"},
        {"tensor_map t over table size 64 box 8 * A swizzle 128 when A > 1", ", t", "A=1",
         "map 0 + 0 type 0 interleave 0 swizzle 0 atom 0 flip 0 l2 0 out 0"},
        {"tensor_map t over table size 64 box 8 swizzle 0 atom 64 flip 1", ", t", "",
         "map 2 + 0 type 7 [64 by 0 box 8 step 1] interleave 0 swizzle 0 atom 16 flip 0 l2 0 out 0"},
        {"tensor_map t over table size 64, 1 << 62, 8 box 1, 1, 1", ", t", "",
         "map 2 + 0 type 7 [64 by 0 box 1 step 1] [4611686018427387904 by 256 box 1 step 1] [8 by 18446744073709551615 "
         "box 1 "
         "step 1] interleave 0 swizzle 0 atom 16 flip 0 l2 0 out 0"},
        {"tensor_map t over table size 64 box 8 swizzle A * 3", ", t", "",
         "the swizzle must be 0, 32, 64 or 128, not 3" PLACE},
        {"tensor_map t over table size 64 box 8 interleave 17", ", t", "",
         "the interleave must be 0, 16 or 32, not 17" PLACE},
        {"tensor_map t over table size 64 box 8 atom 128", ", t", "",
         "the atom of the swizzle must be 16, 32 or 64, not 128" PLACE},
        {"tensor_map t over table size 64 box 8 flip 2", ", t", "",
         "the flip of the swizzle must be 0 or 1, not 2" PLACE},
        {"tensor_map t over table size 64 box 8 l2_promotion -1", ", t", "",
         "the L2 promotion must be 0, 64, 128 or 256, not -1" PLACE},
        {"tensor_map t over table size -A box 8", ", t", "",
         "the size of a tensor map must be at least 0, not -1" PLACE},
        {"tensor_map t over table + (A - 2) size 4 box 8", ", t", "",
         "the offset of a tensor map must be at least 0, not -1" PLACE},
        {"tensor_map t over table size 4 box 1 << 32", ", t", "",
         "the box of a tensor map must be from 0 to 4294967295, not 4294967296" PLACE},
        {"tensor_map t over table size 4, 4 box 8, 8 stride -A", ", t", "",
         "the stride of a tensor map must be at least 0, not -1" PLACE},
        {"tensor_map t over table size 4 box 8 element_stride -A", ", t", "",
         "the element stride of a tensor map must be from 0 to 4294967295, not -1" PLACE},
    };
    expect_meanings(rows, COUNT(rows));
}

/* The element type of each buffer type. */
static void own_types(void)
{
    static const struct {
        const char *buffer;
        enum tensor_type expected;
    } rows[] = {{"char", TENSOR_uint8},     {"uchar", TENSOR_uint8},       {"bool", TENSOR_uint8},
                {"short", TENSOR_uint16},   {"ushort", TENSOR_uint16},     {"int", TENSOR_int32},
                {"uint", TENSOR_uint32},    {"long", TENSOR_int64},        {"ulong", TENSOR_uint64},
                {"half", TENSOR_float16},   {"bfloat16", TENSOR_bfloat16}, {"float", TENSOR_float32},
                {"double", TENSOR_float64}, {"uint16_t", TENSOR_uint16}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        const uint32_t choices[SPACE_PARAMETERS_MAX] = {0};
        struct device_limits limits = h200_limits();
        struct launch launch;
        struct error error = {0};
        char statements[200];
        snprintf(statements, sizeof statements, "buffer b %s[64] random\ntensor_map t over b size 64 box 16",
                 rows[i].buffer);
        struct space *space = make(statements, ", t", &limits);
        if (!space)
            continue;
        CU_ASSERT_EQUAL(space_launch(space, choices, &launch, &error), 0);
        if (launch.tensor_maps[0].type != rows[i].expected)
            fprintf(stderr, "\n%s: type %u", rows[i].buffer, launch.tensor_maps[0].type);
        CU_ASSERT_EQUAL(launch.tensor_maps[0].type, rows[i].expected);
        space_free(space);
    }
}

/* A map over a huge buffer, which must satisfy the rules of the row. */
#define MAP(text)         "buffer big uchar[1 << 44] random\ntensor_map t over big " text, ", t", "cc", 90
#define NEW_MAP(text)     "buffer big uchar[1 << 44] random\ntensor_map t over big " text, ", t", "cc", 100
#define BROKEN(rule)      "the tensor map 't': " rule
#define CUBE              "size 64, 8, 4 "
#define INTERLEAVED(text) MAP(CUBE "box 64, 8, 4 interleave 32 swizzle 32 " text)

static void rules(void)
{
    static const struct fits_row rows[] = {
        {"tensor_map t over table size 64 box 16", ", t", "cc", 90, ""},
        {"tensor_map t over table size 64 box 16", ", t", "cc", 89,
         BROKEN("the device has compute capability 8.9, and tensor maps need 9.0")},
        {"tensor_map t over table size 64 box 16 when A > 1", ", t", "cc", 89, ""},
        {MAP("size 64, 8, 4 box 64, 8, 4 interleave 16"), ""},
        {MAP("size 64, 8 box 64, 8 interleave 16"), BROKEN("it has 2 dimensions, and an interleave needs 3")},
        {MAP("+ 16 size 64 box 64"), ""},
        {MAP("+ 8 size 64 box 64"), BROKEN("it begins 8 bytes into the buffer, which must be a multiple of 16")},
        {INTERLEAVED(""), ""},
        {MAP("+ 64 " CUBE "box 64, 8, 4 interleave 32 swizzle 32"), ""},
        {MAP("+ 16 " CUBE "box 64, 8, 4 interleave 16"), ""},
        {MAP("+ 16 " CUBE "box 64, 8, 4 interleave 32 swizzle 32"),
         BROKEN("it begins 16 bytes into the buffer, which must be a multiple of 32 with interleave 32")},
        {MAP("size 1, 1 stride 16 box 16, 1"), ""},
        {MAP("size 16, 0 box 16, 1"), BROKEN("size[1] is 0, and must be from 1 to 4294967296")},
        {MAP("size 1 << 32 box 16"), ""},
        {MAP("size (1 << 32) + 1 box 16"), BROKEN("size[0] is 4294967297, and must be from 1 to 4294967296")},
        {MAP("size 4, 8, 2 stride 16, 128 box 16, 8, 2"), ""},
        {MAP("size 4, 8, 2 stride 16, 120 box 16, 8, 2"),
         BROKEN("stride[1] is 120 bytes, and must be a multiple of 16")},
        {MAP("size 8, 2 box 16, 2"), BROKEN("stride[0] is 8 bytes, and must be a multiple of 16")},
        {INTERLEAVED("stride 64, 544"), ""},
        {INTERLEAVED("stride 64, 528"),
         BROKEN("stride[1] is 528 bytes, and must be a multiple of 32 with interleave 32")},
        {MAP("size 16, 2 stride (1 << 40) - 16 box 16, 1"), ""},
        {MAP("size 16, 2 stride 1 << 40 box 16, 1"),
         BROKEN("stride[0] is 1099511627776 bytes, and must be less than 1099511627776")},
        {MAP("size 16, 256 box 16, 256"), ""},
        {MAP("size 16, 256 box 256, 1"), ""},
        {MAP("size 16, 256 box 16, 257"), BROKEN("box[1] is 257, and must be from 1 to 256")},
        {MAP("size 16, 256 box 0, 8"), BROKEN("box[0] is 0, and must be from 1 to 256")},
        {MAP("size 16, 256 box 16, 16 element_stride 1, 8"), ""},
        {MAP("size 16, 256 box 16, 16 element_stride 1, 9"), BROKEN("element_stride[1] is 9, and must be from 1 to 8")},
        {MAP("size 16, 256 box 16, 16 element_stride 0, 1"), BROKEN("element_stride[0] is 0, and must be from 1 to 8")},
        {MAP("size 64 box 24"), BROKEN("a row of the box has 24 bytes, which must be a multiple of 16")},
        {MAP("size 64 box 24 type float16"), ""},
        {MAP(CUBE "box 24, 1, 1 interleave 16"), ""},
        {MAP("size 64 box 32 swizzle 32"), ""},
        {MAP("size 64 box 48 swizzle 32"), BROKEN("a row of the box has 48 bytes, more than the swizzle's 32")},
        {MAP("size 64 box 64 swizzle 64"), ""},
        {MAP("size 64 box 80 swizzle 64"), BROKEN("a row of the box has 80 bytes, more than the swizzle's 64")},
        {MAP("size 64 box 128 swizzle 128"), ""},
        {MAP("size 64 box 144 swizzle 128"), BROKEN("a row of the box has 144 bytes, more than the swizzle's 128")},
        {MAP("size 64 box 144"), ""},
        {MAP(CUBE "box 48, 1, 1 interleave 16 swizzle 32"), ""},
        {MAP(CUBE "box 64, 1, 1 interleave 32 swizzle 64"), BROKEN("swizzle is 64, and must be 32 with interleave 32")},
        {MAP(CUBE "box 64, 1, 1 interleave 32"), BROKEN("swizzle is 0, and must be 32 with interleave 32")},
        {NEW_MAP("size 64 box 64 swizzle 128 atom 64"), ""},
        {MAP("size 64 box 64 swizzle 128 atom 64"), BROKEN("atom 64 needs compute capability 10.0")},
        {MAP("size 64 box 64 swizzle 64 atom 64"), BROKEN("swizzle is 64, and must be 128 with atom 64")},
        {MAP("size 64 box 32 swizzle 32 atom 32"), BROKEN("swizzle is 32, and must be 128 with atom 32")},
        {NEW_MAP("size 64 box 64 swizzle 128 atom 32 flip 1"), ""},
        {NEW_MAP("size 64 box 64 swizzle 128 atom 64 flip 1"), BROKEN("atom is 64, and must be 32 with a flip")},
        {MAP("size 64 box 64 swizzle 128 flip 1"), BROKEN("atom is 16, and must be 32 with a flip")},
        {MAP("size 64 box 64 out_of_bounds nan type float64"), ""},
        {MAP("size 64 box 64 out_of_bounds nan"), BROKEN("its elements are uint8, and out_of_bounds nan needs floats")},
        {"tensor_map t over table size 64, 64 box 16, 1", ", t", "cc", 90, ""},
        {"tensor_map t over table + 4 size 64, 64 box 16, 1", ", t", "cc", 90,
         BROKEN("it ends at byte 16400 of the buffer, which has 16384")},
        {"tensor_map t over table size 1 << 32, 1 << 32, 1 << 32, 2 stride 16, 16, (1 << 40) - 16 box 4, 1, 1, 1",
         ", t", "cc", 90, BROKEN("it ends at byte 1254130450384 of the buffer, which has 16384")},
        {"tensor_map t over table size 4, 1 << 32 stride (1 << 40) - 16 box 4, 1", ", t", "cc", 90,
         BROKEN("it ends at byte 2^63 or more of the buffer, which has 16384")},
        {"tensor_map t over table size 32, 2, 64 stride 128, 256 box 16, 1, 1", ", t", "cc", 90, ""},
        {"tensor_map t over table size 32, 64, 2 stride 256, 128 box 16, 1, 1", ", t", "cc", 90, ""}, /* swapped */
    };
    expect_fits(rows, COUNT(rows));
}

/* Also behind the last of several maps. */
static void each_map(void)
{
    static const struct fits_row rows[] = {
        {"tensor_map t over table size 64 box 16\ntensor_map u over in size 1000 box 16", ", t, u", "cc", 90, ""},
        {"tensor_map t over table size 64 box 16\ntensor_map u over in size 1004 box 16", ", t, u", "cc", 90,
         "the tensor map 'u': it ends at byte 4016 of the buffer, which has 4000"},
    };
    expect_fits(rows, COUNT(rows));
}

CU_TestInfo tests_technique_tensor_map[] = {
    {"meaning", meaning}, {"own types", own_types}, {"rules", rules}, {"each map", each_map}, CU_TEST_INFO_NULL};
