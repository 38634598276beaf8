/* Bayesian optimisation for small discrete spaces: a Gaussian process over log times, and the configuration of the
 * greatest expected improvement among all valid ones (Jones, Schonlau and Welch, "Efficient Global Optimization",
 * 1998). Configurations in flight count as observed at their predicted times (Ginsbourger, Le Riche and Carraro,
 * "Kriging is well-suited to parallelize optimization", 2010: the kriging believer). */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/statistics.h"
#include "search/acquisition.h"
#include "search/archive.h"
#include "search/design.h"

struct surrogate_options {
    int64_t initial, candidates, sample, observations, incumbents;
    double kappa, widen, fade, growth;
    const char *neighbours, *scale, *compiler_metrics;
};

enum { INCUMBENTS_MAX = 10 };
/* Configurations slower than this quantile count as failed. */
static const double CLIP = 0.9;

#define FIELD(field) .offset = offsetof(struct surrogate_options, field)
static const struct option_row rows[] = {
    DESIGN_OPTION(struct surrogate_options, 0, "0", "; 0: by the number of parameters"),
    {.name = "candidates",
     .argument = "N",
     .type = OPTION_INT,
     FIELD(candidates),
     .min = 100,
     .max = 200000,
     .default_ = "50000",
     .help = "examine all valid configurations up to this many, and a sample of more"},
    {.name = "sample",
     .argument = "N",
     .type = OPTION_INT,
     FIELD(sample),
     .min = 100,
     .max = 200000,
     .default_ = "8192",
     .help = "size of that sample, including neighbours of the best"},
    {.name = "observations",
     .argument = "N",
     .type = OPTION_INT,
     FIELD(observations),
     .min = 50,
     .max = 4000,
     .default_ = "400",
     .help = "learn from at most this many: the best and the latest"},
    {.name = "neighbours",
     .argument = "yes|no",
     .type = OPTION_CHOICE,
     FIELD(neighbours),
     .choices = "yes|no",
     .default_ = "yes",
     .help = "make every second proposal a neighbour of the best"},
    {.name = "incumbents",
     .argument = "N",
     .type = OPTION_INT,
     FIELD(incumbents),
     .min = 1,
     .max = INCUMBENTS_MAX,
     .default_ = "6",
     .help = "how many of the best contribute neighbours"},
    {.name = "kappa",
     .argument = "X",
     .type = OPTION_REAL,
     FIELD(kappa),
     .min = 0,
     .max = 100,
     .default_ = "2",
     .help = "judge a neighbour by this many deviations below the mean"},
    {.name = "widen",
     .argument = "X",
     .type = OPTION_REAL,
     FIELD(widen),
     .min = 0,
     .max = 100,
     .default_ = "0.2",
     .help = "increase of kappa with each evaluation since the best"},
    {.name = "fade",
     .argument = "X",
     .type = OPTION_REAL,
     FIELD(fade),
     .min = 0.1,
     .max = 1e9,
     .default_ = "10",
     .help = "evaluations since the best after which neighbours are half as frequent"},
    {.name = "growth",
     .argument = "X",
     .type = OPTION_REAL,
     FIELD(growth),
     .min = 1.01,
     .max = 10,
     .default_ = "1.5",
     .help = "fit length scales again once observations have grown by this factor"},
    {.name = "scale",
     .argument = "S",
     .type = OPTION_CHOICE,
     FIELD(scale),
     .choices = "ordinal|log2|mixed",
     .default_ = "log2",
     .help = "positions of a parameter's values"},
    {.name = "facts",
     .argument = "yes|no",
     .type = OPTION_CHOICE,
     FIELD(compiler_metrics),
     .choices = "yes|no",
     .default_ = "no",
     .help = "compile all configurations first, to learn from registers, spills and occupancy too"},
};

static enum encode_scale encoding_scale(const char *name)
{
    return *name == 'o' ? ENCODE_ORDINAL : *name == 'l' ? ENCODE_LOG2 : ENCODE_MIXED;
}

