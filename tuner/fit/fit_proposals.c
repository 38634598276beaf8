#include "fit/fit_proposals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "fit/fit_variants.h"
#include "journal/winner.h"

/* Weight of the prior mean loss, as a number of sizes. */
static const double usual_sizes = 4;

/* ---- Proposals of one size ---- */

static int propose(struct fit_journals *journals, const char *configuration, struct error *error)
{
    for (size_t i = 0; i < journals->configuration_count; i++)
        if (strcmp(journals->configurations[i], configuration) == 0)
            return 0;
    const char **grown = array_grow(journals->configurations, &journals->configuration_room,
                                    journals->configuration_count + 1, sizeof *grown);
    const char *copy = arena_copy(&journals->arena, configuration, strlen(configuration));
    if (grown)
        journals->configurations = grown;
    if (!grown || !copy)
        return error_memory(error);
    grown[journals->configuration_count++] = copy;
    return 0;
}

static int propose_key(struct fit_journals *journals, const struct fit_journal *journal, uint64_t key,
                       struct error *error)
{
    const struct journal_outcomes *search = &journal->search;
    const struct outcome *outcome = outcomes_find(&search->outcomes, key);
    struct text text = {0};
    if (!outcome || !(outcome->marks & FIT_INSIDE))
        return 0;
    journal_outcomes_text(journal->journal, search->rows[outcome - search->outcomes.items], &text);
    int code = text.failed ? error_memory(error) : propose(journals, text_string(&text), error);
    text_free(&text);
    return code;
}

/* Proposes the fastest configuration that was stopped early, if it is faster than the winner (NULL: none): a narrowed
 * space may lack the configuration that stopped it. */
static int propose_bound(struct fit_journals *journals, const struct fit_journal *journal,
                         const struct measurement *winner, struct error *error)
{
    const struct outcomes *outcomes = &journal->search.outcomes;
    struct measurement best = winner ? *winner : measurement_unknown(STATUS_OK);
    const struct outcome *found = NULL;
    for (size_t i = 0; i < outcomes->count; i++) {
        const struct outcome *outcome = &outcomes->items[i];
        if (!(outcome->marks & FIT_INSIDE) || outcomes_class(outcomes, outcome) != OUTCOME_CENSORED)
            continue;
        const struct measurement bound = outcomes_measurement(outcomes, outcome, OUTCOME_OF_SEARCH);
        if (isnan(best.value) || objective_better(measurement_objective(&bound), bound.value, best.value)) {
            best = bound;
            found = outcome;
        }
    }
    return found ? propose_key(journals, journal, found->key, error) : 0;
}

static int propose_of(struct fit_journals *journals, const struct fit_journal *journal, struct error *error)
{
    uint64_t default_ = journal_outcomes_key(journal_get_header(journal->journal)->provenance.default_);
    struct winner winner;
    size_t tied = 0;
    int code = propose_key(journals, journal, default_, error);
    bool found = winner_find(&journal->search.outcomes, FIT_INSIDE, default_, &winner);
    if (!code)
        code = propose_bound(journals, journal, found ? &winner.measurement : NULL, error);
    if (code || !found)
        return code;
    code = propose_key(journals, journal, winner.key, error);
    for (size_t i = 0; i < winner.finalists && tied < FIT_TIED_MAX && !code; i++)
        if (winner.ties[i] && winner.keys[i] != winner.key) {
            code = propose_key(journals, journal, winner.keys[i], error);
            tied++;
        }
    return code;
}

/* ---- Proposals for neighbouring sizes ---- */

/* A configuration that the search of a size timed. */
struct timed {
    const char *text;
    double value;
    bool known; /* the condition was found */
    const struct size_condition *condition;
};

static int compare_timed(const void *a, const void *b)
{
    const struct timed *x = a, *y = b;
    int order = (x->value > y->value) - (x->value < y->value);
    return order ? order : strcmp(x->text, y->text);
}

