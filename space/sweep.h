/* Problem sizes with several values: "N=1024,2048" on the command line means a run for each. */
#ifndef CUTUNE_SPACE_SWEEP_H
#define CUTUNE_SPACE_SWEEP_H

#include <stddef.h>

#include "base/error.h"
#include "space/space.h"

enum { SWEEP_RUNS_MAX = 4096 };

struct sweep;

/* Takes "NAME=VALUE,VALUE,..." texts apart, at commas outside of parentheses. What a VALUE is, space_bind says.
 * ERROR_USAGE for more than SWEEP_RUNS_MAX runs. */
int sweep_make(struct sweep **sweep, const char *const *defines, size_t count, struct error *error);
void sweep_free(struct sweep *sweep); /* may be NULL */

/* Whether the space can take all of it: ERROR_USAGE for a name that is no problem size of the space or comes twice, for
 * what is no value of it, and for a value that comes twice. */
int sweep_check(const struct sweep *sweep, struct space *space, struct error *error);

/* The product of how many values there are: 1 without any list. */
size_t sweep_runs(const struct sweep *sweep);
/* How many defines there were. */
size_t sweep_defines(const struct sweep *sweep);
/* As many "NAME=VALUE" texts as there were defines, for a run below sweep_runs: the last define changes with each run,
 * the first slowest. Valid until the next call or sweep_free. */
const char *const *sweep_get(struct sweep *sweep, size_t run);

#endif
