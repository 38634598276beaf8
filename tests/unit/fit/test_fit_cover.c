/* The fewest configurations that serve all sizes. */
#include <math.h>

#include <CUnit/Basic.h>

#include "base/random.h"
#include "fit/fit_cover.h"

#define F INFINITY
#define V (-INFINITY)
#define U NAN

static void test_covers(void)
{
    static const struct {
        double of[4][5]; /* sizes x configurations */
        size_t most;
        double limit;
        bool holds;
        double worst;
        size_t count, chosen[5];
    } cases[] = {
        /* One configuration serves all. */
        {{{0, .1, 1}, {1, 0, 0}, {.1, .1, 0}, {0, 0, 1}}, 3, .1, true, .1, 1, {1}},
        /* The greedy choice starts with 0, which serves three, and needs three; two are enough. */
        {{{0, 0, 1}, {0, 1, 0}, {1, 0, 1}, {1, 1, 0}}, 3, .1, true, 0, 2, {1, 2}},
        /* The one with the least sum of losses comes first. */
        {{{0, 0, 1}, {0, 2, 0}, {1, 0, 1}, {1, 2, 0}}, 3, .1, true, 0, 2, {2, 1}},
        {{{0, 2, 1}, {3, 0, 1}, {3, 2, 0}, {3, 2, 0}}, 3, .1, true, 0, 3, {2, 1, 0}},
        /* The smallest set with the least loss. */
        {{{0, 1, .1, 1}, {0, 1, .1, 1}, {1, 0, 1, .1}, {1, 0, 1, .1}}, 3, .2, true, 0, 2, {0, 1}},
        /* The first of equal sets. */
        {{{.1, .1}, {0, 0}, {0, 0}, {.1, .1}}, 3, .1, true, .1, 1, {0}},
        /* Too few for the limit: the worst size decides. */
        {{{0, 2, .5}, {2, 0, .5}, {0, 2, .5}, {0, 2, .5}}, 1, .1, false, .5, 1, {2}},
        /* Configurations that have failed, are not valid or were not measured serve nothing. */
        {{{0, F, .5}, {F, 0, .5}, {0, V, .5}, {0, U, .5}}, 1, .1, false, .5, 1, {2}},
        /* Each size is served by a different configuration. */
        {{{0, F, F, F}, {F, 0, F, F}, {F, F, 0, F}, {F, F, F, 0}}, 2, .1, false, F, 2, {0, 1}},
        {{{0, F, F, F}, {F, 0, F, F}, {F, F, 0, F}, {F, F, F, 0}}, 4, .1, true, 0, 4, {0, 1, 2, 3}},
        /* Two that are valid everywhere together hold the limit; otherwise one is valid everywhere. */
        {{{0, V, 1}, {0, V, 1}, {V, 0, 1}, {V, .1, 1}}, 2, .1, true, .1, 2, {0, 1}},
        {{{0, V, 1}, {0, V, 1}, {V, 0, 1}, {V, .2, 1}}, 2, .1, false, 1, 2, {2, 0}},
        {{{1, 0, V}, {1, 0, V}, {1, V, 0}, {1, V, .2}}, 2, .1, false, 1, 2, {0, 1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const size_t sizes[] = {0, 1, 2, 3};
        size_t chosen[6];
        struct fit_cover cover = {.chosen = chosen};
        /* Unnamed configurations of a case lose much everywhere. */
        double of[4][5];
        for (size_t s = 0; s < 4; s++)
            for (size_t c = 0; c < 5; c++) {
                bool named = false;
                for (size_t t = 0; t < 4; t++)
                    named |= cases[i].of[t][c] != 0;
                of[s][c] = named ? cases[i].of[s][c] : 9;
            }
        const struct fit_losses losses = {4, 5, of[0], NULL};
        CU_ASSERT_EQUAL_FATAL(fit_cover(&losses, sizes, 4, 4, cases[i].most, cases[i].limit, &cover, NULL), 0);
        CU_ASSERT_EQUAL(cover.holds, cases[i].holds);
        CU_ASSERT(cover.worst == cases[i].worst || (isinf(cases[i].worst) && cover.worst >= 9));
        CU_ASSERT_EQUAL_FATAL(cover.count, cases[i].count);
        for (size_t c = 0; c < cover.count && !isinf(cases[i].worst); c++)
            CU_ASSERT_EQUAL(cover.chosen[c], cases[i].chosen[c]);
    }
}

/* The cover has the size and the loss of the best of all sets. */
static void test_is_exact(void)
{
    enum { SIZES = 12, CONFIGURATIONS = 9 };
    for (uint64_t seed = 0; seed < 200; seed++) {
        const size_t size_count = 1 + seed % SIZES;
        double of[SIZES][CONFIGURATIONS];
        size_t sizes[SIZES], chosen[CONFIGURATIONS + 1], fewest = SIZE_MAX;
        double least = INFINITY, sum = 0;
        struct fit_cover cover = {.chosen = chosen};
        struct random random;
        random_seed(&random, seed);
        for (size_t s = 0; s < size_count; s++) {
            sizes[s] = s;
            for (size_t c = 0; c < CONFIGURATIONS; c++)
                of[s][c] = random_below(&random, 5) ? random_unit(&random) : INFINITY;
            of[s][random_below(&random, CONFIGURATIONS)] = 0;
        }
        for (unsigned set = 1; set < 1u << CONFIGURATIONS; set++) {
            size_t count = (size_t)__builtin_popcount(set);
            double total = 0;
            bool covers = true;
            for (size_t s = 0; s < size_count; s++) {
                double loss = INFINITY;
                for (size_t c = 0; c < CONFIGURATIONS; c++)
                    loss = set >> c & 1 ? fmin(loss, of[s][c]) : loss;
                total += loss;
                covers &= loss <= .2;
            }
            if (covers && (count < fewest || (count == fewest && total < least))) {
                fewest = count;
                least = total;
            }
        }
        const struct fit_losses losses = {size_count, CONFIGURATIONS, of[0], NULL};
        CU_ASSERT_EQUAL_FATAL(fit_cover(&losses, sizes, size_count, size_count, CONFIGURATIONS, .2, &cover, NULL), 0);
        CU_ASSERT(cover.holds);
        CU_ASSERT_EQUAL(cover.count, fewest);
        for (size_t s = 0; s < size_count; s++) {
            double loss = INFINITY;
            for (size_t c = 0; c < cover.count; c++)
                loss = fmin(loss, of[s][chosen[c]]);
            sum += loss;
        }
        CU_ASSERT_DOUBLE_EQUAL(sum, least, 1e-9);
    }
}

/* With too many sets to try all of them, the greedy cover counts. */
static void test_many(void)
{
    enum { SIZES = 250, CONFIGURATIONS = 60 };
    static double of[SIZES][CONFIGURATIONS];
    size_t sizes[SIZES], chosen[CONFIGURATIONS + 1];
    struct fit_cover cover = {.chosen = chosen};
    const struct fit_losses losses = {SIZES, CONFIGURATIONS, of[0], NULL};
    struct random random;
    random_seed(&random, 1);
    for (size_t s = 0; s < SIZES; s++) {
        sizes[s] = s;
        for (size_t c = 0; c < CONFIGURATIONS; c++)
            of[s][c] = random_below(&random, 8) ? 1 : .2 * random_unit(&random);
        of[s][random_below(&random, CONFIGURATIONS)] = .1;
    }
    CU_ASSERT_EQUAL_FATAL(fit_cover(&losses, sizes, SIZES, SIZES, CONFIGURATIONS, .2, &cover, NULL), 0);
    CU_ASSERT(cover.holds);
    CU_ASSERT(cover.count < CONFIGURATIONS / 2);
}

/* Variants are also covered if possible. Otherwise the measured sizes hold the limit, and the remaining room serves the
 * variants. */
static void test_variants(void)
{
    static const struct {
        double of[4][5]; /* of two measured sizes and two variants */
        const double weights[4];
        size_t most;
        double limit;
        bool holds;
        double worst;
        size_t count, chosen[5];
    } cases[] = {
        /* All hold the limit with two. */
        {{{0, 1, 9, 9, 9}, {0, 1, 9, 9, 9}, {1, 0, 9, 9, 9}, {1, 0, 9, 9, 9}},
         {1, 1, .2, .2},
         3,
         .1,
         true,
         0,
         2,
         {0, 1}},
        /* One alone must hold it at measured sizes, whatever the variants lose. */
        {{{0, 1, .5, 9, 9}, {0, 1, .5, 9, 9}, {2, 0, 0, 9, 9}, {2, 0, 0, 9, 9}}, {1, 1, 1, 1}, 1, .1, true, 0, 1, {0}},
        /* The one that the variants prefer among those that hold it; a weight of 0 leaves them out. */
        {{{0, .1, 9, 9, 9}, {0, .1, 9, 9, 9}, {2, 1, 0, 9, 9}, {2, 1, 9, 0, 9}},
         {1, 1, .2, .2},
         1,
         .1,
         true,
         .1,
         1,
         {1}},
        {{{0, .1, 9, 9, 9}, {0, .1, 9, 9, 9}, {2, 1, 0, 9, 9}, {2, 1, 9, 0, 9}}, {1, 1, 0, 0}, 1, .1, true, 0, 1, {0}},
        {{{.1, 0, 9, 9, 9}, {.1, 0, 9, 9, 9}, {1, 2, 0, 9, 9}, {1, 2, 9, 0, 9}},
         {1, 1, .2, .2},
         1,
         .1,
         true,
         .1,
         1,
         {0}},
        /* The rest of the room takes the configuration that saves most. */
        {{{0, 9, 9, 9, 9}, {0, 9, 9, 9, 9}, {2, 0, 1, 1, 1}, {3, 9, 9, 1, 0}}, {1, 1, 1, 1}, 2, .1, true, 0, 2, {0, 4}},
        /* Even the measured sizes exceed the limit: the sum of losses counts, and twice the excess. */
        {{{0, 2, .5, 9, 9}, {2, 0, .5, 9, 9}, {0, 9, 1, 9, 9}, {0, 9, 1, 9, 9}}, {1, 1, 1, 1}, 1, .1, false, 2, 1, {0}},
        {{{0, 2, .52, 9, 9}, {1, 0, .52, 9, 9}, {0, 9, 0, 9, 9}, {0, 9, 0, 9, 9}},
         {1, 1, 1, 1},
         1,
         .5,
         false,
         .52,
         1,
         {2}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const size_t sizes[] = {0, 1, 2, 3};
        size_t chosen[6];
        struct fit_cover cover = {.chosen = chosen};
        const struct fit_losses losses = {4, 5, cases[i].of[0], cases[i].weights};
        CU_ASSERT_EQUAL_FATAL(fit_cover(&losses, sizes, 4, 2, cases[i].most, cases[i].limit, &cover, NULL), 0);
        CU_ASSERT_EQUAL(cover.holds, cases[i].holds);
        CU_ASSERT_EQUAL(cover.worst, cases[i].worst);
        CU_ASSERT_EQUAL_FATAL(cover.count, cases[i].count);
        for (size_t c = 0; c < cover.count; c++)
            CU_ASSERT_EQUAL(cover.chosen[c], cases[i].chosen[c]);
    }
}

/* The next configuration saves most, of the best and a share of the second best; the list ends when none saves
 * anything. */
static void test_extends(void)
{
    static const double of[4][5] = {{0, 1, 2, F, .5}, {1, 1, 0, F, 1}, {4, 1, 4, U, 4}, {3, 3, 3, 2, 3}};
    static const double failing[4][5] = {{0, 1, 2, F, F}, {1, 1, 0, F, U}, {4, 1, 4, U, F}, {3, 3, 3, 2, F}};
    static const struct {
        const double *of;
        double weight, share; /* weight: of the last size */
        size_t room, count, chosen[5];
    } cases[] = {{of[0], .4, .5, 1, 1, {0}},
                 {of[0], .4, .5, 2, 2, {0, 1}},
                 {of[0], .4, .5, 5, 5, {0, 1, 2, 3, 4}},
                 {of[0], 4, .5, 5, 5, {0, 1, 3, 2, 4}},
                 {of[0], .4, 0, 5, 4, {0, 1, 2, 3}},
                 {failing[0], .4, .5, 5, 4, {0, 1, 2, 3}}};
    const size_t sizes[] = {0, 1, 2, 3};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t chosen[5] = {0, 1, 1, 1, 1}; /* room behind the first */
        struct fit_cover cover = {.count = 1, .chosen = chosen};
        const struct fit_losses losses = {4, 5, cases[i].of, (const double[]){1, 1, 1, cases[i].weight}};
        CU_ASSERT_EQUAL_FATAL(fit_cover_extend(&losses, sizes, 4, cases[i].share, cases[i].room, &cover, NULL), 0);
        CU_ASSERT_EQUAL_FATAL(cover.count, cases[i].count);
        for (size_t c = 0; c < cover.count; c++)
            CU_ASSERT_EQUAL(chosen[c], cases[i].chosen[c]);
    }
}

CU_TestInfo tests_fit_cover[] = {{"covers", test_covers},     {"exact", test_is_exact},  {"many", test_many},
                                 {"variants", test_variants}, {"extends", test_extends}, CU_TEST_INFO_NULL};
