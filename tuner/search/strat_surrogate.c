/* Bayesian optimisation for small discrete spaces: a Gaussian process over log times, and the configuration of the
 * greatest expected improvement among all valid ones (Jones, Schonlau and Welch, "Efficient Global Optimization",
 * 1998). Configurations in flight count as observed at their predicted times (Ginsbourger, Le Riche and Carraro,
 * "Kriging is well-suited to parallelize optimization", 2010: the kriging believer). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "search/acquisition.h"
#include "search/apart.h"
#include "search/design.h"
#include "search/model.h"

/* LEARNABLE: the fewest outcomes that the model learns from. */
enum { LEARNABLE = 3 };
/* A set of more is a large one. There most configurations are far from all observations, and effects of single values
 * say most of them: in 20 synthetic landscapes of 10^9, this share of the additive part gives 0.865 of the optimum
 * after 100 evaluations instead of 0.810. In small recorded ones it gains nothing. */
enum { LARGE = 50000 };
static const double ADDITIVE = 0.2;
/* The few outcomes that a search has tell little of each length scale: with a narrow prior they overfit less. On nine
 * recorded landscapes that is worth 0.01 of the optimum after 50 and 100 evaluations. In synthetic ones of 10^9, a
 * prior as narrow costs as much; the wider one is worth 0.02 after 50, and in a landscape like that of a GEMM
 * with 540,472 configurations, with 17 in flight, 0.019 and 0.003 after 50 and 100. */
static const double LENGTH = 2, LENGTH_STDDEV = 0.4, LENGTH_STDDEV_LARGE = 0.6;
/* With more than MODEL_FEW in flight, the model follows the outcomes once for an UPDATED-th of as many proposals as are
 * in flight, and the pool climbs once for a CLIMBED-th. */
enum { UPDATED = 32, CLIMBED = 4 };
/* With landscapes elsewhere, two of PROMISED proposals of the opening are the fastest predicted that are APART, and the
 * third may show that the landscapes mislead. On a convolution and a dedispersion of three GPUs each, from which three
 * tenths of the configurations were left out in twelve ways, APART is worth 0.05 of the optimum after 5 evaluations and
 * 0.01 after 10. Where they mislead, the best whose neighbours are proposed are APART, too: in 39
 * such ways and with all configurations, that is worth 0.011 of the optimum after 50 evaluations, and as much if the
 * landscapes are reversed. */
enum { PROMISED = 3, APART = 2 };
/* Landscapes elsewhere that are trusted less than that mislead; then this share of the proposals comes from the design
 * instead, up to a whole opening. */
static const double MISLEAD = 0.1, DESIGNED = 0.25;
/* Then they have chosen what is known of the best. Small improvements always seem possible there, so the search stays.
 * Therefore each outcome that does not improve on the best raises what a proposal must improve by, so many deviations
 * of the process, up to the second number. On the same landscapes, one evaluation at a time, that is worth 0.004 of the
 * optimum after 50 evaluations and 0.010 after 100. Without landscapes elsewhere it gains nothing. */
static const double DEMAND = 0.03, DEMAND_MAX = 0.5;

struct surrogate_options {
    int64_t initial, candidates, sample, climb, observations, incumbents;
    double kappa, widen, fade, growth;
    const char *neighbours, *scale;
};

#define FIELD(field) .offset = offsetof(struct surrogate_options, field)
static const struct option_row rows[] = {
    DESIGN_OPTION(struct surrogate_options, 0, "0", "; 0: by the number of parameters"),
    {.name = "candidates",
     .argument = "N",
     .type = OPTION_INT,
     FIELD(candidates),
     .min = 100,
     .max = 200000,
     .default_ = "8000",
     .help = "examine all valid configurations up to this many, and a pool of more"},
    {.name = "sample",
     .argument = "N",
     .type = OPTION_INT,
     FIELD(sample),
     .min = 100,
     .max = 200000,
     .default_ = "2048",
     .help = "size of that pool, at least"},
    {.name = "climb",
     .argument = "N",
     .type = OPTION_INT,
     FIELD(climb),
     .min = 0,
     .max = 1000,
     .default_ = "2",
     .help = "steps of hill climbing in that pool for each proposal"},
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
     .max = CANDIDATES_INCUMBENTS_MAX,
     .default_ = "6",
     .help = "how many of the best contribute neighbours"},
    {.name = "kappa",
     .argument = "X",
     .type = OPTION_REAL,
     FIELD(kappa),
     .min = 0,
     .max = 100,
     .default_ = "3",
     .help = "judge a neighbour by this many deviations below the mean; fewer in large sets"},
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
     .help = "evaluations since the best after which neighbours are half as frequent; more in large sets"},
    {.name = "growth",
     .argument = "X",
     .type = OPTION_REAL,
     FIELD(growth),
     .min = 1.01,
     .max = 10,
     .default_ = "1.2",
     .help = "fit length scales again once observations have grown by this factor"},
    {.name = "scale",
     .argument = "S",
     .type = OPTION_CHOICE,
     FIELD(scale),
     .choices = "ordinal|log2|mixed",
     .default_ = "log2",
     .help = "positions of a parameter's values"},
};