struct surrogate {
    const struct surrogate_options *options;
    struct archive archive;
    struct random random;
    struct encoding encoding;
    struct gp gp;
    struct posterior posterior;
    uint8_t *levels; /* by metric of the encoding and configuration */
    size_t candidates;
    uint64_t *pool;            /* configuration by candidate; NULL: all, so that a candidate is an index */
    size_t pool_near;          /* the first candidates of the pool are neighbours of the best */
    size_t pool_best;          /* the archive's best when the pool was drawn */
    size_t *near;              /* scratch: candidates */
    bool *taken;               /* by candidate: already in the archive */
    size_t *row_entry;         /* by row of the process: its entry in the archive */
    bool *failed;              /* by row */
    size_t row_room, followed; /* followed: entries processed, with or without a row */
    size_t told, initial, fit_at, stalled;
    double clip, best; /* logarithms of times; best: of a configuration that worked */
    size_t others;     /* proposals since the last neighbour */
    bool fitted;
    uint64_t default_;   /* default configuration; UINT64_MAX: not in the set */
    bool asked, pointed; /* pointed: before its first proposal, it knew a working configuration besides the default */
};

/* The values of a configuration by dimension. */
static void order(const struct surrogate *surrogate, uint64_t index, const uint32_t *choices, uint32_t *by_dimension)
{
    const struct encoding *encoding = &surrogate->encoding;
    for (size_t d = 0; d < encoding->parameters; d++)
        by_dimension[d] = choices[encoding->dimensions[d].parameter];
    for (size_t d = encoding->parameters; d < encoding->count; d++)
        by_dimension[d] = surrogate->levels[(d - encoding->parameters) * surrogate->archive.valid + index];
}

static void choices_of(const struct surrogate *surrogate, uint64_t index, uint32_t *by_dimension)
{
    uint32_t choices[SPACE_PARAMETERS_MAX];
    valid_set_get(surrogate->archive.set, index, choices);
    order(surrogate, index, choices, by_dimension);
}

static uint64_t candidate_index(const struct surrogate *surrogate, size_t candidate)
{
    return surrogate->pool ? surrogate->pool[candidate] : candidate;
}

/* Makes all valid configurations candidates. */
static void place_all(struct surrogate *surrogate)
{
    struct valid_walk walk;
    const uint32_t *choices;
    size_t candidate = 0;
    valid_walk_start(surrogate->archive.set, &walk);
    while (valid_walk_next(&walk, &choices, NULL)) {
        uint32_t by_dimension[ENCODE_DIMENSIONS_MAX];
        order(surrogate, candidate, choices, by_dimension);
        posterior_place(&surrogate->posterior, candidate++, by_dimension);
    }
}

static int open_candidates(struct surrogate *surrogate, struct error *error)
{
    bool whole = surrogate->archive.valid <= (uint64_t)surrogate->options->candidates;
    size_t count = (size_t)(whole ? surrogate->archive.valid : (uint64_t)surrogate->options->sample);
    int code = posterior_open(&surrogate->posterior, &surrogate->encoding, count, error);
    if (code)
        return code;
    surrogate->candidates = count;
    surrogate->taken = calloc(count + 1, sizeof *surrogate->taken);
    if (!whole)
        surrogate->pool = calloc(count + 1, sizeof *surrogate->pool);
    surrogate->near = calloc(whole ? INCUMBENTS_MAX * surrogate->archive.around_room : count, sizeof *surrogate->near);
    if (!surrogate->taken || !surrogate->near || (!whole && !surrogate->pool))
        return error_memory(error);
    if (whole)
        place_all(surrogate);
    return 0;
}

/* Off by default: on recorded landscapes of templates, compiler metrics gain next to nothing
 * (docs/strategies.md has the numbers). */
