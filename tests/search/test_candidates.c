#include "search/candidates.h"

#include "set.h"

static size_t differences(const struct valid_set *set, uint64_t a, uint64_t b)
{
    uint32_t one[SPACE_PARAMETERS_MAX], other[SPACE_PARAMETERS_MAX];
    size_t count = 0;
    valid_set_get(set, a, one);
    valid_set_get(set, b, other);
    for (size_t p = 0; p < valid_set_parameter_count(set); p++)
        count += one[p] != other[p];
    return count;
}

/* From all configurations or from a pool, the candidates near the best are its neighbours, without those already
 * known. */
static void near_the_best(void)
{
    static const struct {
        uint64_t whole;
        bool pool;
    } rows[] = {{1000, false}, {100, true}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        enum { BEST = 444, NEIGHBOURS = 27 };
        struct strategy_setup setup = set_open("param A = 0..9\nparam B = 0..9\nparam C = 0..9\n", 3);
        struct archive archive;
        struct encoding encoding = {0};
        struct candidates candidates = {0};
        struct random random;
        struct error error = {0};
        random_seed(&random, 3);
        CU_ASSERT_EQUAL_FATAL(archive_open(&archive, &setup, &error), 0);
        CU_ASSERT_EQUAL_FATAL(encoding_make(&encoding, setup.space, ENCODE_LOG2, &error), 0);
        const struct candidates_setup of = {.archive = &archive,
                                            .encoding = &encoding,
                                            .whole = rows[r].whole,
                                            .sample = 200,
                                            .incumbents = 1,
                                            .random = &random};
        CU_ASSERT_EQUAL_FATAL(candidates_open(&candidates, &of, &error), 0);
        CU_ASSERT_EQUAL(candidates.pool != NULL, rows[r].pool);
        CU_ASSERT_EQUAL(candidates.count, rows[r].pool ? 200 : 1000);
        archive_tell(&archive, 0, &(struct cost){.ok = true, .value = 9});
        archive_tell(&archive, BEST, &(struct cost){.ok = true, .value = 1});
        archive_tell(&archive, BEST + 1, &(struct cost){.ok = true, .value = 2});
        CU_ASSERT_EQUAL(candidates_stale(&candidates), rows[r].pool);
        candidates_draw(&candidates);
        CU_ASSERT_FALSE(candidates_stale(&candidates));
        candidates_take(&candidates, BEST + 1);
        size_t near = candidates_near(&candidates);
        CU_ASSERT_EQUAL(near, NEIGHBOURS - 1);
        for (size_t i = 0; i < near; i++) {
            uint64_t index = candidates_index(&candidates, candidates.near[i]);
            CU_ASSERT(index < 1000 && index != BEST + 1);
            CU_ASSERT_EQUAL(differences(setup.set, index, BEST), 1);
        }
        candidates_close(&candidates);
        encoding_free(&encoding);
        archive_close(&archive);
        set_close(&setup);
    }
}

CU_TestInfo tests_candidates[] = {{"neighbours of the best", near_the_best}, CU_TEST_INFO_NULL};
