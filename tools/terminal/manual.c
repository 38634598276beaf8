#include "terminal/manual.h"

#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "cutune_header.inc"
#include "terminal/options.h"

enum value_kind manual_value_kind(const char *choices, const char *argument)
{
    if (choices)
        return VALUE_CHOICES;
    if (argument && strstr(argument, "FILE"))
        return VALUE_FILES;
    if (argument && strstr(argument, "DIR"))
        return VALUE_FOLDERS;
    return argument && strchr(argument, '|') ? VALUE_CHOICES : VALUE_ANY;
}

/* ---- roff ---- */

static void put_text(struct text *text, const char *string, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (string[i] == '\\')
            text_printf(text, "\\e");
        else if (string[i] == '-')
            text_printf(text, "\\-");
        else if ((string[i] == '.' || string[i] == '\'') && (i == 0 || string[i - 1] == '\n'))
            text_printf(text, "\\&%c", string[i]);
        else
            text_append(text, &string[i], 1);
}

static void put_string(struct text *text, const char *string)
{
    put_text(text, string, strlen(string));
}

static void put_section(struct text *text, const char *title)
{
    text_printf(text, ".SH %s\n", title);
}

/* A term in bold, and its meaning. */
static void put_item(struct text *text, const char *term, const char *meaning)
{
    text_printf(text, ".TP\n\\fB");
    put_string(text, term);
    text_printf(text, "\\fR\n");
    put_string(text, meaning);
    text_append(text, "\n", 1);
}

static void put_option(struct text *text, const struct option_row *row)
{
    struct arena arena = {0};
    const char *help = options_help(&arena, row);
    text_printf(text, ".TP\n");
    if (row->short_name)
        text_printf(text, "\\fB\\-%c\\fR, ", row->short_name);
    text_printf(text, "\\fB\\-\\-");
    put_string(text, row->name);
    text_printf(text, "\\fR");
    if (row->type != OPTION_FLAG) {
        text_printf(text, "=\\fI");
        put_string(text, row->argument);
        text_printf(text, "\\fR");
    }
    text_append(text, "\n", 1);
    put_string(text, help ? help : "");
    text_append(text, "\n", 1);
    text->failed |= !help;
    arena_free(&arena);
}

static void put_options(struct text *text, const struct command *command)
{
    put_section(text, "OPTIONS");
    for (size_t i = 0; i < command->option_count; i++)
        put_option(text, &command->options[i]);
    for (size_t i = 0; i < OPTIONS_OWN; i++)
        put_option(text, &options_own[i]);
}

/* ---- Common parts of pages ---- */

struct item {
    const char *term, *meaning;
};

static const struct item statuses[] = {
    {"0", "success, also if the reader of standard output closes it early, as head(1) does"},
    {"1", "failure; standard error says why"},
    {"2", "wrong usage"},
    {"3", "no usable device"},
    {"4", "no valid or working configuration"},
    {"130", "interrupted by SIGINT, SIGTERM or SIGHUP, if these were not ignored at the start; what was measured is "
            "saved, and the same command continues from there"},
};

static const struct item files[] = {
    {"cutune.csv", "the database: the best configuration per kernel, device, problem and objective"},
    {"cutune.d/", "the journals: every evaluation, appended as it ends"},
    {"~/.cache/cutune/", "compiled kernels, at most 512 MiB"},
};

static const struct item environment[] = {
    {"CUTUNE_CACHE", "folder of the cache of compiled kernels, in place of $XDG_CACHE_HOME/cutune or ~/.cache/cutune"},
    {"CUTUNE_TEMPLATES", "folder of the templates, in place of the installed ones"},
    {"CUTUNE_DEVICES", "folder of the files of absent devices, in place of the installed ones"},
    {"CUDA_VISIBLE_DEVICES", "the devices that CUDA shows"},
    {"NO_COLOR", "if set and not empty: no colours"},
};

static void put_items(struct text *text, const char *title, const struct item *items, size_t count)
{
    put_section(text, title);
    for (size_t i = 0; i < count; i++)
        put_item(text, items[i].term, items[i].meaning);
}
#define PUT_ITEMS(text, title, items) put_items(text, title, items, sizeof(items) / sizeof *(items))

static void put_see_also(struct text *text, const struct command_list *commands, const struct command *page)
{
    put_section(text, "SEE ALSO");
    text_printf(text, page ? "\\fBcutune\\fR(1)" : "\\fBcutune\\fR(3)");
    for (size_t i = 1; i < commands->count; i++)
        if (commands->items[i] != page)
            text_printf(text, ", \\fBcutune\\-%s\\fR(1)", commands->items[i]->name);
    text_append(text, "\n", 1);
}

static void put_title(struct text *text, const char *name, int section, const char *summary)
{
    text_printf(text, ".\\\" Made by cutune manual.\n.TH %s %d \"\" \"cutune %s\" \"%s\"\n", name, section,
                CUTUNE_VERSION, section == 1 ? "User Commands" : "Library Functions");
    put_section(text, "NAME");
    text_printf(text, "%s \\- ", name);
    put_string(text, summary);
    text_append(text, "\n", 1);
}

