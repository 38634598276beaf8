/* Neighbours of the best among a surrogate's proposals. */
#include <math.h>

#include "base/random.h"
#include "set.h"
#include "steps.h"

/* Number of proposals from `from` to `to` - 1 after a best one that are its neighbours. No other is as good. */
static size_t near_best(const char *strategy, int from, int to)
{
    enum { SIDE = 12, BEST = (3 * SIDE + 7) * SIDE + 5 };
    size_t near = 0;
    for (uint64_t seed = 0; seed < 4; seed++) {
        struct steps steps;
        steps_open(&steps, "param A = 0..11\nparam B = 0..11\nparam C = 0..11\n", strategy, seed);
        for (uint64_t k = 0; k < 12; k++)
            steps_tell(&steps, 101 + 137 * k, 40 + (double)k);
        steps_tell(&steps, BEST, 10);
        for (int k = 0; k < to; k++) {
            uint64_t asked = steps_ask(&steps);
            near += k >= from && set_differences(steps.set, asked, BEST) == 1;
            steps_tell(&steps, asked, 30 + k % 7);
        }
        steps_close(&steps);
    }
    return near;
}

/* At least every second proposal is a neighbour of a new best, from all configurations or from a pool; later fewer. */
static void neighbours_in_turn(void)
{
    static const char *const strategies_of[] = {"surrogate", "surrogate:candidates=100"};
    for (size_t i = 0; i < sizeof strategies_of / sizeof *strategies_of; i++) {
        size_t soon = near_best(strategies_of[i], 0, 8), later = near_best(strategies_of[i], 40, 48);
        CU_ASSERT(soon >= 4 * 3);
        CU_ASSERT(later < soon);
    }
}

/* Neighbours of the best that are likely to fail come last. */
static void likely_failures_come_last(void)
{
    enum { SIDE = 16, BEST = 8 * SIDE + 7, KNOWN = 24, MORE = 20 };
    size_t failed = 0, near = 0;
    for (uint64_t seed = 0; seed < 8; seed++) {
        struct steps steps;
        steps_open(&steps, "param A = 0..15\nparam B = 0..15\n", "surrogate:initial=1", seed);
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
    CU_ASSERT(10 * failed < near);
}

CU_TestInfo tests_neighbours[] = {{"they have their turn", neighbours_in_turn},
                                  {"likely failures come last", likely_failures_come_last},
                                  CU_TEST_INFO_NULL};
