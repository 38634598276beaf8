/* Errors of many compilations, which share them and end in any order. */
#ifndef CUTUNE_COMMANDS_CHECK_ERRORS_H
#define CUTUNE_COMMANDS_CHECK_ERRORS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct check_errors {
    struct {
        size_t row;   /* the first row with the error, which is its place in the list */
        size_t shown; /* the row whose error it is */
        bool own;     /* that row is of the space's own kernels */
        struct error error;
    } errors[ERROR_LIST_MAX];
    size_t count, total;
};

/* Adds an error of a row once, as the first of the rows has it; `own`: a row of the space's own kernels, of which the
 * first is shown before any other. */
void check_errors_add(struct check_errors *errors, size_t row, bool own, const struct error *error);
/* Adds the errors to the list in the order of the rows, of which there are `rows`. */
void check_errors_give(const struct check_errors *errors, size_t rows, struct error_list *list);

#endif
