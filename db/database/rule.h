/* The rule by which one of several rows of a key stays, the same for a run that saves its result and for merging.
 *
 * 1. Rows of the same source, space, data and options answer one question. The question that was tuned latest stays.
 * 2. Its rows of the newest tools stay: newer NVRTC, then CUDA version, then driver.
 * 3. The newest row of each configuration stays: its figures are fresh. A fit is refreshed by any later fit.
 * 4. The fastest and all that are not measurably slower are tied: their intervals meet. The earliest of them stays.
 *
 * Equal dates are decided by the rows' texts. The functions below have the rules 3 and 4. */
#ifndef CUTUNE_DATABASE_RULE_H
#define CUTUNE_DATABASE_RULE_H

#include "database/database.h"

/* True if the interval of `a` ends before that of `b` begins. A value without an interval is its own interval; a row
 * without a value is the slowest. False for different objectives, or one that this version does not know. */
bool rule_faster(const struct best *a, const struct best *b);

/* True if the later one of two rows only has fresh figures: they have the same configuration, or both are fits. */
bool rule_refreshes(const struct best *a, const struct best *b);

/* Orders by date, then by text. Negative: `a` is earlier. 0: all columns are equal. */
int rule_compare_dates(const struct best *a, const struct best *b);

/* Returns the number of the row that stays among `count` (at least 1) rows of one key and question, from equally new
 * tools; of equal ones, the last. */
size_t rule_choose(const struct best *const *rows, size_t count);

#endif
