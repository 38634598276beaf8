/* cutune-mpi itself: tests/integration/mpi. */
#include "commands/mpi.h"

#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

extern const struct command command_tune;

static const struct option_row *find(const struct command *command, const char *name)
{
    for (size_t i = 0; i < command->option_count; i++)
        if (strcmp(command->options[i].name, name) == 0)
            return &command->options[i];
    return NULL;
}

/* It has all options of cutune, in their order, and those that differ say so; every default is valid. */
static void options(void)
{
    static const struct {
        const char *name, *default_, *help;
    } rows[] = {{"device", "all", "its ranks divide them"},
                {"each", NULL, "refused"},
                {"jobs", NULL, "of each rank"},
                {"silence", NULL, "120 when it starts"},
                {"db", "cutune.csv", "database"}};
    struct command command;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(mpi_command(&command, &error), 0);
    CU_ASSERT_EQUAL(command.option_count, command_tune.option_count + 1);
    for (size_t i = 0; i < command_tune.option_count; i++) {
        CU_ASSERT_STRING_EQUAL(command.options[i].name, command_tune.options[i].name);
        CU_ASSERT_EQUAL(command.options[i].offset, command_tune.options[i].offset);
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct option_row *row = find(&command, rows[i].name);
        CU_ASSERT_PTR_NOT_NULL_FATAL(row);
        CU_ASSERT_PTR_NOT_NULL(strstr(row->help, rows[i].help));
        CU_ASSERT(rows[i].default_ ? row->default_ && strcmp(row->default_, rows[i].default_) == 0 : !row->default_);
    }
    struct mpi_values *values = calloc(1, command.values_size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(values);
    CU_ASSERT_EQUAL(option_defaults(command.options, command.option_count, values, &error), 0);
    CU_ASSERT_STRING_EQUAL(values->tune.session.device, "all");
    CU_ASSERT_EQUAL(values->silence_s, 0);
    CU_ASSERT(command.description != command_tune.description && command.examples != command_tune.examples);
    free(values);
    mpi_command_free(&command);
    CU_ASSERT_PTR_NULL(command.options);
}

CU_TestInfo tests_mpi[] = {{"options", options}, CU_TEST_INFO_NULL};
