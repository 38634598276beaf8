/* Problem sizes with several values: "N=1024,2048" on the command line requests a run for each. */
#ifndef CUTUNE_LANGUAGE_SWEEP_H
#define CUTUNE_LANGUAGE_SWEEP_H

#include <stddef.h>

#include "base/error.h"
#include "space/space.h"

enum { SWEEP_RUNS_MAX = 4096 };

struct sweep;

/* Splits "NAME=VALUE,VALUE,..." texts at commas outside parentheses. space_bind interprets the values. ERROR_USAGE for
 * more than SWEEP_RUNS_MAX runs. */
int sweep_make(struct sweep **sweep, const char *const *defines, size_t count, struct error *error);
void sweep_free(struct sweep *sweep); /* may be NULL */

/* Checks the sweep against the space. ERROR_USAGE for an unknown or repeated problem size, and for an unsuitable or
 * repeated value. */
int sweep_check(const struct sweep *sweep, struct space *space, struct error *error);

/* Number of runs: product of the numbers of values; 1 without lists. */
size_t sweep_runs(const struct sweep *sweep);
/* Number of defines. */
size_t sweep_defines(const struct sweep *sweep);
/* "NAME=VALUE" texts of a run below sweep_runs, one for each define: the last define changes fastest. Valid until the
 * next call or sweep_free. */
const char *const *sweep_get(struct sweep *sweep, size_t run);

#endif
