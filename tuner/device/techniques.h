/* Before each timed run: moves the data to where a run expects it and waits for the device. `context` is the kernel. */
#ifndef CUTUNE_DEVICE_TECHNIQUES_H
#define CUTUNE_DEVICE_TECHNIQUES_H

#include "device/gpu.h"

/* A chunk of what a launch works on. */
struct gpu_part {
    uint64_t offset, length;
};

/* How a kernel is run, instead of by one launch on gpu->stream. It may take more memory than the buffers. */
struct gpu_way {
    /* Before a run that is verified. */
    int (*prepare)(struct gpu *gpu, struct gpu_kernel *kernel, struct error *error);
    /* One run, queued or over when it returns, what is left of it on gpu->stream. `checked`: it is verified. */
    cudaError_t (*run)(struct gpu *gpu, struct gpu_kernel *kernel, bool checked);
    /* NULL: this text itself */
    int (*collect)(struct gpu *gpu, struct gpu_kernel *kernel, bool failed, struct error *error);
    /* Its part of gpu_restore, behind it. */
    cudaError_t (*restore)(struct gpu *gpu, struct gpu_kernel *kernel);
    /* Before each timed run: the data is where a run begins, and the device is idle. */
    cudaError_t (*settle)(struct gpu *gpu, struct gpu_kernel *kernel);
};

/* Functions may be NULL, but for `used`. The others are called for launches that use the technique. */
struct gpu_technique {
    bool (*used)(const struct launch *launch);
    /* Sets what belongs to a kernel that was just loaded. */
    cudaError_t (*load)(struct gpu_kernel *kernel);
    /* Once the buffers are filled: makes what belongs to the kernel. What cannot be becomes the measurement's status.
     */
    void (*attach)(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement);
    void (*detach)(struct gpu_kernel *kernel); /* also after an attach that failed, or none */
    /* Adds to the shape of a launch. There is room for one more of its attributes. */
    void (*shape)(const struct launch *launch, cudaLaunchConfig_t *config);
    /* Where the value of an argument is that is neither a buffer nor a scalar; NULL: it is none of this technique's. */
    const void *(*argument)(const struct gpu_kernel *kernel, const struct launch_argument *argument,
                            const struct gpu_part *part);
    /* Before the kernel's runs and behind them: what is set on the device, and how it is undone. */
    cudaError_t (*enter)(struct gpu *gpu, struct gpu_kernel *kernel);
    cudaError_t (*leave)(struct gpu *gpu, const struct gpu_kernel *kernel);
    const struct gpu_way *way;
};

/* The first way that a technique of the launch has; NULL: it is a plain one. */
const struct gpu_way *gpu_way_of(const struct launch *launch);

cudaError_t gpu_techniques_load(struct gpu_kernel *kernel);
void gpu_techniques_detach(struct gpu_kernel *kernel);
void gpu_techniques_shape(const struct launch *launch, cudaLaunchConfig_t *config);
const void *gpu_techniques_argument(const struct gpu_kernel *kernel, const struct launch_argument *argument,
                                    const struct gpu_part *part);

/* A failed call becomes STATUS_LAUNCH_ERROR; "`what` 'NAME': CUDA's words". */
void gpu_refuse(struct gpu *gpu, cudaError_t result, struct measurement *measurement, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
