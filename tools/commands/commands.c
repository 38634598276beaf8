#include "commands/commands.h"

#include <string.h>

#define COMMAND(name) extern const struct command command_##name;
#include "lists/commands.def"
#undef COMMAND

static const struct command *const items[] = {
#define COMMAND(name) &command_##name,
#include "lists/commands.def"
#undef COMMAND
};
const struct command_list commands = {items, sizeof items / sizeof *items};

const struct command *commands_find(const char *name)
{
    for (size_t i = 0; i < commands.count; i++)
        if (strcmp(commands.items[i]->name, name) == 0)
            return commands.items[i];
    return NULL;
}