static const char *const removed[] = {"facts", NULL};

static enum encode_scale encoding_scale(const char *name)
{
    return *name == 'o' ? ENCODE_ORDINAL : *name == 'l' ? ENCODE_LOG2 : ENCODE_MIXED;
}

struct surrogate {
    const struct surrogate_options *options;
    struct archive archive;
    struct random random;
    struct encoding encoding;
    struct candidates candidates;
    struct model model;
    size_t told, initial;
    size_t stalled;      /* outcomes since the best, of later proposals only unless the set is large */
    size_t known_before; /* entries of the archive whose outcomes do not count for that */
    size_t designed;     /* proposals of the design, although landscapes elsewhere are known */
    size_t others;       /* proposals since the last neighbour */
    size_t unclimbed;    /* other proposals since the pool last climbed */
    size_t unfollowed;   /* proposals since the model followed the outcomes */
    size_t taken;        /* entries of the archive that are no candidates any more */
    double fade, kappa;  /* the options', for the size of the set */
    uint64_t default_;   /* default configuration; UINT64_MAX: not in the set */
    bool asked, pointed; /* pointed: before its first proposal, it knew a working configuration besides the default */
    bool ranked;         /* since the model followed the outcomes, the acquisition has compared all candidates */
};

/* Neighbours stay frequent for longer in a larger set, as the rest of it is less known, and the more promising come
 * first, as there are too many to try. In synthetic landscapes of 10^9, a fade of 30 to 40 finds more than one of 10
 * after 200 and 400 evaluations, and a kappa of 2 more than one of 3. */
static void set_scale(struct surrogate *surrogate)
{
    const struct surrogate_options *options = surrogate->options;
    double larger = fmax((double)surrogate->archive.valid / LARGE, 1);
    surrogate->fade = options->fade * pow(larger, 0.13);
    surrogate->kappa = options->kappa * pow(larger, -0.033);
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
    bool large = surrogate->archive.valid > LARGE;
    if (!code && !large)
        encoding_part_powers(&surrogate->encoding);
    const struct candidates_setup candidates = {.archive = &surrogate->archive,
                                                .encoding = &surrogate->encoding,
                                                .whole = (uint64_t)surrogate->options->candidates,
                                                .sample = (size_t)surrogate->options->sample,
                                                .random = &surrogate->random,
                                                .replaced = model_replaced,
                                                .context = &surrogate->model};
    const struct model_setup model = {.archive = &surrogate->archive,
                                      .candidates = &surrogate->candidates,
                                      .encoding = &surrogate->encoding,
                                      .start = setup,
                                      .observations = (size_t)surrogate->options->observations,
                                      .growth = surrogate->options->growth,
                                      .length = LENGTH,
                                      .length_stddev = large ? LENGTH_STDDEV_LARGE : LENGTH_STDDEV,
                                      .additive = large ? ADDITIVE : 0};
    if (!code)
        code = candidates_open(&surrogate->candidates, &candidates, error);
    if (!code)
        code = model_open(&surrogate->model, &model, error);
    set_scale(surrogate);
    surrogate->initial =
        surrogate->options->initial ? (size_t)surrogate->options->initial : design_size(&surrogate->encoding);
    return code;
}

static void stop(void *state)
{
    struct surrogate *surrogate = state;
    model_close(&surrogate->model);
    candidates_close(&surrogate->candidates);
    encoding_free(&surrogate->encoding);
    archive_close(&surrogate->archive);
}

/* ---- Proposals ---- */

/* How fast a candidate may be, as the logarithm of its time: some deviations below the mean, plus a penalty if it is
 * likely to fail. An optimistic bound for a candidate in a block
 * that is behind. */
