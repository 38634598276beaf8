/* All commands, in the order of commands.def: the first is what cutune does without one. */
#ifndef CUTUNE_TOOLS_COMMANDS_H
#define CUTUNE_TOOLS_COMMANDS_H

#include "tools/command.h"

extern const struct command *const commands[];
extern const size_t command_count;

/* The command of that name, or NULL. */
const struct command *commands_find(const char *name);

#endif
