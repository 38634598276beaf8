/* All commands, in the order of commands.def: the first is what cutune does without one. */
#ifndef CUTUNE_COMMANDS_COMMANDS_H
#define CUTUNE_COMMANDS_COMMANDS_H

#include "terminal/command.h"

extern const struct command_list commands;

/* The command of that name, or NULL. */
const struct command *commands_find(const char *name);

#endif
