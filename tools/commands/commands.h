/* All commands, in the order of commands.def. Without a subcommand, cutune runs the first. */
#ifndef CUTUNE_COMMANDS_COMMANDS_H
#define CUTUNE_COMMANDS_COMMANDS_H

#include "terminal/command.h"

extern const struct command_list commands;

/* Returns the command with that name, or NULL. */
const struct command *commands_find(const char *name);

#endif