/* Lists the configurations with a time or a bound, the fastest first. */
static int list_timed(const struct fit_journal *journal, struct arena *arena, struct timed **list, size_t *count,
                      struct error *error)
{
    const struct journal_outcomes *search = &journal->search;
    *count = 0;
    *list = arena_array(arena, search->outcomes.count + 1, sizeof **list);
    if (!*list)
        return error_memory(error);
    for (size_t i = 0; i < search->outcomes.count; i++) {
        const struct outcome *outcome = &search->outcomes.items[i];
        struct text text = {0};
        if (!outcome->last || !(outcome->marks & FIT_INSIDE))
            continue;
        struct measurement measurement = outcomes_measurement(&search->outcomes, outcome, OUTCOME_OF_SEARCH);
        enum outcome_class outcome_class = measurement_class(&measurement);
        if ((outcome_class != OUTCOME_TIMED && outcome_class != OUTCOME_CENSORED) || !isfinite(measurement.value))
            continue;
        journal_outcomes_text(journal->journal, search->rows[i], &text);
        struct timed *timed = &(*list)[(*count)++];
        *timed = (struct timed){.text = arena_copy(arena, text_string(&text), text.length), .value = measurement.value};
        bool failed = text.failed || !timed->text;
        text_free(&text);
        if (failed)
            return error_memory(error);
    }
    qsort(*list, *count, sizeof **list, compare_timed);
    return 0;
}

/* Proposes the fastest configuration of the list that is valid at the sizes. */
static int propose_valid(struct fit_journals *journals, const struct space *space, struct timed *list, size_t count,
                         const int64_t *sizes, struct arena *arena, struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        const char *text;
        bool complete;
        int code = 0;
        if (!list[i].known)
            code = fit_journals_condition(journals, space, list[i].text, arena, &text, &list[i].condition, &complete,
                                          error);
        list[i].known = true;
        if (code || size_condition_holds(list[i].condition, sizes))
            return code ? code : propose(journals, list[i].text, error);
    }
    return 0;
}

static int propose_beside(struct fit_journals *journals, const struct space *space, const struct fit_steps *steps,
                          const struct fit_journal *journal, struct error *error)
{
    struct arena arena = {0};
    struct timed *list;
    size_t count;
    int64_t sizes[SIZE_FIT_SIZES_MAX];
    int code = list_timed(journal, &arena, &list, &count, error);
    for (size_t step = 1; step < fit_steps_count(steps) && !code; step++) {
        fit_step(steps, step, journal->sizes, sizes);
        code = propose_valid(journals, space, list, count, sizes, &arena, error);
    }
    arena_free(&arena);
    return code;
}

static int propose_all_beside(struct fit_journals *journals, const struct space *space, struct error *error)
{
    size_t names = journals->name_count, count = 0;
    int64_t *sizes = calloc(journals->count * names + 1, sizeof *sizes);
    int code = sizes ? 0 : error_memory(error);
    for (size_t i = 0; i < journals->count && !code; i++)
        if (!journals->items[i]->probed)
            memcpy(sizes + count++ * names, journals->items[i]->sizes, names * sizeof *sizes);
    const struct fit_steps steps = fit_steps_of(sizes, NULL, code ? 0 : count, names);
    for (size_t i = 0; i < journals->count && !code; i++)
        if (!journals->items[i]->probed)
            code = propose_beside(journals, space, &steps, journals->items[i], error);
    free(sizes);
    return code;
}

/* ---- Proposals for many sizes ---- */

/* The loss of a configuration, log(time / best time): at one size, or the sum over several. */
struct lost {
    const char *text;
    double loss, mean; /* mean: expected at any size */
    size_t sizes;
};

static int compare_texts(const void *a, const void *b)
{
    const struct lost *x = a, *y = b;
    return strcmp(x->text, y->text);
}

static int compare_means(const void *a, const void *b)
{
    const struct lost *x = a, *y = b;
    int order = (x->mean > y->mean) - (x->mean < y->mean);
    return order ? order : strcmp(x->text, y->text);
}

