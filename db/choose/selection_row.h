/* The rows of a selection and the parsing of their texts, shared by selection.h, which chooses among rows, and
 * portable.h, which adds some. */
#ifndef CUTUNE_DB_SELECTION_ROW_H
#define CUTUNE_DB_SELECTION_ROW_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/pairs.h"
#include "choose/choose.h"
#include "database/database.h"
#include "sizes/size_fit.h"

/* A known time from a journal, in addition to those of the rows. Borrowed until selection_build returns. */
struct selection_time {
    const char *device, *problem, *configuration;
    double value;
};

/* The order of rows: rows of the database in its order, then the configurations of its fits over sizes, a row each.
 * The common rows follow: for every combination of sizes measured by two or more devices, the configuration measured
 * by most of them. A tie goes to the one with the least sum of time / best time on its device. The default is last. */
struct selection_row {
    const struct best *best;         /* NULL: the row belongs to no device */
    int kind;                        /* 0, CHOOSE_IS_FIT, CHOOSE_IS_COMMON or CHOOSE_IS_DEFAULT */
    const struct selection_fit *fit; /* NULL: the row belongs to no fit */
    const char *device;              /* "" if none */
    int cc, sm_count;                /* 0 if unknown */
    long long l2_bytes;              /* 0 if unknown */
    const struct pairs *sizes,
        *configuration;         /* all, in the order of the newest row; rows of a fit and the default have no sizes */
    const long double *numbers; /* the sizes; NULL: none */
    const char *text;           /* "TILE=64 BLOCK_ROWS=8", in this order */
    size_t devices;             /* common row: number of devices that measured it */
    double relative;            /* common row: mean of its time / best time over these devices */
    const char *requirement;    /* condition of its validity (selection_condition.h); NULL: unknown */
    struct {
        const struct size_condition *condition; /* on the problem sizes, followed by the limits; NULL: always */
        uint64_t limits;                        /* bit l: it names limit_rows[l] */
    } sized, unsized; /* the parts of the requirement that name a size, and that name only limits */
};

/* A fit over sizes; `first`: the first of its rows. */
struct selection_fit {
    struct size_fit fit;
    size_t first;
    double quality;                     /* mean best time / time of its choice (selection_fit_mean); NaN: unknown */
    unsigned sizes[SIZE_FIT_SIZES_MAX]; /* its sizes' numbers in the selection's order */
};

struct selection {
    struct arena arena;
    const char *kernel;
    const struct pairs *sizes, *parameters; /* names and order of the newest row; `sizes` has no meaningful values */
    size_t row_count, fit_count;
    const struct selection_row *rows;
    struct selection_fit **fits;  /* in the order of their rows */
    size_t newest;                /* row with the latest date; of selection_build_default, the default */
    const struct best *described; /* that row, or the one in its place: it describes the current space */
};

/* Reads `length` characters, followed by no digit: a finite number in C's notation and nothing else. 64-bit integers
 * are exact; larger ones are rejected. */
bool selection_number(const char *text, size_t length, long double *number);

/* Reads NAME=VALUE pairs into memory of the selection. `first`: NULL, or the pairs whose names these must share;
 * they are reordered to match, and *same is true if the names agree. Errors are those of pairs_read. */
int selection_pairs(struct selection *selection, const char *text, const struct pairs *first,
                    const struct pairs **result, bool *same, struct error *error);

#endif
