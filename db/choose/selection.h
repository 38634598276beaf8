/* The known results of one kernel, ready for choosing: parsed rows of the database, the configuration that serves all
 * devices, and the default. Read-only once built: any number of threads may choose. */
#ifndef CUTUNE_DB_SELECTION_H
#define CUTUNE_DB_SELECTION_H

#include <stdbool.h>

#include "choose/selection_row.h"

/* Largest compute capability of a row (major * 10 + minor): values derived from it, such as __CUDA_ARCH__, stay within
 * an int. */
enum { SELECTION_CC_MAX = 9999 };

/* The row with the latest date, the first of equals; `count` is at least 1. */
const struct best *selection_newest(const struct best *const *rows, size_t count);

/* Copies the rows of one kernel that share source and space with the newest, in their order, and returns how many: the
 * others are stale. `fresh` may equal `rows`. */
size_t selection_fresh(const struct best *const *rows, size_t count, const struct best **fresh);

/* Builds from `count` (at least 1) rows of one kernel in the database's order, which must outlive the selection.
 * ERROR_DATA: rows whose sizes or parameters differ in name, sizes that are not numbers, an impossible compute
 * capability, SM count or L2 size, a newest row without a default. Ignores times with other names. */
int selection_build(struct selection **selection, const struct best *const *rows, size_t count,
                    const struct selection_time *times, size_t time_count, struct error *error);
void selection_free(struct selection *selection); /* may be NULL */

/* The device that a row is chosen for. */
struct selection_device {
    const char *name; /* NULL: unknown, as 0 is below */
    int cc, sm_count;
    long long l2_bytes;
    const int64_t
        *limits; /* by row of limit_rows: all that are known, LIMIT_UNKNOWN for others; NULL: the above alone */
};

/* Appends where a configuration is valid, "" for everywhere; `of_limits`: only what names limits, as a fit knows the
 * rest. False: not known. */
typedef bool selection_requirement(const void *context, const char *configuration, bool of_limits, struct text *text);
/* Asks that of all rows but the default, in place of what the database says. What cannot be read as a condition on the
 * selection's sizes is of another version, and ignored. The only error is ERROR_MEMORY. */
int selection_require(struct selection *selection, selection_requirement *requirement, const void *context,
                      struct error *error);

/* The row for a device and one number per size, in the selection's order: the best of those that are valid there or are
 * not known not to be. Limits that the device does not say follow from its compute capability; a row that needs others
 * is not chosen for another device than its own. `excluded` (may be NULL) marks rows not to choose. Returns the row's
 * number and the rule that found it; the number of rows and CHOOSE_RULE_NONE if all are excluded. */
size_t selection_choose(const struct selection *selection, const struct selection_device *device,
                        const long double *sizes, const bool *excluded, enum choose_rule *rule);

/* Whether that row is of a fit over sizes, and one of the sizes lies outside of those that the fit has measured. */
bool selection_extrapolates(const struct selection *selection, size_t row, const long double *sizes);

/* Whether a row has a negative number for that size. Most sizes are counts; a shift may be negative. */
bool selection_may_be_negative(const struct selection *selection, size_t size);

/* Reads "ROWS=8192 COLS=4096" into one number per size: every size once, in any order. Otherwise ERROR_USAGE, also for
 * a negative size if no row has one. */
int selection_sizes(const struct selection *selection, const char *problem, long double *sizes, struct error *error);

#endif