static bool wants_compiler_metrics(const void *options)
{
    return *((const struct surrogate_options *)options)->compiler_metrics == 'y';
}

static int start(void *state, const struct strategy_setup *setup, struct error *error)
{
    struct surrogate *surrogate = state;
    surrogate->options = setup->options;
    valid_set_find_default(setup->set, setup->space, &surrogate->default_);
    random_seed(&surrogate->random, setup->seed);
    int code = archive_open(&surrogate->archive, setup, error);
    if (!code)
        code = encoding_make(&surrogate->encoding, setup->space, encoding_scale(surrogate->options->scale), error);
    if (!code && setup->compiler_metrics && wants_compiler_metrics(setup->options) &&
        !encoding_add_compiler_metrics(&surrogate->encoding, setup->compiler_metrics, (size_t)surrogate->archive.valid,
                                       &surrogate->levels))
        code = error_memory(error);
    if (!code)
        code = gp_open(&surrogate->gp, &surrogate->encoding, error);
    if (!code)
        code = open_candidates(surrogate, error);
    surrogate->initial =
        surrogate->options->initial ? (size_t)surrogate->options->initial : design_size(&surrogate->encoding);
    return code;
}

static void stop(void *state)
{
    struct surrogate *surrogate = state;
    posterior_close(&surrogate->posterior);
    gp_close(&surrogate->gp);
    encoding_free(&surrogate->encoding);
    archive_close(&surrogate->archive);
    free(surrogate->levels);
    free(surrogate->pool);
    free(surrogate->near);
    free(surrogate->taken);
    free(surrogate->row_entry);
    free(surrogate->failed);
}

/* ---- Observations ---- */

/* A clock too coarse for a kernel gives a time of 0, which needs a logarithm too. */
static double log_of(double value)
{
    return log(fmax(value, DBL_MIN));
}

static double observation(const struct surrogate *surrogate, const struct archive_entry *entry)
{
    return entry->ok ? fmin(log_of(entry->value), surrogate->clip) : surrogate->clip;
}

/* The slowest decile and the failures count as equally bad: how bad they are says nothing about where the best is. */
static bool set_clip(struct surrogate *surrogate)
{
    const struct archive *archive = &surrogate->archive;
    double *logs = malloc((archive->count + 1) * sizeof *logs);
    size_t count = 0;
    if (!logs)
        return false;
    for (size_t i = 0; i < archive->count; i++)
        if (archive->entries[i].told && archive->entries[i].ok)
            logs[count++] = log_of(archive->entries[i].value);
    statistics_sort(logs, count);
    surrogate->clip = count ? logs[(size_t)((double)(count - 1) * CLIP)] : 0;
    surrogate->best = count ? logs[0] : INFINITY;
    free(logs);
    return true;
}

/* The best `most` entries that have worked, the best first; returns their number. */
static size_t find_best(const struct archive *archive, size_t *best, size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < archive->count; i++) {
        size_t at = count;
        if (!archive->entries[i].told || !archive->entries[i].ok || archive->entries[i].bound)
            continue;
        while (at > 0 && archive_better(&archive->entries[i], &archive->entries[best[at - 1]]))
            at--;
        if (at == most)
            continue;
        count += count < most;
        memmove(best + at + 1, best + at, (count - 1 - at) * sizeof *best);
        best[at] = i;
    }
    return count;
}

static bool reserve_rows(struct surrogate *surrogate)
{
    size_t room = surrogate->archive.room;
    if (surrogate->archive.count <= surrogate->row_room)
        return true;
    bool *failed = realloc(surrogate->failed, room * sizeof *failed);
    surrogate->failed = failed ? failed : surrogate->failed;
    size_t *row_entry = realloc(surrogate->row_entry, room * sizeof *row_entry);
    surrogate->row_entry = row_entry ? row_entry : surrogate->row_entry;
    if (failed && row_entry)
        surrogate->row_room = room;
    return failed && row_entry;
}

