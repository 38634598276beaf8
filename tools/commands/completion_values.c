#include "commands/completion_values.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "commands/commands.h"
#include "commands/find.h"
#include "database/database.h"
#include "manual/manual.h"
#include "search/strategy.h"

struct values {
    const char *const *line;
    size_t line_count;
    struct arena arena;
    const char **items;
    size_t count, room;
    bool failed;
};

static void add(struct values *values, const char *item, size_t length)
{
    const char **items = array_grow(values->items, &values->room, values->count + 1, sizeof *items);
    char *copy = items ? arena_copy(&values->arena, item, length) : NULL;
    if (items)
        values->items = items;
    values->failed |= !copy;
    if (copy)
        values->items[values->count++] = copy;
}

/* Returns the value of an option on the line: "--db FILE", "--db=FILE" or, as bash splits it, "--db = FILE". */
static const char *option_on_line(const struct values *values, const char *name, const char *otherwise)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < values->line_count; i++) {
        const char *word = values->line[i];
        if (strncmp(word, name, length) != 0)
            continue;
        if (word[length] == '=')
            return word + length + 1;
        if (word[length])
            continue;
        if (i + 2 < values->line_count && strcmp(values->line[i + 1], "=") == 0)
            return values->line[i + 2];
        if (i + 1 < values->line_count)
            return values->line[i + 1];
    }
    return otherwise;
}

/* ---- The kinds ---- */

static void add_strategies(struct values *values)
{
    add(values, "auto", strlen("auto"));
    for (size_t i = 0; i < strategy_count; i++)
        add(values, strategies[i]->name, strlen(strategies[i]->name));
}

/* Appends the names of the files in a folder that end in `suffix`, up to the first of `stop`. */
static void add_files(struct values *values, const char *folder, const char *suffix, char stop)
{
    DIR *directory = folder ? opendir(folder) : NULL;
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        const char *end = strchr(entry->d_name, stop);
        size_t length = strlen(entry->d_name), ending = strlen(suffix);
        if (end && length > ending && strcmp(entry->d_name + length - ending, suffix) == 0)
            add(values, entry->d_name, (size_t)(end - entry->d_name));
    }
    if (directory)
        closedir(directory);
}

static void add_templates(struct values *values)
{
    add_files(values, "templates", ".space", '.');
    add_files(values, find_templates(&values->arena), ".space", '.');
}

static void add_of_rows(struct values *values, const char *(*text_of)(const struct best *best))
{
    struct database *database = NULL;
    struct error error = {0};
    const char *path;
    if (find_results(&values->arena, option_on_line(values, "--db", "cutune.csv"), &path, &database, &error))
        return;
    for (size_t i = 0; i < database_count(database); i++) {
        const char *text = text_of(database_get(database, i));
        add(values, text, strlen(text));
    }
    database_close(database);
}

static const char *kernel_of(const struct best *best)
{
    return best->provenance.kernel;
}

static const char *device_of(const struct best *best)
{
    return best->provenance.device.name;
}

static const char *problem_of(const struct best *best)
{
    return best->provenance.problem;
}

static void add_kernels(struct values *values)
{
    add_of_rows(values, kernel_of);
    add_files(values, option_on_line(values, "--journal", "cutune.d"), ".csv", '.');
}

static void add_devices(struct values *values)
{
    add_of_rows(values, device_of);
}

static void add_problems(struct values *values)
{
    add_of_rows(values, problem_of);
}

/* A leading minus sign sorts the largest first. */
static void add_columns(struct values *values)
{
    size_t count;
    const struct csv_column *columns = database_columns(&count);
    const char *word = values->line_count ? values->line[values->line_count - 1] : "", *equals = strchr(word, '=');
    word = equals ? equals + 1 : word;
    for (size_t i = 0; i < count; i++) {
        const char *name =
            arena_printf(&values->arena, "%s%s", *word == '-' && word[1] != '-' ? "-" : "", columns[i].name);
        values->failed |= !name;
        if (name)
            add(values, name, strlen(name));
    }
}

static void add_pages(struct values *values)
{
    for (size_t i = 0; i < commands.count; i++)
        add(values, commands.items[i]->name, strlen(commands.items[i]->name));
    add(values, "mpi", strlen("mpi"));
    for (size_t i = 0; i < manual_page_count; i++)
        add(values, manual_pages[i].name, strlen(manual_pages[i].name));
}

static const struct {
    const char *name;
    void (*add)(struct values *values);
} kinds[] = {
    {"strategies", add_strategies}, {"templates", add_templates}, {"kernels", add_kernels}, {"devices", add_devices},
    {"problems", add_problems},     {"columns", add_columns},     {"pages", add_pages}};

static int compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void completion_values(const char *kind, const char *const *line, size_t count, struct text *text)
{
    struct values values = {.line = line, .line_count = count};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, kind) == 0)
            kinds[i].add(&values);
    if (values.count)
        qsort(values.items, values.count, sizeof *values.items, compare);
    for (size_t i = 0; i < values.count; i++) {
        if (!*values.items[i] || (i && strcmp(values.items[i - 1], values.items[i]) == 0))
            continue;
        text_append_clean(text, values.items[i], "", ' ');
        text_append(text, "\n", 1);
    }
    text->failed |= values.failed;
    free(values.items);
    arena_free(&values.arena);
}
