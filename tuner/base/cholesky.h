/* Factor and inverse of a symmetric positive definite matrix, given and returned as a lower triangle by rows, `stride`
 * apart. Sums have the same order on every machine, so that results are the same with and without wide vectors. */
#ifndef CUTUNE_BASE_CHOLESKY_H
#define CUTUNE_BASE_CHOLESKY_H

#include <stdbool.h>
#include <stddef.h>

/* Replaces the matrix by its Cholesky factor, and writes that of its inverse, if not NULL, `count` apart. False if it
 * is not positive definite or memory is out. */
bool cholesky_factor(double *matrix, size_t stride, size_t count, double *inverse);

#endif
