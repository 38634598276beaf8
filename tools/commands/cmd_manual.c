#include <string.h>

#include "commands/commands.h"
#include "terminal/manual.h"
#include "terminal/output.h"

struct manual_values {
    const char *output;
};

static const struct option_row rows[] = {
    {.name = "output",
     .short_name = 'o',
     .argument = "FILE",
     .type = OPTION_TEXT,
     .offset = offsetof(struct manual_values, output),
     .help = "file to write; by default, standard output"},
};

static int run(const void *values, const char *const *arguments, size_t argument_count, struct error *error)
{
    const struct manual_values *wanted = values;
    const struct command *command = argument_count ? commands_find(arguments[0]) : commands.items[0];
    struct text text = {0};
    int code = 0;
    if (argument_count && strcmp(arguments[0], "library") == 0) {
        manual_library(&text);
    } else if (!command) {
        code = error_set(error, ERROR_USAGE, "there is no command '%.80s'", arguments[0]);
        error_hint(error, "cutune --help lists the commands; cutune manual library is the C API");
    } else {
        manual_page(&commands, command == commands.items[0] ? NULL : command, &text);
    }
    if (!code)
        code = output_check(wanted->output, KIND_OTHER, NULL, 0, error);
    if (!code)
        code = text.failed ? error_memory(error) : output_file(wanted->output, &text, error);
    text_free(&text);
    return code;
}

const struct command command_manual = {.name = "manual",
                                       .arguments = "[COMMAND]",
                                       .summary = "write the manual page of cutune, of a command, or of the library",
                                       .options = rows,
                                       .option_count = sizeof rows / sizeof *rows,
                                       .values_size = sizeof(struct manual_values),
                                       .arguments_max = 1,
                                       .run = run};
