#include "terminal/options.h"

#include <argp.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/pairs.h"
#include "base/text.h"
#include "terminal/width.h"

/* argp keys: a row without a short name has KEY_ROW + its number. */
enum { KEY_ROW = 0x100, KEY_USAGE = 0x10000 };

const struct option_row options_own[OPTIONS_OWN] = {
    {.name = "help", .short_name = 'h', .type = OPTION_FLAG, .help = "print this help"},
    {.name = "usage", .type = OPTION_FLAG, .help = "print a short usage line"},
    {.name = "version", .short_name = 'V', .type = OPTION_FLAG, .help = "print the version"},
};

struct reading {
    const struct command *command;
    struct argp_option *options; /* one per row, then options_own, then a zeroed one */
    const char **names;          /* names of the options */
    size_t option_count;
    bool *given;                   /* by row */
    const struct option_row *last; /* the one with a value that was read last, and the value */
    const char *last_value;
    const char *unquoted;      /* a word NAME=V behind the value NAME=V of an option; NULL: none */
    size_t unquoted_row;       /* that option's number */
    char unquoted_values[300]; /* its value, and all such words */
    void *values;
    struct options_result *result;
    struct error *error;
};

/* ---- Converting rows to argp's table ---- */

const char *options_help(struct arena *arena, const struct option_row *row)
{
    struct text text = {0};
    bool list = row->choices && (!row->argument || strcmp(row->choices, row->argument) != 0);
    text_printf(&text, "%s%s", row->help, list ? "; one of " : "");
    for (const char *c = list ? row->choices : ""; *c; c++) /* a list without spaces would break within a word */
        text_append(&text, *c == '|' ? ", " : c, *c == '|' ? 2 : 1);
    if (row->default_)
        text_printf(&text, " (default: %s)", row->default_);
    const char *copy = text.failed ? NULL : arena_copy(arena, text_string(&text), text.length);
    text_free(&text);
    return copy;
}

static int make_options(struct reading *reading, struct arena *arena)
{
    const struct command *command = reading->command;
    size_t count = command->option_count + OPTIONS_OWN;
    reading->option_count = count;
    reading->options = arena_array(arena, count + 1, sizeof *reading->options);
    reading->names = arena_array(arena, count, sizeof *reading->names);
    reading->given = arena_array(arena, count, sizeof *reading->given);
    if (!reading->options || !reading->names || !reading->given)
        return error_memory(reading->error);
    for (size_t i = 0; i < OPTIONS_OWN; i++) {
        const struct option_row *row = &options_own[i];
        reading->options[command->option_count + i] = (struct argp_option){
            .name = row->name, .key = row->short_name ? row->short_name : KEY_USAGE, .doc = row->help, .group = -1};
    }
    for (size_t i = 0; i < command->option_count; i++) {
        const struct option_row *row = &command->options[i];
        struct argp_option *option = &reading->options[i];
        option->name = row->name;
        option->key = row->short_name ? row->short_name : KEY_ROW + (int)i;
        option->arg = row->type == OPTION_FLAG ? NULL : row->argument;
        option->doc = options_help(arena, row);
        option->group = (int)i + 1; /* argp sorts within a group: a group per row keeps their order */
        if (!option->doc)
            return error_memory(reading->error);
    }
    for (size_t i = 0; i < count; i++)
        reading->names[i] = reading->options[i].name;
    return 0;
}

/* ---- Errors that getopt would report in its own words ---- */

static int refuse_unknown(const struct reading *reading, const char *name)
{
    const char *near = NULL;
    size_t length = strlen(name), beginnings = 0;
    for (size_t i = 0; i < reading->option_count; i++)
        if (length && strncmp(reading->names[i], name, length) == 0) {
            near = reading->names[i];
            beginnings++;
        }
    if (beginnings != 1)
        near = text_nearest(name, reading->names, reading->option_count);
    int code = error_set(reading->error, ERROR_USAGE, "unknown option --%s", name);
    if (near)
        error_hint(reading->error, "did you mean --%s?", near);
    else
        error_hint(reading->error, "--help lists the options");
    return code;
}

/* Sets `*next` if the option's value is the following argument, and *row to the option's number if it takes a value. */
static int check_long(const struct reading *reading, const char *argument, bool *next, size_t *row)
{
    char name[128];
    struct pair_parts parts;
    bool has_value = pairs_split(argument, strlen(argument), &parts);
    size_t length = has_value ? parts.name_length : strlen(argument);
    if (length >= sizeof name)
        length = sizeof name - 1; /* longer than every name */
    memcpy(name, argument, length);
    name[length] = '\0';
    for (size_t i = 0; i < reading->option_count; i++) {
        if (strcmp(reading->names[i], name) != 0)
            continue;
        if (has_value && !reading->options[i].arg)
            return error_set(reading->error, ERROR_USAGE, "--%s takes no value", name);
        *next = reading->options[i].arg && !has_value;
        *row = i;
        return 0;
    }
    return refuse_unknown(reading, name);
}

