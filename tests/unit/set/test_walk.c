/* Sampling a set and walking through it. */
#include <math.h>
#include <stdlib.h>

#include "../language/support.h"
#include "set/valid_set.h"

/* Chi-square of the counts against the uniform distribution: mean n - 1, variance 2 (n - 1). */
static void sampling(void)
{
    enum { DRAWS = 100000 };
    struct space *space;
    struct random random;
    struct valid_set *set =
        built(SPACE_HEAD SPACE_SHAPE "param A = 1..20\nparam B = 1..20\nrequire A % B == 0\n", &space, NULL);
    uint64_t count = valid_set_count(set);
    CU_ASSERT_EQUAL_FATAL(count, 66);
    double expected = (double)DRAWS / (double)count, chi_square = 0, stddev = sqrt(2 * (double)(count - 1));
    size_t counts[66] = {0};
    random_seed(&random, 7);
    for (int i = 0; i < DRAWS; i++) {
        uint64_t index = valid_set_sample(set, &random);
        CU_ASSERT_FATAL(index < count);
        counts[index]++;
    }
    for (size_t i = 0; i < count; i++)
        chi_square += ((double)counts[i] - expected) * ((double)counts[i] - expected) / expected;
    CU_ASSERT(fabs(chi_square - (double)(count - 1)) < 4 * stddev);
    valid_set_free(set);
    space_free(space);
}

/* The largest number of groups, one for each parameter: the last one changes fastest. */
static void most_groups(void)
{
    struct text text = {0};
    struct space *space;
    struct valid_walk walk;
    const uint32_t *choices;
    size_t changed;
    text_printf(&text, "%s", SPACE_HEAD SPACE_SHAPE);
    for (int i = 0; i < SPACE_PARAMETERS_MAX; i++)
        text_printf(&text, "param P%d = 1, 2\n", i);
    struct valid_set *set = built(text_string(&text), &space, NULL);
    valid_walk_start(set, &walk);
    for (uint64_t index = 0; index < 9; index++) {
        CU_ASSERT_TRUE_FATAL(valid_walk_next(&walk, &choices, &changed));
        for (int i = 0; i < SPACE_PARAMETERS_MAX; i++)
            CU_ASSERT_EQUAL(choices[SPACE_PARAMETERS_MAX - 1 - i], i < 4 ? index >> i & 1 : 0);
    }
    CU_ASSERT_EQUAL(changed, SPACE_PARAMETERS_MAX - 4);
    valid_set_free(set);
    space_free(space);
    text_free(&text);
}

/* Valid configurations stay. Others become valid ones, which keep every value that a valid configuration continues. */
static void following(void)
{
    struct space *space;
    struct random random;
    struct valid_set *set = built(SPACE_HEAD SPACE_SHAPE "param A = 1..20\nparam B = 1..20\nparam C = 1..5\n"
                                                         "param D = 1..40\nrequire A % B == 0\nrequire D < 3 * C\n",
                                  &space, NULL);
    uint32_t choices[4], wanted[4];
    random_seed(&random, 3);
    for (int i = 0; i < 1000; i++) {
        size_t changed = 0;
        for (size_t p = 0; p < 4; p++)
            choices[p] = wanted[p] = (uint32_t)random_below(&random, valid_set_value_count(set, p));
        bool valid = valid_set_find(set, wanted, NULL);
        valid_set_follow(set, choices);
        CU_ASSERT_TRUE(valid_set_find(set, choices, NULL));
        for (size_t p = 0; p < 4; p++)
            changed += choices[p] != wanted[p];
        CU_ASSERT_EQUAL(valid, changed == 0);
        CU_ASSERT(changed <= 2); /* one value of each pair can always be kept */
    }
    valid_set_free(set);
    space_free(space);
}

/* The nearest value with a valid continuation is taken. */
static void following_nearest(void)
{
    static const struct {
        uint32_t from[2], to[2];
    } rows[] = {{{0, 0}, {0, 0}}, {{1, 3}, {0, 0}}, {{4, 9}, {4, 4}}, {{6, 5}, {5, 5}}, {{9, 0}, {5, 0}}};
    struct space *space;
    struct valid_set *set = built(
        SPACE_HEAD SPACE_SHAPE "param A = 0..9\nparam B = 0..9\nrequire A <= 5 && A != 1 && B <= A\n", &space, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t choices[2] = {rows[i].from[0], rows[i].from[1]};
        valid_set_follow(set, choices);
        CU_ASSERT_EQUAL(choices[0], rows[i].to[0]);
        CU_ASSERT_EQUAL(choices[1], rows[i].to[1]);
    }
    valid_set_free(set);
    space_free(space);
}

CU_TestInfo tests_walk[] = {{"sampling is uniform", sampling},
                            {"most groups", most_groups},
                            {"following keeps values", following},
                            {"following takes the nearest", following_nearest},
                            CU_TEST_INFO_NULL};
