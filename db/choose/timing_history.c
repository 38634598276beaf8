#include "choose/timing_history.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/pairs.h"
#include "base/text.h"
#include "journal/journal.h"
#include "journal/journal_outcomes.h"

struct timed_row {
    size_t row; /* a row of the configuration */
    double value;
};

/* A journal and the times of its valid configurations. */
struct source {
    struct journal *journal;
    size_t count;
    struct timed_row *times;
};

struct timing_history {
    struct source *sources;
    size_t count;
};

int timing_history_open(struct timing_history **timing_history, struct error *error)
{
    *timing_history = calloc(1, sizeof **timing_history);
    return *timing_history ? 0 : error_memory(error);
}

void timing_history_close(struct timing_history *timing_history)
{
    if (!timing_history)
        return;
    for (size_t i = 0; i < timing_history->count; i++) {
        journal_close(timing_history->sources[i].journal, NULL);
        free(timing_history->sources[i].times);
    }
    free(timing_history->sources);
    free(timing_history);
}

/* ---- Reading ---- */

/* Reads the time and a row of every configuration that has a time by all its rows. */
static int read_times(struct source *source, struct error *error)
{
    struct journal_outcomes read;
    int code = journal_outcomes_read(&read, source->journal, error);
    const struct outcomes *outcomes = &read.outcomes;
    source->times = calloc(outcomes->count + 1, sizeof *source->times);
    if (!code && !source->times)
        code = error_memory(error);
    for (size_t i = 0; i < outcomes->count && !code; i++) {
        const struct measurement known = outcomes_measurement(outcomes, &outcomes->items[i], OUTCOME_KNOWN_AS);
        if (measurement_class(&known) == OUTCOME_TIMED)
            source->times[source->count++] = (struct timed_row){read.rows[i], known.value};
    }
    journal_outcomes_free(&read);
    return code;
}

static int add_file(struct timing_history *timing_history, const char *path, struct error *error)
{
    struct source *grown = realloc(timing_history->sources, (timing_history->count + 1) * sizeof *grown);
    if (!grown)
        return error_memory(error);
    timing_history->sources = grown;
    struct source *source = &grown[timing_history->count];
    *source = (struct source){0};
    int code = journal_read(&source->journal, path, error);
    if (code)
        return code;
    timing_history->count++;
    return read_times(source, error);
}

static int add_folder(struct timing_history *timing_history, const char *folder, const char *prefix,
                      struct error *error)
{
    struct arena arena = {0};
    const char *const *paths;
    size_t count;
    int code = file_list_csv(&arena, folder, prefix, &paths, &count, error);
    for (size_t i = 0; i < count && !code; i++)
        code = add_file(timing_history, paths[i], error);
    arena_free(&arena);
    return code;
}

int timing_history_add_kernel(struct timing_history *timing_history, const char *folder, const char *kernel,
                              struct error *error)
{
    struct text prefix = {0};
    text_printf(&prefix, "%s.", kernel);
    int code = prefix.failed ? error_memory(error) : add_folder(timing_history, folder, text_string(&prefix), error);
    text_free(&prefix);
    return code;
}

int timing_history_add(struct timing_history *timing_history, const char *path, struct error *error)
{
    struct stat status;
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return add_folder(timing_history, path, "", error);
    return add_file(timing_history, path, error);
}

/* ---- Times that belong to rows of the database ---- */

static const struct journal_header *header_of(const struct timing_history *history, size_t source)
{
    return journal_get_header(history->sources[source].journal);
}

static bool same_key(const struct provenance *a, const struct provenance *b)
{
    return strcmp(a->device.name, b->device.name) == 0 && pairs_compare(a->problem, b->problem) == 0;
}

/* True if the journal's times may be compared with others of the same device and problem: they have the objective,
 * data and options of the database's row, else of the first journal. */
