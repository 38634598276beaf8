/* Loading and launching kernels. */
#ifndef CUTUNE_DEVICE_LAUNCH_H
#define CUTUNE_DEVICE_LAUNCH_H

#include <cuda_runtime_api.h>
#include <stdint.h>

#include "base/measurement.h"
#include "device/gpu.h"
#include "device/techniques.h"

/* Loads a function's code, and raises *local_bytes to the bytes of its local memory. The driver would else load it at
 * its first launch, and wait for all work before it, even for a held stream (CUDA programming guide, "Lazy Loading").
 * Returns CUDA's error. */
cudaError_t gpu_load_code(cudaKernel_t function, int64_t *local_bytes);
/* Loads the kernels and their code from their cubin, opts in to their dynamic shared memory and sets the carve-out.
 * Returns CUDA's error. */
cudaError_t gpu_load(struct gpu_kernel *kernel);
void gpu_unload(struct gpu_kernel *kernel);
/* Sets the size of resident grids, checks that all blocks of cooperative ones run at once, creates its textures
 * and tensor maps, sets its variables, and checks that its clusters fit. The buffers must be filled. A
 * failure sets the measurement's status. */
void gpu_attach(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement);
/* Queues one run, as a technique defines it or with all its launches, with the buffers as arguments. */
cudaError_t gpu_launch(struct gpu *gpu, struct gpu_kernel *kernel);
/* The buffers' addresses for a launch. */
struct gpu_places {
    unsigned char *data[GPU_BUFFERS_MAX];
};
struct gpu_places gpu_own_places(const struct gpu *gpu);
/* Returns the address of an argument's value, of space_argument_bytes. An address of a buffer is written to *pointer
 * first. */
const void *gpu_argument_value(struct gpu_kernel *kernel, const struct launch_argument *argument,
                               const struct gpu_places *places, const struct gpu_part *part,
                               const unsigned char **pointer);
/* Returns the configuration of a launch. Techniques append to `attributes`. */
enum { GPU_ATTRIBUTES_MAX = TECHNIQUE_COUNT + 2 };
cudaLaunchConfig_t gpu_configure(const struct launch_step *step, cudaStream_t stream,
                                 cudaLaunchAttribute attributes[GPU_ATTRIBUTES_MAX]);
/* Returns the function of a step, for CUDA's calls. */
const void *gpu_function(const struct gpu_kernel *kernel, const struct launch_step *step);
/* Queues all launches of a run, whose buffers are at `places`. If a loop ends by a condition, waits for each of its
 * rounds; sets gpu->endless and returns an error if the condition never holds. */
cudaError_t gpu_launch_steps(struct gpu *gpu, struct gpu_kernel *kernel, struct gpu_places places);
/* Finds where the contents of the buffers are after a run: the last one, if only a run can tell. */
void gpu_places_after(const struct gpu *gpu, const struct gpu_kernel *kernel, uint32_t *places);
/* Queues the only launch for one chunk. */
cudaError_t gpu_launch_part(struct gpu_kernel *kernel, const struct gpu_places *places, cudaStream_t stream,
                            uint64_t offset, uint64_t length);

#endif
