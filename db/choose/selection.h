/* The known results of one kernel, ready for choosing: parsed rows of the database, the configuration that is fast
 * on all devices, and the default. Read-only once built: any number of threads may choose. */
#ifndef CUTUNE_DB_SELECTION_H
#define CUTUNE_DB_SELECTION_H

#include <stdbool.h>

#include "choose/selection_row.h"

/* The largest compute capability of a row (major * 10 + minor): derived values, such as __CUDA_ARCH__, must fit an
 * int. */
enum { SELECTION_CC_MAX = 9999 };

/* The row with the latest date, the first of equals; `count` is at least 1. */
const struct best *selection_newest(const struct best *const *rows, size_t count);

/* Copies the rows of one kernel that share source and space with the newest, in their order, and returns their
 * number: the others are stale. `fresh` may equal `rows`. */
size_t selection_fresh(const struct best *const *rows, size_t count, const struct best **fresh);

/* Builds from `count` (at least 1) rows of one kernel in the database's order, which must outlive the selection.
 * If the newest has no default, its configuration stands in. ERROR_DATA: rows whose sizes or parameters differ in name,
 * sizes that are not numbers, an impossible compute capability, SM count or L2 size. Ignores times with other names. */
int selection_build(struct selection **selection, const struct best *const *rows, size_t count,
                    const struct selection_time *times, size_t time_count, struct error *error);
/* Builds a selection of the default alone, for a kernel without rows. `described` has the kernel, the objective, the
 * sizes, and the default as its configuration, too. It must outlive the selection. Errors as above. */
int selection_build_default(struct selection **selection, const struct best *described, struct error *error);
void selection_free(struct selection *selection); /* may be NULL */

/* The device that a row is chosen for. */
struct selection_device {
    const char *name; /* NULL: unknown; likewise 0 below */
    int cc, sm_count;
    long long l2_bytes;
    const int64_t *limits; /* by row of limit_rows; LIMIT_UNKNOWN: unknown; NULL: only the members above are known */
};

/* Appends the condition under which a configuration is valid, "" for everywhere. `of_limits`: only the part that
 * names limits, because a fit knows the rest. False: unknown. */
typedef bool selection_requirement(const void *context, const char *configuration, bool of_limits, struct text *text);
/* Replaces the database's conditions of all rows except the default by those of `requirement`. A text that is not a
 * condition on the selection's sizes belongs to another version, and is ignored. The only error is ERROR_MEMORY. */
int selection_require(struct selection *selection, selection_requirement *requirement, const void *context,
                      struct error *error);

/* Chooses the row for a device and one number per size, in the selection's order: the best row that is valid there
 * or whose validity is unknown. Missing limits of the device follow from its compute capability; a row that needs
 * other limits is chosen only for its own device. `excluded` (may be NULL) marks rows to skip. Returns the row's
 * number and the rule that found it; the number of rows and CHOOSE_RULE_NONE if all are excluded. */
size_t selection_choose(const struct selection *selection, const struct selection_device *device,
                        const long double *sizes, const bool *excluded, enum choose_rule *rule);

/* True if the row belongs to a fit over sizes, and a size lies outside of the fit's measured region. */
bool selection_extrapolates(const struct selection *selection, size_t row, const long double *sizes);

/* Returns how much longer a chosen row is expected to take than the best configuration for these sizes, in per cent of
 * the best. It is 0 for CHOOSE_RULE_PROBLEM, the mean loss of a fit within its region, and the mean loss of a common
 * row on the devices that measured these sizes. NaN: unknown. */
double selection_expected_loss(const struct selection *selection, size_t row, enum choose_rule rule,
                               const long double *sizes);

/* True if a row has a negative number for that size, or there is no row. Most sizes are counts; a shift may be
 * negative. */
bool selection_may_be_negative(const struct selection *selection, size_t size);

/* Reads "ROWS=8192 COLS=4096" into one number per size: every size once, in any order. Otherwise ERROR_USAGE, also
 * for a negative size if no row has a negative one. */
int selection_sizes(const struct selection *selection, const char *problem, long double *sizes, struct error *error);

#endif
