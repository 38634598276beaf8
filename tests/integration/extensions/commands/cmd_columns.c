#include <stdio.h>

#include "journal/journal.h"
#include "terminal/command.h"

static int run(const void *values, const char *const *arguments, size_t argument_count, struct error *error)
{
    struct journal *journal = NULL;
    int code = journal_read(&journal, arguments[0], error);
    (void)values, (void)argument_count;
    for (size_t p = 0; !code && p < journal_get_header(journal)->parameter_count; p++)
        printf("%s\n", journal_get_header(journal)->parameters[p]);
    journal_close(journal, NULL);
    return code;
}

const struct command command_columns = {.name = "columns",
                                        .arguments = "JOURNAL",
                                        .summary = "list the parameters of a journal",
                                        .description = "cutune writes the name of each parameter on a line.",
                                        .arguments_min = 1,
                                        .arguments_max = 1,
                                        .run = run};
