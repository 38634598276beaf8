/* The ceilings of the roofline. */
#ifndef CUTUNE_DEVICE_ROOFLINE_H
#define CUTUNE_DEVICE_ROOFLINE_H

#include "base/error.h"
#include "base/limits.h"

struct gpu;

/* Measures the ceilings with kernels compiled from device_roofline_source. Ceilings that need more memory or a unit
 * that the device lacks stay unknown. */
int gpu_measure_roofline(struct gpu *gpu, const void *cubin, struct roofline *roofline, struct error *error);

#endif
