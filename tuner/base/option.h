/* Option tables: one row per option drives parsing, bounds, defaults, --help and the README. */
#ifndef CUTUNE_BASE_OPTION_H
#define CUTUNE_BASE_OPTION_H

#include <stddef.h>

#include "base/error.h"

enum option_type {
    OPTION_FLAG,   /* bool; takes no argument */
    OPTION_INT,    /* int64_t within min..max */
    OPTION_REAL,   /* double within min..max */
    OPTION_TEXT,   /* const char *, borrowed from the command line */
    OPTION_CHOICE, /* const char *, one of `choices` */
    OPTION_LIST    /* struct option_list; may be given more than once */
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
    size_t offset;        /* of the value in the command's options struct */
    double min, max;      /* OPTION_INT and OPTION_REAL, both included */
    const char *choices;  /* OPTION_CHOICE: "text|csv|json" */
    const char *default_; /* default, in the form that is typed; NULL: zero or absent */
    const char *help;     /* one sentence, lower case, no final stop */
};

/* Stores every row's default into `values`. */
int option_defaults(const struct option_row *rows, size_t count, void *values, struct error *error);

/* Parses `argument` (NULL for a flag) into the row's field of `values`. A wrong one is ERROR_USAGE that names the
 * option, what was given and what is allowed. */
int option_set(const struct option_row *row, void *values, const char *argument, struct error *error);

#endif
