#include "search/design.h"

#include "set.h"

static void sizes(void)
{
    static const struct {
        const char *statements;
        size_t size;
    } rows[] = {{"param A = 1\nparam B = 1, 2\n", 4}, /* only parameters with several values count */
                {"param A = 1, 2\nparam B = 1, 2\nparam C = 1, 2\n", 6},
                {"param A = 1, 2\nparam B = 1, 2\nparam C = 1, 2\nparam D = 1, 2\nparam E = 1, 2\nparam F = 1, 2\n"
                 "param G = 1, 2\nparam H = 1, 2\nparam I = 1, 2\nparam J = 1, 2\nparam K = 1, 2\nparam L = 1, 2\n"
                 "param M = 1, 2\nparam N = 1, 2\n",
                 16}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct strategy_setup setup = set_open(rows[i].statements, 1);
        struct encoding encoding;
        struct error error = {0};
        CU_ASSERT_EQUAL_FATAL(encoding_make(&encoding, setup.space, &error), 0);
        CU_ASSERT_EQUAL(design_size(&encoding), rows[i].size);
        encoding_free(&encoding);
        set_close(&setup);
    }
}

/* The corners of a square come before its inside; the distance of two words is that of the ends of a list. */
static void corners_first(void)
{
    static const char *const spaces[] = {"param A = 50..60\nparam B = 50..60\n", "param A = 50..60\nparam B = x, y\n"};
    static const uint32_t ends[][2] = {{10, 10}, {10, 1}};
    for (size_t s = 0; s < 2; s++) {
        struct strategy_setup setup = set_open(spaces[s], 1);
        struct archive archive;
        struct encoding encoding;
        struct error error = {0};
        struct random random;
        random_seed(&random, 4);
        CU_ASSERT_EQUAL_FATAL(archive_open(&archive, &setup, &error), 0);
        CU_ASSERT_EQUAL_FATAL(encoding_make(&encoding, setup.space, &error), 0);
        archive_tell(&archive, 0, &(struct cost){.ok = true, .value = 1});
        for (int i = 0; i < 3; i++) {
            uint64_t index;
            uint32_t choices[SPACE_PARAMETERS_MAX];
            CU_ASSERT_FATAL(design_pick(&archive, &encoding, &random, &index));
            CU_ASSERT_PTR_NULL(archive_find(&archive, index));
            valid_set_get(setup.set, index, choices);
            CU_ASSERT(choices[0] == 0 || choices[0] == ends[s][0]);
            CU_ASSERT(choices[1] == 0 || choices[1] == ends[s][1]);
            archive_tell(&archive, index, &(struct cost){.ok = true, .value = 1});
        }
        encoding_free(&encoding);
        archive_close(&archive);
        set_close(&setup);
    }
}

/* Average number of uneven values among the first proposals, by the encoding that defines evenness. */
static double uneven_values(bool known)
{
    enum { SEEDS = 20, PICKS = 6 };
    struct strategy_setup setup = set_open("param A = 16..31, 32\nparam B = 1..8\nparam C = 0, 1\n", 1);
    double sum = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct archive archive;
        struct encoding encoding;
        struct error error = {0};
        struct random random;
        random_seed(&random, seed);
        CU_ASSERT_EQUAL_FATAL(archive_open(&archive, &setup, &error), 0);
        CU_ASSERT_EQUAL_FATAL(encoding_make(&encoding, setup.space, &error), 0);
        CU_ASSERT_PTR_NULL(encoding.dimensions[2].uneven);
        for (int i = 0; i < PICKS; i++) {
            uint64_t index;
            uint32_t choices[SPACE_PARAMETERS_MAX];
            bool *hidden[] = {encoding.dimensions[0].uneven, encoding.dimensions[1].uneven};
            for (int d = 0; d < 2 && !known; d++)
                encoding.dimensions[d].uneven = NULL;
            CU_ASSERT_FATAL(design_pick(&archive, &encoding, &random, &index));
            valid_set_get(setup.set, index, choices);
            for (int d = 0; d < 2; d++) {
                encoding.dimensions[d].uneven = hidden[d];
                sum += hidden[d][choices[d]];
            }
            archive_tell(&archive, index, &(struct cost){.ok = true, .value = 1});
        }
        encoding_free(&encoding);
        archive_close(&archive);
    }
    set_close(&setup);
    return sum / SEEDS;
}

static void prefers_powers_of_two(void)
{
    double with = uneven_values(true), without = uneven_values(false);
    CU_ASSERT(with < without / 2);
}

/* Ends when all configurations are known. */
static void ends(void)
{
    struct strategy_setup setup = set_open("param A = 1..7\n", 1);
    struct archive archive;
    struct encoding encoding;
    struct error error = {0};
    struct random random;
    uint64_t index;
    size_t count = 0;
    random_seed(&random, 4);
    CU_ASSERT_EQUAL_FATAL(archive_open(&archive, &setup, &error), 0);
    CU_ASSERT_EQUAL_FATAL(encoding_make(&encoding, setup.space, &error), 0);
    for (; count < 8 && design_pick(&archive, &encoding, &random, &index); count++)
        archive_tell(&archive, index, &(struct cost){.ok = false});
    CU_ASSERT_EQUAL(count, 7);
    encoding_free(&encoding);
    archive_close(&archive);
    set_close(&setup);
}

CU_TestInfo tests_design[] = {{"sizes", sizes},
                              {"corners come first", corners_first},
                              {"prefers powers of two", prefers_powers_of_two},
                              {"ends when all is known", ends},
                              CU_TEST_INFO_NULL};
