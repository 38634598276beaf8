/* The contents of buffers. */
#ifndef CUTUNE_DEVICE_FILL_H
#define CUTUNE_DEVICE_FILL_H

#include "base/error.h"

struct gpu;

/* Fills inputs, guards and inout buffers. */
int gpu_fill_all(struct gpu *gpu, struct error *error);

#endif
