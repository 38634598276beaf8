/* Which neighbours of the best a surrogate proposes, and when. */
#include <math.h>

#include "base/random.h"
#include "set.h"
#include "steps.h"

#define SIDES(last) "param A = 0.." #last "\nparam B = 0.." #last "\nparam C = 0.." #last "\n"

/* Every second proposal is a neighbour of the best; fewer, the longer no better one is found. */
static void neighbours_in_turn(void)
{
    static const struct {
        const char *strategy;
        double fade;
        int before, count; /* in flight when the best becomes known; how many of these outcomes count */
        const char *space;
        uint64_t side;
    } cases[] = {{"surrogate:initial=1,incumbents=1,fade=1e9", 1e9, 0, 0, SIDES(11), 12},
                 {"surrogate:initial=1,incumbents=1,fade=10", 10, 0, 0, SIDES(11), 12},
                 {"surrogate:initial=1,incumbents=1,fade=4", 4, 0, 0, SIDES(11), 12},
                 {"surrogate:initial=1,incumbents=1,fade=4", 4, 12, 0, SIDES(11), 12},
                 /* Of a sample, too. */
                 {"surrogate:initial=1,incumbents=1,fade=1e9,candidates=100,sample=200", 1e9, 0, 0, SIDES(11), 12},
                 /* In a large set they are frequent for longer. */
                 {"surrogate:initial=1,incumbents=1,fade=10", 10.326, 12, 12, SIDES(39), 40}};
    enum { BEFORE = 12 };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct steps steps;
        double others = 0, stalled = cases[i].count;
        size_t turns = 0;
        const uint64_t best = (3 * cases[i].side + 7) * cases[i].side + 5;
        steps_open(&steps, cases[i].space, cases[i].strategy, 5);
        steps_tell(&steps, 1000, 40);
        steps_tell(&steps, 1500, 41);
        steps_tell(&steps, 700, 42);
        uint64_t flying[BEFORE];
        for (int k = 0; k < cases[i].before; k++) {
            flying[k] = steps_ask(&steps);
            others = others < 1 + 2 / cases[i].fade ? others + 1 : 0;
        }
        steps_tell(&steps, best, 10);
        for (int k = 0; k < cases[i].before; k++)
            steps_tell(&steps, flying[k], 30 + k % 7);
        for (int k = 0; k < 30; k++) {
            uint64_t asked = steps_ask(&steps);
            if (others < 1 + stalled / cases[i].fade) {
                others++;
            } else {
                others = 0;
                turns++;
                CU_ASSERT_EQUAL(set_differences(steps.set, asked, best), 1);
            }
            steps_tell(&steps, asked, 30 + k % 7);
            stalled++;
        }
        CU_ASSERT(turns >= 5);
        steps_close(&steps);
    }
}

/* All neighbours of the best are proposed, from all configurations or from a sample. */
static void every_neighbour_has_its_turn(void)
{
    static const char *const strategies_of[] = {"surrogate:initial=1,incumbents=1,fade=1e9",
                                                "surrogate:initial=1,incumbents=1,fade=1e9,candidates=100,sample=100"};
    enum { BEST = 1 * 1024 + 2 * 256 + 3 * 64 + 1 * 16 + 2 * 4 + 1, NEIGHBOURS = 18 };
    for (size_t i = 0; i < sizeof strategies_of / sizeof *strategies_of; i++) {
        struct steps steps;
        size_t near = 0;
        steps_open(&steps,
                   "param A = 0..3\nparam B = 0..3\nparam C = 0..3\nparam D = 0..3\nparam E = 0..3\n"
                   "param F = 0..3\n",
                   strategies_of[i], 3);
        steps_tell(&steps, 0, 40);
        steps_tell(&steps, 4095, 41);
        steps_tell(&steps, BEST, 10);
        for (int k = 0; k < 2 * NEIGHBOURS + 4; k++) {
            uint64_t asked = steps_ask(&steps);
            near += set_differences(steps.set, asked, BEST) == 1;
            steps_tell(&steps, asked, 30 + k % 7);
        }
        CU_ASSERT_EQUAL(near, NEIGHBOURS);
        steps_close(&steps);
    }
}

/* Of the neighbours of the best, those that are likely to fail come last. */
static void likely_failures_come_last(void)
{
    enum { SIDE = 16, BEST = 8 * SIDE + 7, KNOWN = 24, MORE = 20 };
    size_t failed = 0, near = 0;
    for (uint64_t seed = 0; seed < 8; seed++) {
        struct steps steps;
        steps_open(&steps, "param A = 0..15\nparam B = 0..15\n", "surrogate:initial=1,incumbents=1,fade=1e9", seed);
        for (uint64_t k = 0; k <= KNOWN + MORE; k++) {
            uint64_t at = k < KNOWN ? random_permute(seed, SIDE * SIDE, k) : k == KNOWN ? BEST : steps_ask(&steps);
            double a = (double)(at / SIDE) - 8, b = (double)(at % SIDE) - 7;
            bool fails = b > 0, neighbour = k > KNOWN && set_differences(steps.set, at, BEST) == 1;
            near += neighbour;
            failed += neighbour && fails;
            if (fails)
                steps_tell_failed(&steps, at);
            else
                steps_tell(&steps, at, 100 + a * a + b * b);
        }
        steps_close(&steps);
    }
    CU_ASSERT(near > 60);
    CU_ASSERT(20 * failed < near);
}

/* How many of the first neighbours proposed are where hardly anything is known, beyond the best. */
static size_t unknown_neighbours(const char *strategy)
{
    enum { SIDE = 32, BEST = 12 * SIDE + 12, KNOWN = 40, MORE = 12 };
    size_t unknown = 0;
    for (uint64_t seed = 0; seed < 8; seed++) {
        struct steps steps;
        steps_open(&steps, "param A = 0..31\nparam B = 0..31\n", strategy, seed);
        for (uint64_t k = 0; k <= KNOWN + MORE; k++) {
            uint64_t place = random_permute(seed, 17 * 17, k), at = place / 17 * SIDE + place % 17;
            at = k < KNOWN ? at : k == KNOWN ? BEST : steps_ask(&steps);
            double a = (double)(at / SIDE) - 12, b = (double)(at % SIDE) - 12;
            unknown += k > KNOWN && (a > 6 || b > 6) && set_differences(steps.set, at, BEST) == 1;
            steps_tell(&steps, at, exp((fabs(a) + fabs(b)) / 8));
        }
        steps_close(&steps);
    }
    return unknown;
}

/* The longer no better one is found, the less need be known of a neighbour. */
static void bolder_with_time(void)
{
    CU_ASSERT(4 * unknown_neighbours("surrogate:initial=1,incumbents=1,fade=1e9,kappa=0,widen=3") >
              5 * unknown_neighbours("surrogate:initial=1,incumbents=1,fade=1e9,kappa=0,widen=0"));
}

CU_TestInfo tests_neighbours[] = {{"they have their turn", neighbours_in_turn},
                                  {"every one has its turn", every_neighbour_has_its_turn},
                                  {"bolder with time", bolder_with_time},
                                  {"likely failures come last", likely_failures_come_last},
                                  CU_TEST_INFO_NULL};
