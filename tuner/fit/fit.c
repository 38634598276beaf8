#include "fit/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/statistics.h"
#include "fit/fit_tree.h"
#include "fit/fit_variants.h"

/* CANDIDATES: per configuration that a fit may have. LACKING: of this many probed sizes, one may lack a configuration.
 * ROUNDS: of cross-validation, for the size of the tree. */
enum { FOLDS = 10, NO_FOLD = FOLDS, FOLDED_LEAST = 5, SEED = 1, CANDIDATES = 4, LACKING = 10, ROUNDS = 10 };

static const double failure_loss = 9.210340371976184; /* log(10000) */

/* Candidates for the price of a leaf, the sum of losses that it must save; cross-validation chooses one. */
static const double prices[] = {0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 1e30};
enum { PRICES = sizeof prices / sizeof *prices };
/* Weight of a variant's loss: small compared with a measured one, but enough where no size was measured. */
static const double variant_weight = 0.2;
/* Weight of a size's second best in the choice of candidates. 0 within a fold: as a second best elsewhere, a candidate
 * would reveal proposals of held-out sizes only. */
static const double second_share = 0.5;
/* Mean loss that does not justify a larger tree. */
static const double tolerance = 0.0005;

struct maker {
    struct arena *arena;
    const struct fit_table *table; /* the measured sizes */
    struct fit_table with;         /* the measured sizes and their variants */
    const size_t *origins;         /* by measured size and variant */
    const size_t *folds;           /* by measured size */
    size_t most;
    double limit;
    struct fit_losses losses;
    struct fit_features features; /* for the cover of all sizes */
    size_t *sizes;                /* of `with`: those with a time, first the measured ones */
    size_t count, measured;
    size_t searched, probed; /* number of measured ones of each kind */
    struct work *work;
    struct error *error;
};

static bool is_probed(const struct maker *maker, size_t size)
{
    return maker->table->probed && maker->table->probed[maker->origins[size]];
}

/* ---- Losses ---- */

static int check(const struct fit_table *table, size_t most, struct error *error)
{
    if (table->name_count == 0 || table->name_count > SIZE_FIT_SIZES_MAX)
        return error_set(error, ERROR_VALUE, "a fit has 1 to %d problem sizes, not %zu", SIZE_FIT_SIZES_MAX,
                         table->name_count);
    if (most > SIZE_FIT_CONFIGURATIONS_MAX)
        return error_set(error, ERROR_VALUE, "a fit has at most %d configurations, not %zu",
                         SIZE_FIT_CONFIGURATIONS_MAX, most);
    for (size_t i = 0; i < table->size_count * table->configuration_count; i++)
        if (isfinite(table->times[i]) && !(table->times[i] > 0))
            return error_set(error, ERROR_VALUE, "the time of %.200s at size %zu is not above 0: %g",
                             table->configurations[i % table->configuration_count], i / table->configuration_count,
                             table->times[i]);
    return 0;
}

static void add_size(struct maker *maker, size_t size)
{
    bool measured = size < maker->table->size_count;
    maker->sizes[maker->count++] = size;
    maker->measured += measured;
    maker->searched += measured && !is_probed(maker, size);
    maker->probed += measured && is_probed(maker, size);
}

static int find_losses(struct maker *maker)
{
    const struct fit_table *table = &maker->with;
    size_t width = table->configuration_count;
    double *of = arena_array(maker->arena, table->size_count * width, sizeof *of);
    double *weights = arena_array(maker->arena, table->size_count, sizeof *weights);
    maker->sizes = arena_array(maker->arena, table->size_count, sizeof *maker->sizes);
    if (!of || !weights || !maker->sizes)
        return error_memory(maker->error);
    for (size_t s = 0; s < table->size_count; s++) {
        double best = INFINITY;
        for (size_t c = 0; c < width; c++)
            if (isfinite(table->times[s * width + c]))
                best = fmin(best, table->times[s * width + c]);
        for (size_t c = 0; c < width; c++) {
            double time = table->times[s * width + c];
            of[s * width + c] = isfinite(time) ? log(time / best) : time;
        }
        weights[s] = s < maker->table->size_count ? 1 : variant_weight;
        if (isfinite(best))
            add_size(maker, s);
    }
    maker->losses = (struct fit_losses){table->size_count, width, of, weights};
    return maker->searched ? 0 : error_set(maker->error, ERROR_DATA, "no configuration has a time at any size");
}

