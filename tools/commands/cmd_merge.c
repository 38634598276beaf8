#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "commands/find.h"
#include "database/merge.h"
#include "journal/journal_merge.h"
#include "terminal/command.h"
#include "terminal/output.h"

enum { FILES_MAX = 4096 };

struct merge_values {
    const char *output;
    bool journal, quiet;
};

static const struct option_row rows[] = {
    {.name = "output",
     .short_name = 'o',
     .argument = "FILE",
     .type = OPTION_TEXT,
     .offset = offsetof(struct merge_values, output),
     .help = "database to merge into, which keeps its rows and may be in use, or a new journal; by default, standard "
             "output"},
    {.name = "journal",
     .type = OPTION_FLAG,
     .offset = offsetof(struct merge_values, journal),
     .help = "make one journal of journals, as if one run had made it: those of parts (--part), or of several hosts"},
    {.name = "quiet",
     .short_name = 'q',
     .type = OPTION_FLAG,
     .offset = offsetof(struct merge_values, quiet),
     .help = "list neither the dropped rows nor the generation of the written file"},
};

/* The winner of a journal has no line. */
static void put_place(struct text *text, const char *path, int line)
{
    text_printf(text, "%s", path);
    if (line)
        text_printf(text, ":%d", line);
}

static void tell(void *context, const struct merge_conflict *conflict)
{
    const struct best *best = conflict->kept;
    struct text places = {0};
    (void)context;
    text_printf(&places, "kept ");
    put_place(&places, conflict->kept_path, conflict->kept_line);
    text_printf(&places, ", dropped ");
    put_place(&places, conflict->dropped_path, conflict->dropped_line);
    output_note("%s, %s%s%s: %s: %s", best->provenance.kernel, best->provenance.device.name,
                *best->provenance.problem ? ", " : "", best->provenance.problem, text_string(&places),
                conflict->reason);
    text_free(&places);
}

/* An existing output database keeps its rows, so that it is an input, too, named or not. */
struct merging {
    struct arena arena;
    struct database **databases;
    size_t count;
    int lock;
};

/* Takes the lock first: earlier changes of other processes are read, later ones wait. */
static int open_output(struct merging *merging, const char *path, struct error *error)
{
    struct stat status;
    if (!path || strcmp(path, "-") == 0 || (stat(path, &status) == 0 && !S_ISREG(status.st_mode)))
        return 0;
    int code = database_lock(path, &merging->lock, error);
    return code ? code : database_open(&merging->databases[merging->count++], path, error);
}

static int open_inputs(struct merging *merging, const char *const *paths, size_t count, const char *output,
                       struct error *error)
{
    int code = 0;
    for (size_t i = 0; i < count && !code; i++) {
        if (merging->lock >= 0 && file_same(paths[i], output))
            continue;
        struct database **database = &merging->databases[merging->count++];
        const char *path;
        code = find_results(&merging->arena, paths[i], &path, database, error);
        if (!code && database_count(*database) == 0) /* also if the file is missing */
            code = error_set(error, ERROR_NOT_FOUND, "no results in %s", paths[i]);
    }
    return code;
}

static int merge_databases(const struct merge_values *wanted, const char *const *arguments, size_t argument_count,
                           struct error *error)
{
    struct merging merging = {.databases = calloc(argument_count + 1, sizeof *merging.databases), .lock = -1};
    struct text text = {0};
    if (!merging.databases)
        return error_memory(error);
    int code = output_check(wanted->output, FILE_KIND_DATABASE, NULL, 0, error);
    if (!code)
        code = open_output(&merging, wanted->output, error);
    if (!code)
        code = open_inputs(&merging, arguments, argument_count, wanted->output, error);
    if (!code)
        code = database_merge((const struct database *const *)merging.databases, merging.count, &text,
                              wanted->quiet ? NULL : tell, NULL, error);
    if (!code)
        code = output_file(wanted->output, &text, error);
    if (!code && !wanted->quiet && wanted->output && strcmp(wanted->output, "-") != 0) {
        char generation[HASH_HEX_BYTES];
        hash_hex(text.bytes, text.length, generation);
        output_note("%s has the generation %s", wanted->output, generation);
    }
    for (size_t i = 0; i < merging.count; i++)
        database_close(merging.databases[i]);
    if (merging.lock >= 0)
        close(merging.lock);
    free(merging.databases);
    arena_free(&merging.arena);
    text_free(&text);
    return code;
}

/* A run may be using an existing journal, so that it is not replaced. */
static int check_new(const char *path, const char *const *inputs, size_t count, struct error *error)
{
    struct stat status;
    int code = output_check(path, FILE_KIND_JOURNAL, inputs, count, error);
    if (code || !path || strcmp(path, "-") == 0 || stat(path, &status) || !S_ISREG(status.st_mode))
        return code;
    error_set(error, ERROR_USAGE, "--output: %s exists", path);
    error_hint(error, "name a new file, and %s as one of the journals if it is to be a part of it", path);
    return ERROR_USAGE;
}

static int merge_journals(const struct merge_values *wanted, const char *const *paths, size_t count,
                          struct error *error)
{
    struct journal **journals = calloc(count, sizeof *journals);
    struct text text = {0};
    int line, code = journals ? check_new(wanted->output, paths, count, error) : error_memory(error);
    for (size_t i = 0; i < count && !code; i++) {
        code = journal_read(&journals[i], paths[i], error);
        if (!code && !wanted->quiet && journal_torn(journals[i], &line))
            output_note("%s:%d: the last line is incomplete and ignored", paths[i], line);
    }
    if (!code)
        code = journal_merge((const struct journal *const *)journals, count, &text, error);
    if (!code)
        code = output_file(wanted->output, &text, error);
    for (size_t i = 0; i < count && journals; i++)
        journal_close(journals[i], NULL);
    free(journals);
    text_free(&text);
    return code;
}

static int run(const void *values, const char *const *arguments, size_t argument_count, struct error *error)
{
    const struct merge_values *wanted = values;
    return wanted->journal ? merge_journals(wanted, arguments, argument_count, error)
                           : merge_databases(wanted, arguments, argument_count, error);
}

static const struct command_example examples[] = {
    {"cutune merge a100.csv h100.csv -o all.csv", "merge two databases into a third, which keeps its own rows"},
    {"cutune merge cutune.d/transpose.NVIDIA-H200.dcc9ad13a63e262d.csv",
     "write the best configuration of a journal to standard output"},
    {"cutune merge --journal one.d/*.csv two.d/*.csv -o all.csv", "make one journal of those of two parts"},
};

const struct command command_merge = {
    .name = "merge",
    .arguments = "FILE...",
    .summary = "merge databases and journals into one database, or journals into one",
    .description = "cutune makes one database of several databases and journals. It keeps one of the rows for the same "
                   "kernel, device, problem and objective; it lists the others on standard error with the reason. The "
                   "order of the files does not matter.",
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .values_size = sizeof(struct merge_values),
    .arguments_min = 1,
    .arguments_max = FILES_MAX,
    .run = run};
