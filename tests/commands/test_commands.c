/* The golden cases in tests/cli test what each command does. */
#include "commands/commands.h"

#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "base/error.h"

static void found_by_name(void)
{
    static const char *const none[] = {"", "tun", "tune2", "TUNE", "library", "help"};
    CU_ASSERT_STRING_EQUAL(commands.items[0]->name, "tune"); /* what cutune does without a command */
    for (size_t i = 0; i < commands.count; i++)
        CU_ASSERT_PTR_EQUAL(commands_find(commands.items[i]->name), commands.items[i]);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        CU_ASSERT_PTR_NULL(commands_find(none[i]));
}

/* No two options of a command share a name or letter, none shadows a common option, and every default is valid. */
static void options(void)
{
    for (size_t i = 0; i < commands.count; i++) {
        const struct command *command = commands.items[i];
        struct error error = {0};
        void *values = calloc(1, command->values_size + 1);
        CU_ASSERT_PTR_NOT_NULL_FATAL(values);
        CU_ASSERT_EQUAL(option_defaults(command->options, command->option_count, values, &error), 0);
        free(values);
        CU_ASSERT(command->arguments_min <= command->arguments_max);
        CU_ASSERT_EQUAL(*command->arguments == '\0', command->arguments_max == 0);
        for (size_t a = 0; a < command->option_count; a++) {
            const struct option_row *row = &command->options[a];
            CU_ASSERT(strcmp(row->name, "help") != 0 && strcmp(row->name, "usage") != 0 &&
                      strcmp(row->name, "version") != 0);
            CU_ASSERT(row->short_name != '?' && row->short_name != 'V');
            CU_ASSERT_EQUAL(row->argument == NULL, row->type == OPTION_FLAG);
            CU_ASSERT(row->help[strlen(row->help) - 1] != '.');
            for (size_t b = 0; b < a; b++) {
                CU_ASSERT_NOT_EQUAL(strcmp(row->name, command->options[b].name), 0);
                CU_ASSERT(!row->short_name || row->short_name != command->options[b].short_name);
            }
        }
    }
}

CU_TestInfo tests_commands[] = {{"found by name", found_by_name}, {"options", options}, CU_TEST_INFO_NULL};
