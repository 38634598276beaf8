/* Static evidence about launches: from the launch and the resources of the compiled kernels, without a device. */
#ifndef CUTUNE_EVALUATE_LAUNCH_EVIDENCE_H
#define CUTUNE_EVALUATE_LAUNCH_EVIDENCE_H

#include "base/evidence.h"
#include "base/limits.h"
#include "compile/pool.h"
#include "space/space.h"

/* Makes the evidence of each launch statement, items of EVIDENCE_LAUNCH alone. `result`: of a compilation that worked,
 * with SPILLS_OPTION, whose log reports spills. `launches` has room for launch->step_count. */
void launch_evidence(const struct space *space, const struct device_limits *limits, const struct launch *launch,
                     const struct compile_result *result, const struct work_amounts *amounts,
                     struct evidence *launches);

#endif
