/* Evidence about machine code, if the toolkit can disassemble it. */
#ifndef CUTUNE_EVALUATE_CODE_EVIDENCE_H
#define CUTUNE_EVALUATE_CODE_EVIDENCE_H

#include "base/evidence.h"
#include "base/worker.h"
#include "compile/pool.h"
#include "space/space.h"

/* Sets the items of EVIDENCE_CODE of each launch statement; they stay unknown if nvdisasm is missing or fails.
 * `result`: of a successful compilation. `launches` has launch->step_count items. */
void code_evidence(const struct launch *launch, const struct compile_result *result, struct evidence *launches);

/* Collects the same in a child process, because nvdisasm is slow; several may run at once. `worker` is zeroed. If no
 * process starts, the items stay unknown. */
void code_evidence_begin(struct worker *worker, const struct launch *launch, const struct compile_result *result);
/* Waits for the process and adds its findings. worker_stop abandons them instead. */
void code_evidence_end(struct worker *worker, const struct launch *launch, struct evidence *launches);

#endif
