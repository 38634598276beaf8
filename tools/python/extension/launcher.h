/* cutune._launch.Launcher: a loaded kernel as a callable of Python. */
#ifndef CUTUNE_PYTHON_LAUNCHER_H
#define CUTUNE_PYTHON_LAUNCHER_H

#include "extension.h"

/* A new reference to the type; NULL with an exception. */
PyObject *launcher_type(void);

#endif
