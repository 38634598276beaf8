#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "base/random.h"

/* Reference values: splitmix64 from 0, and xoshiro256** from the state 1, 2, 3, 4. */
static void known_numbers(void)
{
    static const uint64_t seeded[] = {0xe220a8397b1dcdafu, 0x6e789e6aa1b965f4u, 0x06c45d188009454fu,
                                      0xf88bb8a8724c81ecu};
    static const uint64_t drawn[] = {
        11520, 0, 1509978240, 1215971899390074240, 1216172134540287360, 607988272756665600};
    struct random random;
    random_seed(&random, 0);
    for (int i = 0; i < 4; i++)
        CU_ASSERT_EQUAL(random.state[i], seeded[i]);
    random = (struct random){{1, 2, 3, 4}};
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++)
        CU_ASSERT_EQUAL(random_u64(&random), drawn[i]);
}

static void seed_repeats(void)
{
    struct random a, b, c;
    random_seed(&a, 42);
    random_seed(&b, 42);
    random_seed(&c, 43);
    size_t same = 0;
    for (int i = 0; i < 1000; i++) {
        uint64_t number = random_u64(&a);
        CU_ASSERT_EQUAL(number, random_u64(&b));
        same += number == random_u64(&c);
    }
    CU_ASSERT_EQUAL(same, 0);
}

/* Pearson's statistic for `draws` numbers below `bound` in `bins` parts of equal size. */
static double chi_square(uint64_t seed, uint64_t bound, uint64_t bins, int draws)
{
    struct random random;
    double counts[64] = {0}, expected = (double)draws / (double)bins, sum = 0;
    random_seed(&random, seed);
    for (int i = 0; i < draws; i++) {
        uint64_t number = random_below(&random, bound);
        if (number >= bound)
            return INFINITY;
        counts[number / (bound / bins)]++;
    }
    for (uint64_t i = 0; i < bins; i++)
        sum += (counts[i] - expected) * (counts[i] - expected) / expected;
    return sum;
}

static void below_is_unbiased(void)
{
    /* `random_u64() % bound` would draw the first third below 3 * 2^62 twice as often as the rest. */
    static const struct {
        uint64_t bound, bins;
        double limit; /* critical value of the statistic at the level 0.001 */
    } cases[] = {{2, 2, 10.83},
                 {3, 3, 13.82},
                 {10, 10, 27.88},
                 {64, 64, 103.4},
                 {(uint64_t)3 << 62, 3, 13.82},
                 {((uint64_t)1 << 63) + ((uint64_t)1 << 61), 5, 18.47}};
    struct random random;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CU_ASSERT(chi_square(7 + i, cases[i].bound, cases[i].bins, 60000) < cases[i].limit);
    random_seed(&random, 1);
    CU_ASSERT_EQUAL(random_below(&random, 1), 0);
}

static void unit_and_normal(void)
{
    enum { DRAWS = 100000 };
    struct random random;
    double sum = 0, square = 0, unit_sum = 0;
    size_t outside = 0, beyond = 0;
    random_seed(&random, 5);
    for (int i = 0; i < DRAWS; i++) {
        double unit = random_unit(&random), normal = random_normal(&random);
        outside += !(unit >= 0 && unit < 1);
        beyond += fabs(normal) > 1.959964;
        unit_sum += unit;
        sum += normal;
        square += normal * normal;
    }
    CU_ASSERT_EQUAL(outside, 0);
    CU_ASSERT_DOUBLE_EQUAL(unit_sum / DRAWS, 0.5, 0.004);
    CU_ASSERT_DOUBLE_EQUAL(sum / DRAWS, 0, 0.013);
    CU_ASSERT_DOUBLE_EQUAL(square / DRAWS, 1, 0.019);
    CU_ASSERT_DOUBLE_EQUAL((double)beyond / DRAWS, 0.05, 0.003);
}

static bool is_permutation(uint64_t seed, uint64_t count)
{
    unsigned char *seen = calloc(count, 1);
    bool fine = seen != NULL;
    for (uint64_t i = 0; fine && i < count; i++) {
        uint64_t image = random_permute(seed, count, i);
        fine = image < count && !seen[image];
        if (fine)
            seen[image] = 1;
    }
    free(seen);
    return fine;
}

static void permute_is_a_bijection(void)
{
    static const uint64_t large[] = {1000, 1023, 1024, 1025, 4095, 4096, 4097, 65535, 65536, 65537, 200001};
    for (uint64_t count = 1; count <= 300; count++)
        CU_ASSERT(is_permutation(count * 31, count));
    for (size_t i = 0; i < sizeof large / sizeof *large; i++)
        CU_ASSERT(is_permutation(i, large[i]));
}

static void permute_covers_any_count(void)
{
    static const uint64_t counts[] = {((uint64_t)1 << 62) - 1, (uint64_t)1 << 62, ((uint64_t)1 << 62) + 1,
                                      ((uint64_t)1 << 63) + 1, UINT64_MAX};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (uint64_t step = 0; step < 64; step++) {
            CU_ASSERT(random_permute(3, counts[i], step) < counts[i]);
            CU_ASSERT(random_permute(3, counts[i], counts[i] - 1 - step) < counts[i]);
        }
}

static void permute_depends_on_the_seed(void)
{
    size_t fixed = 0, same = 0;
    for (uint64_t i = 0; i < 1000; i++) {
        fixed += random_permute(1, 1000, i) == i;
        same += random_permute(1, 1000, i) == random_permute(2, 1000, i);
    }
    CU_ASSERT(fixed < 10);
    CU_ASSERT(same < 10);
}

static void mix_has_no_simple_collisions(void)
{
    CU_ASSERT_NOT_EQUAL(random_mix(0, 1), random_mix(1, 0));
    CU_ASSERT_NOT_EQUAL(random_mix(0, 0), random_mix(0, 1));
    CU_ASSERT_NOT_EQUAL(random_mix(0, 0), 0);
    CU_ASSERT_EQUAL(random_mix(12, 34), random_mix(12, 34));
}

CU_TestInfo tests_random[] = {{"known numbers", known_numbers},
                              {"a seed repeats", seed_repeats},
                              {"below is unbiased", below_is_unbiased},
                              {"unit and normal", unit_and_normal},
                              {"permute is a bijection", permute_is_a_bijection},
                              {"permute covers any count", permute_covers_any_count},
                              {"permute depends on the seed", permute_depends_on_the_seed},
                              {"mix has no simple collisions", mix_has_no_simple_collisions},
                              CU_TEST_INFO_NULL};