static void mark_taken(struct surrogate *surrogate, uint64_t index)
{
    if (!surrogate->pool)
        surrogate->taken[index] = true;
    for (size_t c = 0; surrogate->pool && c < surrogate->candidates; c++)
        if (surrogate->pool[c] == index)
            surrogate->taken[c] = true;
}

static bool add_row(struct surrogate *surrogate, size_t entry)
{
    uint32_t choices[ENCODE_DIMENSIONS_MAX];
    size_t row = surrogate->gp.count;
    choices_of(surrogate, surrogate->archive.entries[entry].index, choices);
    surrogate->failed[row] = false;
    surrogate->row_entry[row] = entry;
    return gp_add(&surrogate->gp, choices);
}

/* Adds rows for new entries. False if memory is out. */
static bool add_rows(struct surrogate *surrogate)
{
    if (!reserve_rows(surrogate))
        return false;
    for (; surrogate->followed < surrogate->archive.count; surrogate->followed++) {
        mark_taken(surrogate, surrogate->archive.entries[surrogate->followed].index);
        if (!add_row(surrogate, surrogate->followed))
            return false;
    }
    return true;
}

/* Updates the process and the posterior to all known results, with the current length scales. False if memory is
 * out. */
static bool follow(struct surrogate *surrogate)
{
    struct gp *gp = &surrogate->gp;
    if (!add_rows(surrogate))
        return false;
    for (size_t row = 0; row < gp->count; row++) {
        const struct archive_entry *entry = &surrogate->archive.entries[surrogate->row_entry[row]];
        if (!entry->told || !gp->pending[row])
            continue;
        gp_observe(gp, row, observation(surrogate, entry));
        surrogate->failed[row] = !entry->ok;
        if (entry->ok && !entry->bound)
            surrogate->best = fmin(surrogate->best, log_of(entry->value));
    }
    return posterior_update(&surrogate->posterior, gp, surrogate->failed);
}

/* ---- Fitting ---- */

/* Draws the candidates of a set too large to examine completely: neighbours of the best, and a sample. */
static void draw_pool(struct surrogate *surrogate)
{
    struct archive *archive = &surrogate->archive;
    size_t best[INCUMBENTS_MAX], filled = 0;
    size_t count = find_best(archive, best, (size_t)surrogate->options->incumbents);
    uint32_t choices[ENCODE_DIMENSIONS_MAX];
    for (size_t i = 0; i < count; i++) {
        size_t around = archive_around(archive, archive->entries[best[i]].index, NEIGHBOURS_ANY);
        for (size_t a = 0; a < around && filled < surrogate->candidates / 2; a++)
            if (!archive_find(archive, archive->around[a]))
                surrogate->pool[filled++] = archive->around[a];
    }
    surrogate->pool_near = filled;
    surrogate->pool_best = archive->best;
    while (filled < surrogate->candidates)
        surrogate->pool[filled++] = valid_set_sample(archive->set, &surrogate->random);
    for (size_t c = 0; c < surrogate->candidates; c++) {
        choices_of(surrogate, surrogate->pool[c], choices);
        posterior_place(&surrogate->posterior, c, choices);
        surrogate->taken[c] = archive_find(archive, surrogate->pool[c]) != NULL;
    }
}

/* Chooses the rows of a long run: configurations in flight, the best, and the latest. */
static bool choose_rows(struct surrogate *surrogate)
{
    struct archive *archive = &surrogate->archive;
    size_t most = (size_t)surrogate->options->observations, from = 0;
    double limit = INFINITY;
    if (surrogate->told > most) {
        double *values = malloc(archive->count * sizeof *values);
        size_t count = 0;
        if (!values)
            return false;
        for (size_t i = 0; i < archive->count; i++)
            if (archive->entries[i].told && archive->entries[i].ok)
                values[count++] = archive->entries[i].value;
        statistics_sort(values, count);
        limit = count > most / 2 ? values[most / 2] : INFINITY;
        from = archive->count - most / 2;
        free(values);
    }
    surrogate->gp.count = 0;
    for (size_t i = 0; i < archive->count; i++) {
        const struct archive_entry *entry = &archive->entries[i];
        if ((!entry->told || i >= from || (entry->ok && entry->value < limit)) && !add_row(surrogate, i))
            return false;
    }
    return true;
}