/* True if a configuration of the cover lacks a time there. An invalid one needs none. */
static bool lacks(const struct maker *maker, const struct fit_cover *cover, size_t size)
{
    bool lacking = false;
    for (size_t i = 0; i < cover->count; i++)
        lacking |= isnan(maker->losses.of[size * maker->losses.configuration_count + cover->chosen[i]]);
    return lacking;
}

/* Removes the probed sizes that lack a configuration of the cover, and their variants. */
static void keep_probed(struct maker *maker, const struct fit_cover *cover)
{
    size_t count = maker->count;
    maker->count = maker->measured = maker->searched = maker->probed = 0;
    for (size_t i = 0; i < count; i++)
        if (!is_probed(maker, maker->sizes[i]) || !lacks(maker, cover, maker->origins[maker->sizes[i]]))
            add_size(maker, maker->sizes[i]);
}

/* ---- Cross-validation ---- */

/* Returns the loss at a size by a leaf's order of the chosen ones: that of the first valid one. */
static double loss_at(const struct maker *maker, const struct fit_cover *cover, const uint8_t *order, size_t size)
{
    for (size_t i = 0; i < cover->count; i++) {
        double loss = maker->losses.of[size * maker->losses.configuration_count + cover->chosen[order[i]]];
        if (!isinf(loss) || loss > 0)
            return isinf(loss) ? failure_loss : loss;
    }
    return failure_loss;
}

/* Assigns the sizes to folds, searched and probed ones separately. Another round has other folds. */
static int draw_folds(struct maker *maker, uint64_t round, size_t count)
{
    const struct fit_table *table = maker->table;
    size_t *folds = arena_array(maker->arena, table->size_count, sizeof *folds), probed = 0, drawn[2] = {0};
    if (!folds)
        return error_memory(maker->error);
    for (size_t s = 0; s < table->size_count; s++)
        probed += is_probed(maker, s);
    for (size_t s = 0; s < table->size_count; s++) {
        bool one = is_probed(maker, s);
        folds[s] = random_permute(SEED + round, one ? probed : table->size_count - probed, drawn[one]++) % count;
    }
    maker->folds = folds;
    return 0;
}

/* True if a size is held out. A measured size and its variants are in one fold. */
static bool is_held(const struct maker *maker, size_t fold, size_t size)
{
    return maker->folds[maker->origins[size]] == fold;
}

/* Lists the sizes outside a fold, first the measured ones; returns their number. */
static size_t list_sizes(const struct maker *maker, size_t fold, bool with_probed, size_t *sizes, size_t *measured)
{
    size_t count = 0;
    for (int first = 1; first >= 0; first--)
        for (size_t i = 0; i < maker->count; i++) {
            size_t size = maker->sizes[i];
            bool probed = is_probed(maker, size);
            if ((first != 0) != (i < maker->measured) || (probed && !with_probed) ||
                (fold != NO_FOLD && is_held(maker, fold, size)))
                continue;
            sizes[count++] = size;
            *measured += first != 0;
        }
    return count;
}

/* Copies the losses of some configurations; the others get none. After the first `sure` ones, copies only
 * configurations that nearly all probed sizes have: a tree ignores sizes that lack a configuration. At a probed size
 * the fastest of them loses nothing; a size without any of them has no influence. */
