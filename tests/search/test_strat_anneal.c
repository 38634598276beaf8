/* Annealing on a square: how often does it accept a worse place? */
#include "steps.h"

#define SQUARE "param A = 0..59\nparam B = 0..59\n"
enum { SIDE = 60, CENTRE = 30 * SIDE + 30, SEEDS = 400 };

/* After one place at 100, failures, and then a neighbour at `value` (0: it fails): the share of seeds whose next
 * proposal is a neighbour of that neighbour, among those where the origin is certain. */
static double share_of_moves(const char *strategy, size_t failures, double value)
{
    double moved = 0, stayed = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct steps steps;
        steps_open(&steps, SQUARE, strategy, seed);
        steps_tell(&steps, CENTRE, 100);
        for (size_t i = 0; i < failures; i++)
            steps_tell_failed(&steps, steps_ask(&steps));
        uint64_t first = steps_ask(&steps);
        bool in_row = first / SIDE == CENTRE / SIDE;
        CU_ASSERT(in_row != (first % SIDE == CENTRE % SIDE));
        if (value > 0)
            steps_tell(&steps, first, value);
        else
            steps_tell_failed(&steps, first);
        uint64_t second = steps_ask(&steps);
        uint64_t line = in_row ? second % SIDE : second / SIDE;
        moved += line == (in_row ? first % SIDE : first / SIDE);
        stayed += line == (in_row ? CENTRE % SIDE : CENTRE / SIDE);
        steps_close(&steps);
    }
    CU_ASSERT(moved + stayed > SEEDS / 4);
    return moved / (moved + stayed);
}

/* (100 / value) to the power of 1 / temperature. */
static void accepts_by_temperature(void)
{
    static const struct {
        const char *strategy;
        size_t failures;
        double value, least, most;
    } cases[] = {
        {"anneal:initial=1,hot=1,cold=1", 0, 90, 1, 1},
        {"anneal:initial=1,hot=1,cold=1", 0, 100, 1, 1},
        {"anneal:initial=1,hot=1,cold=1", 0, 200, 0.40, 0.60},
        {"anneal:initial=1,hot=1,cold=1", 0, 400, 0.16, 0.34},
        {"anneal:initial=1,hot=0.1,cold=0.1", 0, 110, 0.29, 0.49},
        {"anneal:initial=1,hot=100,cold=100", 0, 200, 0.97, 1},
        {"anneal:initial=1,hot=100,cold=100", 0, 0, 0, 0}, /* failed */
        {"anneal:initial=1,hot=1e-6,cold=1e-9", 0, 101, 0, 0},
        /* From 1 to 0.0001 in 2 steps: 1, then 0.01. */
        {"anneal:initial=1,hot=1,cold=0.0001,cooling=2", 0, 200, 0.40, 0.60},
        {"anneal:initial=1,hot=1,cold=0.0001,cooling=2", 1, 200, 0, 0},
        /* In 4 steps: 1, 0.1, ... */
        {"anneal:initial=1,hot=1,cold=0.0001,cooling=4", 1, 110, 0.29, 0.49},
        /* Hot again. */
        {"anneal:initial=1,hot=1,cold=0.0001,cooling=2", 2, 200, 0.40, 0.60},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double share = share_of_moves(cases[i].strategy, cases[i].failures, cases[i].value);
        CU_ASSERT(share >= cases[i].least && share <= cases[i].most);
    }
}

/* Wherever it is, it restarts from the best known place when cold. */
static void begins_again_at_the_best(void)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct steps steps;
        steps_open(&steps, SQUARE, "anneal:initial=1,hot=100,cold=100,cooling=3", seed);
        steps_tell(&steps, CENTRE, 100);
        for (int i = 0; i < 3; i++)
            steps_tell(&steps, steps_ask(&steps), 101);
        uint64_t asked = steps_ask(&steps);
        CU_ASSERT((asked / SIDE == CENTRE / SIDE) != (asked % SIDE == CENTRE % SIDE));
        steps_close(&steps);
    }
}

CU_TestInfo tests_strat_anneal[] = {{"moves to what is worse by the temperature", accepts_by_temperature},
                                    {"begins again at the best", begins_again_at_the_best},
                                    CU_TEST_INFO_NULL};
