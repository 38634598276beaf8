/* Numbers that a call gives for arguments of the space. */
#ifndef CUTUNE_PYTHON_NUMBERS_H
#define CUTUNE_PYTHON_NUMBERS_H

#include <cutune.h>

#include "elements.h"

/* The bytes of a floating-point argument. */
union number {
    float single_precision;
    double double_precision;
};

/* True for the types that a call may give: float, double and integers. */
int number_known(const struct element *element);

/* Reads argument `position`, from 0. A floating-point number of any value is written to *number. An integer must be the
 * space's, because sizes decide on the buffers and the grid. Returns 1 if *number replaces the space's value, 0 if the
 * space's serves, or -1 with an exception. */
int number_read(PyObject *object, const struct cutune_argument *argument, const struct element *element,
                const char *kernel, size_t position, union number *number);

#endif
