#include "tuner/elsewhere.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/pairs.h"
#include "db/journal_outcomes.h"
#include "db/winner.h"

/* The same search on another device. */
static bool comparable(const struct journal_header *a, const struct journal_header *b)
{
    return strcmp(a->provenance.device.name, b->provenance.device.name) != 0 && a->objective == b->objective &&
           strcmp(a->provenance.kernel, b->provenance.kernel) == 0 &&
           pairs_compare(a->provenance.problem, b->provenance.problem) == 0 &&
           provenance_same(&a->provenance, &b->provenance, PROVENANCE_QUESTION);
}

/* Several journals may be of one device. */
static void add_device(struct text *devices, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = text_string(devices); (at = strstr(at, name)); at += length)
        if ((at == text_string(devices) || at[-1] == ' ') && (!at[length] || at[length] == ','))
            return;
    text_printf(devices, "%s%s", devices->length ? ", " : "", name);
}

/* Four digits: differences below are noise. */
static double rounded(double efficiency)
{
    return round(1e4 * efficiency) / 1e4;
}

static int look_up(const struct elsewhere_setup *setup, const struct journal *journal,
                   const char *const *configurations, size_t count, double *efficiencies, struct error *error)
{
    struct journal_outcomes read;
    struct winner winner;
    bool any = false;
    int code = journal_outcomes_read(&read, journal, error);
    bool found = !code && winner_find(&read.outcomes, 0, UINT64_MAX, &winner);
    for (size_t i = 0; i < count && found; i++) {
        double efficiency =
            rounded(winner_efficiency(&read.outcomes, &winner, journal_outcomes_key(configurations[i])));
        any |= !isnan(efficiency);
        efficiencies[i] = fmin(efficiencies[i], efficiency); /* of NaN and a number, the number */
    }
    if (any)
        add_device(setup->devices, journal_get_header(journal)->provenance.device.name);
    journal_outcomes_free(&read);
    return code;
}

static int read_one(const struct elsewhere_journals *journals, const char *path, struct error *error)
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

int elsewhere_read(const struct elsewhere_journals *journals, struct error *error)
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

struct finding {
    const struct elsewhere_setup *setup;
    const char *const *configurations;
    size_t count;
    double *efficiencies;
};

static int look_into(void *context, const struct journal *journal, struct error *error)
{
    const struct finding *finding = context;
    if (!comparable(journal_get_header(journal), finding->setup->header))
        return 0;
    return look_up(finding->setup, journal, finding->configurations, finding->count, finding->efficiencies, error);
}

static void skip(void *context, const char *path, const char *reason)
{
    const struct finding *finding = context;
    finding->setup->skipped(finding->setup->context, path, reason);
}

int elsewhere_find(const struct elsewhere_setup *setup, const char *const *configurations, size_t count,
                   double *efficiencies, struct error *error)
{
    struct arena arena = {0};
    struct finding finding = {setup, configurations, count, efficiencies};
    struct elsewhere_journals journals = {
        .own = setup->journal, .visit = look_into, .skipped = skip, .context = &finding};
    journals.folder = arena_copy(&arena, setup->journal, file_folder_length(setup->journal));
    journals.prefix = arena_printf(&arena, "%s.", setup->header->provenance.kernel);
    for (size_t i = 0; i < count; i++)
        efficiencies[i] = NAN;
    int code = journals.folder && journals.prefix ? elsewhere_read(&journals, error) : error_memory(error);
    if (!code && setup->devices->failed)
        code = error_memory(error);
    arena_free(&arena);
    return code;
}
