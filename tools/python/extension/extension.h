/* Python's limited API, and errors. */
#ifndef CUTUNE_PYTHON_EXTENSION_H
#define CUTUNE_PYTHON_EXTENSION_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

/* Raises cutune.Error with a code of cutune.h. `hint` may be "". Returns -1. */
int raise_error(int code, const char *hint, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
