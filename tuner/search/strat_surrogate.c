/* Bayesian optimisation for small discrete spaces: a Gaussian process over log times, and the configuration of the
 * greatest expected improvement among all valid ones (Jones, Schonlau and Welch, "Efficient Global Optimization",
 * 1998). Configurations in flight count as observed at their predicted times (Ginsbourger, Le Riche and Carraro,
 * "Kriging is well-suited to parallelize optimization", 2010: the kriging believer). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "search/acquisition.h"
#include "search/constants.h"
#include "search/design.h"
#include "search/diverse.h"
#include "search/model.h"

struct surrogate_options {
    int64_t initial, candidates;
};

#define FIELD(field) .offset = offsetof(struct surrogate_options, field)
static const struct option_row rows[] = {
    {.name = "initial",
     .argument = "N",
     .type = OPTION_INT,
     FIELD(initial),
     .min = 0,
     .max = 10000,
     .default_ = "0",
     .help = "configurations of a space-filling design to begin with; 0: by the number of parameters"},
    {.name = "candidates",
     .argument = "N",
     .type = OPTION_INT,
     FIELD(candidates),
     .min = 100,
     .max = 200000,
     .default_ = "8000",
     .help = "examine all valid configurations up to this many, and a pool of more"},
};

static const char *const removed[] = {"sample", "climb", "observations", "neighbours", "incumbents", "kappa",
                                      "widen",  "fade",  "growth",       "scale",      "facts",      NULL};

/* A model and its candidates. */
struct view {
    struct candidates candidates;
    struct model model;
    size_t taken;      /* entries of the archive removed from the candidates */
    size_t others;     /* proposals since the last neighbour */
    size_t unclimbed;  /* other proposals since the pool last climbed */
    size_t unfollowed; /* proposals since the model's last update */
    bool ranked;       /* the acquisition has compared all candidates since the model's last update */
};

struct surrogate {
    const struct surrogate_options *options;
    struct archive archive;
    struct random random;
    struct encoding encoding;
    struct view here, prior_runs; /* learn from outcomes alone, and also from prior runs, if any */
    size_t told, initial;
    size_t stalled;      /* outcomes of later proposals since the best */
    size_t known_before; /* entries of the archive that `stalled` ignores */
    size_t winners;      /* number of prior runs whose winner was proposed or is known */
    uint64_t default_;   /* default configuration; UINT64_MAX: outside the set */
    bool asked, pointed; /* pointed: knew a feasible configuration besides the default before its first proposal */
};

static int open_view(struct view *view, struct surrogate *surrogate, const struct strategy_setup *setup,
                     bool prior_runs, struct error *error)
{
    const struct candidates_setup candidates = {.archive = &surrogate->archive,
                                                .encoding = &surrogate->encoding,
                                                .whole = (uint64_t)surrogate->options->candidates,
                                                .sample = POOL,
                                                .random = &surrogate->random,
                                                .replaced = model_replaced,
                                                .context = &view->model};
    const struct model_setup model = {.archive = &surrogate->archive,
                                      .candidates = &view->candidates,
                                      .encoding = &surrogate->encoding,
                                      .prior_runs = prior_runs ? setup : NULL,
                                      .observations = OBSERVATIONS,
                                      .growth = GROWTH,
                                      .length = LENGTH,
                                      .length_stddev = LENGTH_STDDEV,
                                      .additive = ADDITIVE * log10((double)surrogate->archive.valid)};
    int code = candidates_open(&view->candidates, &candidates, error);
    return code ? code : model_open(&view->model, &model, error);
}

static int start(void *state, const struct strategy_setup *setup, struct error *error)
{
    struct surrogate *surrogate = state;
    surrogate->options = setup->options;
    valid_set_find_default(setup->set, setup->space, &surrogate->default_);
    random_seed(&surrogate->random, setup->seed);
    int code = archive_open(&surrogate->archive, setup, error);
    if (!code)
        code = encoding_make(&surrogate->encoding, setup->space, error);
    if (!code)
        code = open_view(&surrogate->here, surrogate, setup, false, error);
    if (!code && setup->prior_run_count)
        code = open_view(&surrogate->prior_runs, surrogate, setup, true, error);
    surrogate->initial =
        surrogate->options->initial ? (size_t)surrogate->options->initial : design_size(&surrogate->encoding);
    return code;
}

static void stop(void *state)
{
    struct surrogate *surrogate = state;
    struct view *views[] = {&surrogate->here, &surrogate->prior_runs};
    for (size_t v = 0; v < 2; v++) {
        model_close(&views[v]->model);
        candidates_close(&views[v]->candidates);
    }
    encoding_free(&surrogate->encoding);
    archive_close(&surrogate->archive);
}

