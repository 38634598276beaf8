/* Judges a compiled configuration before it is measured: if its launches can run on the device, and their resources. */
#ifndef CUTUNE_EVALUATE_PRUNE_H
#define CUTUNE_EVALUATE_PRUNE_H

#include "compile/pool.h"
#include "space/space.h"

/* Sets the measurement's status and reason: OK; the compilation's failure; COMPILE_ERROR for arguments that do not suit
 * the kernel; PRUNED_LIMIT if no block of a launch can run; PRUNED_OCCUPANCY below `min_occupancy` (0 to 1). Sets
 * registers, shared and local bytes, occupancy and, with several kernels, the kernel: those of the launch that causes
 * the status, or of the one with the lowest occupancy. `launch`: the configuration's, compiled to `result`. */
void prune_compiled(const struct space *space, const struct device_limits *limits, const struct launch *launch,
                    const struct compile_result *result, double min_occupancy, struct measurement *measurement);

#endif
