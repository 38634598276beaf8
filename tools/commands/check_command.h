/* Compilations by commands of the space: a compiler command, or one that prints the source. */
#ifndef CUTUNE_COMMANDS_CHECK_COMMAND_H
#define CUTUNE_COMMANDS_CHECK_COMMAND_H

#include "compile/pool.h"
#include "space/space.h"

/* Asks the space's compiler command for its identity. Errors have the place of the statement. */
int check_command_version(const struct space *space, const struct compile_cache *cache, struct nvrtc_version *version,
                          struct error *error);

/* Adds the command line that prints the source of a configuration; `own` as for space_generator. */
void check_command_hint(const struct space *space, const struct step *own, const uint32_t *choices,
                        struct error *error);

#endif
