/* Completes a launch with the answer of a compiler command. */
#ifndef CUTUNE_EVALUATE_ASSEMBLE_H
#define CUTUNE_EVALUATE_ASSEMBLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "compile/pool.h"
#include "space/space.h"

/* Sets what the space leaves to the compiler, compares what both say, and replaces the arguments of each launch by the
 * parameters of the answer. `result`: of the launch's kernels; without answers, the launch stays as it is. False: `why`
 * has the difference, with both values; the launch is then unusable. */
bool assemble_launch(const struct space *space, const uint32_t *choices, struct launch *launch,
                     const struct compile_result *result, char *why, size_t room);

/* Likewise, and compares the arguments with the machine code. No effect without answers. ERROR_COMPILE, with the place
 * of the arguments. */
int assemble_checked(const struct space *space, const uint32_t *choices, struct launch *launch,
                     const struct compile_result *result, struct error *error);

#endif
