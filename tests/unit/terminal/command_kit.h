/* Two commands with an option of every type. */
#ifndef CUTUNE_TESTS_TERMINAL_COMMAND_KIT_H
#define CUTUNE_TESTS_TERMINAL_COMMAND_KIT_H

#include <stdbool.h>
#include <stdint.h>

#include "terminal/command.h"

struct kit_values {
    bool quiet;
    int64_t count;
    double share;
    const char *file, *cache;
    struct option_list defines;
};

#define KIT(member) .offset = offsetof(struct kit_values, member)
static const struct option_row kit_rows[] = {
    {.name = "quiet", .short_name = 'q', .type = OPTION_FLAG, KIT(quiet), .help = "say nothing"},
    {.name = "count",
     .argument = "N",
     .type = OPTION_INT,
     KIT(count),
     .min = 1,
     .max = 9,
     .default_ = "3",
     .help = "how many"},
    {.name = "share", .argument = "X", .type = OPTION_REAL, KIT(share), .min = 0, .max = 1, .help = "how much"},
    {.name = "output",
     .short_name = 'o',
     .argument = "FILE",
     .type = OPTION_TEXT,
     KIT(file),
     .values = "templates",
     .help = "file to write"},
    {.name = "cache",
     .argument = "cold|warm",
     .type = OPTION_CHOICE,
     .choices = "cold|warm",
     KIT(cache),
     .default_ = "cold",
     .help = "the cache"},
    {.name = "define",
     .short_name = 'D',
     .argument = "NAME=VALUE",
     .type = OPTION_LIST,
     KIT(defines),
     .values = "kernels",
     .help = "a size"}};

static const struct command_example kit_examples[] = {{"cutune -q", "make it quietly"}};

static const struct command kit_commands[] = {{.name = "make",
                                               .arguments = "[DIR]",
                                               .summary = "make it - all of it",
                                               .description = "Makes all of it.\nTwice.",
                                               .examples = kit_examples,
                                               .example_count = 1,
                                               .options = kit_rows,
                                               .option_count = sizeof kit_rows / sizeof *kit_rows,
                                               .values_size = sizeof(struct kit_values),
                                               .arguments_min = 0,
                                               .arguments_max = 1},
                                              {.name = "choose",
                                               .arguments = "red|blue",
                                               .summary = ".one \\ or the other",
                                               .description = "Chooses.",
                                               .arguments_min = 1,
                                               .arguments_max = 1}};
static const struct command *const kit_items[] = {&kit_commands[0], &kit_commands[1]};
static const struct command_list kit_list = {kit_items, 2};

#endif
