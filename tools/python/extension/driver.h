/* The CUDA driver, loaded when it is first needed. Its functions have the signatures of cuda.h. */
#ifndef CUTUNE_PYTHON_DRIVER_H
#define CUTUNE_PYTHON_DRIVER_H

#include <cuda.h>

struct driver {
#define FUNCTION(name) __typeof__(name) *name;
#include "driver_functions.def"
#undef FUNCTION
};
/* Valid after driver_open. */
extern struct driver driver;

/* Loads and initialises the driver once: the library of $CUTUNE_DRIVER, else libcuda.so.1. Returns 0, or -1 with an
 * exception: cutune.Error NO_DEVICE. */
int driver_open(void);

/* Returns 0 for CUDA_SUCCESS. Otherwise raises cutune.Error DEVICE, "ACTION: CUDA_ERROR_...", and returns -1. */
int driver_check(CUresult result, const char *action);

#endif
