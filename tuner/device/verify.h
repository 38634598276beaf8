/* The verification of one run, and its parts. */
#ifndef CUTUNE_DEVICE_VERIFY_H
#define CUTUNE_DEVICE_VERIFY_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/measurement.h"

struct gpu;
struct gpu_kernel;
struct launch;

/* Fills memory without expected contents before a configuration runs, as NaN or -1: scratch, the outputs that the
 * accept kernel judges, and those whose expected results are not computed. */
enum { GPU_POISON_UNKNOWN = 0xff };

/* Restores inout buffers to their initial contents, and poisons the memory of all other outputs, in a way that their
 * references determine. Fills scratch with `scratch` as gpu_set_scratch does. */
int gpu_prepare_buffers(struct gpu *gpu, const struct launch *launch, const uint32_t *places, int scratch,
                        struct error *error);
/* Runs once and leaves the results in the buffers if the measurement's status stays OK. */
int gpu_run_verified(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement, struct error *error);
/* Lets the accept kernel, if any, judge the results at `places`. Call after gpu_judge, so that writes of the accept
 * kernel are not attributed to the verified kernel. */
int gpu_judge_accepted(struct gpu *gpu, const uint32_t *places, struct measurement *measurement, struct error *error);
/* Judges the results of a run, and sums up those of a finalist if they are right. */
int gpu_judge_run(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement, struct error *error);
/* Prepares the buffers, runs once and judges. */
int gpu_verify_once(struct gpu *gpu, struct gpu_kernel *kernel, int scratch, struct measurement *measurement,
                    struct error *error);

/* Loads and attaches a kernel. False if it cannot be loaded; any failure sets the measurement's status. */
bool gpu_ready(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement);

/* Runs once over poisoned outputs and compares. Sets measurement->status to OK, WRONG_RESULT, LAUNCH_ERROR or CRASHED.
 * Returns an error only if the device or the buffers became unusable for another reason. */
int gpu_verify(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement, struct error *error);
/* Handles the `result` of a call for a kernel. Synchronises the device and records in `measurement` if the kernel was
 * refused (LAUNCH_ERROR, gpu->refusal) or broke the context (CRASHED, gpu->spoiled). `when`: begins the message. A
 * success changes nothing. */
void gpu_note_failure(struct gpu *gpu, cudaError_t result, const char *when, struct measurement *measurement);

#endif