static int mask_losses(const struct maker *maker, struct arena *arena, const struct fit_cover *some, size_t sure,
                       struct fit_losses *masked)
{
    size_t width = maker->losses.configuration_count, size_count = maker->losses.size_count;
    double *of = arena_array(arena, size_count * width, sizeof *of);
    if (!of)
        return error_memory(maker->error);
    for (size_t i = 0; i < size_count * width; i++)
        of[i] = NAN;
    for (size_t i = 0; i < some->count; i++) {
        size_t c = some->chosen[i], lacking = 0;
        for (size_t s = 0; s < maker->measured; s++)
            lacking += is_probed(maker, maker->sizes[s]) && isnan(maker->losses.of[maker->sizes[s] * width + c]);
        for (size_t s = 0; s < size_count && (i < sure || lacking <= maker->probed / LACKING); s++)
            of[s * width + c] = maker->losses.of[s * width + c];
    }
    for (size_t s = 0; s < size_count; s++) {
        double least = INFINITY;
        for (size_t c = s * width; c < (s + 1) * width; c++)
            least = isfinite(of[c]) ? fmin(least, of[c]) : least;
        for (size_t i = 0; i < some->count && is_probed(maker, s); i++) {
            double *loss = &of[s * width + some->chosen[i]];
            *loss = isfinite(least) ? *loss - least : 0;
        }
    }
    *masked = (struct fit_losses){size_count, width, of, maker->losses.weights};
    return 0;
}

/* Makes the cover without the sizes of a fold, and its candidates: the cover of the searched sizes, and the next best
 * configurations there. Probed sizes choose among the candidates. */
static int make_cover(const struct maker *maker, struct arena *arena, size_t fold, struct fit_cover *cover,
                      struct fit_cover *candidates)
{
    size_t room = CANDIDATES * maker->most, measured = 0;
    double share = fold == NO_FOLD ? second_share : 0;
    size_t *sizes = arena_array(arena, maker->count, sizeof *sizes);
    cover->chosen = arena_array(arena, maker->most, sizeof *cover->chosen);
    candidates->chosen = arena_array(arena, room, sizeof *candidates->chosen);
    if (!sizes || !cover->chosen || !candidates->chosen)
        return error_memory(maker->error);
    size_t count = list_sizes(maker, fold, false, sizes, &measured);
    int code = fit_cover(&maker->losses, sizes, count, measured, maker->most, maker->limit, cover, maker->error);
    candidates->count = cover->count;
    memcpy(candidates->chosen, cover->chosen, cover->count * sizeof *cover->chosen);
    if (!code)
        code = fit_cover_extend(&maker->losses, sizes, count, share, room, candidates, maker->error);
    if (code || !maker->probed)
        return code;
    struct fit_losses masked;
    measured = 0;
    count = list_sizes(maker, fold, true, sizes, &measured);
    code = mask_losses(maker, arena, candidates, cover->count, &masked);
    return code ? code : fit_cover(&masked, sizes, count, measured, maker->most, maker->limit, cover, maker->error);
}

/* Makes the tree of all sizes outside a fold, except probed ones that lack a configuration. */
static int make_tree(const struct maker *maker, struct arena *arena, size_t fold, const struct fit_cover *cover,
                     const struct fit_features *features, struct fit_tree **tree)
{
    size_t *sizes = arena_array(arena, maker->count + 1, sizeof *sizes), count = 0;
    const struct fit_ground ground = {&maker->losses, features, maker->origins, prices[0]};
    if (!sizes)
        return error_memory(maker->error);
    for (size_t i = 0; i < maker->count; i++) {
        size_t size = maker->sizes[i];
        if (fold != NO_FOLD && is_held(maker, fold, size))
            continue;
        if (!is_probed(maker, size) || !lacks(maker, cover, maker->origins[size]))
            sizes[count++] = size;
    }
    return fit_tree_grow(arena, &ground, sizes, count, cover, tree, maker->error);
}

/* Makes the tree without the sizes of a fold, and computes their losses: held[price * count + position]. With a cover,
 * makes only the tree; without (NULL), makes the cover, too. */
