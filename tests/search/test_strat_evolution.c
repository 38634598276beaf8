/* Differential evolution: where does a member move? */
#include <math.h>

#include "steps.h"

#define SQUARE "param A = 0..99\nparam B = 0..99\n"
enum { SIDE = 100, SEEDS = 400 };
#define AT(a, b) ((uint64_t)(a)*SIDE + (b))

/* Towards the best, by `weight` of the distance, plus a difference without a preferred direction. */
static void moves_towards_the_best(void)
{
    static const struct {
        const char *strategy;
        double expected;
    } cases[] = {{"evolution:population=4,weight=0.25,crossover=1", 45},
                 {"evolution:population=4,weight=0.5,crossover=1", 50},
                 {"evolution:population=4,weight=1,crossover=1", 60}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double a = 0, b = 0, spread = 0;
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            struct steps steps;
            steps_open(&steps, SQUARE, cases[i].strategy, seed);
            steps_tell(&steps, AT(40, 41), 20); /* moves first */
            steps_tell(&steps, AT(42, 40), 19);
            steps_tell(&steps, AT(60, 61), 10);
            steps_tell(&steps, AT(41, 42), 18);
            uint64_t asked = steps_ask(&steps);
            a += (double)(asked / SIDE) / SEEDS;
            b += (double)(asked % SIDE) / SEEDS;
            spread += fabs((double)(asked / SIDE) - cases[i].expected) / SEEDS;
            steps_close(&steps);
        }
        CU_ASSERT_DOUBLE_EQUAL(a, cases[i].expected, 1.6);
        CU_ASSERT_DOUBLE_EQUAL(b, cases[i].expected, 1.6);
        /* In 6 of 16 draws one of the two is the best, 20 away from the others. */
        double least = (cases[i].expected - 40) * 6 / 16;
        CU_ASSERT(spread > least && spread < least + 4);
    }
}

/* One parameter always moves, each of the others with the requested probability. */
static void crossover(void)
{
    static const struct {
        const char *strategy;
        double expected;
    } cases[] = {{"evolution:population=4,weight=1,crossover=0", 1},
                 {"evolution:population=4,weight=1,crossover=0.5", 3},
                 {"evolution:population=4,weight=1,crossover=1", 5}};
    static const uint32_t places[4][5] = {{1, 1, 1, 1, 1}, {3, 3, 3, 3, 3}, {20, 20, 20, 20, 20}, {5, 5, 5, 5, 5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double changed = 0;
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            struct steps steps;
            uint32_t there[SPACE_PARAMETERS_MAX];
            steps_open(&steps, "param A = 0..39\nparam B = 0..39\nparam C = 0..39\nparam D = 0..39\nparam E = 0..39\n",
                       cases[i].strategy, seed);
            for (size_t m = 0; m < 4; m++) {
                uint64_t index = 0;
                CU_ASSERT(valid_set_find(steps.set, places[m], &index));
                steps_tell(&steps, index, m == 2 ? 10 : 20);
            }
            valid_set_get(steps.set, steps_ask(&steps), there);
            for (size_t p = 0; p < 5; p++)
                changed += (there[p] != 1) / (double)SEEDS;
            steps_close(&steps);
        }
        /* A difference opposite to the way to the best, 1 draw of 16, changes nothing. */
        CU_ASSERT(changed <= cases[i].expected + 0.15 && changed >= cases[i].expected * 15 / 16 - 0.25);
    }
}

/* With a weight of 0 a proposal is a neighbour of its member: members move in turn, to better places only. */
static void turns(void)
{
    static const struct {
        struct cost cost;
        bool moves;
    } cases[] = {{{.ok = true, .value = 5}, true},
                 {{.ok = true, .value = 20}, false}, /* equal is not better */
                 {{.ok = true, .value = 21}, false},
                 {{.ok = true, .bound = true, .value = 5}, false}, /* only a bound */
                 {{.value = 5}, false}};
    static const uint64_t members[4] = {AT(10, 11), AT(30, 31), AT(50, 51), AT(70, 71)};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct steps steps;
        uint64_t moved = UINT64_MAX;
        steps_open(&steps, SQUARE, "evolution:population=4,weight=0,crossover=1", 3);
        for (size_t m = 0; m < 4; m++)
            steps_tell(&steps, members[m], 20);
        for (size_t k = 0; k < 12; k++) {
            uint64_t asked = steps_ask(&steps), member = k % 4 == 0 && k && cases[i].moves ? moved : members[k % 4];
            CU_ASSERT((asked / SIDE == member / SIDE) != (asked % SIDE == member % SIDE));
            if (k == 0) {
                moved = asked;
                steps.choice.ops->tell(steps.state, asked, &cases[i].cost);
            } else {
                steps_tell_failed(&steps, asked);
            }
        }
        steps_close(&steps);
    }
}

CU_TestInfo tests_strat_evolution[] = {{"a member moves towards the best", moves_towards_the_best},
                                       {"some of the parameters move", crossover},
                                       {"members move in turn, to what is better", turns},
                                       CU_TEST_INFO_NULL};
