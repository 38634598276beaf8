/* The rows of a selection and how their texts are read, shared by selection.h, which chooses among rows, and
 * portable.h, which adds some. */
#ifndef CUTUNE_DB_SELECTION_ROW_H
#define CUTUNE_DB_SELECTION_ROW_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/pairs.h"
#include "choose/choose.h"
#include "database/database.h"
#include "sizes/size_fit.h"

/* A known time besides those of the rows, from a journal. Borrowed until selection_build returns. */
struct selection_time {
    const char *device, *problem, *configuration;
    double value;
};

/* Rows of the database in its order. Then the configurations of its fits over sizes, a row each. Then, for every
 * combination of sizes that two devices or more have measured, the configuration that most of them have measured; of
 * several, the one with the least sum of time / best time on its device. The default is last. */
struct selection_row {
    const struct best *best;         /* NULL: the row belongs to no device */
    int kind;                        /* 0, CHOOSE_IS_FIT, CHOOSE_IS_COMMON or CHOOSE_IS_DEFAULT */
    const struct selection_fit *fit; /* NULL: the row is of no fit */
    const char *device;              /* "" if none */
    int cc, sm_count;                /* 0 if unknown */
    long long l2_bytes;              /* 0 if unknown */
    const struct pairs *sizes,
        *configuration; /* in the order of the newest row, all of them; rows of a fit and the default have no sizes */
    const long double *numbers; /* the sizes; NULL: none */
    const char *text;           /* "TILE=64 BLOCK_ROWS=8", in this order */
    size_t devices;             /* common row: how many devices have measured it */
    double relative;            /* and the mean of its time / best time over them */
    const char *requirement;    /* where it is valid (selection_condition.h); NULL: unknown */
    struct {
        const struct size_condition *condition; /* on the problem sizes, then the limits; NULL: always */
        uint64_t limits;                        /* bit l: it names limit_rows[l] */
    } sized, unsized; /* the parts of the requirement that name a size, and those that name limits alone */
};

/* A fit over sizes, whose rows are those from `first` on. */
struct selection_fit {
    struct size_fit fit;
    size_t first;
    unsigned sizes[SIZE_FIT_SIZES_MAX]; /* its sizes' numbers in the selection's order */
};

struct selection {
    struct arena arena;
    const char *kernel;
    const struct pairs *sizes, *parameters; /* names and order of the newest row; the values of `sizes` mean nothing */
    size_t row_count, fit_count;
    const struct selection_row *rows;
    struct selection_fit **fits; /* in the order of their rows */
    size_t newest;               /* row with the latest date, which describes the current space */
};

/* Reads `length` characters, which no digit follows: a finite number in C's notation and nothing else. 64-bit integers
 * are exact; larger ones are rejected. */
bool selection_number(const char *text, size_t length, long double *number);

/* Reads NAME=VALUE pairs into memory of the selection. `first`: NULL, or the pairs whose names these must share; they
 * are reordered to match, and *same tells whether the names agree. Errors are those of pairs_read. */
int selection_pairs(struct selection *selection, const char *text, const struct pairs *first,
                    const struct pairs **result, bool *same, struct error *error);

#endif
