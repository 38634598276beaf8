#include "db/evidence.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "db/journal.h"

struct evidence {
    struct journal **journals;
    size_t count;
};

int evidence_open(struct evidence **evidence, struct error *error)
{
    *evidence = calloc(1, sizeof **evidence);
    return *evidence ? 0 : error_memory(error);
}

void evidence_close(struct evidence *evidence)
{
    if (!evidence)
        return;
    for (size_t i = 0; i < evidence->count; i++)
        journal_close(evidence->journals[i], NULL);
    free(evidence->journals);
    free(evidence);
}

static int add_file(struct evidence *evidence, const char *path, struct error *error)
{
    struct journal **grown = realloc(evidence->journals, (evidence->count + 1) * sizeof *grown);
    if (!grown)
        return error_memory(error);
    evidence->journals = grown;
    int code = journal_read(&grown[evidence->count], path, error);
    evidence->count += !code;
    return code;
}

static int is_csv(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return entry->d_name[0] != '.' && dot && strcmp(dot, ".csv") == 0;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int add_folder(struct evidence *evidence, const char *folder, struct error *error)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, is_csv, by_name), code = 0;
    if (count < 0)
        return error_errno(error, ERROR_IO, "cannot read the directory %s", folder);
    for (int i = 0; i < count; i++) {
        struct text path = {0};
        text_printf(&path, "%s/%s", folder, entries[i]->d_name);
        if (!code)
            code = path.failed ? error_memory(error) : add_file(evidence, text_string(&path), error);
        text_free(&path);
        free(entries[i]);
    }
    free(entries);
    return code;
}

int evidence_add(struct evidence *evidence, const char *path, struct error *error)
{
    struct stat status;
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return add_folder(evidence, path, error);
    return add_file(evidence, path, error);
}

static const char *configuration_text(struct arena *arena, const struct journal_header *header,
                                      const struct journal_row *row)
{
    struct text text = {0};
    for (size_t i = 0; i < header->parameter_count; i++)
        text_printf(&text, "%s%s=%s", i ? " " : "", header->parameters[i], row->values[i]);
    const char *copy = text.failed ? NULL : arena_copy(arena, text_string(&text), text.length);
    text_free(&text);
    return copy;
}

static bool belongs(const struct journal_header *header, const struct best *best)
{
    return strcmp(header->kernel, best->kernel) == 0 && strcmp(header->source_hash, best->source_hash) == 0 &&
           strcmp(header->space_hash, best->space_hash) == 0;
}

static int add_times(const struct journal *journal, struct arena *arena, struct selection_time *times, size_t *count,
                     struct error *error)
{
    const struct journal_header *header = journal_get_header(journal);
    /* Of several times of a configuration the first that is given counts: the play-off's, which stands last. */
    for (size_t r = journal_row_count(journal); r-- > 0;) {
        const struct journal_row row = journal_get_row(journal, r);
        if (!measurement_timed(&row.measurement))
            continue;
        const char *configuration = configuration_text(arena, header, &row);
        if (!configuration)
            return error_memory(error);
        times[(*count)++] =
            (struct selection_time){header->limits.name, header->problem, configuration, row.measurement.time_ns};
    }
    return 0;
}

int evidence_times(const struct evidence *evidence, struct arena *arena, const struct best *const *rows,
                   size_t row_count, const struct selection_time **times, size_t *count, size_t *stale,
                   struct error *error)
{
    const struct best *best = selection_newest(rows, row_count);
    size_t room = 0;
    int code = 0;
    *times = NULL;
    *count = *stale = 0;
    for (size_t i = 0; i < evidence->count; i++) {
        const struct journal_header *header = journal_get_header(evidence->journals[i]);
        if (belongs(header, best))
            room += journal_row_count(evidence->journals[i]);
        else
            *stale += strcmp(header->kernel, best->kernel) == 0;
    }
    struct selection_time *all = arena_array(arena, room, sizeof *all);
    if (!all)
        return error_memory(error);
    for (size_t i = 0; i < evidence->count && !code; i++)
        if (belongs(journal_get_header(evidence->journals[i]), best))
            code = add_times(evidence->journals[i], arena, all, count, error);
    *times = all;
    return code;
}
