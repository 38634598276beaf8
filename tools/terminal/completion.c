/* Completion scripts, made from the option tables. */
#include <string.h>

#include "terminal/completion.h"
#include "terminal/options.h"

enum value_kind completion_value_kind(const char *choices, const char *argument)
{
    if (choices)
        return VALUE_CHOICES;
    if (argument && strstr(argument, "FILE"))
        return VALUE_FILES;
    if (argument && strstr(argument, "DIR"))
        return VALUE_FOLDERS;
    return argument && strchr(argument, '|') ? VALUE_CHOICES : VALUE_ANY;
}

/* Calls `put` for every option of a command, common ones included. */
static void each_option(const struct command *command, struct text *text,
                        void (*put)(const struct command *command, const struct option_row *row, struct text *text))
{
    for (size_t i = 0; i < command->option_count; i++)
        put(command, &command->options[i], text);
    for (size_t i = 0; i < OPTIONS_OWN; i++)
        put(command, &options_own[i], text);
}

/* Possible words at a place of the command line. */
struct place {
    enum value_kind kind;
    const char *choices; /* of VALUE_CHOICES, with '|' between them */
    const char *values;  /* kind of the values from `cutune completion --values`; NULL: none */
};

static struct place place_of_option(const struct option_row *row)
{
    return (struct place){completion_value_kind(row->choices, row->argument),
                          row->choices ? row->choices : row->argument, row->values};
}

static struct place place_of_arguments(const struct command *command)
{
    return (struct place){completion_value_kind(NULL, command->arguments), command->arguments, command->values};
}

/* Writes "a|b" as "a b". */
static void put_choices(struct text *text, const char *choices)
{
    for (; *choices; choices++)
        text_append(text, *choices == '|' ? " " : choices, 1);
}

static void put_command_names(struct text *text, const struct command_list *commands, size_t first, const char *between)
{
    for (size_t i = first; i < commands->count; i++)
        text_printf(text, "%s%s", i > first ? between : "", commands->items[i]->name);
}

/* Appends `string` with `escape` before each character of `special`. */
static void put_escaped(struct text *text, const char *string, const char *special, const char *escape)
{
    for (; *string; string++) {
        if (strchr(special, *string))
            text_printf(text, "%s", escape);
        text_append(text, string, 1);
    }
}

/* ---- bash ---- */

static void bash_reply(struct text *text, struct place place)
{
    static const char *const files[] = {[VALUE_FILES] = "-f", [VALUE_FOLDERS] = "-d"};
    if (place.kind == VALUE_CHOICES && !place.values) {
        text_printf(text, "COMPREPLY=($(compgen -W '");
        put_choices(text, place.choices);
        text_printf(text, "' -- \"$current\"))");
    } else if (place.kind == VALUE_FILES || place.kind == VALUE_FOLDERS) {
        text_printf(text, "compopt -o filenames; COMPREPLY=($(compgen %s -- \"$current\"))", files[place.kind]);
    } else if (!place.values) {
        text_printf(text, ":");
    }
    if (place.values)
        text_printf(text, "%s_cutune_values %s", place.kind == VALUE_FILES ? "; " : "", place.values);
}

static void bash_value(const struct command *command, const struct option_row *row, struct text *text)
{
    if (row->type == OPTION_FLAG)
        return;
    text_printf(text, "    '%s --%s'", command->name, row->name);
    if (row->short_name)
        text_printf(text, " | '%s -%c'", command->name, row->short_name);
    text_printf(text, ") ");
    bash_reply(text, place_of_option(row));
    text_printf(text, "; return ;;\n");
}

static void bash_name(const struct command *command, const struct option_row *row, struct text *text)
{
    (void)command;
    text_printf(text, " --%s", row->name);
}

