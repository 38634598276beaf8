#include <string.h>

#include "manual/syntax.h"
#include "terminal/command.h"
#include "terminal/output.h"

struct syntax_values {
    const char *output;
};

static const struct option_row rows[] = {
    {.name = "output",
     .short_name = 'o',
     .argument = "FILE",
     .type = OPTION_TEXT,
     .offset = offsetof(struct syntax_values, output),
     .help = "file to write; by default, standard output"},
};

static int run(const void *values, const char *const *arguments, size_t argument_count, struct error *error)
{
    const struct syntax_values *wanted = values;
    const struct syntax_format *format = NULL;
    struct text text = {0};
    (void)argument_count; /* one, by arguments_min */
    for (size_t i = 0; i < syntax_format_count; i++)
        if (strcmp(syntax_formats[i].name, arguments[0]) == 0)
            format = &syntax_formats[i];
    if (!format) {
        error_set(error, ERROR_USAGE, "there is no syntax file for '%.80s'", arguments[0]);
        error_hint(error, "expected one of " SYNTAX_FORMATS);
        return ERROR_USAGE;
    }
    int code = output_check(wanted->output, FILE_KIND_OTHER, NULL, 0, error);
    if (!code) {
        format->write(&text);
        code = output_file(wanted->output, &text, error);
    }
    text_free(&text);
    return code;
}

static const struct command_example examples[] = {
    {"cutune syntax vim -o ~/.vim/syntax/cutune.vim", "write the syntax file for Vim"},
    {"cutune syntax textmate", "print the grammar for VS Code"},
};

const struct command command_syntax = {
    .name = "syntax",
    .arguments = SYNTAX_FORMATS,
    .summary = "write the syntax file of the space language for an editor",
    .description =
        "cutune writes the file by which an editor colours space files: a syntax file for Vim and Neovim, or a "
        "TextMate grammar for VS Code and others. The words come from the language of this cutune. Installation "
        "puts the syntax file where Vim finds it, and an extension for VS Code with the grammar into the folder "
        "`share/cutune/vscode`.",
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .values_size = sizeof(struct syntax_values),
    .arguments_min = 1,
    .arguments_max = 1,
    .run = run};