static int check_short(const struct reading *reading, const char *letters, bool *next, size_t *row)
{
    for (; *letters; letters++) {
        size_t i = 0;
        while (i < reading->option_count && reading->options[i].key != (unsigned char)*letters)
            i++;
        if (i == reading->option_count) {
            int code = error_set(reading->error, ERROR_USAGE, "unknown option -%c", *letters);
            error_hint(reading->error, "--help lists the options");
            return code;
        }
        if (reading->options[i].arg) {
            *next = !letters[1];
            *row = i;
            return 0;
        }
    }
    return 0;
}

/* Keeps the words NAME=V behind a value for the message that they need quotes. */
static void keep_unquoted(struct reading *reading, size_t row, const char *value, char *const *words, int count)
{
    char *all = reading->unquoted_values;
    size_t room = sizeof reading->unquoted_values;
    reading->unquoted = words[0];
    reading->unquoted_row = row;
    snprintf(all, room, "%s", value);
    for (int i = 0; i < count && words[i][0] != '-' && strchr(words[i], '='); i++) {
        size_t used = strlen(all);
        snprintf(all + used, room - used, " %s", words[i]);
    }
}

static int check_line(struct reading *reading, int argc, char **argv)
{
    size_t row = SIZE_MAX; /* number of the option whose value NAME=V was the last word */
    const char *value = "";
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        bool next = false;
        int code = 0;
        if (argv[i][0] != '-' || !argv[i][1]) {
            if (row < SIZE_MAX && strchr(argv[i], '=') && !reading->unquoted)
                keep_unquoted(reading, row, value, argv + i, argc - i);
            continue;
        }
        row = SIZE_MAX;
        if (argv[i][1] == '-')
            code = check_long(reading, argv[i] + 2, &next, &row);
        else
            code = check_short(reading, argv[i] + 1, &next, &row);
        if (!code && next && ++i == argc)
            code = error_set(reading->error, ERROR_USAGE, "%s needs a value", argv[i - 1]);
        if (code)
            return code;
        const char *joined = strchr(argv[i], '=');
        value = next ? argv[i] : joined ? joined + 1 : "";
        if (!strchr(value, '='))
            row = SIZE_MAX;
    }
    return 0;
}

/* ---- argp's callbacks ---- */

static error_t take_option(struct reading *reading, size_t row_number, const char *argument)
{
    const struct option_row *row = &reading->command->options[row_number];
    if (reading->given[row_number] && row->type != OPTION_LIST) {
        error_set(reading->error, ERROR_USAGE, "--%s is given twice", row->name);
        return EINVAL;
    }
    reading->given[row_number] = true;
    if (row->argument) {
        reading->last = row;
        reading->last_value = argument;
    }
    return option_set(row, reading->values, argument, reading->error) ? EINVAL : 0;
}

/* argp breaks lines before the right margin, and begins texts of options at the column. */
static void set_width(void)
{
    enum { COLUMN = 29, COLUMN_NARROW = 12, NARROW = 60 };
    char format[64];
    int width = terminal_width();
    snprintf(format, sizeof format, "rmargin=%d,opt-doc-col=%d", width - 1, width < NARROW ? COLUMN_NARROW : COLUMN);
    setenv("ARGP_HELP_FMT", format, 1);
}

/* Removes lines of spaces, and trailing spaces, that argp leaves where a text just fits. */
static void print_help(const struct argp_state *state, unsigned flags, struct error *error)
{
    char *help = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&help, &length);
    set_width();
    if (stream)
        argp_state_help(state, stream, flags);
    if (!stream || fclose(stream)) {
        error_memory(error);
        return;
    }
    for (const char *line = help, *end; (end = strchr(line, '\n')); line = end + 1) {
        size_t kept = (size_t)(end - line);
        while (kept && line[kept - 1] == ' ')
            kept--;
        if (kept || end == line)
            fprintf(state->out_stream, "%.*s\n", (int)kept, line);
    }
    free(help);
}

static error_t take(int key, char *argument, struct argp_state *state)
{
    struct reading *reading = state->input;
    unsigned print = 0;
    switch (key) {
    case ARGP_KEY_ARG:
        reading->result->arguments[reading->result->argument_count++] = argument;
        return 0;
    case 'h':
        print = ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC;
        break;
    case KEY_USAGE:
        print = ARGP_HELP_USAGE;
        break;
    case 'V':
        fprintf(state->out_stream, "cutune %s\n", CUTUNE_VERSION);
        break;
    default:
        for (size_t i = 0; i < reading->command->option_count; i++)
            if (reading->options[i].key == key)
                return take_option(reading, i, argument);
        return ARGP_ERR_UNKNOWN;
    }
    if (print)
        print_help(state, print, reading->error);
    reading->result->printed = true;
    return ECANCELED; /* ignore the rest of the line */
}

/* Drops argp's remark about values of short options. */
static char *filter_help(int key, const char *text, void *input)
{
    (void)input;
    return key == ARGP_KEY_HELP_DUP_ARGS_NOTE ? NULL : (char *)text;
}

