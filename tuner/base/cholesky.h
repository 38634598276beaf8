/* Factor and inverse of a symmetric positive definite matrix, both stored as a lower triangle of rows that are
 * `stride` apart. Sums have the same order on every machine, so results do not depend on the width of its vectors. */
#ifndef CUTUNE_BASE_CHOLESKY_H
#define CUTUNE_BASE_CHOLESKY_H

#include <stdbool.h>
#include <stddef.h>

/* Replaces the matrix by its Cholesky factor; unless `inverse` is NULL, writes the factor's inverse with rows
 * `count` apart. False if the matrix is not positive definite, or out of memory. */
bool cholesky_factor(double *matrix, size_t stride, size_t count, double *inverse);

#endif
