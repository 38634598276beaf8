/* Whose children does a genetic algorithm propose, and how do they differ? */
#include "steps.h"

#define SQUARE "param A = 0..29\nparam B = 0..29\n"
enum { SIDE = 30, PROPOSALS = 40 };

static const uint64_t told[] = {5 * SIDE + 7, 11 * SIDE + 24, 17 * SIDE + 3, 23 * SIDE + 13, 28 * SIDE + 19};
enum { TOLD = sizeof told / sizeof *told };

/* Tells five configurations, the first the best, and counts whose neighbours the proposals are: [TOLD] of none. The
 * answers are so bad that no other enters the population. */
static void count_children(const char *strategy, size_t *children)
{
    struct steps steps;
    steps_open(&steps, SQUARE, strategy, 11);
    memset(children, 0, (TOLD + 1) * sizeof *children);
    for (size_t i = 0; i < TOLD; i++)
        steps_tell(&steps, told[i], 10 + (double)i);
    for (size_t k = 0; k < PROPOSALS; k++) {
        uint64_t asked = steps_ask(&steps);
        size_t parent = 0;
        while (parent < TOLD && (asked / SIDE == told[parent] / SIDE) == (asked % SIDE == told[parent] % SIDE))
            parent++;
        children[parent]++;
        steps_tell_failed(&steps, asked);
    }
    steps_close(&steps);
}

/* Without crossover and mutation a child is a neighbour of its parent. */
static void tournament(void)
{
    static const struct {
        const char *strategy;
        size_t least[TOLD], most[TOLD];
    } cases[] = {
        /* The best of many draws is the best of all. */
        {"genetic:initial=2,population=5,tournament=64,crossover=0,mutation=0", {40, 0, 0, 0, 0}, {40, 0, 0, 0, 0}},
        /* One draw has no favourites: 8 each. */
        {"genetic:initial=2,population=5,tournament=1,crossover=0,mutation=0", {3, 3, 3, 3, 3}, {15, 15, 15, 15, 15}},
        /* Of two, the best wins 9 of 25 tournaments, the worst 1. */
        {"genetic:initial=2,population=5,tournament=2,crossover=0,mutation=0", {9, 6, 4, 2, 0}, {21, 18, 14, 11, 6}},
        /* Configurations outside the best few have no children. */
        {"genetic:initial=2,population=2,tournament=1,crossover=0,mutation=0", {12, 12, 0, 0, 0}, {28, 28, 0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t children[TOLD + 1];
        count_children(cases[i].strategy, children);
        for (size_t m = 0; m < TOLD; m++)
            CU_ASSERT(children[m] >= cases[i].least[m] && children[m] <= cases[i].most[m]);
        CU_ASSERT_EQUAL(children[TOLD], 0);
    }
}

/* Crossover combines values of two parents: the row of one, the column of the other. */
static void crossover(void)
{
    static const char *const strategies_tried[] = {
        "genetic:initial=2,population=2,tournament=1,crossover=1,mutation=0",
        "genetic:initial=2,population=2,tournament=1,crossover=0,mutation=0"};
    for (size_t i = 0; i < 2; i++) {
        struct steps steps;
        bool crossed = false;
        steps_open(&steps, SQUARE, strategies_tried[i], 2);
        steps_tell(&steps, 3 * SIDE + 7, 10);
        steps_tell(&steps, 21 * SIDE + 18, 11);
        for (size_t k = 0; k < 20; k++) {
            uint64_t asked = steps_ask(&steps);
            crossed |= asked == 3 * SIDE + 18 || asked == 21 * SIDE + 7;
            steps_tell_failed(&steps, asked);
        }
        CU_ASSERT_EQUAL(crossed, i == 0);
        steps_close(&steps);
    }
}

/* On average the requested number of parameters changes, half of them by one step along the list. */
static void mutation(void)
{
    static const struct {
        const char *strategy;
        size_t least, most; /* changed parameters of 200 times 5 */
    } cases[] = {{"genetic:initial=1,population=2,tournament=1,crossover=0,mutation=1", 220, 310},
                 {"genetic:initial=1,population=2,tournament=1,crossover=0,mutation=3", 520, 660},
                 {"genetic:initial=1,population=2,tournament=1,crossover=0,mutation=64", 900, 1000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct steps steps;
        size_t changed = 0, by_one = 0, up = 0, beyond = 0;
        uint32_t parent[SPACE_PARAMETERS_MAX], child[SPACE_PARAMETERS_MAX];
        steps_open(&steps, "param A = 0..39\nparam B = 0..39\nparam C = 0..39\nparam D = 0..39\nparam E = 0..39\n",
                   cases[i].strategy, 4);
        uint64_t told_of = ((((uint64_t)20 * 40 + 20) * 40 + 20) * 40 + 20) * 40 + 20;
        steps_tell(&steps, told_of, 10);
        valid_set_get(steps.set, told_of, parent);
        for (size_t k = 0; k < 200; k++) {
            uint64_t asked = steps_ask(&steps);
            valid_set_get(steps.set, asked, child);
            for (size_t p = 0; p < 5; p++) {
                changed += child[p] != parent[p];
                by_one += child[p] + 1 == parent[p] || child[p] == parent[p] + 1;
                up += child[p] == parent[p] + 1;
                beyond += child[p] > 39;
            }
            steps_tell_failed(&steps, asked);
        }
        CU_ASSERT(changed >= cases[i].least && changed <= cases[i].most);
        CU_ASSERT(5 * by_one >= 2 * changed && 5 * by_one <= 4 * changed);
        CU_ASSERT(3 * up >= by_one && 3 * up <= 2 * by_one);
        CU_ASSERT_EQUAL(beyond, 0);
        steps_close(&steps);
    }
}

CU_TestInfo tests_strat_genetic[] = {{"parents win a tournament among the best", tournament},
                                     {"children of two have values of both", crossover},
                                     {"mutation changes about as much as it was told to", mutation},
                                     CU_TEST_INFO_NULL};
