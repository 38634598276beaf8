/* Evidence about machine code, where the toolkit can disassemble it. */
#ifndef CUTUNE_EVALUATE_CODE_EVIDENCE_H
#define CUTUNE_EVALUATE_CODE_EVIDENCE_H

#include "base/evidence.h"
#include "compile/pool.h"
#include "space/space.h"

/* Sets the items of EVIDENCE_CODE of each launch statement; they stay unknown without nvdisasm, or where it fails.
 * `result`: of a compilation that worked. `launches` has launch->step_count. */
void code_evidence(const struct launch *launch, const struct compile_result *result, struct evidence *launches);

#endif
