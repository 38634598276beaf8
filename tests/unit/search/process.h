/* A small space and a Gaussian process over it, shared by several suites. */
#ifndef CUTUNE_TESTS_SEARCH_PROCESS_H
#define CUTUNE_TESTS_SEARCH_PROCESS_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "base/random.h"
#include "search/gp.h"

/* THETA: parameters of the likelihood. */
enum { WIDTH = 3, FEATURES = 4, THETA = FEATURES + 1 + GP_PARTS, ROWS = 14 };

static inline struct encoding process_encoding(struct space **space)
{
    static const char text[] = "space 2\nparam A = 1, 2, 4, 8, 16\nparam B = 3, 1, 2\nparam C = x, y\nparam D = 7\n";
    struct error error = {0};
    struct encoding encoding;
    CU_ASSERT_EQUAL_FATAL(space_parse_text(space, "t.space", text, strlen(text), "", &error), 0);
    CU_ASSERT_EQUAL_FATAL(encoding_make(&encoding, *space, &error), 0);
    CU_ASSERT_EQUAL_FATAL(encoding.count, WIDTH);
    return encoding;
}

static inline void process_set(struct gp *gp, double noise)
{
    gp->inverse[0] = 1 / (0.7 * 0.7);
    gp->inverse[1] = 1 / (1.3 * 1.3);
    gp->inverse[2] = 1 / (0.9 * 0.9);
    gp->inverse[3] = 1 / (2.0 * 2.0);
    gp->inverse[4] = 1 / (0.5 * 0.5);
    gp->noise = noise;
    gp->parts[GP_ADDITIVE] = gp->parts[GP_ROUGH] = 0;
    gp->mean = 0.5;
}

/* Adds noisy observations of a known function, up to `rows` rows. */
static inline void process_fill(struct gp *gp, size_t rows)
{
    struct random random;
    random_seed(&random, 11);
    while (gp->count < rows) {
        uint32_t at[WIDTH] = {(uint32_t)random_below(&random, 5), (uint32_t)random_below(&random, 3),
                              (uint32_t)random_below(&random, 2)};
        CU_ASSERT_FATAL(gp_add(gp, at));
        gp_observe(gp, gp->count - 1, at[0] + 0.3 * at[1] * at[2] + random_unit(&random), 0);
    }
}

#endif
