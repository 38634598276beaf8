/* A surrogate's pool of candidates, in a set that is too large to examine whole. */
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

CU_TestInfo tests_pool[] = {{"it climbs in a large set", climbs_in_a_large_set}, CU_TEST_INFO_NULL};
