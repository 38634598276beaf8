#include <string.h>

#include "base/arena.h"
#include "manual/manual.h"
#include "terminal/options.h"

struct entry {
    const char *term, *meaning;
};

static const struct entry statuses[] = {
    {"0", "success, also if the reader of standard output closes it early, as `head` does"},
    {"1", "failure; standard error says why"},
    {"2", "wrong usage"},
    {"3", "no usable device"},
    {"4", "no valid or working configuration"},
    {"5", "`cutune judge`: a candidate is wrong, failed or suspicious"},
    {"130", "interrupted by SIGINT, SIGTERM or SIGHUP, unless these were ignored at the start; all measurements are "
            "saved, and the same command resumes"},
};

static const struct entry files[] = {
    {"cutune.csv", "the database: the best configuration for each kernel, device, problem and objective"},
    {"cutune.d/", "the journals: every evaluation, appended as it ends"},
    {"~/.cache/cutune/", "compiled kernels, at most 512 MiB"},
    {"~/.local/state/cutune/", "the limits that each device had in the last run, with which the compilers begin; in "
                               "`$XDG_STATE_HOME/cutune/` if that is set"},
};

static const struct entry environment[] = {
    {"CUTUNE_CACHE",
     "folder of the cache of compiled kernels, in place of `$XDG_CACHE_HOME/cutune` or `~/.cache/cutune`"},
    {"CUTUNE_TEMPLATES", "folder of the templates, in place of the installed ones"},
    {"CUTUNE_DEVICES", "folder of the files of absent devices, in place of the installed ones"},
    {"CUTUNE_NVRTC", "the library NVRTC, in place of the toolkit's"},
    {"CUTUNE_CUDA_INCLUDE", "folders of CUDA's headers, separated by `:`, in place of the toolkit's"},
    {"CUDA_VISIBLE_DEVICES", "the devices that CUDA shows"},
    {"COLUMNS", "width of the help and, on a terminal, of lines, in place of the terminal's"},
    {"NO_COLOR", "if set and not empty: no colours"},
};

static void put_entries(struct page *page, const char *title, const char *head, const struct entry *entries,
                        size_t count)
{
    page_section(page, title);
    page_items(page, head, "meaning");
    for (size_t i = 0; i < count; i++)
        page_item(page, entries[i].term, entries[i].meaning);
}
#define PUT_ENTRIES(page, title, head, entries)                                                                        \
    put_entries(page, title, head, entries, sizeof(entries) / sizeof *(entries))

static void put_option(struct page *page, struct arena *arena, const struct option_row *row)
{
    const char letter[] = {'-', row->short_name, '\0'};
    const char *name = arena_printf(arena, "--%s", row->name), *help = options_help(arena, row);
    struct page_item item = {.names = {row->short_name ? letter : name, row->short_name ? name : NULL},
                             .argument = row->argument,
                             .meaning = help ? help : ""};
    page->text->failed |= !name || !help;
    if (name && help)
        page_option(page, &item);
}

/* Appends "With `--replay`, `--device` and `--journal` are errors." */
static void put_mode(struct page *page, const struct option_mode *mode)
{
    struct text text = {0};
    size_t count = 0, number = 0;
    for (const char *at = mode->unused; *at; at += strspn(at, " "), count++)
        at += strcspn(at, " ");
    text_printf(&text, mode->unless ? "Without `--%s`, " : "With `--%s`, ", mode->unless ? mode->unless : mode->beside);
    for (const char *at = mode->unused; *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        const char *between = number++ == 0 ? "" : number < count ? ", " : " and ";
        text_printf(&text, "%s`--%.*s`", between, (int)length, at);
        at += length;
    }
    text_printf(&text, count > 1 ? " have no effect: they are errors." : " has no effect: it is an error.");
    page->text->failed |= text.failed;
    page_text(page, text_string(&text));
    text_free(&text);
}

static void put_options(struct page *page, struct arena *arena, const struct command *command)
{
    page_section(page, "Options");
    page_items(page, "option", "meaning");
    for (size_t i = 0; i < command->option_count; i++)
        put_option(page, arena, &command->options[i]);
    for (size_t i = 0; i < OPTIONS_OWN; i++)
        put_option(page, arena, &options_own[i]);
    for (size_t i = 0; i < command->mode_count; i++)
        put_mode(page, &command->modes[i]);
}

static void put_examples(struct page *page, struct arena *arena, const struct command *command)
{
    if (!command->example_count)
        return;
    page_section(page, "Examples");
    for (size_t i = 0; i < command->example_count; i++) {
        char *sentence = arena_printf(arena, "%s:", command->examples[i].meaning);
        page->text->failed |= !sentence;
        if (!sentence)
            return;
        sentence[0] = text_upper(sentence[0]);
        page_text(page, sentence);
        page_code(page, command->examples[i].line);
    }
}

static void put_see_also(struct page *page, const struct command_list *commands, const struct command *command)
{
    struct text list = {0};
    text_printf(&list, command == commands->items[0] ? "" : "`cutune`(1), ");
    for (size_t i = 1; i < commands->count; i++)
        if (commands->items[i] != command)
            text_printf(&list, "`cutune-%s`(1), ", commands->items[i]->name);
    text_printf(&list, "`cutune`(3), `cutune-space`(5), `cutune-journal`(5)");
    page->text->failed |= list.failed;
    page_see_also(page, text_string(&list));
    text_free(&list);
}

static void put_synopsis(struct page *page, struct arena *arena, const struct command *command)
{
    const char *name = arena_printf(arena, "cutune %s", command->name);
    page->text->failed |= !name;
    page_synopsis(page, name ? name : "", command->arguments);
}

/* True for a command of cutune, not a program of its own. */
static bool listed(const struct command_list *commands, const struct command *command)
{
    size_t i = 0;
    while (i < commands->count && commands->items[i] != command)
        i++;
    return i < commands->count;
}

void manual_command(struct page *page, const struct command_list *commands, const struct command *command)
{
    struct arena arena = {0};
    bool first = command == commands->items[0];
    const char *name = first ? "cutune" : arena_printf(&arena, "cutune-%s", command->name);
    page->text->failed |= !name;
    page_title(page, name ? name : "", 1, command->summary);
    page_section(page, "Synopsis");
    if (first)
        page_synopsis(page, "cutune", "");
    else if (!listed(commands, command))
        page_synopsis(page, name ? name : "", command->arguments);
    for (size_t i = 1; i < commands->count; i++)
        if (first || commands->items[i] == command)
            put_synopsis(page, &arena, commands->items[i]);
    page_section(page, "Description");
    page_text(page, command->description);
    if (first) {
        page_section(page, "Commands");
        page_items(page, "command", "what it does");
        for (size_t i = 0; i < commands->count; i++)
            page_item(page, commands->items[i]->name, commands->items[i]->summary);
    }
    put_options(page, &arena, command);
    if (command->manual)
        command->manual(page);
    put_examples(page, &arena, command);
    PUT_ENTRIES(page, "Exit status", "status", statuses);
    if (first) {
        PUT_ENTRIES(page, "Files", "file", files);
        PUT_ENTRIES(page, "Environment", "variable", environment);
    }
    put_see_also(page, commands, command);
    arena_free(&arena);
}
