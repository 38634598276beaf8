/* The contents of a kernel's device variables, before and after its launches. */
#ifndef CUTUNE_DEVICE_VARIABLES_H
#define CUTUNE_DEVICE_VARIABLES_H

#include <cuda_runtime_api.h>

#include "base/text.h"

struct gpu;
struct gpu_kernel;

/* Appends the contents of all variables that the kernel names, except those that cutune sets. */
cudaError_t gpu_read_variables(struct gpu *gpu, const struct gpu_kernel *kernel, struct text *contents);
/* Returns the first variable whose contents differ between two readings; NULL: none. */
const char *gpu_changed_variable(const struct gpu_kernel *kernel, const struct text *before, const struct text *after);

#endif