void completion_bash(const struct command_list *commands, struct text *text)
{
    text_printf(
        text,
        "# bash completion for cutune, made by: cutune completion bash\n"
        "# Adds what the program knows: strategies, or kernels of the database that the line names.\n"
        "_cutune_values()\n{\n    local line\n    while IFS= read -r line; do\n"
        "        [[ $line == \"${current//\\\\/}\"* ]] && COMPREPLY+=(\"$(printf %%q \"$line\")\")\n"
        "    done < <(\"$program\" completion --values \"$1\" -- \"${COMP_WORDS[@]:1:COMP_CWORD}\" 2>/dev/null)\n}\n"
        "_cutune()\n{\n    local program=${1:-cutune}\n"
        "    local IFS=$' \\t\\n' current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
        "    local command=%s options\n    COMPREPLY=()\n"
        "    # --name=value is three words\n"
        "    if [[ $current == '=' ]]; then\n        current=\n"
        "    elif [[ $before == '=' ]]; then\n        before=${COMP_WORDS[COMP_CWORD-2]}\n    fi\n"
        "    if ((COMP_CWORD > 1)); then\n        case ${COMP_WORDS[1]} in\n        ",
        commands->items[0]->name);
    put_command_names(text, commands, 0, " | ");
    text_printf(text, ") command=${COMP_WORDS[1]} ;;\n        help) command=help ;;\n        esac\n    fi\n"
                      "    case \"$command $before\" in\n");
    for (size_t i = 0; i < commands->count; i++)
        each_option(commands->items[i], text, bash_value);
    text_printf(text, "    esac\n    if ((COMP_CWORD == 1)) && [[ $current != -* ]]; then\n"
                      "        COMPREPLY=($(compgen -W '");
    put_command_names(text, commands, 0, " ");
    text_printf(
        text,
        " help' -- \"$current\"))\n        return\n    fi\n    case $command in\n    help) COMPREPLY=($(compgen -W '");
    put_command_names(text, commands, 0, " ");
    text_printf(text, "' -- \"$current\")); return ;;\n");
    for (size_t i = 0; i < commands->count; i++) {
        text_printf(text, "    %s)\n        options='", commands->items[i]->name);
        each_option(commands->items[i], text, bash_name);
        text_printf(text, "'\n        if [[ $current != -* ]]; then ");
        bash_reply(text, place_of_arguments(commands->items[i]));
        text_printf(text, "; return; fi ;;\n");
    }
    text_printf(
        text, "    esac\n    COMPREPLY=($(compgen -W \"$options\" -- \"$current\"))\n}\ncomplete -F _cutune cutune\n");
}

/* ---- zsh ---- */

/* Quotes for '...' and for the [...] or :...: of a specification. */
static void zsh_text(struct text *text, const char *string)
{
    for (; *string; string++)
        if (*string == '\'')
            text_printf(text, "'\\''");
        else
            text_printf(text, "%s%c", strchr("[]:\\", *string) ? "\\" : "", *string);
}

static void zsh_action(struct text *text, struct place place)
{
    static const char *const actions[] = {[VALUE_ANY] = " ", [VALUE_FILES] = "_files", [VALUE_FOLDERS] = "_files -/"};
    if (place.values) {
        text_printf(text, "{_cutune_values %s%s}", place.values, place.kind == VALUE_FILES ? "; _files" : "");
    } else if (place.kind != VALUE_CHOICES) {
        text_printf(text, "%s", actions[place.kind]);
    } else {
        text_printf(text, "(");
        put_choices(text, place.choices);
        text_printf(text, ")");
    }
}

static void zsh_option(const struct command *command, const struct option_row *row, struct text *text)
{
    struct arena arena = {0};
    const char *help = options_help(&arena, row), *equals = row->type == OPTION_FLAG ? "" : "=";
    (void)command;
    text->failed |= !help;
    text_printf(text, " \\\n            ");
    if (row->short_name && row->type == OPTION_LIST)
        text_printf(text, "'*'{-%c,--%s%s}'[", row->short_name, row->name, equals);
    else if (row->short_name)
        text_printf(text, "'(-%c --%s)'{'-%c',--%s%s}'[", row->short_name, row->name, row->short_name, row->name,
                    equals);
    else
        text_printf(text, "'%s--%s%s[", row->type == OPTION_LIST ? "*" : "", row->name, equals);
    zsh_text(text, help ? help : "");
    text_printf(text, "]");
    if (row->type != OPTION_FLAG) {
        text_printf(text, ":");
        zsh_text(text, row->argument);
        text_printf(text, ":");
        zsh_action(text, place_of_option(row));
    }
    text_printf(text, "'");
    arena_free(&arena);
}

static void zsh_arguments(const struct command *command, struct text *text)
{
    const char *arguments = command->arguments;
    if (!*arguments)
        return;
    text_printf(text, " \\\n            '*:");
    zsh_text(text, arguments);
    text_printf(text, ":");
    zsh_action(text, place_of_arguments(command));
    text_printf(text, "'");
}