/* ---- Proposals ---- */

/* Returns an optimistic logarithm of a candidate's time: some deviations below the mean, plus a penalty if it is likely
 * to fail. A lower bound of that for a candidate in a lagging block. */
static double bound_of(const struct surrogate *surrogate, const struct view *view, size_t candidate)
{
    const struct posterior *posterior = &view->candidates.posterior;
    double lagging = posterior_lagging(posterior, candidate / POSTERIOR_BLOCK);
    double spread = sqrt(fmax(posterior->variance[candidate], 0)), stddev = sqrt(view->model.gp.variance) * spread;
    double kappa = KAPPA + WIDEN * (double)surrogate->stalled;
    double bound = posterior->mean[candidate] - kappa * stddev;
    if (lagging > 0)
        return bound - lagging * spread;
    return bound - log(acquisition_feasible(posterior, candidate));
}

/* Returns the neighbour of the best few with the least bound; SIZE_MAX: none. Updates only blocks that may hold it. */
static size_t least_bound(const struct surrogate *surrogate, struct view *view)
{
    struct candidates *candidates = &view->candidates;
    size_t best[CANDIDATES_INCUMBENTS_MAX];
    size_t incumbents = diverse_best(candidates, APART, best, INCUMBENTS);
    size_t count = candidates_near(candidates, best, incumbents), caught_up = SIZE_MAX;
    for (;;) {
        size_t least = SIZE_MAX;
        double bound = INFINITY;
        for (size_t i = 0; i < count; i++) {
            size_t candidate = candidates->near[i];
            if (caught_up == SIZE_MAX || caught_up == candidate / POSTERIOR_BLOCK)
                candidates->bounds[i] = bound_of(surrogate, view, candidate);
            if (candidates->bounds[i] < bound) {
                bound = candidates->bounds[i];
                least = candidate;
            }
        }
        caught_up = least / POSTERIOR_BLOCK;
        if (least == SIZE_MAX || candidates->posterior.rows_in[caught_up] == candidates->posterior.row_count)
            return least;
        posterior_update_block(&candidates->posterior, &view->model.gp, caught_up);
    }
}

/* Returns the candidate of the greatest expected improvement; for one state of the model, each call takes another
 * block. */
static size_t most_improving(struct view *view)
{
    struct candidates *candidates = &view->candidates;
    bool again = view->ranked;
    view->ranked = true;
    return (again ? acquisition_next : acquisition_best)(&candidates->posterior, &view->model.gp, candidates->taken,
                                                         view->model.best);
}

/* True if a step is due that serves a part of as many proposals as are in flight. `since`: proposals. */
static bool due(const struct surrogate *surrogate, size_t *since, size_t part)
{
    size_t in_flight = surrogate->archive.count - surrogate->told;
    if (++*since < in_flight / part && in_flight > FEW)
        return false;
    *since = 0;
    return true;
}

/* The same after climbing towards it, in a pool. SIZE_MAX: none. */
static size_t climb(const struct surrogate *surrogate, struct view *view)
{
    struct candidates *candidates = &view->candidates;
    size_t best = most_improving(view);
    if (!due(surrogate, &view->unclimbed, CLIMBED) || !candidates_expand(candidates))
        return best;
    view->ranked = false;
    return most_improving(view);
}

/* Proposes a candidate; false for SIZE_MAX. */
static bool propose_candidate(const struct view *view, size_t candidate, uint64_t *index)
{
    if (candidate == SIZE_MAX)
        return false;
    *index = candidates_index(&view->candidates, candidate);
    return true;
}

/* True if a neighbour is due: every second time, and less often the longer no proposal has improved on the best. */
static bool neighbours_turn(const struct surrogate *surrogate, struct view *view)
{
    double period = 1 + (double)surrogate->stalled / FADE;
    if ((double)view->others < period) {
        view->others++;
        return false;
    }
    view->others = 0;
    return true;
}

/* Makes proposals while there is too little to learn from: configurations far from all known ones. After a warm start,
 * two of three are neighbours of the best: there they gain more on recorded runs, but less if only the default is
 * known. */
static bool propose_opening(struct surrogate *surrogate, uint64_t *index)
{
    struct archive *archive = &surrogate->archive;
    if (surrogate->pointed && archive->count % 3 &&
        archive_neighbour(archive, archive->entries[archive->best].index, NEIGHBOURS_ANY, &surrogate->random, index))
        return true;
    return design_pick(archive, &surrogate->encoding, &surrogate->random, index);
}

