#include "prior/learn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "evaluate/rows.h"
#include "journal/journal_outcomes.h"
#include "prior/nearest.h"
#include "prior/prior_runs.h"

/* A prior run: a journal to learn from. */
struct lesson {
    struct prior_run landscape;
    struct provenance run;
    size_t left_out;
};

struct reading {
    const struct learn_setup *setup;
    struct learned *learned;
    struct lesson *lessons;
    size_t count, room;
    size_t same, empty; /* same: journals of the same search; empty: journals without a configuration that worked in
                           this space */
};

static bool has_worked(const struct prior_run *landscape)
{
    for (size_t i = 0; i < landscape->count; i++)
        if (!isnan(landscape->costs[i]))
            return true;
    return false;
}

/* Copies the parts of the provenance that outlive the journal. */
static int keep_run(struct reading *reading, const struct provenance *run, struct provenance *kept, struct error *error)
{
    *kept = provenance_unknown();
    kept->device = run->device;
    kept->problem = arena_copy(&reading->learned->arena, run->problem, strlen(run->problem));
    return kept->problem ? 0 : error_memory(error);
}

static int add(struct reading *reading, const struct journal *journal, struct error *error)
{
    struct lesson lesson = {.left_out = 0};
    int code = rows_landscape(reading->setup->space, journal, &reading->learned->arena, &lesson.landscape,
                              &lesson.left_out, error);
    if (code)
        return code;
    reading->learned->left_out += lesson.left_out;
    if (!has_worked(&lesson.landscape)) {
        reading->empty++;
        return 0;
    }
    struct lesson *lessons = array_grow(reading->lessons, &reading->room, reading->count + 1, sizeof *lessons);
    if (!lessons)
        return error_memory(error);
    reading->lessons = lessons;
    code = keep_run(reading, &journal_get_header(journal)->provenance, &lesson.run, error);
    lessons[reading->count++] = lesson;
    return code;
}

static int look_into(void *context, const struct journal *journal, struct error *error)
{
    struct reading *reading = context;
    const struct learn_setup *setup = reading->setup;
    const struct journal_header *header = journal_get_header(journal);
    struct error unread = {0};
    if (strcmp(header->provenance.kernel, setup->now->kernel) != 0 || header->objective != setup->objective)
        return 0;
    if (journal_is_probed(journal)) /* a probed size has few configurations and would displace a search */
        return 0;
    if (nearest_is_same(&header->provenance, setup->now)) {
        reading->same++;
        return 0;
    }
    int code = add(reading, journal, &unread);
    if (code == ERROR_MEMORY)
        return error_memory(error);
    if (code)
        setup->skipped(setup->context, journal_file(journal), unread.message);
    return 0;
}

static void skip(void *context, const char *path, const char *reason)
{
    const struct reading *reading = context;
    reading->setup->skipped(reading->setup->context, path, reason);
}

/* Reads the one journal that the user named: every obstacle is an error. */
static int read_journal(struct reading *reading, struct error *error)
{
    const struct learn_setup *setup = reading->setup;
    struct journal *journal = NULL;
    int code = journal_read(&journal, setup->from, error);
    if (code)
        return code;
    const struct journal_header *header = journal_get_header(journal);
    if (strcmp(header->provenance.kernel, setup->now->kernel) != 0)
        code = error_set(error, ERROR_DATA, "--learn-from: %s is of the kernel %s, not %s", setup->from,
                         header->provenance.kernel, setup->now->kernel);
    else if (header->objective != setup->objective)
        code = error_set(error, ERROR_DATA, "--learn-from: %s has another objective, %s instead of %s", setup->from,
                         header->objective->name, setup->objective->name);
    else if (nearest_is_same(&header->provenance, setup->now))
        reading->same++;
    else
        code = add(reading, journal, error);
    journal_close(journal, NULL);
    return code;
}

/* Takes the nearest runs first. */
static int choose(struct reading *reading, struct error *error)
{
    struct learned *learned = reading->learned;
    struct nearest nearest = {0};
    size_t run;
    int code = nearest_open(&nearest, reading->setup->now, reading->count, error);
    for (size_t i = 0; i < reading->count && !code; i++)
        code = nearest_add(&nearest, &reading->lessons[i].run, error);
    while (!code && learned->count < PRIOR_RUNS_MAX && nearest_take(&nearest, &run)) {
        learned->prior_runs[learned->count] = reading->lessons[run].landscape;
        learned->runs[learned->count++] = reading->lessons[run].run;
    }
    nearest_close(&nearest);
    return code;
}

/* Reports why the named place has nothing to learn from. */
static int report_nothing(const struct reading *reading, struct error *error)
{
    const struct learn_setup *setup = reading->setup;
    if (reading->empty)
        return error_set(error, ERROR_DATA, "--learn-from: no configuration of %s in %s worked in prior runs",
                         setup->space->path, setup->from);
    int code = error_set(error, ERROR_DATA,
                         reading->same ? "--learn-from: %s has only the search of this device, sizes and versions"
                                       : "--learn-from: %s has no journal of another search of this kernel",
                         setup->from);
    error_hint(error, "name a journal of %s for another device or other sizes, a folder that has one, or none",
               setup->now->kernel);
    return code;
}

int learn_read(struct learned *learned, const struct learn_setup *setup, struct error *error)
{
    struct reading reading = {.setup = setup, .learned = learned};
    const struct prior_runs_folder journals = {
        .folder = setup->from, .prefix = setup->prefix, .visit = look_into, .skipped = skip, .context = &reading};
    struct stat status;
    int code = 0;
    if (stat(setup->from, &status))
        code = setup->named ? error_errno(error, ERROR_IO, "--learn-from: cannot read %s", setup->from) : 0;
    else if (S_ISDIR(status.st_mode))
        code = prior_runs_read(&journals, error);
    else
        code = read_journal(&reading, error);
    if (!code)
        code = choose(&reading, error);
    if (!code && setup->named && !learned->count)
        code = report_nothing(&reading, error);
    free(reading.lessons);
    return code;
}

void learned_free(struct learned *learned)
{
    arena_free(&learned->arena);
    *learned = (struct learned){0};
}
