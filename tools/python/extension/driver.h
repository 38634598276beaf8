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

/* A change of the current context. */
struct driver_scope {
    int pushed;
    int primary; /* the given primary context is current */
};

/* Makes a context of the device current: that which is, if it is one, else the primary one. driver_leave ends this,
 * also after an error. */
CUresult driver_enter(CUcontext primary, CUdevice device, struct driver_scope *scope);
void driver_leave(const struct driver_scope *scope);

#endif
