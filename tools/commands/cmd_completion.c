#include <string.h>

#include "commands/commands.h"
#include "commands/completion_values.h"
#include "terminal/completion.h"
#include "terminal/output.h"

struct completion_options {
    const char *values, *output;
};

static const struct option_row rows[] = {
    {.name = "values",
     .argument = "KIND",
     .type = OPTION_CHOICE,
     .offset = offsetof(struct completion_options, values),
     .choices = COMPLETION_VALUES,
     .help = "write what the scripts offer, one a line; arguments are then the words of a command line"},
    {.name = "output",
     .short_name = 'o',
     .argument = "FILE",
     .type = OPTION_TEXT,
     .offset = offsetof(struct completion_options, output),
     .help = "file to write; by default, standard output"},
};

static const struct {
    const char *name;
    void (*write)(const struct command_list *commands, struct text *text);
} shells[] = {{"bash", completion_bash}, {"zsh", completion_zsh}, {"fish", completion_fish}};

/* `shell` NULL: the command line does not name one shell. */
static int write_script(const char *shell, struct text *text, struct error *error)
{
    for (size_t i = 0; shell && i < sizeof shells / sizeof *shells; i++)
        if (strcmp(shells[i].name, shell) == 0) {
            shells[i].write(&commands, text);
            return 0;
        }
    int code = shell ? error_set(error, ERROR_USAGE, "there is no completion for '%.80s'", shell)
                     : error_set(error, ERROR_USAGE, "completion needs the name of a shell");
    error_hint(error, "expected one of bash|zsh|fish");
    return code;
}

static int run(const void *values, const char *const *arguments, size_t argument_count, struct error *error)
{
    const struct completion_options *wanted = values;
    struct text text = {0};
    int code = 0;
    if (wanted->values)
        completion_values(wanted->values, arguments, argument_count, &text);
    else
        code = write_script(argument_count == 1 ? arguments[0] : NULL, &text, error);
    if (!code)
        code = output_check(wanted->output, FILE_KIND_OTHER, NULL, 0, error);
    if (!code)
        code = output_file(wanted->output, &text, error);
    text_free(&text);
    return code;
}

static const struct command_example examples[] = {
    {"cutune completion bash -o cutune.bash", "write the script for bash"},
    {"cutune completion --values kernels -- show --db all.csv",
     "write the kernels that the script offers behind `cutune show --db all.csv --kernel`"},
};

const struct command command_completion = {
    .name = "completion",
    .arguments = "bash|zsh|fish",
    .summary = "write the completion script of a shell",
    .description = "cutune writes a script that makes a shell complete commands, options and their values. "
                   "Installation puts the scripts where the shells find them.",
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .values_size = sizeof(struct completion_options),
    .arguments_max = 4096,
    .run = run};
