/* Permitted ranges of numbers in files. Every number is checked when it is read, so that later code cannot divide by
 * 0 or print a share of -99%. */
#ifndef CUTUNE_BASE_RANGE_H
#define CUTUNE_BASE_RANGE_H

#include <stdbool.h>

#include "base/error.h"

enum range {
#define RANGE(name, least, most, whole, expected) RANGE_##name,
#include "base/ranges.def"
#undef RANGE
};

/* False for NaN, too. */
bool range_has(enum range range, double value);

/* ERROR_DATA for an interval that ends before it begins. NaN (unknown) is allowed. */
int range_check_interval(double low, double high, struct error *error);

/* "a number from 0 to 1" */
const char *range_expected(enum range range);

#endif
