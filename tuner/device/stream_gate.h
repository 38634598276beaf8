/* Holds the stream while work is queued, so that host latency does not separate launches. */
#ifndef CUTUNE_DEVICE_STREAM_GATE_H
#define CUTUNE_DEVICE_STREAM_GATE_H

#include <cuda_runtime_api.h>

#include "base/error.h"

struct gpu;

int gpu_open_gate(struct gpu *gpu, struct error *error);
/* Queues a wait for gpu_release. The wait times out, because queueing itself may wait for the device if its queue is
 * full or a kernel must still be loaded. */
cudaError_t gpu_close_gate(struct gpu *gpu);
void gpu_release(struct gpu *gpu);

#endif
