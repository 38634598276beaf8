#include <string.h>

#include "commands/commands.h"
#include "manual/manual.h"
#include "terminal/manual.h"
#include "terminal/output.h"

struct manual_values {
    const char *format, *output;
};

static const struct option_row rows[] = {
    {.name = "format",
     .argument = PAGE_FORMATS,
     .type = OPTION_CHOICE,
     .offset = offsetof(struct manual_values, format),
     .choices = PAGE_FORMATS,
     .default_ = "man",
     .help = "for man(1), or as a part of a Markdown document"},
    {.name = "output",
     .short_name = 'o',
     .argument = "FILE",
     .type = OPTION_TEXT,
     .offset = offsetof(struct manual_values, output),
     .help = "file to write; by default, standard output"},
};

static const struct {
    const char *name;
    void (*write)(struct page *page);
} pages[] = {{"space", manual_space}, {"journal", manual_journal}};

static int run(const void *values, const char *const *arguments, size_t argument_count, struct error *error)
{
    const struct manual_values *wanted = values;
    const char *name = argument_count ? arguments[0] : commands.items[0]->name;
    const struct command *command = commands_find(name);
    struct text text = {0};
    struct page page = {.format = page_format_find(wanted->format), .text = &text};
    int code = 0;
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
        if (strcmp(name, pages[i].name) == 0)
            pages[i].write(&page);
    if (text.length || text.failed) {
        ;
    } else if (strcmp(name, "library") == 0) {
        manual_library(&text);
    } else if (!command) {
        code = error_set(error, ERROR_USAGE, "there is no page '%.80s'", name);
        error_hint(error, "the pages are space, journal, library and one of each command, which cutune --help lists");
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
