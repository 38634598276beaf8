/* The ceilings of copies. */
#ifndef CUTUNE_DEVICE_CEILINGS_H
#define CUTUNE_DEVICE_CEILINGS_H

#include <stdbool.h>

#include "base/error.h"

struct gpu;

/* Measures the best throughput of copies on the device (`copy`) and over the host link (`link`). Sets
 * gpu->calibration.ceilings; ceilings whose buffers do not fit into memory are unknown. */
int gpu_measure_ceilings(struct gpu *gpu, bool copy, bool link, struct error *error);

#endif