static int hold_out(const struct maker *maker, size_t fold, const struct fit_cover *with, double *held)
{
    struct arena arena = {0};
    struct fit_cover cover = {0}, candidates = {0};
    struct fit_features features = maker->features;
    struct fit_tree *tree;
    bool cut[SIZE_FIT_NODES_MAX];
    int code = with ? 0 : make_cover(maker, &arena, fold, &cover, &candidates);
    if (!code && !with)
        code = fit_features_make(&arena, &maker->with, &cover, &features, maker->error);
    with = with ? with : &cover;
    if (!code)
        code = make_tree(maker, &arena, fold, with, &features, &tree);
    for (size_t p = 0; p < PRICES && !code; p++) {
        fit_tree_prune(tree, prices[p], cut);
        for (size_t i = 0; i < maker->count; i++)
            if (is_held(maker, fold, maker->sizes[i]))
                held[p * maker->count + i] =
                    loss_at(maker, with, fit_tree_order(tree, cut, maker->sizes[i]), maker->sizes[i]);
    }
    arena_free(&arena);
    return code;
}

/* Adds one round of held-out losses to the mean loss of each price. */
static void add_means(const struct maker *maker, const double *held, double *means)
{
    size_t count = maker->count;
    for (size_t p = 0; p < PRICES; p++) {
        double sum = 0, known = 0;
        for (size_t i = 0; i < count; i++)
            if (!isnan(held[p * count + i])) {
                sum += maker->losses.weights[maker->sizes[i]] * held[p * count + i];
                known += maker->losses.weights[maker->sizes[i]];
            }
        means[p] += known > 0 ? sum / known / ROUNDS : 0;
    }
}

/* Returns the price with the least mean loss on held-out sizes; of nearly equal ones, the highest. */
static size_t best_price(const double *means)
{
    double least = INFINITY;
    size_t price = PRICES - 1;
    for (size_t p = 0; p < PRICES; p++)
        least = fmin(least, means[p]);
    while (means[price] > least + tolerance)
        price--;
    return price;
}

static int hold_all(const struct maker *maker, size_t folds, const struct fit_cover *cover, double **held)
{
    int code = 0;
    *held = arena_array(maker->arena, PRICES * maker->count, sizeof **held);
    if (!*held)
        return error_memory(maker->error);
    for (size_t i = 0; i < PRICES * maker->count; i++)
        (*held)[i] = NAN;
    for (size_t fold = 0; fold < folds && !code; fold++) {
        code = hold_out(maker, fold, cover, *held);
        work_step(maker->work, 1);
    }
    return code;
}

/* Held-out sizes answer two questions. The first is the size of the tree. It concerns the tree alone, with the final
 * cover: searched and probed sizes answer it, in several rounds, since the folds are random. The second is the loss at
 * other sizes. It concerns cover and tree, made without the held-out size: searched sizes answer it. If the cover of a
 * fold has configurations that probed sizes lack, its tree ignores these sizes, so the answer is rather pessimistic. */
static int validate(struct maker *maker, const struct fit_cover *cover, size_t *price, const double **held_of)
{
    double *of_tree, *of_fit, means[PRICES] = {0};
    size_t folds = maker->searched < FOLDED_LEAST ? 0 : maker->searched < FOLDS ? maker->searched : FOLDS;
    int code = 0;
    work_begin(maker->work, "trees tried", (ROUNDS + 1) * folds);
    /* The folds of the last round also answer the second question. */
    for (uint64_t round = ROUNDS; round > 0 && !code; round--) {
        code = draw_folds(maker, round - 1, folds ? folds : 1);
        if (!code)
            code = hold_all(maker, folds, cover, &of_tree);
        if (!code)
            add_means(maker, of_tree, means);
    }
    if (!code)
        code = hold_all(maker, folds, NULL, &of_fit);
    if (code)
        return code;
    *price = folds ? best_price(means) : PRICES - 2;
    *held_of = of_fit + *price * maker->count;
    return 0;
}

/* ---- The result ---- */

struct fit_quality fit_quality_of(const double *losses, size_t count, double *ratios)
{
    double sum = 0;
    size_t known = 0;
    for (size_t i = 0; i < count; i++)
        if (!isnan(losses[i])) {
            double loss = fmin(losses[i], failure_loss);
            sum += loss;
            ratios[known++] = exp(-loss);
        }
    if (!known)
        return (struct fit_quality){NAN, NAN, NAN};
    statistics_sort(ratios, known);
    return (struct fit_quality){exp(-sum / (double)known), ratios[(known - 1) / 20], ratios[0]};
}

