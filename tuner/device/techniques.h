/* The device's part of the techniques: the rows of space/technique/techniques.def that act on the device. */
#ifndef CUTUNE_DEVICE_TECHNIQUES_H
#define CUTUNE_DEVICE_TECHNIQUES_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/measurement.h"
#include "space/space.h"

struct gpu;
struct gpu_kernel;

/* A chunk of the data of a launch. */
struct gpu_part {
    uint64_t offset, length;
};

/* The stages of a run of a pipeline. */
enum gpu_stage { STAGE_ALLOCATE, STAGE_IN, STAGE_KERNEL, STAGE_OUT, STAGES };

/* A way to run a configuration other than by launches on gpu->stream. It may use memory besides the buffers. All
 * functions but `run` may be NULL. */
struct gpu_way {
    /* Called before a verified run. */
    int (*prepare)(struct gpu *gpu, struct gpu_kernel *kernel, struct error *error);
    /* Runs once. The run may continue on gpu->stream after the return. `checked`: the run is verified. */
    cudaError_t (*run)(struct gpu *gpu, struct gpu_kernel *kernel, bool checked);
    /* Copies the results of a run into the buffers; after a failed run, the previous contents. */
    int (*collect)(struct gpu *gpu, struct gpu_kernel *kernel, bool failed, struct error *error);
    /* The way's part of gpu_restore, called after it. */
    cudaError_t (*restore)(struct gpu *gpu, struct gpu_kernel *kernel);
    /* Moves the data to where a run expects it, and waits for the device. Called before each timed run. */
    cudaError_t (*settle)(struct gpu *gpu, struct gpu_kernel *kernel);
    /* True if a run of the launch has the stage. */
    bool (*has_stage)(const struct launch *launch, enum gpu_stage stage);
    /* Like `run` and `settle`, for one stage alone; the results are meaningless. */
    cudaError_t (*run_stage)(struct gpu *gpu, struct gpu_kernel *kernel, enum gpu_stage stage);
    cudaError_t (*settle_stage)(struct gpu *gpu, struct gpu_kernel *kernel, enum gpu_stage stage);
};

/* All functions but `used` may be NULL, and are called only for launches that use the technique. */
struct gpu_technique {
    bool (*used)(const struct launch *launch);
    /* Sets attributes of a newly loaded kernel. */
    cudaError_t (*load)(struct gpu_kernel *kernel);
    /* Creates the kernel's objects; the buffers are filled. A failure sets the measurement's status. */
    void (*attach)(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement);
    void (*detach)(struct gpu_kernel *kernel); /* called even after a failed or missing attach */
    /* Queues the repair of all that a run may have changed besides buffers. Called before each run, behind the repair
     * of the buffers. `checked`: the run is verified. */
    cudaError_t (*restore)(struct gpu *gpu, struct gpu_kernel *kernel, bool checked);
    /* Queues copies of the results that a run has left outside the buffers into them. Called before they are judged. */
    cudaError_t (*collect)(struct gpu *gpu, struct gpu_kernel *kernel);
    /* Extends the configuration of any launch, which has room for an attribute. */
    void (*shape)(const struct launch_step *step, cudaLaunchConfig_t *config);
    /* Returns the address of an argument's value that is neither a buffer nor a scalar; NULL: another technique's
     * argument. */
    const void *(*argument)(const struct gpu_kernel *kernel, const struct launch_argument *argument,
                            const struct gpu_part *part);
    /* Set and reset the device's state before and after the kernel's runs. */
    cudaError_t (*enter)(struct gpu *gpu, struct gpu_kernel *kernel);
    cudaError_t (*leave)(struct gpu *gpu, struct gpu_kernel *kernel);
    const struct gpu_way *way;
};

/* Returns the way of the launch's first technique that has one; NULL: plain launches. */
const struct gpu_way *gpu_way_of(const struct launch *launch);

cudaError_t gpu_techniques_load(struct gpu_kernel *kernel);
void gpu_techniques_attach(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement);
void gpu_techniques_detach(struct gpu_kernel *kernel);
cudaError_t gpu_techniques_restore(struct gpu *gpu, struct gpu_kernel *kernel, bool checked);
cudaError_t gpu_techniques_collect(struct gpu *gpu, struct gpu_kernel *kernel);
void gpu_techniques_shape(const struct launch_step *step, cudaLaunchConfig_t *config);
const void *gpu_techniques_argument(const struct gpu_kernel *kernel, const struct launch_argument *argument,
                                    const struct gpu_part *part);

/* Make and undo a configuration's settings of the device for its runs (L2 window, memory pool). */
cudaError_t gpu_enter(struct gpu *gpu, struct gpu_kernel *kernel);
cudaError_t gpu_leave(struct gpu *gpu, struct gpu_kernel *kernel);

#endif
