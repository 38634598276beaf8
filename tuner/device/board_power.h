/* The power that the board draws while a kernel runs. */
#ifndef CUTUNE_DEVICE_BOARD_POWER_H
#define CUTUNE_DEVICE_BOARD_POWER_H

#include <stdint.h>

#include "base/measurement.h"

struct gpu;
struct gpu_kernel;

/* Repeats the runs of a kernel that was timed, for gpu->sampling.power_ns, and sets measurement->power_w. It stays NaN
 * if that time is 0, without NVML's energy counter, and for a library or a kernel with a loop `until`. Runs follow each
 * other without pause: no buffer is restored, and the L2 is not flushed. A failure becomes the measurement's status. */
void gpu_measure_power(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement);

/* Most time that measuring takes for struct sampling's power_ns. */
int64_t gpu_power_limit_ns(int64_t power_ns);

#endif
