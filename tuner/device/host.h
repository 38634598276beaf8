/* Host memory of pipelines. */
#ifndef CUTUNE_DEVICE_HOST_H
#define CUTUNE_DEVICE_HOST_H

#include <cuda_runtime_api.h>
#include <stdbool.h>

struct gpu;
struct launch_pipeline;

/* Allocates missing host memory of a pipeline's kind; *made: true if a region was missing. */
cudaError_t gpu_host_make(struct gpu *gpu, const struct launch_pipeline *pipeline, bool *made);
void gpu_host_free(struct gpu *gpu); /* all of it */

#endif
