#include "process.h"

static void positions(void)
{
    struct space *space = NULL;
    struct encoding encoding = process_encoding(&space);
    CU_ASSERT_DOUBLE_EQUAL(encoding.features[0].positions[3], 0.75, 1e-12); /* log2 8 of log2 16 */
    CU_ASSERT_DOUBLE_EQUAL(encoding.features[1].positions[0], 1, 1e-12);    /* 3 is the largest */
    CU_ASSERT_DOUBLE_EQUAL(encoding_squared(&encoding, 0, 0, 2), 0.25, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(encoding_squared(&encoding, 2, 0, 1), 1, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(encoding_squared(&encoding, 2, 1, 1), 0, 1e-12);
    /* 3, 1, 2: only evenness tells more. 1, 2, 4, 8, 16: the order tells everything. */
    CU_ASSERT_EQUAL_FATAL(encoding.feature_count, FEATURES);
    CU_ASSERT_EQUAL(encoding.dimensions[0].feature_count, 1);
    CU_ASSERT_EQUAL(encoding.dimensions[1].feature_count, 2);
    CU_ASSERT_EQUAL(feature_squared(&encoding.features[2], 0, 1), 0);
    CU_ASSERT_EQUAL(feature_squared(&encoding.features[2], 0, 2), 1);
    CU_ASSERT_PTR_NULL(encoding.dimensions[0].uneven);
    CU_ASSERT(encoding.dimensions[1].uneven[0] && !encoding.dimensions[1].uneven[1] &&
              !encoding.dimensions[1].uneven[2]);
    CU_ASSERT(encoding.features[3].nominal);
    encoding_free(&encoding);
    space_free(space);
}

/* 3 is apart from 1 and 2, which differ in their alignment still. Parameters without an alignment stay as they are. */
static void powers_of_two(void)
{
    struct space *space = NULL;
    struct encoding encoding = process_encoding(&space);
    encoding_part_powers(&encoding);
    CU_ASSERT_EQUAL(encoding.features[2].positions[0], 0);
    CU_ASSERT_EQUAL(encoding.features[2].positions[1], 0.5);
    CU_ASSERT_EQUAL(encoding.features[2].positions[2], 1);
    CU_ASSERT_DOUBLE_EQUAL(encoding.features[0].positions[3], 0.75, 1e-12);
    CU_ASSERT_EQUAL(encoding.features[1].positions[0], 1);
    encoding_free(&encoding);
    space_free(space);
}

/* Compiler metrics become dimensions behind the parameters: levels from least to most, counts by their logarithms,
 * unknown ones in the middle; constant metrics are left out. */
static void compiler_metrics(void)
{
    enum { COUNT = 5 };
    static const double given[COMPILER_METRICS][COUNT] = {[COMPILER_REGISTERS] = {31, 63, 127, NAN, 255},
                                                          [COMPILER_LOCAL_BYTES] = {0, 0, 0, NAN, 0},
                                                          [COMPILER_SHARED_BYTES] = {NAN, NAN, NAN, NAN, NAN},
                                                          [COMPILER_OCCUPANCY] = {1, 0.5, 0.25, INFINITY, 0}};
    static const uint8_t levels[][COUNT] = {{0, 85, 170, 170, 255}, {255, 128, 64, 128, 0}};
    struct space *space = NULL;
    struct encoding encoding = process_encoding(&space);
    uint8_t *found = NULL;
    CU_ASSERT_FATAL(encoding_add_compiler_metrics(&encoding, given[0], COUNT, &found));
    CU_ASSERT_EQUAL(encoding.parameters, WIDTH);
    CU_ASSERT_EQUAL_FATAL(encoding.count, WIDTH + 2);
    CU_ASSERT_EQUAL(memcmp(found, levels, sizeof levels), 0);
    CU_ASSERT_EQUAL(encoding.feature_count, FEATURES + 2);
    CU_ASSERT_DOUBLE_EQUAL(encoding_squared(&encoding, WIDTH, 0, 255), 1, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(encoding_squared(&encoding, WIDTH + 1, 0, 51), 0.04, 1e-12);
    free(found);
    encoding_free(&encoding);
    space_free(space);
}

CU_TestInfo tests_encode[] = {{"positions of values", positions},
                              {"powers of two are apart", powers_of_two},
                              {"compiler metrics are dimensions, too", compiler_metrics},
                              CU_TEST_INFO_NULL};