/* ---- The pages ---- */

static void put_synopsis(struct text *text, const struct command *command)
{
    text_printf(text, "\\fBcutune %s\\fR [\\fIOPTION\\fR...]", command->name);
    if (*command->arguments) {
        text_printf(text, " \\fI");
        put_string(text, command->arguments);
        text_printf(text, "\\fR");
    }
    text_append(text, "\n", 1);
}

static void put_command_page(struct text *text, const struct command_list *commands, const struct command *command)
{
    struct arena arena = {0};
    const char *name = arena_printf(&arena, "cutune\\-%s", command->name);
    put_title(text, name ? name : "", 1, command->summary);
    put_section(text, "SYNOPSIS");
    put_synopsis(text, command);
    put_options(text, command);
    PUT_ITEMS(text, "EXIT STATUS", statuses);
    put_see_also(text, commands, command);
    arena_free(&arena);
}

void manual_page(const struct command_list *commands, const struct command *command, struct text *text)
{
    static const char description[] =
        "cutune finds the memory configuration that makes a CUDA kernel fastest on the GPU in the machine. A space "
        "file "
        "says what may vary; cutune compiles the variants with NVRTC, verifies and times them in processes of their "
        "own, "
        "and keeps the best in a database, from which headers for builds are made. Results go to standard output, "
        "progress and messages to standard error. The space language is described in README.md of the documentation.\n";
    if (command) {
        put_command_page(text, commands, command);
        return;
    }
    put_title(text, "cutune", 1, commands->items[0]->summary);
    put_section(text, "SYNOPSIS");
    text_printf(text, "\\fBcutune\\fR [\\fIOPTION\\fR...]\n");
    for (size_t i = 1; i < commands->count; i++) {
        text_printf(text, ".br\n");
        put_synopsis(text, commands->items[i]);
    }
    put_section(text, "DESCRIPTION");
    put_string(text, description);
    put_section(text, "COMMANDS");
    for (size_t i = 0; i < commands->count; i++)
        put_item(text, commands->items[i]->name, commands->items[i]->summary);
    put_options(text, commands->items[0]);
    PUT_ITEMS(text, "EXIT STATUS", statuses);
    PUT_ITEMS(text, "FILES", files);
    PUT_ITEMS(text, "ENVIRONMENT", environment);
    put_see_also(text, commands, NULL);
}

/* ---- The library's page: the header's comments as text and its code as code ---- */

/* Appends the comment at `at`; returns its end. */
static const char *put_comment(struct text *text, const char *at)
{
    const char *end = strstr(at, "*/");
    if (!end)
        return at + strlen(at);
    if (strncmp(at, "/* ---- ", 8) == 0) {
        text_printf(text, ".SH ");
        for (at += 8; at < end && *at != '-'; at++)
            text_printf(text, "%c", *at >= 'a' && *at <= 'z' ? *at - 'a' + 'A' : *at);
        text_append(text, "\n", 1);
    } else {
        text_printf(text, ".PP\n");
        for (at += 2; at < end;) { /* strips the lines of " * " */
            at += strspn(at, at[0] == ' ' && at[1] == '*' ? " *" : " ");
            size_t length = strcspn(at, "\n");
            if (at + length > end)
                length = (size_t)(end - at);
            put_text(text, at, length);
            text_append(text, "\n", 1);
            at += length + 1;
        }
    }
    return end + strcspn(end, "\n");
}

void manual_library(struct text *text)
{
    const char *at = strstr(cutune_header, "/* ---- "), *stop = strstr(cutune_header, "#ifdef __cplusplus\n}");
    const char *guard = strstr(cutune_header, "#ifndef CUTUNE_H");
    put_title(text, "cutune", 3, "what was tuned, chosen for a device and sizes, and compiled for them");
    put_section(text, "SYNOPSIS");
    text_printf(text,
                ".nf\n#include <cutune.h>\n#include <cutune_cuda.h>\n\ncc ... $(pkg\\-config \\-\\-cflags \\-\\-libs "
                "cutune)\n.fi\n");
    put_section(text, "DESCRIPTION");
    if (!at || !stop || !guard)
        return;
    put_comment(text, cutune_header);
    while (at < stop) {
        at += strspn(at, "\n");
        if (strncmp(at, "/*", 2) == 0) {
            at = put_comment(text, at);
            continue;
        }
        text_printf(text, ".PP\n.nf\n");
        while (at < stop && *at != '\n' && strncmp(at, "/*", 2) != 0) { /* up to an empty line or a comment */
            size_t length = strcspn(at, "\n");
            /* Drops the export mark, and the indentation that it caused in the lines below. */
            size_t mark = strlen("CUTUNE_API "), spaces = strspn(at, " ");
            size_t skipped = strncmp(at, "CUTUNE_API ", mark) == 0 || spaces > mark ? mark : 0;
            put_text(text, at + skipped, length - skipped);
            text_append(text, "\n", 1);
            at += length + 1;
        }
        text_printf(text, ".fi\n");
    }
    put_section(text, "SEE ALSO");
    text_printf(text, "\\fBcutune\\fR(1)\n");
}