void completion_zsh(const struct command_list *commands, struct text *text)
{
    text_printf(
        text,
        "#compdef cutune\n# zsh completion for cutune, made by: cutune completion zsh\n"
        "# Adds what the program knows: strategies, or kernels of the database that the line names.\n"
        "_cutune_values()\n{\n"
        "    local -a values=(\"${(@f)$($program completion --values $1 -- \"${(@)cutune_line}\" 2>/dev/null)}\")\n"
        "    [[ -n $values[1] ]] && compadd -a values\n}\n"
        "_cutune()\n{\n"
        "    local program=${(Q)words[1]/#\\~\\//$HOME/} command=%s\n"
        "    local -a cutune_line=(\"${(@Q)words[2,CURRENT]}\") commands=(\n",
        commands->items[0]->name);
    for (size_t i = 0; i < commands->count; i++) {
        text_printf(text, "        '%s:", commands->items[i]->name);
        zsh_text(text, commands->items[i]->summary);
        text_printf(text, "'\n");
    }
    text_printf(text, "        'help:the same as --help'\n    )\n"
                      "    if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then\n        _describe command commands\n"
                      "        return\n    fi\n    case $words[2] in\n    ");
    put_command_names(text, commands, 0, "|");
    text_printf(text,
                "|help)\n        command=$words[2]\n        shift words\n        ((CURRENT--))\n        ;;\n    esac\n"
                "    case $command in\n    help) _describe command commands ;;\n");
    for (size_t i = 0; i < commands->count; i++) {
        text_printf(text, "    %s)\n        _arguments -s", commands->items[i]->name);
        each_option(commands->items[i], text, zsh_option);
        zsh_arguments(commands->items[i], text);
        text_printf(text, "\n        ;;\n");
    }
    text_printf(text, "    esac\n}\n_cutune \"$@\"\n");
}

/* ---- fish ---- */

static void fish_begin(const struct command_list *commands, const struct command *command, struct text *text)
{
    text_printf(text, "complete -c cutune -n '");
    if (command == commands->items[0]) {
        text_printf(text, "not __fish_seen_subcommand_from ");
        put_command_names(text, commands, 1, " ");
        text_printf(text, " help'");
    } else {
        text_printf(text, "__fish_seen_subcommand_from %s'", command->name);
    }
}

static void fish_value(struct text *text, struct place place)
{
    static const char *const options[] = {
        [VALUE_ANY] = " -x", [VALUE_FILES] = " -r -F", [VALUE_FOLDERS] = " -x -a '(__fish_complete_directories)'"};
    if (place.values) {
        text_printf(text, "%s -a '(__cutune_values %s)'", place.kind == VALUE_FILES ? " -r -F" : " -x", place.values);
    } else if (place.kind != VALUE_CHOICES) {
        text_printf(text, "%s", options[place.kind]);
    } else {
        text_printf(text, " -x -a '");
        put_choices(text, place.choices);
        text_printf(text, "'");
    }
}

static void fish_option(const struct command_list *commands, const struct command *command,
                        const struct option_row *row, struct text *text)
{
    struct arena arena = {0};
    const char *help = options_help(&arena, row);
    text->failed |= !help;
    fish_begin(commands, command, text);
    text_printf(text, " -l %s", row->name);
    if (row->short_name)
        text_printf(text, " -s '%c'", row->short_name);
    if (row->type != OPTION_FLAG)
        fish_value(text, place_of_option(row));
    text_printf(text, " -d '");
    put_escaped(text, help ? help : "", "'\\", "\\");
    text_printf(text, "'\n");
    arena_free(&arena);
}

void completion_fish(const struct command_list *commands, struct text *text)
{
    text_printf(text, "# fish completion for cutune, made by: cutune completion fish\n"
                      "# What the program knows: strategies, or kernels of the database that the line names.\n"
                      "function __cutune_values\n    set -l words (commandline -opc) (commandline -ct)\n"
                      "    $words[1] completion --values $argv[1] -- $words[2..-1] 2>/dev/null\nend\n"
                      "complete -c cutune -f\n");
    for (size_t i = 0; i < commands->count; i++) {
        text_printf(text, "complete -c cutune -n __fish_use_subcommand -a %s -d '", commands->items[i]->name);
        put_escaped(text, commands->items[i]->summary, "'\\", "\\");
        text_printf(text, "'\n");
    }
    for (size_t i = 0; i < commands->count; i++) {
        const struct command *command = commands->items[i];
        for (size_t o = 0; o < command->option_count; o++)
            fish_option(commands, command, &command->options[o], text);
        for (size_t o = 0; o < OPTIONS_OWN; o++)
            fish_option(commands, command, &options_own[o], text);
        const struct place place = place_of_arguments(command);
        if (!place.values && (place.kind == VALUE_ANY || place.kind == VALUE_FOLDERS))
            continue;
        fish_begin(commands, command, text);
        if (place.kind == VALUE_FILES)
            text_printf(text, " -F");
        if (place.values) {
            text_printf(text, " -a '(__cutune_values %s)'", place.values);
        } else if (place.kind == VALUE_CHOICES) {
            text_printf(text, " -a '");
            put_choices(text, place.choices);
            text_printf(text, "'");
        }
        text_append(text, "\n", 1);
    }
}