static double bound_of(const struct surrogate *surrogate, size_t candidate)
{
    const struct posterior *posterior = &surrogate->candidates.posterior;
    double behind = posterior_behind(posterior, candidate / POSTERIOR_BLOCK);
    double spread = sqrt(fmax(posterior->variance[candidate], 0)), stddev = sqrt(surrogate->model.gp.variance) * spread;
    double kappa = surrogate->kappa + surrogate->options->widen * (double)surrogate->stalled;
    double bound = posterior->mean[candidate] - kappa * stddev;
    if (behind > 0)
        return bound - behind * spread;
    return bound - log(acquisition_works(posterior, candidate));
}

/* Whether landscapes elsewhere are known and mislead. */
static bool misled(const struct surrogate *surrogate)
{
    const struct transfer *transfer = &surrogate->model.transfer;
    return transfer->count && transfer->trust < MISLEAD;
}

/* Finds the best few, whose neighbours are proposed; returns their number. Those that landscapes elsewhere have chosen
 * are much alike, so if these mislead, the best few are to be APART. */
static size_t incumbents(const struct surrogate *surrogate, size_t *best)
{
    size_t most = (size_t)surrogate->options->incumbents;
    if (misled(surrogate))
        return apart_best(&surrogate->candidates, APART, best, most);
    return archive_best_few(&surrogate->archive, best, most);
}

/* The neighbour of the best few with the least bound; SIZE_MAX: there is none. Only blocks that may hold it catch up.
 */
static size_t least_bound(struct surrogate *surrogate)
{
    struct candidates *candidates = &surrogate->candidates;
    size_t best[CANDIDATES_INCUMBENTS_MAX];
    size_t count = candidates_near(candidates, best, incumbents(surrogate, best)), caught_up = SIZE_MAX;
    for (;;) {
        size_t least = SIZE_MAX;
        double bound = INFINITY;
        for (size_t i = 0; i < count; i++) {
            size_t candidate = candidates->near[i];
            if (caught_up == SIZE_MAX || caught_up == candidate / POSTERIOR_BLOCK)
                candidates->bounds[i] = bound_of(surrogate, candidate);
            if (candidates->bounds[i] < bound) {
                bound = candidates->bounds[i];
                least = candidate;
            }
        }
        caught_up = least / POSTERIOR_BLOCK;
        if (least == SIZE_MAX || candidates->posterior.rows_in[caught_up] == candidates->posterior.row_count)
            return least;
        posterior_catch_up(&candidates->posterior, &surrogate->model.gp, caught_up);
    }
}

/* The logarithm of the time on which a proposal is to improve. */
static double bar(const struct surrogate *surrogate)
{
    double demand = misled(surrogate) ? fmin(DEMAND * (double)surrogate->stalled, DEMAND_MAX) : 0;
    return surrogate->model.best - demand * sqrt(surrogate->model.gp.variance);
}

/* The candidate of the greatest expected improvement; in one state of the model, of another block each time. */
static size_t most_improving(struct surrogate *surrogate)
{
    struct candidates *candidates = &surrogate->candidates;
    bool again = surrogate->ranked;
    surrogate->ranked = true;
    return (again ? acquisition_next : acquisition_best)(&candidates->posterior, &surrogate->model.gp,
                                                         candidates->taken, bar(surrogate));
}

/* Whether a step is due that is made once for a part of as many proposals as are in flight. `since`: proposals. */
static bool due(const struct surrogate *surrogate, size_t *since, size_t part)
{
    size_t in_flight = surrogate->archive.count - surrogate->told;
    if (++*since < in_flight / part && in_flight > MODEL_FEW)
        return false;
    *since = 0;
    return true;
}

/* The same after climbing towards it, in a pool. SIZE_MAX: there is none. */
static size_t climb(struct surrogate *surrogate)
{
    struct candidates *candidates = &surrogate->candidates;
    size_t steps = (size_t)surrogate->options->climb, best = most_improving(surrogate);
    if (due(surrogate, &surrogate->unclimbed, CLIMBED))
        for (size_t step = 0; step < steps && candidates_expand(candidates); step++) {
            surrogate->ranked = false;
            best = most_improving(surrogate);
        }
    return best;
}

/* Proposes a candidate; false if there is none. */
static bool propose_candidate(const struct surrogate *surrogate, size_t candidate, uint64_t *index)
{
    if (candidate == SIZE_MAX)
        return false;
    *index = candidates_index(&surrogate->candidates, candidate);
    return true;
}

