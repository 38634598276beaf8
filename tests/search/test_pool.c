/* A surrogate's pool of candidates, in a set that is too large to examine. */
#include <math.h>

#include "base/random.h"
#include "steps.h"

/* A set of 10^9. The time rises with the distance of each parameter from the optimum, and of two together; one in 16
 * fails. Random search reaches 0.62 after 120 evaluations. */
static void climbs_in_a_large_set(void)
{
    double mean = 0;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct steps steps;
        double best = INFINITY;
        steps_open(&steps,
                   "param A=0..7\nparam B=0..7\nparam C=0..7\nparam D=0..7\nparam E=0..7\nparam F=0..7\nparam G=0..7\n"
                   "param H=0..7\nparam I=0..7\nparam J=0..7\nrequire A*B<=30\nrequire C+D+E<=15\n",
                   "surrogate", seed);
        CU_ASSERT(valid_set_count(steps.set) > 500000000);
        for (int k = 0; k < 120; k++) {
            static const double optimum[] = {5, 2, 6, 1, 3, 4, 7, 0, 2, 5};
            uint32_t choices[SPACE_PARAMETERS_MAX];
            uint64_t asked = steps_ask(&steps);
            double sum = 0, before = 0;
            valid_set_get(steps.set, asked, choices);
            for (size_t p = 0; p < 10; p++) {
                double apart = choices[p] - optimum[p];
                sum += 0.01 * apart * apart + 0.02 * fabs(apart + before);
                before = apart;
            }
            if (random_mix(7, asked) % 16 == 0) {
                steps_tell_failed(&steps, asked);
                continue;
            }
            best = fmin(best, 1 + sum);
            steps_tell(&steps, asked, 1 + sum);
        }
        mean += 1 / best / 3;
        steps_close(&steps);
    }
    CU_ASSERT(mean > 0.8);
}

enum { SIDE = 30, ASKED = 20 };

/* What is proposed next after so many outcomes, each told before the next. */
static void ask_after(const char *strategy, uint64_t outcomes, uint64_t *asked)
{
    struct steps steps;
    steps_open(&steps, "param A = 0..29\nparam B = 0..29\nparam C = 0..29\n", strategy, 1);
    for (uint64_t k = 0; k < outcomes + ASKED; k++) {
        uint64_t config = k < outcomes ? random_permute(5, SIDE * SIDE * SIDE, k) : steps_ask(&steps);
        double a = (double)(config / SIDE / SIDE) - 11, b = (double)(config / SIDE % SIDE) - 17,
               c = (double)(config % SIDE) - 4;
        steps_tell(&steps, config, 100 + a * a + b * b + c * c + a * b / 2);
        if (k >= outcomes)
            asked[k - outcomes] = config;
    }
    steps_close(&steps);
}

/* From 100 outcomes on, the pool climbs half as many steps. */
static void climbs_less_later(void)
{
    static const struct {
        uint64_t outcomes;
        const char *strategies[2];
        bool same;
    } rows[] = {{99, {"surrogate:climb=3,neighbours=no", "surrogate:climb=4,neighbours=no"}, false},
                {100, {"surrogate:climb=3,neighbours=no", "surrogate:climb=4,neighbours=no"}, true},
                {100, {"surrogate:climb=2,neighbours=no", "surrogate:climb=3,neighbours=no"}, false}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        uint64_t asked[2][ASKED];
        for (size_t s = 0; s < 2; s++)
            ask_after(rows[r].strategies[s], rows[r].outcomes, asked[s]);
        CU_ASSERT_EQUAL(memcmp(asked[0], asked[1], sizeof asked[0]) == 0, rows[r].same);
    }
}

CU_TestInfo tests_pool[] = {{"it climbs in a large set", climbs_in_a_large_set},
                            {"it climbs less later", climbs_less_later},
                            CU_TEST_INFO_NULL};
