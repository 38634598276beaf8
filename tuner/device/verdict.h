/* Verdicts on the GPU's memory. */
#ifndef CUTUNE_DEVICE_VERDICT_H
#define CUTUNE_DEVICE_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/measurement.h"

struct gpu;
struct gpu_buffer;

/* Returns the verdict behind those of the buffers: the accept kernel's. */
struct gpu_verdict *gpu_accept_verdict(struct gpu *gpu);

int gpu_clear_verdicts(struct gpu *gpu, struct error *error);
/* Waits for the queued checks and reads gpu->judged. */
int gpu_read_verdicts(struct gpu *gpu, struct error *error);

/* Compares an output, whose contents are at `place`. `poisoned`: that memory was poisoned before the run. */
int gpu_queue_compare(struct gpu *gpu, struct gpu_buffer *buffer, const struct gpu_buffer *place, int poisoned,
                      struct error *error);
/* Returns the checksum of all compared elements and accepted outputs, whose contents are at `places`. */
int gpu_sum_results(struct gpu *gpu, const uint32_t *places, uint64_t *sum, struct error *error);

/* Computes the checksums of the inputs before the reference runs, which must not write them either, or those of its
 * results afterwards. */
int gpu_checksum_all(struct gpu *gpu, bool outputs, struct error *error);

/* Judges the buffers after a run: sets the measurement's status and message if an output differs (gpu->notes: the
 * message alone), or if memory was written that must not change. Queues all checks and waits only once, because this
 * runs twice for each configuration. `places` NULL: does not check outputs. Outputs whose expected results are not
 * computed are not checked either. */
int gpu_judge(struct gpu *gpu, const uint32_t *places, struct measurement *measurement, struct error *error);

/* Checks that no run has written outside a buffer; else ERROR_VALUE, "WHO writes outside a buffer: ...". */
int gpu_check_guards(struct gpu *gpu, const char *who, struct error *error);

#endif
