/* The times of a pipeline's stages. */
#ifndef CUTUNE_DEVICE_STAGES_H
#define CUTUNE_DEVICE_STAGES_H

#include <cuda_runtime_api.h>

#include "base/evidence.h"

struct gpu;
struct gpu_kernel;

/* Measures the median times of the stages of a pipeline, between gpu_enter and gpu_leave: the items of EVIDENCE_STAGE.
 * An error leaves the context in an unknown state. */
cudaError_t gpu_time_stages(struct gpu *gpu, struct gpu_kernel *kernel, struct evidence *evidence);

#endif
