/* A command that judges outputs on the host: `accept command`. */
#ifndef CUTUNE_DEVICE_ACCEPT_COMMAND_H
#define CUTUNE_DEVICE_ACCEPT_COMMAND_H

#include <stdint.h>

#include "base/error.h"
#include "base/measurement.h"

struct gpu;
struct gpu_kernel;

/* Lets the command, if any, judge the results at `places`: sets WRONG_RESULT, with its last line, if it does not end
 * with exit status 0. Results with the checksum of those that it has accepted for this kernel are not judged again. No
 * effect if the measurement has failed. ERROR_IO if the outputs cannot be written, ERROR_WORKER without a process. */
int gpu_judge_by_command(struct gpu *gpu, struct gpu_kernel *kernel, const uint32_t *places,
                         struct measurement *measurement, struct error *error);

#endif