static bool refit(struct surrogate *surrogate)
{
    struct gp *gp = &surrogate->gp;
    size_t evaluations;
    if (!set_clip(surrogate) || !add_rows(surrogate) || !choose_rows(surrogate))
        return false;
    for (size_t row = 0; row < gp->count; row++) {
        const struct archive_entry *entry = &surrogate->archive.entries[surrogate->row_entry[row]];
        gp->pending[row] = !entry->told;
        gp->y[row] = entry->told ? observation(surrogate, entry) : 0;
        surrogate->failed[row] = entry->told && !entry->ok;
    }
    evaluations = gp->count < 60 ? 40 : gp->count < 120 ? 20 : 8;
    if (!gp_fit(gp, evaluations) || !gp_refactor(gp))
        return false;
    double growth = (surrogate->options->growth - 1) * (double)gp->count;
    surrogate->fitted = true;
    surrogate->fit_at = surrogate->told + (size_t)ceil(growth);
    if (surrogate->pool)
        draw_pool(surrogate);
    return posterior_rebuild(&surrogate->posterior, gp, surrogate->failed);
}

/* ---- Proposals ---- */

/* How fast a candidate may be, as the logarithm of its time: some deviations below the mean, plus a penalty if it is
 * likely to fail. An optimistic bound for a candidate in a block that is behind. */
static double bound_of(const struct surrogate *surrogate, size_t candidate)
{
    const struct posterior *posterior = &surrogate->posterior;
    double behind = posterior_behind(posterior, candidate / POSTERIOR_BLOCK);
    double spread = sqrt(fmax(posterior->variance[candidate], 0)), stddev = sqrt(surrogate->gp.variance) * spread;
    double kappa = surrogate->options->kappa + surrogate->options->widen * (double)surrogate->stalled;
    double bound = posterior->mean[candidate] - kappa * stddev;
    return behind > 0 ? bound - behind * spread : bound - log(acquisition_works(posterior, candidate));
}

/* The candidate of the least bound. Only blocks that may hold it catch up. */
static size_t least_bound(struct surrogate *surrogate, const size_t *candidates, size_t count)
{
    for (;;) {
        size_t least = SIZE_MAX;
        double bound = INFINITY;
        for (size_t i = 0; i < count; i++) {
            double here = bound_of(surrogate, candidates[i]);
            if (here < bound) {
                bound = here;
                least = candidates[i];
            }
        }
        size_t block = least / POSTERIOR_BLOCK;
        if (least == SIZE_MAX || surrogate->posterior.rows_in[block] == surrogate->posterior.row_count)
            return least;
        posterior_catch_up(&surrogate->posterior, &surrogate->gp, block);
    }
}

/* Writes the candidates that are neighbours of the best few and not in the archive to `near`; returns their number. */
static size_t find_near(struct surrogate *surrogate)
{
    struct archive *archive = &surrogate->archive;
    size_t best[INCUMBENTS_MAX], count = find_best(archive, best, (size_t)surrogate->options->incumbents), found = 0;
    for (size_t c = 0; surrogate->pool && c < surrogate->pool_near; c++)
        if (!surrogate->taken[c])
            surrogate->near[found++] = c;
    for (size_t i = 0; !surrogate->pool && i < count; i++) {
        size_t around = archive_around(archive, archive->entries[best[i]].index, NEIGHBOURS_ANY);
        for (size_t a = 0; a < around; a++)
            if (!surrogate->taken[archive->around[a]])
                surrogate->near[found++] = (size_t)archive->around[a];
    }
    return found;
}

