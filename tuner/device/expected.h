/* Sets of expected results. */
#ifndef CUTUNE_DEVICE_EXPECTED_H
#define CUTUNE_DEVICE_EXPECTED_H

#include <stdint.h>

#include "base/error.h"

struct gpu;

/* Makes gpu->sets[number] the set in use, and computes it unless device memory still holds it. A new set gets memory of
 * its own if enough is free, else that of the least recently used set. ERROR_WORKER for an unknown set, and all errors
 * of gpu_reference and gpu_open_accept, after which no set is in use. No effect after gpu_defer. */
int gpu_expect(struct gpu *gpu, uint32_t number, struct error *error);
/* Call instead of gpu_expect, after the buffers are filled. From then on, results are right if they have the checksum
 * that the kernel has already; if not, it `varies`. Guards and inputs are checked as always. */
int gpu_defer(struct gpu *gpu, struct error *error);

#endif
