/* What a surrogate proposes, by what it was told. */
#include "steps.h"

static size_t differences(const struct steps *steps, uint64_t a, uint64_t b)
{
    uint32_t one[SPACE_PARAMETERS_MAX], other[SPACE_PARAMETERS_MAX];
    size_t count = 0;
    valid_set_get(steps->set, a, one);
    valid_set_get(steps->set, b, other);
    for (size_t p = 0; p < valid_set_parameter_count(steps->set); p++)
        count += one[p] != other[p];
    return count;
}

/* Every second proposal is a neighbour of the best; more seldom the longer nothing better was found. */
static void neighbours_in_turn(void)
{
    static const struct {
        const char *strategy;
        double fade;
    } cases[] = {{"surrogate:initial=1,incumbents=1,fade=1e9", 1e9},
                 {"surrogate:initial=1,incumbents=1,fade=10", 10},
                 {"surrogate:initial=1,incumbents=1,fade=4", 4},
                 /* Of a sample, too. */
                 {"surrogate:initial=1,incumbents=1,fade=1e9,candidates=100,sample=200", 1e9}};
    enum { BEST = 3 * 144 + 7 * 12 + 5 };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct steps steps;
        double others = 0, stalled = 0;
        size_t turns = 0;
        steps_open(&steps, "param A = 0..11\nparam B = 0..11\nparam C = 0..11\n", cases[i].strategy, 5);
        steps_tell(&steps, 1000, 40);
        steps_tell(&steps, 1500, 41);
        steps_tell(&steps, BEST, 10);
        for (int k = 0; k < 30; k++) {
            uint64_t asked = steps_ask(&steps);
            if (others < 1 + stalled / cases[i].fade) {
                others++;
            } else {
                others = 0;
                turns++;
                CU_ASSERT_EQUAL(differences(&steps, asked, BEST), 1);
            }
            steps_tell(&steps, asked, 30 + k % 7);
            stalled++;
        }
        CU_ASSERT(turns >= 5);
        steps_close(&steps);
    }
}

/* Half of the set fails: that is noticed soon. */
static void avoids_what_fails(void)
{
    size_t failed = 0, later = 0;
    for (uint64_t seed = 0; seed < 6; seed++) {
        struct steps steps;
        steps_open(&steps, "param A = 0..15\nparam B = 0..15\nparam C = x, y\n", "surrogate:neighbours=no", seed);
        for (int k = 0; k < 40; k++) {
            uint64_t asked = steps_ask(&steps);
            bool fails = asked % 2;
            later += k >= 20;
            failed += k >= 20 && fails;
            if (fails)
                steps_tell_failed(&steps, asked);
            else
                steps_tell(&steps, asked, 100 + (double)(asked / 2 % 16));
        }
        steps_close(&steps);
    }
    CU_ASSERT(12 * failed < 5 * later);
}

/* How many evaluations it takes to find the one best of a smooth valley, on average over seeds. */
static double evaluations(const char *strategy)
{
    enum { SEEDS = 8, MOST = 250 };
    double sum = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct steps steps;
        steps_open(&steps, "param A = 0..15\nparam B = 0..15\nparam C = 0..7\n", strategy, seed);
        int k = 1;
        for (; k < MOST; k++) {
            uint64_t asked = steps_ask(&steps);
            double a = (double)(asked / 128) - 11, b = (double)(asked / 8 % 16) - 3, c = (double)(asked % 8) - 5;
            if (a == 0 && b == 0 && c == 0)
                break;
            if (a < -9 && b > 8)
                steps_tell_failed(&steps, asked);
            else
                steps_tell(&steps, asked, 100 * (1 + 0.02 * (a * a + b * b + a * b / 2) + 0.05 * c * c));
        }
        sum += k;
        steps_close(&steps);
    }
    return sum / SEEDS;
}

static void finds_the_best_soon(void)
{
    static const struct {
        const char *strategy;
        double most;
    } cases[] = {{"surrogate", 34},
                 {"surrogate:neighbours=no", 32},
                 {"surrogate:scale=ordinal", 22},
                 {"surrogate:scale=mixed", 24},
                 {"surrogate:candidates=100,sample=200", 30},
                 {"surrogate:observations=50,initial=60", 82},
                 {"portfolio", 35}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CU_ASSERT(evaluations(cases[i].strategy) < cases[i].most);
}

CU_TestInfo tests_strat_surrogate[] = {{"neighbours of the best have their turn", neighbours_in_turn},
                                       {"what fails is avoided", avoids_what_fails},
                                       {"the best is found soon", finds_the_best_soon},
                                       CU_TEST_INFO_NULL};