static int refuse_argument(const struct reading *reading, const char *argument)
{
    int code = error_set(reading->error, ERROR_USAGE, "unexpected argument '%s'", argument);
    if (argument != reading->unquoted || reading->unquoted_row >= reading->command->option_count)
        return code;
    const struct option_row *row = &reading->command->options[reading->unquoted_row];
    if (strncmp(row->argument, "NAME=", strlen("NAME=")) == 0)
        error_hint(reading->error, "give the option again: --%s %s", row->name, argument);
    else
        error_hint(reading->error, "a value with spaces needs quotes: --%s '%s'", row->name, reading->unquoted_values);
    return code;
}

/* `last` is the last word of the command line. An option that took it as a value may have been given none. */
static int check_arguments(const struct reading *reading, const char *last)
{
    const struct command *command = reading->command;
    size_t count = reading->result->argument_count;
    if (count < command->arguments_min) {
        int code = error_set(reading->error, ERROR_USAGE, "%s needs %s", command->name, command->arguments);
        if (reading->last && reading->last_value == last)
            error_hint(reading->error, "'%s' is the %s of --%s", last, reading->last->argument, reading->last->name);
        else
            error_hint(reading->error, "see cutune %s --help", command->name);
        return code;
    }
    for (size_t i = 0; i < count; i++)
        if (i >= command->arguments_max || reading->result->arguments[i] == reading->unquoted)
            return refuse_argument(reading, reading->result->arguments[i]);
    return 0;
}

/* ---- Options that have no effect ---- */

/* Returns the row of an existing option, given by the first `length` characters of its name. */
static size_t row_of(const struct command *command, const char *name, size_t length)
{
    size_t i = 0;
    while (strlen(command->options[i].name) != length || memcmp(command->options[i].name, name, length) != 0)
        i++;
    return i;
}

/* True for a given "NAME", or if the choice NAME has VALUE in "NAME=VALUE", also by default. */
static bool is_on(const struct reading *reading, const char *option)
{
    const char *equals = strchr(option, '=');
    size_t row = row_of(reading->command, option, equals ? (size_t)(equals - option) : strlen(option));
    const void *field = (const char *)reading->values + reading->command->options[row].offset;
    return equals ? strcmp(*(const char *const *)field, equals + 1) == 0 : reading->given[row];
}

static int check_mode(const struct reading *reading, const struct option_mode *mode)
{
    if (mode->unless ? is_on(reading, mode->unless) : !is_on(reading, mode->beside))
        return 0;
    for (const char *name = mode->unused; *name; name += strspn(name, " ")) {
        size_t length = strcspn(name, " ");
        if (reading->given[row_of(reading->command, name, length)])
            return error_set(reading->error, ERROR_USAGE, "--%.*s %s --%s", (int)length, name,
                             mode->unless ? "is for" : "does not apply to", mode->unless ? mode->unless : mode->beside);
        name += length;
    }
    return 0;
}

/* Reads the argument as the value of its option. */
static int take_argument(struct reading *reading)
{
    const char *argument = reading->result->arguments[0], *option = reading->command->argument_option;
    const size_t row = row_of(reading->command, option, strlen(option));
    if (!take_option(reading, row, argument))
        return 0;
    error_hint(reading->error, "'%s' means --%s %s", argument, option, argument);
    return (int)reading->error->code;
}

static int check_modes(const struct reading *reading)
{
    int code = 0;
    for (size_t i = 0; i < reading->command->mode_count && !code; i++)
        code = check_mode(reading, &reading->command->modes[i]);
    return code;
}

int options_parse(const struct command *command, const char *epilogue, int argc, char **argv, void *values,
                  struct options_result *result, struct error *error)
{
    struct arena arena = {0};
    struct reading reading = {.command = command, .values = values, .result = result, .error = error};
    int code = option_defaults(command->options, command->option_count, values, error);
    if (!code)
        code = make_options(&reading, &arena);
    if (!code)
        code = check_line(&reading, argc, argv);
    if (code)
        goto out;
    struct argp argp = {.options = reading.options,
                        .parser = take,
                        .args_doc = *command->arguments ? command->arguments : NULL,
                        .doc = arena_printf(&arena, "%s%s%s", command->summary, *epilogue ? "\v" : "", epilogue),
                        .help_filter = filter_help};
    if (!argp.doc) {
        code = error_memory(error);
        goto out;
    }
    error_t failed = argp_parse(&argp, argc, argv, ARGP_NO_EXIT | ARGP_NO_HELP, NULL, &reading);
    if (result->printed)
        code = error && error->code ? (int)error->code : 0;
    else if (failed)
        code = error && error->code
                   ? (int)error->code
                   : error_set(error, ERROR_USAGE, "cannot read the command line: %s", strerror(failed));
    else
        code = check_arguments(&reading, argv[argc - 1]);
    if (!code && !result->printed && command->argument_option && result->argument_count)
        code = take_argument(&reading);
    if (!code && !result->printed)
        code = check_modes(&reading);
out:
    arena_free(&arena);
    return code;
}
