/* Option tables: one row per option defines parsing, bounds, default, --help and documentation. */
#ifndef CUTUNE_BASE_OPTION_H
#define CUTUNE_BASE_OPTION_H

#include <stddef.h>

#include "base/error.h"

enum option_type {
    OPTION_FLAG,   /* bool; takes no argument */
    OPTION_INT,    /* int64_t within min..max */
    OPTION_REAL,   /* double within min..max */
    OPTION_TIME,   /* double: seconds within min..max, or a number of s, m or h, as in 10m */
    OPTION_TEXT,   /* const char *, borrowed from the command line */
    OPTION_CHOICE, /* const char *, one of `choices` */
    OPTION_LIST    /* struct option_list; may be repeated */
};

enum { OPTION_LIST_MAX = 64 };
struct option_list {
    size_t count;
    const char *items[OPTION_LIST_MAX]; /* borrowed from the command line */
};

struct option_row {
    const char *name;     /* "max-evals", without dashes */
    char short_name;      /* 'D' for -D; 0: none */
    const char *argument; /* "N" in --max-evals=N; NULL for a flag */
    enum option_type type;
    size_t offset;        /* of the value in the struct of options */
    double min, max;      /* OPTION_INT, OPTION_REAL and OPTION_TIME, both inclusive */
    const char *choices;  /* OPTION_CHOICE: "text|csv|json" */
    const char *default_; /* default as typed; NULL: zero or absent */
    const char *values;   /* of shell completion: a choice of `cutune completion --values`; NULL: see the others */
    const char *help;     /* one sentence, lower case, no full stop */
};

/* Stores the default of every row into `values`. */
int option_defaults(const struct option_row *rows, size_t count, void *values, struct error *error);

/* Parses `argument` (NULL for a flag) into the row's field of `values`. ERROR_USAGE for an invalid argument; the
 * message names the option, the argument and the allowed values. */
int option_set(const struct option_row *row, void *values, const char *argument, struct error *error);

#endif
