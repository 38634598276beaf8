#include "process.h"
#include "set.h"

static void positions(void)
{
    struct space *space = NULL;
    struct encoding encoding = process_encoding(&space);
    CU_ASSERT_DOUBLE_EQUAL(encoding.features[0].positions[3], 0.75, 1e-12); /* log2 8 of log2 16 */
    CU_ASSERT_DOUBLE_EQUAL(encoding.features[1].positions[0], 1, 1e-12);    /* 3 is the largest */
    CU_ASSERT_DOUBLE_EQUAL(encoding_squared(&encoding, 0, 0, 2), 0.25, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(encoding_squared(&encoding, 2, 0, 1), 1, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(encoding_squared(&encoding, 2, 1, 1), 0, 1e-12);
    /* 3, 1, 2: only evenness and powers of two add information. 1, 2, 4, 8, 16: the order has all information. */
    CU_ASSERT_EQUAL_FATAL(encoding.feature_count, FEATURES);
    CU_ASSERT_EQUAL(encoding.dimensions[0].feature_count, 1);
    CU_ASSERT_EQUAL(encoding.dimensions[1].feature_count, 2);
    CU_ASSERT_EQUAL(feature_squared(&encoding.features[2], 0, 1), 0.25);
    CU_ASSERT_EQUAL(feature_squared(&encoding.features[2], 0, 2), 1);
    CU_ASSERT_PTR_NULL(encoding.dimensions[0].uneven);
    CU_ASSERT(encoding.dimensions[1].uneven[0] && !encoding.dimensions[1].uneven[1] &&
              !encoding.dimensions[1].uneven[2]);
    CU_ASSERT(encoding.features[3].nominal);
    encoding_free(&encoding);
    space_free(space);
}

/* Values get positions from 0 to 1 by their logarithm. They have an alignment if it does not follow from their order:
 * not if all have the same, nor if some are not positive or not integers. */
static void scales(void)
{
    static const struct {
        const char *statement;
        size_t features;
        double positions[3];
    } rows[] = {{"param A = 2, 8, 4\n", 1, {0, 1, 0.5}},      {"param A = 16, 1, 2\n", 1, {1, 0, 0.25}},
                {"param A = -1, 0, 6\n", 1, {0, 1 / 3.0, 1}}, {"param A = 0.5, 1, 2\n", 1, {0, 0.5, 1}},
                {"param A = 1, 3, 9\n", 1, {0, 0.5, 1}},      {"param A = 4, 8, 16\n", 1, {0, 0.5, 1}},
                {"param A = 4, 6, 9\n", 2, {0, 0.5, 1}}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct strategy_setup setup = set_open(rows[r].statement, 1);
        struct encoding encoding;
        struct error error = {0};
        CU_ASSERT_EQUAL_FATAL(encoding_make(&encoding, setup.space, &error), 0);
        CU_ASSERT_EQUAL(encoding.feature_count, rows[r].features);
        for (size_t v = 0; v < 3; v++)
            CU_ASSERT_DOUBLE_EQUAL(encoding.features[0].positions[v], rows[r].positions[v], 1e-3);
        encoding_free(&encoding);
        set_close(&setup);
    }
}

/* 3 is distinct from 1 and 2, which still differ in their alignment. Parameters without an alignment keep their
 * encoding. */
static void powers_of_two(void)
{
    struct space *space = NULL;
    struct encoding encoding = process_encoding(&space);
    CU_ASSERT_EQUAL(encoding.features[2].positions[0], 0);
    CU_ASSERT_EQUAL(encoding.features[2].positions[1], 0.5);
    CU_ASSERT_EQUAL(encoding.features[2].positions[2], 1);
    CU_ASSERT_DOUBLE_EQUAL(encoding.features[0].positions[3], 0.75, 1e-12);
    CU_ASSERT_EQUAL(encoding.features[1].positions[0], 1);
    encoding_free(&encoding);
    space_free(space);
}

CU_TestInfo tests_encode[] = {{"positions of values", positions},
                              {"scales", scales},
                              {"powers of two are apart", powers_of_two},
                              CU_TEST_INFO_NULL};
