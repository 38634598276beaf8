#include "prior/prior_runs.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/pairs.h"
#include "evaluate/rows.h"
#include "journal/journal_outcomes.h"
#include "journal/winner.h"

/* True for the same search on another device, or on this device for other sizes. */
static bool comparable(const struct journal_header *a, const struct journal_header *b, enum prior_runs_of of)
{
    bool other_device = strcmp(a->provenance.device.name, b->provenance.device.name) != 0;
    bool other_sizes = pairs_compare(a->provenance.problem, b->provenance.problem) != 0;
    return other_device == (of == PRIOR_RUNS_OTHER_DEVICES) && other_sizes == (of == PRIOR_RUNS_OTHER_SIZES) &&
           a->objective == b->objective && strcmp(a->provenance.kernel, b->provenance.kernel) == 0 &&
           provenance_same(&a->provenance, &b->provenance, PROVENANCE_QUESTION);
}

/* Adds the name once: several journals may be of one device. */
static void add_device(struct text *devices, const char *name)
{
    size_t length = strlen(name);
    const char *first = text_string(devices);
    for (const char *at = first; (at = strstr(at, name)); at += length)
        if ((at == first || (at - first > 1 && at[-1] == ' ' && at[-2] == ',')) && (!at[length] || at[length] == ','))
            return;
    text_printf(devices, "%s%s", devices->length ? ", " : "", name);
}

/* Rounds to four digits: differences below are noise. */
static double rounded(double efficiency)
{
    return round(1e4 * efficiency) / 1e4;
}

struct finding {
    const struct prior_runs_setup *setup;
    enum prior_runs_of of;
    const char *const *configurations;
    size_t count;
    double *efficiencies;
};

static int look_up(const struct finding *finding, const struct journal *journal, struct error *error)
{
    struct journal_outcomes read;
    struct winner winner;
    bool any = false;
    int code = journal_outcomes_read(&read, journal, error);
    bool found = !code && winner_find(&read.outcomes, 0, UINT64_MAX, &winner);
    for (size_t i = 0; i < finding->count && found; i++) {
        uint64_t key = journal_outcomes_key(finding->configurations[i]);
        double efficiency = rounded(winner_efficiency(&read.outcomes, &winner, key));
        any |= !isnan(efficiency);
        finding->efficiencies[i] =
            fmin(finding->efficiencies[i], efficiency); /* fmin of NaN and a number is the number */
    }
    if (any && finding->setup->devices)
        add_device(finding->setup->devices, journal_get_header(journal)->provenance.device.name);
    journal_outcomes_free(&read);
    return code;
}

static int read_one(const struct prior_runs_folder *journals, const char *path, struct error *error)
{
    struct journal *journal = NULL;
    struct error unread = {0};
    int code = journal_read(&journal, path, &unread);
    if (code == ERROR_MEMORY)
        return error_memory(error);
    if (code) {
        journals->skipped(journals->context, path, unread.message);
        return 0;
    }
    code = journals->visit(journals->context, journal, error);
    journal_close(journal, NULL);
    return code;
}

int prior_runs_read(const struct prior_runs_folder *journals, struct error *error)
{
    struct arena arena = {0};
    const char *const *paths = NULL;
    size_t count = 0;
    int code = file_list_csv(&arena, journals->folder, journals->prefix, &paths, &count, error);
    for (size_t i = 0; i < count && !code; i++)
        if (!journals->own || strcmp(paths[i], journals->own) != 0)
            code = read_one(journals, paths[i], error);
    arena_free(&arena);
    return code;
}

static int look_into(void *context, const struct journal *journal, struct error *error)
{
    const struct finding *finding = context;
    return comparable(journal_get_header(journal), finding->setup->header, finding->of)
               ? look_up(finding, journal, error)
               : 0;
}

static void skip(void *context, const char *path, const char *reason)
{
    const struct finding *finding = context;
    finding->setup->skipped(finding->setup->context, path, reason);
}

/* Points `journals` to the other journals of the kernel in the folder of this run's journal. */
static int look_beside(struct prior_runs_folder *journals, const struct prior_runs_setup *setup, struct error *error)
{
    struct arena arena = {0};
    journals->own = setup->journal;
    journals->folder = arena_copy(&arena, setup->journal, file_folder_length(setup->journal));
    journals->prefix = arena_printf(&arena, "%s.", setup->header->provenance.kernel);
    int code = journals->folder && journals->prefix ? prior_runs_read(journals, error) : error_memory(error);
    arena_free(&arena);
    return code;
}

int prior_runs_efficiencies(const struct prior_runs_setup *setup, enum prior_runs_of of,
                            const char *const *configurations, size_t count, double *efficiencies, struct error *error)
{
    struct finding finding = {setup, of, configurations, count, efficiencies};
    struct prior_runs_folder journals = {.visit = look_into, .skipped = skip, .context = &finding};
    for (size_t i = 0; i < count; i++)
        efficiencies[i] = NAN;
    int code = look_beside(&journals, setup, error);
    return !code && setup->devices && setup->devices->failed ? error_memory(error) : code;
}

/* ---- The best of other devices ---- */

struct best_of_prior_runs {
    const struct prior_runs_setup *setup;
    const struct space *space;
    const struct valid_set *set;
    uint64_t *indices;
    size_t room, count;
};

/* Returns the row of the least cost; SIZE_MAX: no configuration worked. */
static size_t least(const struct prior_run *landscape)
{
    size_t found = SIZE_MAX;
    for (size_t i = 0; i < landscape->count; i++)
        if (!isnan(landscape->costs[i]) && (found == SIZE_MAX || landscape->costs[i] < landscape->costs[found]))
            found = i;
    return found;
}

static void add_best(struct best_of_prior_runs *best, const struct prior_run *landscape)
{
    size_t row = least(landscape), at = 0;
    uint64_t index;
    if (row == SIZE_MAX ||
        !valid_set_find(best->set, landscape->choices + row * best->space->parameter_count, &index) ||
        index == UINT64_MAX)
        return;
    while (at < best->count && best->indices[at] != index)
        at++;
    if (at == best->count && at < best->room)
        best->indices[best->count++] = index;
}

static int look_for_best(void *context, const struct journal *journal, struct error *error)
{
    struct best_of_prior_runs *best = context;
    struct prior_run landscape;
    struct arena arena = {0};
    struct error unread = {0};
    size_t left_out = 0;
    if (!comparable(journal_get_header(journal), best->setup->header, PRIOR_RUNS_OTHER_DEVICES))
        return 0;
    int code = rows_landscape(best->space, journal, &arena, &landscape, &left_out, &unread);
    if (!code)
        add_best(best, &landscape);
    arena_free(&arena);
    return code == ERROR_MEMORY ? error_memory(error) : 0;
}

static void skip_best(void *context, const char *path, const char *reason)
{
    const struct best_of_prior_runs *best = context;
    best->setup->skipped(best->setup->context, path, reason);
}

int prior_runs_best(const struct prior_runs_setup *setup, const struct space *space, const struct valid_set *set,
                    uint64_t *indices, size_t room, size_t *count, struct error *error)
{
    struct best_of_prior_runs best = {.setup = setup, .space = space, .set = set, .indices = indices, .room = room};
    struct prior_runs_folder journals = {.visit = look_for_best, .skipped = skip_best, .context = &best};
    int code = look_beside(&journals, setup, error);
    *count = best.count;
    return code;
}
