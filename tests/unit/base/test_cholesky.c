/* Factors and inverses of random matrices: multiplied, they give the matrix and the identity. */
#include "base/cholesky.h"

#include <math.h>
#include <stdlib.h>

#include <CUnit/Basic.h>

#include "base/random.h"

enum { MOST = 100, SPARE = 3, STRIDE = MOST + SPARE };

static double matrix[MOST * STRIDE], factor[MOST * STRIDE], inverse[MOST * MOST];

/* Fills the lower triangle; the rest is poisoned. */
static void fill(size_t count)
{
    static double roots[MOST][MOST];
    struct random random;
    random_seed(&random, count);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++)
            roots[i][j] = random_unit(&random) - 0.5;
    for (size_t i = 0; i < MOST * STRIDE; i++)
        matrix[i] = factor[i] = -7;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = i == j;
            for (size_t k = 0; k < count; k++)
                sum += roots[i][k] * roots[j][k];
            matrix[i * STRIDE + j] = factor[i * STRIDE + j] = sum;
        }
    for (size_t i = 0; i < MOST * MOST; i++)
        inverse[i] = -7;
}

static double at(const double *triangle, size_t stride, size_t i, size_t j)
{
    return i < j ? triangle[j * stride + i] : triangle[i * stride + j];
}

/* Sizes at the ends of panels and strips, and between them. */
static void multiplied(void)
{
    static const size_t counts[] = {0, 1, 2, 3, 4, 5, 15, 16, 17, 20, 31, 32, 33, 49, 64, 81, MOST};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        size_t count = counts[k];
        double worst = 0, apart = 0, outside = 0;
        fill(count);
        CU_ASSERT_FATAL(cholesky_factor(factor, STRIDE, count, inverse));
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; j < STRIDE; j++) {
                double sum = 0, product = 0;
                for (size_t r = 0; r <= j && j <= i; r++)
                    sum += factor[i * STRIDE + r] * factor[j * STRIDE + r];
                for (size_t r = 0; r < count && j < count; r++)
                    product += at(matrix, STRIDE, i, r) * at(inverse, count, r, j);
                if (j <= i)
                    worst = fmax(worst, fabs(sum - matrix[i * STRIDE + j]));
                else
                    outside = fmax(outside, fabs(factor[i * STRIDE + j] + 7));
                if (j < count)
                    apart = fmax(apart, fabs(product - (i == j)));
                if (j > i && j < count)
                    outside = fmax(outside, fabs(inverse[i * count + j] + 7));
            }
        CU_ASSERT(worst < 1e-12);
        CU_ASSERT(apart < 1e-11);
        CU_ASSERT_EQUAL(outside, 0);
        fill(count);
        CU_ASSERT(cholesky_factor(factor, STRIDE, count, NULL));
        CU_ASSERT(count == 0 || fabs(factor[0] * factor[0] - matrix[0]) < 1e-12);
    }
}

/* A pivot that is 0, negative or NaN, anywhere: no factor. */
static void not_positive(void)
{
    static const size_t places[] = {0, 1, 3, 4, 15, 16, 40, 69};
    static const double values[] = {-1, 0, NAN};
    for (size_t p = 0; p < sizeof places / sizeof *places; p++)
        for (size_t v = 0; v < 3; v++) {
            fill(70);
            factor[places[p] * STRIDE + places[p]] = values[v];
            CU_ASSERT_FALSE(cholesky_factor(factor, STRIDE, 70, inverse));
        }
}

CU_TestInfo tests_cholesky[] = {{"factor and inverse multiplied", multiplied},
                                {"no factor of a matrix that is not positive definite", not_positive},
                                CU_TEST_INFO_NULL};
