#include "fit/fit_seen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pairs.h"
#include "base/text.h"
#include "fit/fit_journals.h"
#include "fit/fit_proposals.h"
#include "journal/winner.h"

struct seeing {
    struct fit_seen *seen;
    const char *names[SIZE_FIT_SIZES_MAX];
    struct fit_journals sample, probed, others;
    struct error *error;
};

double fit_seen_number(const struct best *row, const char *name)
{
    size_t length;
    const char *value = pairs_value(row->fit_quality ? row->fit_quality : "", name, &length);
    char *end;
    return value ? text_number(value, &end) : NAN;
}

/* ---- Choosing journals ---- */

static bool in_region(const struct size_fit *fit, const char *problem)
{
    int64_t sizes[SIZE_FIT_SIZES_MAX];
    for (size_t i = 0; i < fit->size_count; i++) {
        size_t length;
        const char *value = pairs_value(problem, fit->sizes[i].name, &length);
        if (!value)
            return false;
        sizes[i] = strtoll(value, NULL, 10);
    }
    return !size_fit_extrapolates(fit, sizes);
}

/* True if the journal is of the fit's device and has sizes of its region. */
static bool concerns(const struct fit_seen *seen, const struct journal *journal)
{
    const struct provenance *is = &journal_get_header(journal)->provenance, *of = &seen->row->provenance;
    return strcmp(is->kernel, of->kernel) == 0 && strcmp(is->device.name, of->device.name) == 0 &&
           in_region(&seen->fit, is->problem);
}

/* True if the journal's times can be compared with the fit's. */
static bool belongs(const struct fit_seen *seen, const struct journal *journal)
{
    const struct journal_header *header = journal_get_header(journal);
    return strcmp(header->objective->name, seen->row->objective) == 0 &&
           provenance_same(&header->provenance, &seen->row->provenance, FIT_IDENTITY);
}

static bool is_sample(const struct journal *journal)
{
    for (size_t row = 0; row < journal_row_count(journal); row++)
        if (journal_get_row(journal, row).measurement.proposer == PROPOSER_FIT)
            return true;
    return false;
}

static int add(struct seeing *seeing, const char *path)
{
    struct journal *journal = NULL;
    bool same;
    int code = journal_read(&journal, path, seeing->error);
    bool wanted = !code && concerns(seeing->seen, journal), used = wanted && belongs(seeing->seen, journal);
    seeing->seen->left_out += wanted && !used;
    if (used)
        code = fit_journals_add(journal_is_probed(journal) ? &seeing->probed
                                : is_sample(journal)       ? &seeing->sample
                                                           : &seeing->others,
                                path, &same, seeing->error);
    journal_close(journal, NULL);
    return code;
}

/* ---- Reading times ---- */

static size_t take(const struct fit_seen *seen, const int64_t *sizes)
{
    const struct device_limits *device = &seen->row->provenance.device;
    return size_fit_choose(&seen->fit, sizes, (int)device->sm_count, device->l2_bytes, UINT32_MAX);
}

static double quality(double best, double time)
{
    return isnan(time) ? NAN : isinf(time) ? 0 : fmin(1, best / time);
}

/* Reads the times of the samples. A fit measures all configurations that may be valid: others are invalid there. */
static int read_times(struct seeing *seeing, struct fit_table *table)
{
    struct fit_journals *journals = &seeing->sample;
    int code = fit_journals_propose(journals, NULL, seeing->error);
    if (!code)
        code = fit_journals_table(journals, table, seeing->error);
    double *times =
        code ? NULL
             : arena_array(&seeing->seen->arena, table->size_count * table->configuration_count + 1, sizeof *times);
    if (!times)
        return code ? code : error_memory(seeing->error);
    for (size_t i = 0; i < table->size_count * table->configuration_count; i++) {
        uint64_t key = journal_outcomes_key(table->configurations[i % table->configuration_count]);
        bool there = outcomes_find(&journals->items[i / table->configuration_count]->outcomes.outcomes, key) != NULL;
        times[i] = there ? table->times[i] : FIT_INVALID;
    }
    table->times = times;
    return 0;
}

static struct fit_seen_size sample_of(const struct fit_seen *seen, const struct fit_table *table, size_t size)
{
    const double *times = table->times + size * table->configuration_count;
    struct fit_seen_size of = {table->sizes + size * table->name_count, true, 0, NAN, NAN};
    double best = INFINITY;
    of.taken = take(seen, of.sizes);
    for (size_t c = 0; c < table->configuration_count; c++)
        if (isfinite(times[c]))
            best = fmin(best, times[c]);
    for (size_t c = 0; c < table->configuration_count && of.taken != SIZE_MAX; c++)
        if (strcmp(table->configurations[c], seen->fit.configurations[of.taken].text) == 0)
            of.quality = quality(best, times[c]);
    return of;
}

/* A configuration that was stopped early counts with its few samples: it is known to be slower. */
static struct fit_seen_size other_of(const struct fit_seen *seen, const struct fit_journal *journal)
{
    const struct outcomes *outcomes = &journal->outcomes.outcomes;
    struct fit_seen_size of = {journal->sizes, false, take(seen, journal->sizes), NAN, NAN};
    struct winner winner;
    const struct outcome *outcome =
        of.taken == SIZE_MAX ? NULL
                             : outcomes_find(outcomes, journal_outcomes_key(seen->fit.configurations[of.taken].text));
    if (!outcome || !winner_find(outcomes, 0, UINT64_MAX, &winner))
        return of;
    struct measurement measurement = outcomes_measurement(outcomes, outcome, OUTCOME_KNOWN_AS);
    of.quality = quality(winner.measurement.value, measurement_has_value(&measurement) ? measurement.value : INFINITY);
    return of;
}

