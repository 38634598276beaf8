/* The device's part of the techniques: the rows of space/techniques.def that act on the device. */
#ifndef CUTUNE_DEVICE_TECHNIQUES_H
#define CUTUNE_DEVICE_TECHNIQUES_H

#include "device/gpu.h"

/* A chunk of the data of a launch. */
struct gpu_part {
    uint64_t offset, length;
};

/* The stages of a run of a pipeline. */
enum gpu_stage { STAGE_ALLOCATE, STAGE_IN, STAGE_KERNEL, STAGE_OUT, STAGES };

/* How to run a configuration other than by launches on gpu->stream. May use more memory than the buffers. All functions
 * but `run` may be NULL. */
struct gpu_way {
    /* Called before a verified run. */
    int (*prepare)(struct gpu *gpu, struct gpu_kernel *kernel, struct error *error);
    /* Runs once. The run may continue on gpu->stream after the return. `checked`: it is verified. */
    cudaError_t (*run)(struct gpu *gpu, struct gpu_kernel *kernel, bool checked);
    /* Copies the results of a run into the buffers; after a failed run, the previous contents. */
    int (*collect)(struct gpu *gpu, struct gpu_kernel *kernel, bool failed, struct error *error);
    /* Its part of gpu_restore; called afterwards. */
    cudaError_t (*restore)(struct gpu *gpu, struct gpu_kernel *kernel);
    /* Before each timed run: moves the data to where a run expects it and waits for the device. */
    cudaError_t (*settle)(struct gpu *gpu, struct gpu_kernel *kernel);
    /* Does a run of the launch have that stage? */
    bool (*has_stage)(const struct launch *launch, enum gpu_stage stage);
    /* The same as `run` and `settle` for one stage alone; the results mean nothing. */
    cudaError_t (*run_stage)(struct gpu *gpu, struct gpu_kernel *kernel, enum gpu_stage stage);
    cudaError_t (*settle_stage)(struct gpu *gpu, struct gpu_kernel *kernel, enum gpu_stage stage);
};

/* All functions but `used` may be NULL, and are called only for launches that use the technique. */
struct gpu_technique {
    bool (*used)(const struct launch *launch);
    /* Sets attributes of a kernel that was just loaded. */
    cudaError_t (*load)(struct gpu_kernel *kernel);
    /* Creates what belongs to the kernel; the buffers are filled. A failure sets the measurement's status. */
    void (*attach)(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement);
    void (*detach)(struct gpu_kernel *kernel); /* called even after a failed or missing attach */
    /* Adds to the shape of any launch, which has room for one more attribute. */
    void (*shape)(const struct launch_step *step, cudaLaunchConfig_t *config);
    /* The address of an argument's value that is neither a buffer nor a scalar; NULL: not an argument of this
     * technique. */
    const void *(*argument)(const struct gpu_kernel *kernel, const struct launch_argument *argument,
                            const struct gpu_part *part);
    /* Before and after the kernel's runs: sets and resets state of the device. */
    cudaError_t (*enter)(struct gpu *gpu, struct gpu_kernel *kernel);
    cudaError_t (*leave)(struct gpu *gpu, struct gpu_kernel *kernel);
    const struct gpu_way *way;
};

/* The first way of a technique of the launch; NULL: plain launches. */
const struct gpu_way *gpu_way_of(const struct launch *launch);

cudaError_t gpu_techniques_load(struct gpu_kernel *kernel);
void gpu_techniques_detach(struct gpu_kernel *kernel);
void gpu_techniques_shape(const struct launch_step *step, cudaLaunchConfig_t *config);
const void *gpu_techniques_argument(const struct gpu_kernel *kernel, const struct launch_argument *argument,
                                    const struct gpu_part *part);

#endif