/* Proposes neighbours every second time, and less often the longer no proposal has improved on the best. */
static bool neighbours_turn(struct surrogate *surrogate)
{
    double period = 1 + (double)surrogate->stalled / surrogate->fade;
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
    if (surrogate->pointed && !surrogate->model.transfer.count && archive->count % 3 &&
        archive_neighbour(archive, archive->entries[archive->best].index, NEIGHBOURS_ANY, &surrogate->random, index))
        return true;
    return design_pick(archive, &surrogate->encoding, &surrogate->random, index);
}

/* Whether landscapes elsewhere mislead, and it is the design's turn. */
static bool design_turn(const struct surrogate *surrogate)
{
    return misled(surrogate) && surrogate->designed < surrogate->initial &&
           (double)surrogate->designed + 1 <= DESIGNED * (double)(surrogate->archive.count + 1);
}

/* Keeps from proposing twice, and makes the model follow the outcomes when that is due. False if memory is out. */
static bool keep_up(struct surrogate *surrogate)
{
    const struct archive *archive = &surrogate->archive;
    for (; surrogate->taken < archive->count; surrogate->taken++)
        candidates_take(&surrogate->candidates, archive->entries[surrogate->taken].index);
    if (!due(surrogate, &surrogate->unfollowed, UPDATED) && surrogate->model.fitted)
        return true;
    surrogate->ranked = false;
    return model_keep_up(&surrogate->model, surrogate->told);
}

static bool propose(void *state, uint64_t *index)
{
    struct surrogate *surrogate = state;
    bool warm = surrogate->model.transfer.count > 0, early = surrogate->archive.count < surrogate->initial;
    if (!warm && (early || surrogate->told < LEARNABLE || surrogate->archive.best == SIZE_MAX))
        return propose_opening(surrogate, index);
    if (!keep_up(surrogate)) {
        surrogate->archive.failed = true;
        return false;
    }
    if (design_turn(surrogate)) {
        surrogate->designed++;
        return propose_opening(surrogate, index);
    }
    if (early && !misled(surrogate) && (surrogate->archive.count + 1) % PROMISED) {
        climb(surrogate);
        if (propose_candidate(surrogate, apart_fastest(&surrogate->candidates, &surrogate->model.gp, APART), index))
            return true;
    }
    if (!early && neighbours_turn(surrogate) && propose_candidate(surrogate, least_bound(surrogate), index))
        return true;
    return propose_candidate(surrogate, climb(surrogate), index);
}

/* The number of proposals that are useful now: what more than the opening needs waits for the first outcome. */
static size_t useful(const struct surrogate *surrogate, size_t room)
{
    size_t proposed = surrogate->archive.count,
           left = surrogate->initial > proposed ? surrogate->initial - proposed : 0;
    return surrogate->told || room < left ? room : left;
}

static int ask(void *state, uint64_t *configs, size_t room, size_t *count, struct error *error)
{
    struct surrogate *surrogate = state;
    surrogate->asked = true;
    room = useful(surrogate, room);
    return archive_ask(&surrogate->archive, propose, surrogate, configs, room, count, error);
}

/* With 15 compilers, where compiling is the bottleneck, it saves up to 4% of the time of 100 evaluations not to count
 * outcomes of what was in flight when the best became known. In large sets it gains nothing, and in a GEMM with 540,472
 * configurations, together with length scales fitted more often, it cost 0.008 of the optimum after 100. */
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
        surrogate->known_before = surrogate->archive.valid > LARGE ? 0 : surrogate->archive.count;
    } else if (known && known >= surrogate->archive.entries + surrogate->known_before) {
        surrogate->stalled++;
    }
}

static void weigh(const void *state, double *weights)
{
    const struct transfer *transfer = &((const struct surrogate *)state)->model.transfer;
    memcpy(weights, transfer->weights, transfer->count * sizeof *weights);
}

const struct strategy_ops strategy_surrogate = {.name = "surrogate",
                                                .summary = "Bayesian optimisation: a Gaussian process over log times",
                                                .state_size = sizeof(struct surrogate),
                                                .learns_at_once = true,
                                                .options = rows,
                                                .option_count = sizeof rows / sizeof *rows,
                                                .options_size = sizeof(struct surrogate_options),
                                                .removed_options = removed,
                                                .start = start,
                                                .ask = ask,
                                                .tell = tell,
                                                .weigh = weigh,
                                                .stop = stop};
