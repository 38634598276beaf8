#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "db/database.h"
#include "tools/command.h"
#include "tools/emit.h"
#include "tools/output.h"

struct emit_values {
    const char *kernel, *database, *device, *prefix, *output;
};

static const struct option_row rows[] = {
    {.name = "kernel",
     .argument = "NAME",
     .type = OPTION_TEXT,
     .offset = offsetof(struct emit_values, kernel),
     .help = "kernel whose configurations the header holds; cutune show lists them"},
    {.name = "db",
     .argument = "FILE",
     .type = OPTION_TEXT,
     .offset = offsetof(struct emit_values, database),
     .standard = "cutune.csv",
     .help = "database to read"},
    {.name = "device",
     .argument = "NAME",
     .type = OPTION_TEXT,
     .offset = offsetof(struct emit_values, device),
     .help = "device of the macros, by a part of its name; without it, the newest row's"},
    {.name = "prefix",
     .argument = "NAME",
     .type = OPTION_TEXT,
     .offset = offsetof(struct emit_values, prefix),
     .help = "prefix of all names in the header; without it, the kernel's name"},
    {.name = "output",
     .short_name = 'o',
     .argument = "FILE",
     .type = OPTION_TEXT,
     .offset = offsetof(struct emit_values, output),
     .help = "file to write; without it, standard output"},
};

static int no_rows(const struct emit_values *wanted, const struct database *database, struct error *error)
{
    const char *near = NULL;
    error_set(error, ERROR_NOT_FOUND, "there is no row of the kernel '%.100s' in %s", wanted->kernel, wanted->database);
    for (size_t i = 0; i < database_count(database) && !near; i++)
        near = text_nearest(wanted->kernel, &database_get(database, i)->kernel, 1);
    if (near)
        error_hint(error, "did you mean %s?", near);
    else
        error_hint(error, "cutune show --db %s lists what is there; cutune --space FILE tunes a kernel",
                   wanted->database);
    return ERROR_NOT_FOUND;
}

static int emit(const struct emit_values *wanted, const struct database *database, struct text *text,
                struct error *error)
{
    struct emit_request request = {wanted->kernel, wanted->prefix ? wanted->prefix : wanted->kernel, wanted->device};
    size_t count = 0;
    const struct best **of_kernel = calloc(database_count(database) + 1, sizeof *of_kernel);
    if (!of_kernel)
        return error_memory(error);
    for (size_t i = 0; i < database_count(database); i++) {
        const struct best *best = database_get(database, i);
        if (strcmp(best->kernel, wanted->kernel) == 0 && strcmp(best->objective, "time") == 0)
            of_kernel[count++] = best;
    }
    int code = count ? emit_header(of_kernel, count, &request, text, error) : no_rows(wanted, database, error);
    free(of_kernel);
    return code;
}

static int run(const void *values, const char *const *arguments, size_t argument_count, struct error *error)
{
    const struct emit_values *wanted = values;
    struct database *database = NULL;
    struct text text = {0};
    (void)arguments;
    (void)argument_count;
    if (!wanted->kernel || !*wanted->kernel) {
        error_set(error, ERROR_USAGE, "emit needs --kernel NAME");
        error_hint(error, "cutune show lists the kernels of the database");
        return ERROR_USAGE;
    }
    int code = database_open(&database, wanted->database, error);
    if (!code)
        code = emit(wanted, database, &text, error);
    if (!code)
        code = output_file(wanted->output, &text, error);
    text_free(&text);
    database_close(database);
    return code;
}

const struct command command_emit = {.name = "emit",
                                     .arguments = "",
                                     .summary = "write a C, C++ and CUDA header with a kernel's best configurations",
                                     .options = rows,
                                     .option_count = sizeof rows / sizeof *rows,
                                     .values_size = sizeof(struct emit_values),
                                     .run = run};
