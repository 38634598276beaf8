#include <string.h>

#include "commands/commands.h"
#include "terminal/manual.h"
#include "terminal/output.h"

struct completion_values {
    const char *output;
};

static const struct option_row rows[] = {
    {.name = "output",
     .short_name = 'o',
     .argument = "FILE",
     .type = OPTION_TEXT,
     .offset = offsetof(struct completion_values, output),
     .help = "file to write; by default, standard output"},
};

static const struct {
    const char *name;
    void (*write)(const struct command_list *commands, struct text *text);
} shells[] = {{"bash", completion_bash}, {"zsh", completion_zsh}, {"fish", completion_fish}};

static int run(const void *values, const char *const *arguments, size_t argument_count, struct error *error)
{
    const struct completion_values *wanted = values;
    struct text text = {0};
    int code = 0;
    (void)argument_count;
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
        if (strcmp(shells[i].name, arguments[0]) == 0)
            shells[i].write(&commands, &text);
    if (!text.length && !text.failed) {
        code = error_set(error, ERROR_USAGE, "there is no completion for '%.80s'", arguments[0]);
        error_hint(error, "expected one of bash|zsh|fish");
    }
    if (!code)
        code = output_check(wanted->output, KIND_OTHER, NULL, 0, error);
    if (!code)
        code = text.failed ? error_memory(error) : output_file(wanted->output, &text, error);
    text_free(&text);
    return code;
}

const struct command command_completion = {.name = "completion",
                                           .arguments = "bash|zsh|fish",
                                           .summary = "write the completion script of a shell",
                                           .options = rows,
                                           .option_count = sizeof rows / sizeof *rows,
                                           .values_size = sizeof(struct completion_values),
                                           .arguments_min = 1,
                                           .arguments_max = 1,
                                           .run = run};
