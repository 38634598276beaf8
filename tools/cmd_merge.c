#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "db/merge.h"
#include "tools/command.h"
#include "tools/output.h"

enum { FILES_MAX = 4096 };

struct merge_values {
    const char *output;
    bool quiet;
};

static const struct option_row rows[] = {
    {.name = "output",
     .short_name = 'o',
     .argument = "FILE",
     .type = OPTION_TEXT,
     .offset = offsetof(struct merge_values, output),
     .help = "database to write; without it, standard output"},
    {.name = "quiet",
     .short_name = 'q',
     .type = OPTION_FLAG,
     .offset = offsetof(struct merge_values, quiet),
     .help = "do not list rows that gave way"},
};

static void tell(void *context, const struct merge_conflict *conflict)
{
    const struct best *best = conflict->kept;
    (void)context;
    fprintf(stderr, "cutune: %s, %s%s%s: %s:%d stays, %s:%d goes: %s\n", best->kernel, best->device,
            *best->problem ? ", " : "", best->problem, conflict->kept_path, conflict->kept_line, conflict->dropped_path,
            conflict->dropped_line, conflict->reason);
}

static int open_all(struct database **databases, const char *const *paths, size_t count, struct error *error)
{
    int code = 0;
    for (size_t i = 0; i < count && !code; i++) {
        code = database_open(&databases[i], paths[i], error);
        if (!code && database_count(databases[i]) == 0) /* also when there is no such file */
            code = error_set(error, ERROR_NOT_FOUND, "there is no result in %s", paths[i]);
    }
    return code;
}

static int run(const void *values, const char *const *arguments, size_t argument_count, struct error *error)
{
    const struct merge_values *wanted = values;
    struct database **databases = calloc(argument_count, sizeof *databases);
    struct text text = {0};
    if (!databases)
        return error_memory(error);
    int code = open_all(databases, arguments, argument_count, error);
    if (!code)
        code = database_merge((const struct database *const *)databases, argument_count, &text,
                              wanted->quiet ? NULL : tell, NULL, error);
    if (!code)
        code = output_file(wanted->output, &text, error);
    for (size_t i = 0; i < argument_count; i++)
        database_close(databases[i]);
    free(databases);
    text_free(&text);
    return code;
}

const struct command command_merge = {.name = "merge",
                                      .arguments = "FILE...",
                                      .summary = "merge the databases of several machines into one",
                                      .options = rows,
                                      .option_count = sizeof rows / sizeof *rows,
                                      .values_size = sizeof(struct merge_values),
                                      .arguments_min = 1,
                                      .arguments_max = FILES_MAX,
                                      .run = run};
