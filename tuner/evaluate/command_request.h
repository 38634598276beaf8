/* The request to a compiler command for the kernels of a configuration (docs/compiler-command.md). */
#ifndef CUTUNE_EVALUATE_COMMAND_REQUEST_H
#define CUTUNE_EVALUATE_COMMAND_REQUEST_H

#include "base/text.h"
#include "compile/pool.h"
#include "space/space.h"

/* Appends the request as a JSON object, without what differs between workers: equal texts mean equal compilations.
 * `cc`: 90 for sm_90. ERROR_DATA as in space_argument_facts, and for values that JSON has not; ERROR_MEMORY. */
int command_request(const struct space *space, const uint32_t *choices, const struct launch *launch, int64_t cc,
                    struct text *request, struct error *error);

/* Makes a job of a compiler command; `request` is borrowed, and emptied first. `identity`: of the run. No effect unless
 * the space has one. */
int command_job(const struct space *space, const uint32_t *choices, const struct launch *launch, const char *identity,
                struct text *request, struct compile_job *job, struct error *error);

#endif