/* The neighbour of the best few with the least bound. */
static bool propose_neighbour(struct surrogate *surrogate, uint64_t *index)
{
    size_t count = find_near(surrogate), least = least_bound(surrogate, surrogate->near, count);
    if (least == SIZE_MAX)
        return false;
    *index = candidate_index(surrogate, least);
    return true;
}

static bool keep_up(struct surrogate *surrogate)
{
    if (!surrogate->fitted || surrogate->told >= surrogate->fit_at)
        return refit(surrogate);
    if (!follow(surrogate))
        return false;
    if (!surrogate->pool || surrogate->pool_best == surrogate->archive.best)
        return true;
    draw_pool(surrogate);
    return posterior_rebuild(&surrogate->posterior, &surrogate->gp, surrogate->failed);
}

/* Proposes neighbours every second time, and less often the longer no proposal has improved on the best. */
static bool neighbours_turn(struct surrogate *surrogate)
{
    double period = 1 + (double)surrogate->stalled / surrogate->options->fade;
    if (*surrogate->options->neighbours != 'y' || (double)surrogate->others < period) {
        surrogate->others++;
        return false;
    }
    surrogate->others = 0;
    return true;
}

/* Proposals before there is enough to learn from: configurations far from all known ones. After a warm start, two of
 * three are neighbours of the best. On recorded runs that is worth more after a warm start, and less if only the
 * default is known. */
static bool propose_opening(struct surrogate *surrogate, uint64_t *index)
{
    struct archive *archive = &surrogate->archive;
    if (surrogate->pointed && archive->count % 3 &&
        archive_neighbour(archive, archive->entries[archive->best].index, NEIGHBOURS_ANY, &surrogate->random, index))
        return true;
    return design_pick(archive, &surrogate->encoding, &surrogate->random, index);
}

static bool propose(void *state, uint64_t *index)
{
    struct surrogate *surrogate = state;
    if (surrogate->archive.count < surrogate->initial || surrogate->told < 3 || surrogate->archive.best == SIZE_MAX)
        return propose_opening(surrogate, index);
    if (!keep_up(surrogate)) {
        surrogate->archive.failed = true;
        return false;
    }
    if (neighbours_turn(surrogate) && propose_neighbour(surrogate, index))
        return true;
    size_t best = acquisition_best(&surrogate->posterior, &surrogate->gp, surrogate->taken, surrogate->best);
    if (best == SIZE_MAX)
        return false;
    *index = candidate_index(surrogate, best);
    return true;
}

static int ask(void *state, uint64_t *configs, size_t room, size_t *count, struct error *error)
{
    struct surrogate *surrogate = state;
    surrogate->asked = true;
    return archive_ask(&surrogate->archive, propose, surrogate, configs, room, count, error);
}

static void tell(void *state, uint64_t config, const struct cost *cost)
{
    struct surrogate *surrogate = state;
    size_t best = surrogate->archive.best;
    const struct archive_entry *known = archive_find(&surrogate->archive, config);
    surrogate->told += !known || !known->told;
    known = archive_tell(&surrogate->archive, config, cost);
    surrogate->pointed |= !surrogate->asked && known && known->ok && config != surrogate->default_;
    surrogate->stalled = best == surrogate->archive.best ? surrogate->stalled + 1 : 0;
}

const struct strategy_ops strategy_surrogate = {.name = "surrogate",
                                                .summary = "Bayesian optimisation: a Gaussian process over log times",
                                                .state_size = sizeof(struct surrogate),
                                                .options = rows,
                                                .option_count = sizeof rows / sizeof *rows,
                                                .options_size = sizeof(struct surrogate_options),
                                                .wants_compiler_metrics = wants_compiler_metrics,
                                                .start = start,
                                                .ask = ask,
                                                .tell = tell,
                                                .stop = stop};
