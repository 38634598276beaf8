/* check --compile: the resources of a configuration's launches. */
#ifndef CUTUNE_COMMANDS_CHECK_USAGE_H
#define CUTUNE_COMMANDS_CHECK_USAGE_H

#include <stdbool.h>

#include "base/arena.h"
#include "commands/check_compile.h"
#include "compile/pool.h"

/* Makes an array of the arena, with an element for each launch. *lists: instructions can be listed, as far as known. */
int check_usages(const struct check_compile *wanted, const struct launch *launch, const struct compile_result *result,
                 bool *lists, struct arena *arena, struct check_usage **usages, struct error *error);

#endif
