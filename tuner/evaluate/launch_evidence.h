/* Static evidence about launches, from the launch and the compiled kernels' resources, without a device. */
#ifndef CUTUNE_EVALUATE_LAUNCH_EVIDENCE_H
#define CUTUNE_EVALUATE_LAUNCH_EVIDENCE_H

#include "base/evidence.h"
#include "base/limits.h"
#include "compile/pool.h"
#include "space/space.h"

/* Makes the evidence of each launch statement: the items of EVIDENCE_LAUNCH. `result`: of a successful compilation with
 * SPILLS_OPTION, whose log reports spills. `launches` has room for launch->step_count. */
void launch_evidence(const struct space *space, const struct device_limits *limits, const struct launch *launch,
                     const struct compile_result *result, const struct work_amounts *amounts,
                     struct evidence *launches);

#endif