/* Reads the quality of each held-out sample, in the order of the samples; "-": unknown. */
static void read_held(struct fit_seen *seen)
{
    size_t length;
    const char *at = pairs_value(seen->row->fit_quality, "held", &length), *end = at ? at + length : NULL;
    for (size_t i = 0; i < seen->sample_count && at && at < end; i++) {
        char *after;
        double held = text_number(at, &after);
        if (after != at)
            seen->sizes[i].held = held;
        at = memchr(at, '/', (size_t)(end - at));
        if (at)
            at++;
    }
}

static double volume(const struct fit_seen_size *size, size_t count)
{
    double product = 1;
    for (size_t i = 0; i < count; i++)
        product *= (double)size->sizes[i];
    return product;
}

/* By volume, then by the sizes. */
static int by_size(const void *a, const void *b, void *count)
{
    const struct fit_seen_size *one = a, *other = b;
    size_t names = *(const size_t *)count;
    double x = volume(one, names), y = volume(other, names);
    for (size_t i = 0; i < names && x == y; i++) {
        x = (double)one->sizes[i];
        y = (double)other->sizes[i];
    }
    return (x > y) - (x < y);
}

static int find_unseen(struct fit_seen *seen, struct error *error)
{
    size_t count = seen->count - seen->sample_count;
    double *losses = arena_array(&seen->arena, count + 1, sizeof *losses);
    double *ratios = arena_array(&seen->arena, count + 1, sizeof *ratios);
    if (!losses || !ratios)
        return error_memory(error);
    for (size_t i = 0; i < count; i++)
        losses[i] = -log(seen->sizes[seen->sample_count + i].quality);
    seen->unseen = fit_quality_of(losses, count, ratios);
    return 0;
}

static bool is_known(const struct fit_seen *seen, const int64_t *sizes)
{
    for (size_t i = 0; i < seen->sample_count; i++)
        if (memcmp(seen->sizes[i].sizes, sizes, seen->fit.size_count * sizeof *sizes) == 0)
            return true;
    return false;
}

/* Copies the sizes, which outlive the journals. */
static int keep_sizes(struct fit_seen *seen, struct error *error)
{
    for (size_t i = 0; i < seen->count; i++) {
        int64_t *sizes = arena_array(&seen->arena, seen->fit.size_count, sizeof *sizes);
        if (!sizes)
            return error_memory(error);
        memcpy(sizes, seen->sizes[i].sizes, seen->fit.size_count * sizeof *sizes);
        seen->sizes[i].sizes = sizes;
    }
    return 0;
}

static int see(struct seeing *seeing)
{
    struct fit_seen *seen = seeing->seen;
    struct fit_table table = {0};
    int code = seeing->sample.count ? read_times(seeing, &table) : 0;
    seen->sizes = arena_array(&seen->arena, seeing->sample.count + seeing->others.count + 1, sizeof *seen->sizes);
    seen->rules = arena_array(&seen->arena, seen->fit.configuration_count, sizeof *seen->rules);
    if (!code && (!seen->sizes || !seen->rules))
        code = error_memory(seeing->error);
    if (code)
        return code;
    for (; seen->sample_count < table.size_count; seen->sample_count++)
        seen->sizes[seen->sample_count] = sample_of(seen, &table, seen->sample_count);
    for (size_t i = 0; i < seen->sample_count; i++)
        if (seen->sizes[i].taken != SIZE_MAX)
            seen->rules[seen->sizes[i].taken]++;
    for (size_t i = 0; i < seeing->probed.count; i++) {
        size_t taken = take(seen, seeing->probed.items[i]->sizes);
        if (taken != SIZE_MAX)
            seen->rules[taken]++;
    }
    seen->whole = (double)seen->sample_count == fit_seen_number(seen->row, "sizes");
    if (seen->whole)
        read_held(seen);
    seen->count = seen->sample_count;
    for (size_t i = 0; i < seeing->others.count; i++)
        if (!is_known(seen, seeing->others.items[i]->sizes))
            seen->sizes[seen->count++] = other_of(seen, seeing->others.items[i]);
    if (!code)
        code = find_unseen(seen, seeing->error);
    if (!code)
        code = keep_sizes(seen, seeing->error);
    qsort_r(seen->sizes, seen->sample_count, sizeof *seen->sizes, by_size, &seen->fit.size_count);
    qsort_r(seen->sizes + seen->sample_count, seen->count - seen->sample_count, sizeof *seen->sizes, by_size,
            &seen->fit.size_count);
    return code;
}

int fit_seen_make(struct fit_seen *seen, const struct best *row, const char *const *paths, size_t count,
                  struct work *work, struct error *error)
{
    struct seeing seeing = {.seen = seen, .error = error};
    *seen = (struct fit_seen){.row = row};
    int code = size_fit_parse(&seen->arena, row->fit, &seen->fit, error);
    for (size_t i = 0; i < seen->fit.size_count; i++)
        seeing.names[i] = seen->fit.sizes[i].name;
    seeing.sample = (struct fit_journals){.names = seeing.names, .name_count = seen->fit.size_count};
    seeing.probed = seeing.others = seeing.sample;
    for (size_t i = 0; i < count && !code; i++) {
        code = add(&seeing, paths[i]);
        work_step(work, 1);
    }
    if (!code)
        code = see(&seeing);
    fit_journals_free(&seeing.sample);
    fit_journals_free(&seeing.probed);
    fit_journals_free(&seeing.others);
    if (code)
        fit_seen_free(seen);
    return code;
}

void fit_seen_free(struct fit_seen *seen)
{
    arena_free(&seen->arena);
    *seen = (struct fit_seen){0};
}
