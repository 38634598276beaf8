/* The program: finds the command and runs it. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "commands/commands.h"
#include "commands/find.h"
#include "terminal/output.h"
#include "terminal/program.h"
#include "terminal/width.h"

enum { NAMES_MAX = 64 }; /* limit on the names searched for the nearest */

/* True for a space file, or the name of a template. */
static bool is_space(const char *word)
{
    struct arena arena = {0};
    struct error error = {0};
    const char *path = find_space(&arena, word, &error), *dot = strrchr(path ? path : word, '.');
    bool space = dot && strcmp(dot, ".space") == 0;
    arena_free(&arena);
    return space;
}

/* Names the space that resembles the word, if there is one. */
static void hint_space(const char *word, struct error *error)
{
    struct arena arena = {0};
    struct error missing = {0};
    if (!find_space(&arena, word, &missing) && strncmp(missing.hint, "did you mean", strlen("did you mean")) == 0)
        error_hint(error, "%s", missing.hint);
    arena_free(&arena);
}

static int refuse_command(const char *word, struct error *error)
{
    const char *names[NAMES_MAX] = {"help"};
    size_t count = 1;
    for (size_t i = 0; i < commands.count && count < NAMES_MAX; i++)
        names[count++] = commands.items[i]->name;
    int code = error_set(error, ERROR_USAGE, "unknown command '%s'", word);
    const char *near = text_nearest(word, names, count);
    if (near)
        error_hint(error, "did you mean 'cutune %s'?", near);
    else
        hint_space(word, error);
    error_hint(error, "cutune --help lists the commands");
    return code;
}

/* Appends a row of two columns and breaks the second between words. */
static void append_row(struct text *text, const char *left, const char *right)
{
    enum { INDENT = 2, COLUMN = 24 };
    size_t at = INDENT + strlen(left), begin = at < COLUMN ? COLUMN : at + 1;
    text_printf(text, "%*s%s%*s", INDENT, "", left, (int)(begin - at), "");
    terminal_wrap(text, (size_t)terminal_width() - 1, begin, COLUMN, right);
    text_append(text, "\n", 1);
}

/* Appends the text of `cutune --help` below the options of the main command. */
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

/* Tells a beginner what to type. */
static int print_guide(struct error *error)
{
    static const struct {
        const char *line, *meaning;
    } steps[] = {
        {"cutune transpose", "tune a kernel that comes with cutune"},
        {"cutune init kernel.cu", "draft a space file for a kernel of your own"},
        {"cutune check kernel.space", "check it, without a GPU"},
        {"cutune kernel.space", "tune it: the best configuration goes to cutune.csv"},
        {"cutune show", "list the best configurations"},
        {"cutune emit -o tuned.h", "write them as a header for your program"},
        {"cutune help", "list all commands and options"},
    };
    struct text text = {0};
    text_printf(&text, "cutune finds the configuration that makes a CUDA kernel fastest on this GPU.\n\n");
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        text_printf(&text, "  %-27s%s\n", steps[i].line, steps[i].meaning);
    int code = output_file(NULL, &text, error);
    text_free(&text);
    return code;
}

/* argv[0] names the command in the usage line. */
static int run_command(const struct command *command, int argc, char **argv, struct error *error)
{
    struct text epilogue = {0};
    const char *surplus = NULL;
    if (command == commands.items[0])
        list_commands(&epilogue);
    int code = epilogue.failed ? error_memory(error)
                               : program_command(command, text_string(&epilogue), argc, argv, &surplus, error);
    if (surplus && command == commands.items[0] && commands_find(surplus))
        error_hint(error, "a command comes before its options: cutune %s ...", surplus);
    text_free(&epilogue);
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
        if (!command && !asks_help && is_space(argv[word])) {
            command = commands.items[0]; /* the space is its argument */
            word--;
        }
        if (!command)
            return refuse_command(argv[word], error);
        if (command != commands.items[0])
            snprintf(name, sizeof name, "cutune %s", command->name);
    } else {
        word--;
    }
    if (argc <= 1)
        return print_guide(error);
    if (asks_help)
        return run_command(command, 2, help_line, error);
    argv[word] = name;
    return run_command(command, argc - word, argv + word, error);
}

int main(int argc, char **argv)
{
    return program_main(dispatch, argc, argv);
}