/* Removes known candidates, and updates the model when due. False if memory is out. */
static bool keep_up(struct surrogate *surrogate, struct view *view)
{
    struct archive *archive = &surrogate->archive;
    for (; view->taken < archive->count; view->taken++)
        candidates_take(&view->candidates, archive->entries[view->taken].index);
    if (!due(surrogate, &view->unfollowed, UPDATED) && view->model.fitted)
        return true;
    view->ranked = false;
    archive->failed |= !model_keep_up(&view->model, surrogate->told);
    return !archive->failed;
}

/* Proposes by a model: a neighbour of the best, or the candidate of the greatest expected improvement. */
static bool propose_by(struct surrogate *surrogate, struct view *view, bool early, uint64_t *index)
{
    if (!early && neighbours_turn(surrogate, view) && propose_candidate(view, least_bound(surrogate, view), index))
        return true;
    return propose_candidate(view, climb(surrogate, view), index);
}

/* Proposes the winner of the next prior run that is new here. */
static bool propose_winner(struct surrogate *surrogate, uint64_t *index)
{
    const struct transfer *transfer = &surrogate->prior_runs.model.transfer;
    while (surrogate->winners < transfer->count) {
        *index = transfer_winner(transfer, surrogate->winners++);
        if (*index != UINT64_MAX && !archive_find(&surrogate->archive, *index))
            return true;
    }
    return false;
}

/* Proposes by the model with prior runs. Among their best, configurations that differ in one value only are all fast
 * here, or none is; so in the opening two of three proposals are the fastest predicted ones that are diverse
 * (APART). */
static bool propose_from_prior_runs(struct surrogate *surrogate, bool early, bool third, uint64_t *index)
{
    struct view *view = &surrogate->prior_runs;
    if (third && propose_winner(surrogate, index))
        return true;
    if (!keep_up(surrogate, view))
        return false;
    if (early && !third) {
        climb(surrogate, view);
        if (propose_candidate(view, diverse_fastest(&view->candidates, &view->model.gp, APART), index))
            return true;
    }
    return propose_by(surrogate, view, early, index);
}

/* Prior runs lead at the beginning. As they may mislead, every second proposal after the opening ignores them. */
static bool propose(void *state, uint64_t *index)
{
    struct surrogate *surrogate = state;
    size_t number = surrogate->archive.count + 1;
    bool early = number <= surrogate->initial, warm = surrogate->prior_runs.model.transfer.count > 0;
    if (warm && (early || number % 2))
        return propose_from_prior_runs(surrogate, early, number % THIRD == 0, index);
    if (early || surrogate->told < LEARNABLE || surrogate->archive.best == SIZE_MAX)
        return propose_opening(surrogate, index);
    return keep_up(surrogate, &surrogate->here) && propose_by(surrogate, &surrogate->here, early, index);
}

static size_t opening(const void *state)
{
    return ((const struct surrogate *)state)->initial;
}

static int ask(void *state, uint64_t *configs, size_t room, size_t *count, struct error *error)
{
    struct surrogate *surrogate = state;
    surrogate->asked = true;
    return archive_ask(&surrogate->archive, propose, surrogate, configs, room, count, error);
}

/* Outcomes of configurations that were in flight before the best was known do not count as stalled: they say nothing
 * about its neighbours. */
static void tell(void *state, uint64_t config, const struct cost *cost)
{
    struct surrogate *surrogate = state;
    size_t best = surrogate->archive.best;
    const struct archive_entry *known = archive_find(&surrogate->archive, config);
    surrogate->told += !known || !known->told;
    known = archive_tell(&surrogate->archive, config, cost);
    surrogate->pointed |= !surrogate->asked && known && known->ok && config != surrogate->default_;
    if (best != surrogate->archive.best) {
        surrogate->stalled = 0;
        surrogate->known_before = surrogate->archive.count;
    } else if (known && known >= surrogate->archive.entries + surrogate->known_before) {
        surrogate->stalled++;
    }
}

static void weigh(const void *state, double *weights)
{
    const struct transfer *transfer = &((const struct surrogate *)state)->prior_runs.model.transfer;
    memcpy(weights, transfer->weights, transfer->count * sizeof *weights);
}

const struct strategy_ops strategy_surrogate = {.name = "surrogate",
                                                .summary = "Bayesian optimisation: a Gaussian process over log times",
                                                .state_size = sizeof(struct surrogate),
                                                .opening = opening,
                                                .options = rows,
                                                .option_count = sizeof rows / sizeof *rows,
                                                .options_size = sizeof(struct surrogate_options),
                                                .removed_options = removed,
                                                .start = start,
                                                .ask = ask,
                                                .tell = tell,
                                                .weigh = weigh,
                                                .stop = stop};
