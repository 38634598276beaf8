/* Errors of many compilations, which share them and end in any order. */
#ifndef CUTUNE_COMMANDS_CHECK_ERRORS_H
#define CUTUNE_COMMANDS_CHECK_ERRORS_H

#include <stddef.h>

#include "base/error.h"

struct check_errors {
    struct {
        size_t row; /* the first row with the error */
        struct error error;
    } errors[ERROR_LIST_MAX];
    size_t count, total;
};

/* Adds an error of a row once. */
void check_errors_add(struct check_errors *errors, size_t row, const struct error *error);
/* Adds the errors to the list in the order of the rows, of which there are `rows`. */
void check_errors_give(const struct check_errors *errors, size_t rows, struct error_list *list);

#endif
