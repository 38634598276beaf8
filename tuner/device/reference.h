/* The reference's results, and the accept kernel. */
#ifndef CUTUNE_DEVICE_REFERENCE_H
#define CUTUNE_DEVICE_REFERENCE_H

#include "base/error.h"

struct gpu;
struct gpu_kernel;

/* Reads the expected results that files contain. Runs a loaded and attached reference, if any, twice over different
 * poison, and keeps its outputs. `who`: begins messages. */
int gpu_reference(struct gpu *gpu, struct gpu_kernel *reference, const char *who, struct error *error);
/* Loads *gpu->accept, if any. Checks that it finds faults in unwritten results and writes nothing itself. */
int gpu_open_accept(struct gpu *gpu, struct error *error);

#endif
