/* A local search on a line of 21 places, starting in the middle: where does it go? */
#include "steps.h"

#define LINE "param A = 0..20\n"
enum { CENTRE = 10 };

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/* The descent moves at once to a neighbour that is certainly better. */
static void moves(void)
{
    static const struct {
        const char *strategy;
        bool ok, bound;
        double value;
        uint64_t moved; /* distance of the second proposal from the centre */
    } cases[] = {
        {"local:initial=1", true, false, 40, 2},
        {"local:initial=1", true, false, 50, 1}, /* equal is not better */
        {"local:initial=1", true, false, 60, 1},
        {"local:initial=1", true, true, 40, 1}, /* at least 40: may be worse than 50 */
        {"local:initial=1", false, false, 40, 1},
        {"local:initial=1,descent=steepest", true, false, 40, 1}, /* the other neighbour may be even better */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (uint64_t seed = 0; seed < 8; seed++) {
            struct steps steps;
            steps_open(&steps, LINE, cases[i].strategy, seed);
            steps_tell(&steps, CENTRE, 50);
            uint64_t first = steps_ask(&steps);
            CU_ASSERT_EQUAL(distance(first, CENTRE), 1);
            struct cost cost = {.ok = cases[i].ok, .bound = cases[i].bound, .value = cases[i].value};
            steps.choice.ops->tell(steps.state, first, &cost);
            uint64_t second = steps_ask(&steps);
            CU_ASSERT_EQUAL(distance(second, CENTRE), cases[i].moved);
            CU_ASSERT_EQUAL(distance(second, first), cases[i].moved == 2 ? 1 : 2);
            steps_close(&steps);
        }
}

/* Told of 9 to 11, with 10 the best: the descent continues to the better side and on through worse and worse places,
 * since it does not return, until the tabu list is full. Then it restarts elsewhere. */
static void tabu(void)
{
    static const struct {
        const char *strategy;
        uint64_t path[6]; /* 99: elsewhere */
    } cases[] = {{"local:initial=1,tabu=8", {8, 7, 6, 5, 4, 3}},
                 {"local:initial=1,tabu=8,descent=steepest", {8, 7, 6, 5, 4, 3}},
                 {"local:initial=1,tabu=3", {8, 7, 6, 99}},
                 {"local:initial=1,tabu=1", {8, 99}},
                 {"local:initial=1,tabu=0", {99}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct steps steps;
        steps_open(&steps, LINE, cases[i].strategy, 3);
        steps_tell(&steps, 10, 50);
        steps_tell(&steps, 9, 60);
        steps_tell(&steps, 11, 70);
        for (size_t step = 0; step < 6; step++) {
            uint64_t expected = cases[i].path[step], asked = steps_ask(&steps);
            if (expected == 99) {
                /* The restart accepts any place, and the tabu list is empty again. */
                CU_ASSERT(distance(asked, 9 - step) > 2 && distance(asked, 11) > 2);
                steps_tell(&steps, asked, 1000);
                CU_ASSERT_EQUAL(distance(steps_ask(&steps), asked), 1);
                break;
            }
            CU_ASSERT_EQUAL(asked, expected);
            steps_tell(&steps, asked, 80 + (double)step);
        }
        steps_close(&steps);
    }
}

/* Failures and unknown places are not moved to. */
static void passes_over(void)
{
    struct steps steps;
    steps_open(&steps, LINE, "local:initial=1", 1);
    steps_tell(&steps, 10, 50);
    steps_tell_failed(&steps, 9);
    steps_tell(&steps, 11, 70);
    CU_ASSERT_EQUAL(steps_ask(&steps), 12);
    steps_close(&steps);
}

/* Neighbours have any other value of one parameter, or only the next ones in the list. */
static void neighbourhoods(void)
{
    static const struct {
        const char *strategy;
        bool far;
    } cases[] = {{"local:initial=1", false}, {"local:initial=1,neighbours=any", true}};
    for (size_t i = 0; i < 2; i++) {
        struct steps steps;
        bool far = false, differs = false;
        steps_open(&steps, "param A = 0..9\nparam B = 0..9\n", cases[i].strategy, 5);
        steps_tell(&steps, 44, 50);
        for (int k = 0; k < 4; k++) {
            uint64_t asked = steps_ask(&steps), row = distance(asked / 10, 4), column = distance(asked % 10, 4);
            far |= row > 1 || column > 1;
            differs |= row && column;
            steps_tell(&steps, asked, 60);
        }
        CU_ASSERT_EQUAL(far, cases[i].far);
        CU_ASSERT(!differs);
        steps_close(&steps);
    }
}

/* The requested number of configurations comes first, far from each other. */
static void begins_far_apart(void)
{
    struct steps steps;
    uint64_t asked[5];
    steps_open(&steps, LINE, "local:initial=4", 7);
    for (int i = 0; i < 5; i++) {
        asked[i] = steps_ask(&steps);
        steps_tell(&steps, asked[i], 100 - (double)i);
        for (int j = 0; j < i && i < 4; j++)
            CU_ASSERT(distance(asked[i], asked[j]) > 2);
    }
    CU_ASSERT_EQUAL(distance(asked[4], asked[3]), 1); /* the best of them */
    steps_close(&steps);
}

CU_TestInfo tests_strat_local[] = {
    {"moves to what is better for certain", moves}, {"goes on through worse places and never back", tabu},
    {"passes over what fails", passes_over},        {"neighbours are adjacent or any", neighbourhoods},
    {"begins with a design", begins_far_apart},     CU_TEST_INFO_NULL};