/* Lists the loss of each configuration at each size whose search timed it; *mean: of all. */
static int list_lost(const struct fit_journals *journals, struct arena *arena, struct lost **all, size_t *count,
                     double *mean, struct error *error)
{
    size_t room = 0;
    double sum = 0;
    for (size_t i = 0; i < journals->count; i++)
        room += journals->items[i]->search.outcomes.count;
    *count = 0;
    if (!(*all = arena_array(arena, room + 1, sizeof **all)))
        return error_memory(error);
    for (size_t i = 0; i < journals->count; i++) {
        struct timed *list;
        size_t timed = 0;
        int code = journals->items[i]->probed ? 0 : list_timed(journals->items[i], arena, &list, &timed, error);
        if (code)
            return code;
        for (size_t t = 0; t < timed; t++, ++*count) {
            double loss = log(list[t].value / list[0].value);
            (*all)[*count] = (struct lost){.text = list[t].text, .loss = loss, .sizes = 1};
            sum += loss;
        }
    }
    *mean = *count ? sum / (double)*count : 0;
    return 0;
}

/* Merges entries with the same text, and drops configurations timed at one size only. Returns the number kept. */
static size_t merge_lost(struct lost *all, size_t count, double mean)
{
    size_t kept = 0;
    qsort(all, count, sizeof *all, compare_texts);
    for (size_t i = 0, next; i < count; i = next) {
        struct lost one = all[i];
        for (next = i + 1; next < count && strcmp(all[next].text, one.text) == 0; next++) {
            one.loss += all[next].loss;
            one.sizes += all[next].sizes;
        }
        one.mean = (one.loss + usual_sizes * mean) / ((double)one.sizes + usual_sizes);
        if (one.sizes > 1)
            all[kept++] = one;
    }
    return kept;
}

/* Proposes the configurations of the least mean loss that are not proposed yet. They may serve another size, at which
 * each of the winners has a drawback. */
static int propose_general(struct fit_journals *journals, struct error *error)
{
    struct arena arena = {0};
    struct lost *all;
    size_t count, before = journals->configuration_count;
    double mean;
    int code = list_lost(journals, &arena, &all, &count, &mean, error);
    if (!code) {
        count = merge_lost(all, count, mean);
        qsort(all, count, sizeof *all, compare_means);
    }
    for (size_t i = 0; !code && i < count && journals->configuration_count < before + FIT_GENERAL_MAX; i++)
        code = propose(journals, all[i].text, error);
    arena_free(&arena);
    return code;
}

/* ---- All proposals ---- */

/* Proposes the configurations that a fit measured at this size. */
static int propose_fitted(struct fit_journals *journals, const struct fit_journal *journal, struct error *error)
{
    const struct journal_outcomes *all = &journal->outcomes;
    int code = 0;
    for (size_t i = 0; i < all->outcomes.count && !code; i++) {
        struct text text = {0};
        if (!fit_journals_fitted(&all->outcomes.items[i]) || !(all->outcomes.items[i].marks & FIT_INSIDE))
            continue;
        journal_outcomes_text(journal->journal, all->rows[i], &text);
        code = text.failed ? error_memory(error) : propose(journals, text_string(&text), error);
        text_free(&text);
    }
    return code;
}

int fit_journals_propose(struct fit_journals *journals, const struct space *space, struct error *error)
{
    int code = 0;
    journals->configuration_count = 0;
    journals->texts = NULL; /* they belong to the previous configurations */
    journals->conditions = NULL;
    journals->blocks = NULL;
    for (size_t i = 0; i < journals->count && !code; i++)
        if (!journals->items[i]->probed)
            code = propose_of(journals, journals->items[i], error);
    for (size_t i = 0; i < journals->count && !code && !space; i++)
        code = propose_fitted(journals, journals->items[i], error);
    if (!code && space)
        code = propose_all_beside(journals, space, error);
    return code || !space ? code : propose_general(journals, error);
}

static bool fitted_anywhere(const struct fit_journals *journals, const char *configuration)
{
    uint64_t key = journal_outcomes_key(configuration);
    bool fitted = false;
    for (size_t i = 0; i < journals->count && !fitted; i++)
        fitted = fit_journals_fitted(outcomes_find(&journals->items[i]->outcomes.outcomes, key));
    return fitted;
}

void fit_journals_keep_fitted(struct fit_journals *journals)
{
    size_t kept = 0;
    for (size_t i = 0; i < journals->configuration_count; i++)
        if (fitted_anywhere(journals, journals->configurations[i]))
            journals->configurations[kept++] = journals->configurations[i];
    if (kept)
        journals->configuration_count = kept;
}
