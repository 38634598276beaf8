/* The golden cases in tests/cli test what each command does. */
#include "commands/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "base/error.h"
#include "commands/completion_values.h"
#include "terminal/options.h"

static void found_by_name(void)
{
    static const char *const none[] = {"", "tun", "tune2", "TUNE", "library", "help"};
    CU_ASSERT_STRING_EQUAL(commands.items[0]->name, "tune"); /* the command that cutune runs without a command's name */
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
            CU_ASSERT(row->short_name != 'h' && row->short_name != 'V');
            CU_ASSERT_EQUAL(row->argument == NULL, row->type == OPTION_FLAG);
            CU_ASSERT(row->help[strlen(row->help) - 1] != '.');
            for (size_t b = 0; b < a; b++) {
                CU_ASSERT_NOT_EQUAL(strcmp(row->name, command->options[b].name), 0);
                CU_ASSERT(!row->short_name || row->short_name != command->options[b].short_name);
            }
        }
    }
}

static const struct option_row *find_option(const struct command *command, const char *name, size_t length)
{
    for (size_t i = 0; i < command->option_count; i++)
        if (strlen(command->options[i].name) == length && memcmp(command->options[i].name, name, length) == 0)
            return &command->options[i];
    return NULL;
}

/* Modes name options of the command, and values of its choices. */
static void modes(void)
{
    for (size_t i = 0; i < commands.count; i++)
        for (size_t m = 0; m < commands.items[i]->mode_count; m++) {
            const struct command *command = commands.items[i];
            const struct option_mode *mode = &command->modes[m];
            CU_ASSERT_EQUAL_FATAL(mode->beside != NULL, mode->unless == NULL);
            const char *other = mode->beside ? mode->beside : mode->unless, *value = strchr(other, '=');
            const struct option_row *row = find_option(command, other, strcspn(other, "="));
            CU_ASSERT_PTR_NOT_NULL_FATAL(row);
            CU_ASSERT(!value || (row->type == OPTION_CHOICE && strstr(row->choices, value + 1)));
            for (const char *at = mode->unused; *at; at += strspn(at, " ")) {
                size_t length = strcspn(at, " ");
                const struct option_row *unused = find_option(command, at, length);
                CU_ASSERT(unused && unused != row);
                at += length;
            }
        }
}

enum { WORDS_MAX = 32 };

/* Splits a line at spaces outside '...', in place. */
static int split(char *line, char *words[WORDS_MAX])
{
    int count = 0;
    for (char *at = line; *at && count < WORDS_MAX - 1;) {
        char *to = at;
        bool quoted = false;
        words[count++] = at;
        for (; *at && (quoted || *at != ' '); at++)
            if (*at == '\'')
                quoted = !quoted;
            else
                *to++ = *at;
        at += *at == ' ';
        *to = '\0';
    }
    return count;
}

static void expect_parsed(const struct command *command, const char *example)
{
    char line[512], *words[WORDS_MAX];
    const char *arguments[WORDS_MAX];
    struct options_result result = {.arguments = arguments};
    struct error error = {0};
    void *values = calloc(1, command->values_size + 1);
    snprintf(line, sizeof line, "%s", example);
    int count = split(line, words), first = command == commands.items[0] ? 0 : 1;
    CU_ASSERT_FATAL(values && count > first);
    CU_ASSERT_STRING_EQUAL(words[0], "cutune");
    if (first)
        CU_ASSERT_STRING_EQUAL(words[1], command->name);
    CU_ASSERT_EQUAL(options_parse(command, "", count - first, words + first, values, &result, &error), 0);
    if (error.code)
        printf("\n%s: %s\n", example, error.message);
    free(values);
}

/* Every command has a description, and examples with options that it has. */
static void examples(void)
{
    for (size_t i = 0; i < commands.count; i++) {
        const struct command *command = commands.items[i];
        CU_ASSERT(command->summary && *command->summary && command->description && *command->description);
        CU_ASSERT(command->example_count > 0);
        for (size_t e = 0; e < command->example_count; e++) {
            const char *meaning = command->examples[e].meaning;
            CU_ASSERT(meaning && *meaning && meaning[strlen(meaning) - 1] != '.');
            expect_parsed(command, command->examples[e].line);
        }
    }
}

static void expect_values(const char *values)
{
    const char *found = values ? strstr("|" COMPLETION_VALUES "|", values) : NULL;
    CU_ASSERT(!values || (found && found[-1] == '|' && found[strlen(values)] == '|'));
}

/* Completions in the tables are kinds that the program knows. */
static void completed_values(void)
{
    for (size_t i = 0; i < commands.count; i++) {
        expect_values(commands.items[i]->values);
        for (size_t o = 0; o < commands.items[i]->option_count; o++)
            expect_values(commands.items[i]->options[o].values);
    }
}

CU_TestInfo tests_commands[] = {{"found by name", found_by_name},
                                {"options", options},
                                {"examples", examples},
                                {"values that shells complete", completed_values},
                                {"options that have no effect", modes},
                                CU_TEST_INFO_NULL};
