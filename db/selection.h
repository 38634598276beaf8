/* What is known of one kernel, ready for choosing: the rows of the database taken apart, and beside them the
 * configuration that serves all devices and the default. Read-only once built: any number of threads may choose. */
#ifndef CUTUNE_DB_SELECTION_H
#define CUTUNE_DB_SELECTION_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/pairs.h"
#include "db/choose.h"
#include "db/database.h"

/* The most that a row's compute capability may be (major * 10 + minor): what is made of it, __CUDA_ARCH__ among that,
 * stays an int. */
enum { SELECTION_CC_MAX = 9999 };

/* A time that is known beside those of the rows: from a journal. Borrowed until selection_build returns. */
struct selection_time {
    const char *device, *problem, *configuration;
    double value;
};

/* Rows of the database in its order; then, for every combination of sizes that two devices or more have measured, the
 * configuration that the most of them have measured and, of these, the one with the least sum of time / best time of
 * that device; then the default. */
struct selection_row {
    const struct best *best; /* NULL: a row of no device */
    int kind;                /* 0, CHOOSE_IS_COMMON or CHOOSE_IS_DEFAULT */
    const char *device;      /* "" */
    int cc, sm_count;        /* 0 */
    long long l2_bytes;      /* 0 */
    const struct pairs *sizes,
        *configuration;         /* in the order of the newest row, all of them. Of the default: no size */
    const long double *numbers; /* the sizes */
    const char *text;           /* "TILE=64 BLOCK_ROWS=8", in this order */
    size_t devices;             /* common: how many have measured it, */
    double relative;            /* and the mean of its time / best time over them */
};

struct selection {
    struct arena arena;
    const char *kernel;
    const struct pairs *sizes, *parameters; /* of the newest row: their names and order */
    size_t row_count;
    const struct selection_row *rows;
    size_t newest; /* the row with the latest date: what it says is what the space says now */
};

/* The row with the latest date, the first of equals; `count` is at least 1. */
const struct best *selection_newest(const struct best *const *rows, size_t count);

/* Writes those of one kernel's rows that are of the same source and space as the newest, in their order, and returns
 * how many: the others are stale. `fresh` may be `rows`. */
size_t selection_fresh(const struct best *const *rows, size_t count, const struct best **fresh);

/* From `count` (at least 1) rows of one kernel in the database's order, which are borrowed while the selection lives.
 * Rows whose sizes or parameters have different names, sizes that are no numbers, a compute capability, SM count or L2
 * size that cannot be one, and a newest row without a default are ERROR_DATA; of the times, those with other names
 * count for nothing. */
int selection_build(struct selection **selection, const struct best *const *rows, size_t count,
                    const struct selection_time *times, size_t time_count, struct error *error);
void selection_free(struct selection *selection); /* may be NULL */

/* The device that a row is chosen for. */
struct selection_device {
    const char *name; /* NULL: unknown, like 0 in what follows */
    int cc, sm_count;
    long long l2_bytes;
};

/* The row for a device and one number per size, in the selection's order. `excluded` (may be NULL) has a true for each
 * row that is out of the question. Returns the row's number and by which rule it was found; the number of rows and
 * CHOOSE_RULE_NONE when all are excluded. */
size_t selection_choose(const struct selection *selection, const struct selection_device *device,
                        const long double *sizes, const bool *excluded, enum choose_rule *rule);

/* Reads a finite number, as C writes it, and nothing else: an integer of 64 bits exactly; a larger one is none. */
bool selection_number(const char *text, long double *number);

/* Whether a row has a number below 0 for that size: a size is a count, as a rule, but a shift is none. */
bool selection_may_be_negative(const struct selection *selection, size_t size);

/* Reads "ROWS=8192 COLS=4096" into one number per size: every size once, in any order. ERROR_USAGE
 * otherwise, and for a size below 0 where none of the rows' is. */
int selection_sizes(const struct selection *selection, const char *problem, long double *sizes, struct error *error);

#endif
