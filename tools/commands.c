#include "tools/commands.h"

#include <string.h>

#define COMMAND(name) extern const struct command command_##name;
#include "tools/commands.def"
#undef COMMAND

const struct command *const commands[] = {
#define COMMAND(name) &command_##name,
#include "tools/commands.def"
#undef COMMAND
};
const size_t command_count = sizeof commands / sizeof *commands;

const struct command *commands_find(const char *name)
{
    for (size_t i = 0; i < command_count; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}