static int describe(const struct maker *maker, const struct fit_cover *cover, struct size_fit *fit)
{
    const struct fit_table *table = maker->table;
    int code = 0;
    fit->size_count = table->name_count;
    fit->configuration_count = cover->count;
    for (size_t n = 0; n < table->name_count; n++) {
        struct size_fit_size *size = &fit->sizes[n];
        *size = (struct size_fit_size){arena_copy(maker->arena, table->names[n], strlen(table->names[n])), INT64_MAX,
                                       INT64_MIN};
        if (!size->name)
            return error_memory(maker->error);
        for (size_t i = 0; i < maker->measured; i++) {
            int64_t value = table->sizes[maker->sizes[i] * table->name_count + n];
            size->least = value < size->least ? value : size->least;
            size->most = value > size->most ? value : size->most;
        }
    }
    for (size_t c = 0; c < cover->count && !code; c++) {
        struct size_fit_configuration *to = &fit->configurations[c];
        const char *text = table->configurations[cover->chosen[c]];
        const char *where = table->conditions ? table->conditions[cover->chosen[c]] : "";
        to->text = arena_copy(maker->arena, text, strlen(text));
        to->where = arena_copy(maker->arena, where, strlen(where));
        to->blocks = "";
        code = to->text && to->where ? 0 : error_memory(maker->error);
    }
    for (size_t n = 0; n < fit->node_count && !code; n++) {
        const struct size_fit_node *node = &fit->nodes[n];
        for (int i = 0; i < 2 && !node->leaf && size_feature_rows[node->feature].of == SIZE_FEATURE_OF_blocks; i++) {
            unsigned c = i ? node->b : node->a;
            const char *blocks = table->blocks[cover->chosen[c]];
            fit->configurations[c].blocks = arena_copy(maker->arena, blocks, strlen(blocks));
            code = fit->configurations[c].blocks ? code : error_memory(maker->error);
        }
    }
    return code;
}

/* Returns the loss of a probed size with the best of the cover. NaN: unknown. */
static double least_of(const struct maker *maker, const struct fit_cover *cover, size_t size)
{
    double least = NAN;
    for (size_t c = 0; c < cover->count; c++) {
        double loss = maker->losses.of[size * maker->table->configuration_count + cover->chosen[c]];
        least = isfinite(loss) ? fmin(least, loss) : least;
    }
    return least;
}

/* Finds the tree's choice at each size of the table. */
static int apply(const struct maker *maker, const struct fit_cover *cover, struct fit *fit)
{
    const struct fit_table *table = maker->table;
    size_t *taken = arena_array(maker->arena, table->size_count, sizeof *taken);
    size_t *rules = arena_array(maker->arena, cover->count, sizeof *rules);
    double *lost = arena_array(maker->arena, maker->measured, sizeof *lost);
    double *ratios = arena_array(maker->arena, maker->measured, sizeof *ratios), worst = 0;
    size_t known = 0;
    if (!taken || !rules || !lost || !ratios)
        return error_memory(maker->error);
    for (size_t s = 0; s < table->size_count; s++) {
        uint32_t valid = 0;
        for (size_t c = 0; c < cover->count; c++) {
            double loss = maker->losses.of[s * table->configuration_count + cover->chosen[c]];
            if (!(isinf(loss) && loss < 0))
                valid |= 1U << c;
        }
        taken[s] =
            size_fit_choose(fit->sizes, table->sizes + s * table->name_count, table->sm_count, table->l2_bytes, valid);
        if (taken[s] < cover->count)
            rules[taken[s]]++;
    }
    for (size_t i = 0; i < maker->measured; i++) {
        size_t s = maker->sizes[i];
        double loss = taken[s] < cover->count
                          ? maker->losses.of[s * table->configuration_count + cover->chosen[taken[s]]]
                          : INFINITY;
        worst = fmax(worst, loss - (is_probed(maker, s) ? least_of(maker, cover, s) : 0));
        if (!is_probed(maker, s))
            lost[known++] = loss;
    }
    fit->taken = taken;
    fit->rules = rules;
    fit->sample = fit_quality_of(lost, known, ratios);
    fit->taken_percent = expm1(fmax(worst, cover->worst)) * 100; /* no tree chooses better ones */
    return 0;
}

