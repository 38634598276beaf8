/* CUDA's numbers for the settings of tensor maps; tuner/device compares them with cuda.h. */
#include <CUnit/Basic.h>

#include "space/space.h"

static void codes(void)
{
    static const struct {
        struct launch_tensor_map map;
        struct tensor_codes codes;
    } rows[] = {
        {{.type = TENSOR_uint8, .atom = 16}, {0, 0, 0, 0, 0}},
        {{.type = TENSOR_float32,
          .interleave = 32,
          .swizzle = 128,
          .atom = 64,
          .l2_promotion = 256,
          .out_of_bounds = 1},
         {7, 2, 6, 3, 1}},
        {{.type = TENSOR_bfloat16, .interleave = 16, .swizzle = 32, .atom = 16, .l2_promotion = 64}, {9, 1, 1, 1, 0}},
        {{.swizzle = 128, .atom = 32, .flip = 1, .l2_promotion = 128}, {0, 0, 5, 2, 0}},
        {{.swizzle = 128, .atom = 32}, {0, 0, 4, 0, 0}},
        /* No code: the rules of tensor maps exclude these settings earlier. */
        {{.interleave = 64, .swizzle = 64, .atom = 32, .l2_promotion = 32, .out_of_bounds = 2}, {0, -1, -1, -1, -1}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tensor_codes found = space_tensor_codes(&rows[i].map);
        CU_ASSERT_EQUAL(found.type, rows[i].codes.type);
        CU_ASSERT_EQUAL(found.interleave, rows[i].codes.interleave);
        CU_ASSERT_EQUAL(found.swizzle, rows[i].codes.swizzle);
        CU_ASSERT_EQUAL(found.l2_promotion, rows[i].codes.l2_promotion);
        CU_ASSERT_EQUAL(found.out_of_bounds, rows[i].codes.out_of_bounds);
    }
}

CU_TestInfo tests_tensor_codes[] = {{"codes", codes}, CU_TEST_INFO_NULL};
