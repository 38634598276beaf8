#include <string.h>

#include "commands/commands.h"
#include "commands/mpi.h"
#include "manual/manual.h"
#include "terminal/output.h"

struct manual_values {
    const char *format, *output;
};

static const char MPI[] = "mpi";
enum { NAMES_MAX = 64 }; /* limit on the names searched for the nearest */

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

static int refuse_page(const char *name, struct error *error)
{
    const char *names[NAMES_MAX];
    size_t count = 0;
    for (size_t i = 0; i < manual_page_count && count < NAMES_MAX; i++)
        names[count++] = manual_pages[i].name;
    names[count++] = MPI;
    for (size_t i = 0; i < commands.count && count < NAMES_MAX; i++)
        names[count++] = commands.items[i]->name;
    int code = error_set(error, ERROR_USAGE, "there is no page '%.80s'", name);
    const char *near = text_nearest(name, names, count);
    if (near)
        error_hint(error, "did you mean '%s'?", near);
    else
        error_hint(error,
                   "the pages are mpi, space, journal, library and one of each command, which cutune --help lists");
    return code;
}

static int run(const void *values, const char *const *arguments, size_t argument_count, struct error *error)
{
    const struct manual_values *wanted = values;
    const char *name = argument_count ? arguments[0] : commands.items[0]->name;
    const struct command *command = commands_find(name);
    struct command mpi = {0};
    struct text text = {0};
    struct page page = {.format = page_format_find(wanted->format), .text = &text};
    int code = output_check(wanted->output, FILE_KIND_OTHER, NULL, 0, error);
    if (!code && strcmp(name, MPI) == 0) {
        code = mpi_command(&mpi, error);
        command = code ? NULL : &mpi;
    }
    if (command)
        manual_command(&page, &commands, command);
    for (size_t i = 0; i < manual_page_count; i++)
        if (strcmp(name, manual_pages[i].name) == 0)
            manual_pages[i].write(&page);
    if (!code && !text.length && !text.failed) {
        code = refuse_page(name, error);
    }
    if (!code)
        code = output_file(wanted->output, &text, error);
    mpi_command_free(&mpi);
    text_free(&text);
    return code;
}

static const struct command_example examples[] = {
    {"cutune manual -o cutune.1", "write the page of cutune"},
    {"cutune manual space --format markdown", "write the reference of the space language as Markdown"},
};

const struct command command_manual = {
    .name = "manual",
    .arguments = "[PAGE]",
    .values = "pages",
    .summary = "write a page of the manual: of cutune, a command, mpi, space, journal or library",
    .description = "cutune writes the pages of its manual: of itself, of a command, of the space language "
                   "(`space`), of the files (`journal`), of the C library (`library`) and of cutune-mpi (`mpi`). "
                   "Installation puts "
                   "them where `man` finds them. The Markdown form has no title, and its sections are headings"
                   " of level 3.",
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .values_size = sizeof(struct manual_values),
    .arguments_max = 1,
    .run = run};
