#include <stdio.h>
#include <string.h>

#include "compile/cache.h"
#include "terminal/command.h"
#include "terminal/output_format.h"

struct cache_values {
    int64_t max_mib;
    bool clear;
    const char *format;
};

static const struct option_row rows[] = {
    {.name = "clear",
     .type = OPTION_FLAG,
     .offset = offsetof(struct cache_values, clear),
     .help = "remove all entries of the cache"},
    {.name = "max",
     .argument = "MIB",
     .type = OPTION_INT,
     .offset = offsetof(struct cache_values, max_mib),
     .min = 1,
     .max = 1 << 30,
     .help = "remove the least recently used entries until the rest takes at most this many MiB"},
    OUTPUT_FORMAT_OPTION(struct cache_values, format),
};

/* Text has sizes with units; csv and json have bytes. */
static void add_bytes(cJSON *row, const char *name, uint64_t bytes, bool people)
{
    char text[32];
    if (people)
        cJSON_AddStringToObject(row, name, format_bytes(text, sizeof text, (double)bytes));
    else
        output_add_int(row, name, (long long)bytes);
}

static int print(const struct compile_cache *cache, const struct cache_usage *usage, const char *format,
                 struct error *error)
{
    bool people = output_format(format)->people;
    cJSON *list = cJSON_CreateArray(), *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "folder", cache->folder);
    output_add_int(row, "entries", (long long)usage->entries);
    add_bytes(row, "bytes", usage->bytes, people);
    add_bytes(row, "limit", cache->max_bytes, people);
    output_add_int(row, "removed", (long long)usage->removed);
    add_bytes(row, "removed_bytes", usage->removed_bytes, people);
    cJSON_AddItemToArray(list, row);
    int code = output_rows(list, format, true, error);
    cJSON_Delete(list);
    return code;
}

static int run(const void *values, const char *const *arguments, size_t argument_count, struct error *error)
{
    const struct cache_values *wanted = values;
    struct compile_cache cache;
    struct cache_usage usage;
    uint64_t max_bytes = UINT64_MAX;
    (void)arguments, (void)argument_count;
    if (wanted->clear && wanted->max_mib)
        return error_set(error, ERROR_USAGE, "--clear and --max exclude each other");
    if (wanted->clear)
        max_bytes = 0;
    else if (wanted->max_mib)
        max_bytes = (uint64_t)wanted->max_mib << 20;
    int code = compile_cache_find(&cache, error);
    if (!code)
        code = compile_cache_trim(&cache, max_bytes, &usage, error);
    return code ? code : print(&cache, &usage, wanted->format, error);
}

static const struct command_example examples[] = {
    {"cutune cache", "show where the cache is and what it holds"},
    {"cutune cache --max 100", "remove the least recently used entries beyond 100 MiB"},
    {"cutune cache --clear", "remove all entries"},
};

const struct command command_cache = {
    .name = "cache",
    .arguments = "",
    .summary = "show or clear the cache of compiled kernels",
    .description = "cutune keeps compiled kernels, so that no run compiles the same variant twice. This "
                   "command shows how large the cache is, and empties it or makes room in it.",
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .values_size = sizeof(struct cache_values),
    .run = run};
