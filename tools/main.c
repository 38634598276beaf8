/* The program: finds the command, parses its options, runs it, and turns an error into a message and an exit status. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/error_report.h"
#include "base/text.h"
#include "base/timeline.h"
#include "commands/commands.h"
#include "commands/find.h"
#include "terminal/options.h"
#include "terminal/output.h"
#include "terminal/stop.h"
#include "terminal/width.h"

/* If 0, 1 or 2 were closed, the next file opened would become standard output. Opens them in the wrong direction, so
 * that their use fails instead of losing data. */
static bool hold_standard_descriptors(void)
{
    for (int descriptor = 0; descriptor <= 2; descriptor++)
        if (fcntl(descriptor, F_GETFD) < 0 && open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY) != descriptor)
            return false;
    return true;
}

enum { NAMES_MAX = 64 }; /* at most this many are searched for the nearest */

/* A space file, or the name of a template. */
static bool is_space(const char *word)
{
    struct arena arena = {0};
    struct error error = {0};
    const char *path = find_space(&arena, word, &error), *dot = strrchr(path ? path : word, '.');
    bool space = dot && strcmp(dot, ".space") == 0;
    arena_free(&arena);
    return space;
}

static int refuse_command(const char *word, struct error *error)
{
    const char *names[NAMES_MAX] = {"help"};
    size_t count = 1;
    for (size_t i = 0; i < commands.count && count < NAMES_MAX; i++)
        names[count++] = commands.items[i]->name;
    int code = error_set(error, ERROR_USAGE, "unknown command '%s'", word);
    const char *near = text_nearest(word, names, count);
    if (is_space(word))
        error_hint(error, "to tune this space: cutune --space %s", word);
    else if (near)
        error_hint(error, "did you mean 'cutune %s'?", near);
    else
        error_hint(error, "cutune --help lists the commands");
    return code;
}

/* Appends a row of two columns and breaks the second between words. */
static void append_row(struct text *text, const char *left, const char *right)
{
    enum { INDENT = 2, COLUMN = 24 };
    size_t margin = (size_t)terminal_width() - 1;
    size_t at = INDENT + strlen(left);
    text_printf(text, "%*s%s", INDENT, "", left);
    while (*right) {
        int word = (int)strcspn(right, " ");
        if (at < COLUMN) {
            text_printf(text, "%*s", (int)(COLUMN - at), "");
            at = COLUMN;
        } else if (at + 1 + (size_t)word >= margin) {
            text_printf(text, "\n%*s", COLUMN, "");
            at = COLUMN;
        } else {
            text_append(text, " ", 1);
            at++;
        }
        text_printf(text, "%.*s", word, right);
        at += (size_t)word;
        right += word + (right[word] == ' ');
    }
    text_append(text, "\n", 1);
}

/* Text of `cutune --help` below the options of the main command. */
static void list_commands(struct text *text)
{
    text_printf(text, "Commands (the first is what cutune does without one):\n\n");
    for (size_t i = 0; i < commands.count; i++) {
        char usage[128];
        snprintf(usage, sizeof usage, "%s %s", commands.items[i]->name, commands.items[i]->arguments);
        append_row(text, usage, commands.items[i]->summary);
    }
    append_row(text, "help [COMMAND]", "same as -h and --help");
    text_printf(text, "\ncutune COMMAND --help lists a command's options.\n");
}

/* argv[0] names the command in the usage line. */
static int run_command(const struct command *command, int argc, char **argv, struct error *error)
{
    struct text epilogue = {0};
    struct options_result result = {0};
    int code = 0;
    void *values = calloc(1, command->values_size + 1);
    result.arguments = calloc((size_t)argc + 1, sizeof *result.arguments);
    if (command == commands.items[0])
        list_commands(&epilogue);
    if (!values || !result.arguments || epilogue.failed)
        code = error_memory(error);
    if (!code)
        code = options_parse(command, text_string(&epilogue), argc, argv, values, &result, error);
    if (code && result.argument_count > command->arguments_max && commands_find(result.arguments[0]))
        error_hint(error, "a command comes before its options: cutune %s ...", result.arguments[0]);
    if (!code && !result.printed)
        code = command->run(values, result.arguments, result.argument_count, error);
    text_free(&epilogue);
    free(result.arguments);
    free(values);
    return code;
}

static int dispatch(int argc, char **argv, struct error *error)
{
    char name[64], help[] = "--help";
    char *help_line[] = {name, help, NULL};
    const struct command *command = commands.items[0];
    bool asks_help = argc > 1 && strcmp(argv[1], "help") == 0;
    int word = asks_help ? 2 : 1; /* position of the command's name */
    snprintf(name, sizeof name, "cutune");
    if (argc > word && argv[word][0] != '-') {
        command = commands_find(argv[word]);
        if (!command && asks_help && strcmp(argv[word], "help") == 0)
            command = commands.items[0];
        if (!command)
            return refuse_command(argv[word], error);
        if (command != commands.items[0])
            snprintf(name, sizeof name, "cutune %s", command->name);
    } else {
        word--;
    }
    if (asks_help)
        return run_command(command, 2, help_line, error);
    argv[word] = name;
    return run_command(command, argc - word, argv + word, error);
}

int main(int argc, char **argv)
{
    char program[] = "cutune";
    char *no_arguments[] = {program, NULL};
    struct error_list list = {0};
    struct error error = {.list = &list};
    timeline("coordinator", "program begins");
    if (!hold_standard_descriptors())
        return 1;
    int report = error_report_open();
    stop_at_once();
    signal(SIGPIPE, SIG_IGN);    /* a run continues when nobody reads its messages any more; see output_flush */
    signal(SIGXFSZ, SIG_IGN);    /* a file beyond the shell's limit is an ordinary failing write */
    unsetenv("POSIXLY_CORRECT"); /* would end the options at the first argument */
    int code = argc > 0 ? dispatch(argc, argv, &error) : dispatch(1, no_arguments, &error);
    if (!code)
        code = output_flush(&error);
    if (!code)
        return 0;
    if (!error.code)
        error_set(&error, (enum error_code)code, "%s", error_name((enum error_code)code));
    fflush(stdout);
    output_error(&error);
    error_report_write(report, &error);
    return error_exit_status((enum error_code)code);
}
