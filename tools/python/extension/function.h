/* cutune._launch.Function: machine code as a function of a grid, arguments and a stream. */
#ifndef CUTUNE_PYTHON_FUNCTION_H
#define CUTUNE_PYTHON_FUNCTION_H

#include "extension.h"

/* A new reference to the type; NULL with an exception. */
PyObject *function_type(void);

#endif
