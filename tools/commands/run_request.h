/* The request of a session that continues a recorded run. */
#ifndef CUTUNE_COMMANDS_RUN_REQUEST_H
#define CUTUNE_COMMANDS_RUN_REQUEST_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/provenance.h"
#include "tuner/session.h"

/* Sets what gave the run's results: space, sizes and conditions. `space` and `untrusted` as in find_run_space_file.
 * Memory of the arena. ERROR_NOT_FOUND without a space, ERROR_DATA for a provenance that cannot be read. */
int run_request(struct session_request *request, struct arena *arena, const struct provenance *provenance,
                const char *space, bool untrusted, struct error *error);

#endif
