/* The range of the configurations' work, for `cutune check`. */
#ifndef CUTUNE_COMMANDS_CHECK_WORK_H
#define CUTUNE_COMMANDS_CHECK_WORK_H

#include "set/valid_set.h"

/* A larger set is sampled at this many configurations, evenly spread. */
enum { CHECK_WORK_LOOKS = 65536, CHECK_WORK_BYTES = 128 };

/* Writes "1000 to 16000", or "" for a space without `work` and for an empty set. Fails at a configuration whose work,
 * traffic or operations are not positive, as a run does. */
int check_work(const struct space *space, const struct valid_set *set, char range[CHECK_WORK_BYTES],
               struct error *error);

#endif