/* Sets the losses of held-out sizes. */
static int judge_held(const struct maker *maker, const double *held, struct fit *fit)
{
    size_t count = maker->table->size_count, known = 0;
    bool *probed = arena_array(maker->arena, count, sizeof *probed);
    double *held_of = arena_array(maker->arena, count, sizeof *held_of);
    double *lost = arena_array(maker->arena, maker->measured, sizeof *lost);
    double *ratios = arena_array(maker->arena, maker->measured, sizeof *ratios);
    if (!probed || !held_of || !lost || !ratios)
        return error_memory(maker->error);
    for (size_t s = 0; s < count; s++) {
        probed[s] = is_probed(maker, s);
        held_of[s] = NAN;
    }
    for (size_t i = 0; i < maker->measured; i++)
        if (!probed[maker->sizes[i]]) {
            lost[known++] = held[i];
            held_of[maker->sizes[i]] = exp(-held[i]);
        }
    fit->probed = probed;
    fit->held_of = held_of;
    fit->held = fit_quality_of(lost, known, ratios);
    return 0;
}

static int make(struct maker *maker, struct fit *fit)
{
    const struct fit_table *table = maker->table;
    struct fit_cover cover = {0}, candidates = {0};
    struct fit_tree *tree;
    size_t price;
    const double *held;
    bool cut[SIZE_FIT_NODES_MAX];
    int code = fit_variants_make(maker->arena, table, &maker->with, &maker->origins, maker->error);
    if (!code)
        code = find_losses(maker);
    if (!code)
        code = make_cover(maker, maker->arena, NO_FOLD, &cover, &candidates);
    if (!code)
        keep_probed(maker, &cover);
    if (!code)
        code = fit_features_make(maker->arena, &maker->with, &cover, &maker->features, maker->error);
    if (!code)
        code = validate(maker, &cover, &price, &held);
    if (!code)
        code = make_tree(maker, maker->arena, NO_FOLD, &cover, &maker->features, &tree);
    fit->sizes = arena_alloc(maker->arena, sizeof *fit->sizes);
    if (!code && !fit->sizes)
        code = error_memory(maker->error);
    if (code)
        return code;
    fit_tree_prune(tree, prices[price], cut);
    fit_tree_write(tree, cut, fit->sizes);
    code = describe(maker, &cover, fit->sizes);
    if (!code)
        code = size_fit_prepare(maker->arena, fit->sizes, maker->error);
    if (code)
        return code;
    fit->chosen = cover.chosen;
    fit->candidates = candidates.chosen;
    fit->candidate_count = candidates.count;
    fit->holds = cover.holds;
    fit->worst_percent = expm1(cover.worst) * 100;
    fit->size_count = maker->searched;
    fit->probed_count = maker->probed;
    fit->table_sizes = table->size_count;
    code = judge_held(maker, held, fit);
    return code ? code : apply(maker, &cover, fit);
}

int fit_make(struct fit *fit, const struct fit_table *table, const struct fit_options *options, struct error *error)
{
    *fit = (struct fit){0};
    struct maker maker = {.arena = &fit->arena,
                          .table = table,
                          .most = options->configurations_max ? options->configurations_max : 8,
                          .limit = log1p((options->regret_percent > 0 ? options->regret_percent : 5) / 100) + 1e-12,
                          .work = options->work,
                          .error = error};
    int code = check(table, maker.most, error);
    if (!code)
        code = make(&maker, fit);
    fit->limit_percent = options->regret_percent > 0 ? options->regret_percent : 5;
    if (code)
        fit_free(fit);
    return code;
}

void fit_free(struct fit *fit)
{
    arena_free(&fit->arena);
    *fit = (struct fit){0};
}
