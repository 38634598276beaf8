/* A particle swarm on a line: what attracts a particle? */
#include <math.h>

#include "steps.h"

#define LINE "param A = 0..999\n"
enum { SEEDS = 600 };

/* One particle at 500 moves first, the best place of all is 600: the mean of its first move. */
static double first_move(const char *strategy)
{
    double mean = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct steps steps;
        steps_open(&steps, LINE, strategy, seed);
        steps_tell(&steps, 500, 20);
        steps_tell(&steps, 600, 10);
        mean += (double)steps_ask(&steps) / SEEDS;
        steps_close(&steps);
    }
    return mean;
}

static void common_pull(void)
{
    CU_ASSERT_DOUBLE_EQUAL(first_move("swarm:particles=2,inertia=0,own=0,common=0.5"), 550, 6);
    CU_ASSERT_DOUBLE_EQUAL(first_move("swarm:particles=2,inertia=0,own=0,common=1"), 600, 12);
    CU_ASSERT_DOUBLE_EQUAL(first_move("swarm:particles=2,inertia=1,own=4,common=1"), 600, 12); /* no velocity yet */
    CU_ASSERT_DOUBLE_EQUAL(first_move("swarm:particles=2,inertia=0,own=0,common=2"), 700, 24);
    /* 8 u (100) exceeds half of the line in 3 of 8 draws and is clipped: 500 + (5/8) 250 + (3/8) 499.5 */
    CU_ASSERT_DOUBLE_EQUAL(first_move("swarm:particles=2,inertia=0,own=0,common=4"), 843.5, 25);
}

/* Particle 0 at 500, after a first move to a place with `value`, moves again: on average by `share` of the way back to
 * its best. */
static double second_move(const char *strategy, const struct cost *cost)
{
    double share = 0, count = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct steps steps;
        steps_open(&steps, LINE, strategy, seed);
        steps_tell(&steps, 500, 20);
        steps_tell(&steps, 510, 10);
        uint64_t place = steps_ask(&steps);
        steps.choice.ops->tell(steps.state, place, cost);
        steps_tell_failed(&steps, steps_ask(&steps)); /* the other's turn */
        double way = 500 - (double)place;
        if (fabs(way) > 20 && place > 100 && place < 900) {
            share += ((double)steps_ask(&steps) - (double)place) / way;
            count++;
        }
        steps_close(&steps);
    }
    CU_ASSERT(count > SEEDS / 8);
    return share / count;
}

/* Only its own best attracts it: it went to an arbitrary neighbour, since its place was known. */
static void own_pull(void)
{
    static const struct cost worse = {.ok = true, .value = 30}, failed = {.value = 5};
    CU_ASSERT_DOUBLE_EQUAL(second_move("swarm:particles=2,inertia=0,own=0.5,common=0", &worse), 0.5, 0.08);
    CU_ASSERT_DOUBLE_EQUAL(second_move("swarm:particles=2,inertia=0,own=1,common=0", &worse), 1, 0.12);
    CU_ASSERT_DOUBLE_EQUAL(second_move("swarm:particles=2,inertia=0,own=1,common=0", &failed), 1, 0.12);
}

/* A better place becomes its best, where it stays. */
static void keeps_its_best(void)
{
    static const struct {
        struct cost cost;
        bool stays;
    } cases[] = {{{.ok = true, .value = 19}, true}, {{.ok = true, .value = 21}, false}, {{.value = 5}, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t near = 0;
        for (uint64_t seed = 0; seed < 200; seed++) {
            struct steps steps;
            steps_open(&steps, "param A = 0..299\nparam B = 0..299\n", "swarm:particles=2,inertia=0,own=1,common=0",
                       seed);
            steps_tell(&steps, 100 * 300 + 200, 20);
            steps_tell(&steps, 200 * 300 + 100, 10);
            uint64_t place = steps_ask(&steps);
            steps.choice.ops->tell(steps.state, place, &cases[i].cost);
            steps_tell_failed(&steps, steps_ask(&steps));
            uint64_t next = steps_ask(&steps);
            /* Its own best attracts along the line; staying means a neighbour in any direction. */
            bool in_row = place / 300 == 100;
            near += in_row ? next / 300 != 100 : next % 300 != 200;
            steps_close(&steps);
        }
        CU_ASSERT(cases[i].stays ? near > 80 : near < 60);
    }
}

/* The share of its last velocity that is kept. */
static void inertia(void)
{
    static const struct {
        const char *strategy;
        double kept;
    } cases[] = {{"swarm:particles=2,inertia=0,own=0,common=1", 0},
                 {"swarm:particles=2,inertia=0.5,own=0,common=1", 0.5},
                 {"swarm:particles=2,inertia=1,own=0,common=1", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double kept = 0;
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            struct steps steps;
            steps_open(&steps, LINE, cases[i].strategy, seed);
            steps_tell(&steps, 400, 20);
            steps_tell(&steps, 500, 10);
            uint64_t place = steps_ask(&steps);
            steps_tell(&steps, place, 30);
            steps_tell_failed(&steps, steps_ask(&steps));
            /* The best attracts by the whole distance on average; the rest is the earlier velocity. */
            kept += ((double)steps_ask(&steps) - 500) / 100 / SEEDS;
            steps_close(&steps);
        }
        CU_ASSERT_DOUBLE_EQUAL(kept, cases[i].kept, 0.12);
    }
}

CU_TestInfo tests_strat_swarm[] = {{"the best of all pulls", common_pull},
                                   {"its own best pulls", own_pull},
                                   {"keeps what is better", keeps_its_best},
                                   {"keeps some of its velocity", inertia},
                                   CU_TEST_INFO_NULL};
