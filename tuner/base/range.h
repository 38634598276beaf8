/* What the numbers of files may be: every number that is read is held against its range, so that what computes with
 * them divides by no 0 and prints no share of -99%. */
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

/* ERROR_DATA for an interval that ends before it begins. NaN: unknown, which may be. */
int range_check_interval(double low, double high, struct error *error);

/* "a number from 0 to 1" */
const char *range_expected(enum range range);

#endif
