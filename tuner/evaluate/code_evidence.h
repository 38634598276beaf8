/* Evidence about machine code, where the toolkit can disassemble it. */
#ifndef CUTUNE_EVALUATE_CODE_EVIDENCE_H
#define CUTUNE_EVALUATE_CODE_EVIDENCE_H

#include "base/evidence.h"
#include "base/worker.h"
#include "compile/pool.h"
#include "space/space.h"

/* Sets the items of EVIDENCE_CODE of each launch statement; they stay unknown without nvdisasm, or where it fails.
 * `result`: of a compilation that worked. `launches` has launch->step_count. */
void code_evidence(const struct launch *launch, const struct compile_result *result, struct evidence *launches);

/* The same in a process of its own, because nvdisasm takes a while: many may run at once. `worker` is zeroed; without a
 * process the items stay unknown. */
void code_evidence_begin(struct worker *worker, const struct launch *launch, const struct compile_result *result);
/* Waits for the process, and adds what it found. worker_stop ends it instead. */
void code_evidence_end(struct worker *worker, const struct launch *launch, struct evidence *launches);

#endif