static bool comparable(const struct timing_history *history, size_t source, const struct best *const *rows,
                       size_t row_count, const bool *used)
{
    const struct journal_header *own = header_of(history, source);
    for (size_t i = 0; i < row_count; i++)
        if (same_key(&own->provenance, &rows[i]->provenance))
            return own->objective == objective_find(rows[i]->objective) &&
                   provenance_same(&own->provenance, &rows[i]->provenance, PROVENANCE_CONDITIONS);
    for (size_t i = 0; i < source; i++) {
        const struct journal_header *other = header_of(history, i);
        if (used[i] && same_key(&own->provenance, &other->provenance))
            return own->objective == other->objective &&
                   provenance_same(&own->provenance, &other->provenance, PROVENANCE_CONDITIONS);
    }
    return true;
}

/* Marks the journals that belong to the rows. Counts the kernel's other journals: *stale of another version,
 * *different of this one. */
static void choose(const struct timing_history *history, const struct best *const *rows, size_t row_count, bool *used,
                   size_t *stale, size_t *different)
{
    const struct provenance *newest = &selection_newest(rows, row_count)->provenance;
    *stale = *different = 0;
    for (size_t i = 0; i < history->count; i++) {
        const struct provenance *own = &header_of(history, i)->provenance;
        bool kernel = strcmp(own->kernel, newest->kernel) == 0;
        bool current = kernel && provenance_same(own, newest, PROVENANCE_VERSION);
        used[i] = current && comparable(history, i, rows, row_count, used);
        *stale += kernel && !current;
        *different += current && !used[i];
    }
}

int timing_history_different(const struct timing_history *timing_history, const struct best *const *rows,
                             size_t row_count, size_t *different, struct error *error)
{
    bool *used = calloc(timing_history->count + 1, sizeof *used);
    size_t stale;
    if (!used)
        return error_memory(error);
    choose(timing_history, rows, row_count, used, &stale, different);
    free(used);
    return 0;
}

static int add_times(const struct source *source, struct arena *arena, struct selection_time *times, size_t *count,
                     struct error *error)
{
    const struct journal_header *header = journal_get_header(source->journal);
    struct text text = {0};
    int code = 0;
    for (size_t i = 0; i < source->count && !code; i++) {
        const struct timed_row *timed = &source->times[i];
        text_clear(&text);
        journal_outcomes_text(source->journal, timed->row, &text);
        const char *copy = text.failed ? NULL : arena_copy(arena, text_string(&text), text.length);
        if (!copy)
            code = error_memory(error);
        if (!code)
            times[(*count)++] =
                (struct selection_time){header->provenance.device.name, header->provenance.problem, copy, timed->value};
    }
    text_free(&text);
    return code;
}

int timing_history_times(const struct timing_history *timing_history, struct arena *arena,
                         const struct best *const *rows, size_t row_count, const struct selection_time **times,
                         size_t *count, size_t *stale, struct error *error)
{
    size_t room = 0, different;
    int code = 0;
    bool *used = arena_array(arena, timing_history->count + 1, sizeof *used);
    *times = NULL;
    *count = *stale = 0;
    if (!used)
        return error_memory(error);
    choose(timing_history, rows, row_count, used, stale, &different);
    for (size_t i = 0; i < timing_history->count; i++)
        room += used[i] ? timing_history->sources[i].count : 0;
    struct selection_time *all = arena_array(arena, room, sizeof *all);
    if (!all)
        return error_memory(error);
    for (size_t i = 0; i < timing_history->count && !code; i++)
        if (used[i])
            code = add_times(&timing_history->sources[i], arena, all, count, error);
    *times = all;
    return code;
}

const struct journal *timing_history_energies(const struct timing_history *timing_history, const struct best *row)
{
    const struct journal *found = NULL;
    for (size_t i = 0; i < timing_history->count; i++) {
        const struct provenance *own = &header_of(timing_history, i)->provenance;
        size_t count;
        journal_last_energies(timing_history->sources[i].journal, &count);
        if (count && provenance_same(own, &row->provenance, PROVENANCE_KEY | PROVENANCE_QUESTION) &&
            (!found || strcmp(journal_get_header(found)->provenance.date, own->date) < 0))
            found = timing_history->sources[i].journal;
    }
    return found;
}
