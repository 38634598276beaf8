#include "fit/fit_cover.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

enum {
    SETS_MAX = 10000, /* maximum of partial sets that branch and bound visits for one limit */
    LOSS_MAX = 10     /* loss of a failure in sums */
};

struct search {
    const struct fit_losses *losses;
    const size_t *sizes;
    size_t count, most;
    double limit;
    size_t *set, *best; /* configurations; `room`: for `most` */
    size_t best_count;  /* 0: none so far */
    double best_sum;
    size_t *times_covered; /* by size: number of configurations of the set that cover it */
    size_t *candidates;    /* by size: number of all configurations that cover it */
    size_t widest;         /* most sizes that one configuration covers */
    bool *general;         /* by configuration: valid at all sizes */
    bool any_general;
    size_t visited;
};

static double loss_of(const struct search *search, size_t size, size_t configuration)
{
    double loss = search->losses->of[search->sizes[size] * search->losses->configuration_count + configuration];
    return isfinite(loss) ? loss : INFINITY;
}

static bool covers(const struct search *search, size_t size, size_t configuration)
{
    return loss_of(search, size, configuration) <= search->limit;
}

static double least_loss(const struct search *search, size_t size, const size_t *set, size_t count)
{
    double least = INFINITY;
    for (size_t i = 0; i < count; i++)
        least = fmin(least, loss_of(search, size, set[i]));
    return least;
}

static double weight_of(const struct search *search, size_t size)
{
    const double *weights = search->losses->weights;
    return weights ? weights[search->sizes[size]] : 1;
}

static double sum_of(const struct search *search, const size_t *set, size_t count)
{
    double sum = 0;
    for (size_t s = 0; s < search->count; s++)
        sum += weight_of(search, s) * least_loss(search, s, set, count);
    return sum;
}

static void count_candidates(struct search *search)
{
    search->widest = 0;
    memset(search->candidates, 0, search->count * sizeof *search->candidates);
    for (size_t c = 0; c < search->losses->configuration_count; c++) {
        size_t covered = 0;
        for (size_t s = 0; s < search->count; s++)
            if (covers(search, s, c)) {
                search->candidates[s]++;
                covered++;
            }
        search->widest = covered > search->widest ? covered : search->widest;
    }
}

/* Returns the uncovered size with the fewest configurations that cover it; `count`: all are covered. */
static size_t hardest(const struct search *search, size_t *left)
{
    size_t found = search->count;
    *left = 0;
    for (size_t s = 0; s < search->count; s++) {
        if (search->times_covered[s])
            continue;
        ++*left;
        if (found == search->count || search->candidates[s] < search->candidates[found])
            found = s;
    }
    return found;
}

static void put(struct search *search, size_t configuration, bool in)
{
    for (size_t s = 0; s < search->count; s++)
        if (covers(search, s, configuration))
            search->times_covered[s] += in ? 1 : (size_t)-1;
}

/* Extends the set to all covers of at most `most` configurations; keeps the one with the least sum of losses. */
static void extend(struct search *search, size_t used)
{
    size_t left, size = hardest(search, &left);
    if (search->visited++ >= SETS_MAX || left > (search->most - used) * search->widest)
        return;
    if (size == search->count) {
        double sum = sum_of(search, search->set, used);
        if (!search->best_count || sum < search->best_sum) {
            memcpy(search->best, search->set, used * sizeof *search->set);
            search->best_count = used;
            search->best_sum = sum;
        }
        return;
    }
    for (size_t c = 0; c < search->losses->configuration_count; c++)
        if (covers(search, size, c)) {
            search->set[used] = c;
            put(search, c, true);
            extend(search, used + 1);
            put(search, c, false);
        }
}

/* Finds the configuration that covers most of the uncovered sizes; of several, the one that lowers the losses most.
 * False if it does neither. */
static bool most_useful(const struct search *search, const size_t *set, size_t used, size_t *configuration)
{
    size_t most = 0;
    double most_saved = 1e-9;
    bool found = false;
    for (size_t c = 0; c < search->losses->configuration_count; c++) {
        size_t covered = 0;
        double saved = 0;
        for (size_t s = 0; s < search->count; s++) {
            double now = fmin(least_loss(search, s, set, used), LOSS_MAX);
            covered += !search->times_covered[s] && covers(search, s, c);
            saved += weight_of(search, s) * fmax(0, now - fmin(loss_of(search, s, c), LOSS_MAX));
        }
        if (covered > most || (covered == most && saved > most_saved)) {
            *configuration = c;
            most = covered;
            most_saved = saved;
            found = true;
        }
    }
    return found;
}

/* Chooses configurations greedily. True if at most `room` of them cover all sizes. */
static bool greedy(struct search *search, size_t room, size_t *used)
{
    size_t left, next;
    memset(search->times_covered, 0, search->count * sizeof *search->times_covered);
    for (*used = 0; *used < room && hardest(search, &left) < search->count; ++*used) {
        if (!most_useful(search, search->set, *used, &next))
            return false;
        search->set[*used] = next;
        put(search, next, true);
    }
    return hardest(search, &left) == search->count;
}

/* Finds a cover within a limit: the fewest configurations. */
static bool find(struct search *search, double limit, size_t room)
{
    size_t used;
    search->limit = limit;
    search->best_count = 0;
    count_candidates(search);
    if (greedy(search, room, &used)) {
        memcpy(search->best, search->set, used * sizeof *search->set);
        search->best_count = used;
        search->best_sum = sum_of(search, search->best, used);
        room = used;
    }
    for (search->most = 1; search->most <= room; search->most++) {
        size_t before = search->best_count;
        memset(search->times_covered, 0, search->count * sizeof *search->times_covered);
        search->visited = 0;
        if (search->most < before)
            search->best_count = 0;
        extend(search, 0);
        if (search->best_count && search->best_count <= search->most)
            return true;
        search->best_count = before; /* no such small cover: the greedy one is valid again */
    }
    return search->best_count > 0;
}

/* Finds configurations that cover most sizes, if no cover exists. */
static void find_widest(struct search *search, size_t room)
{
    greedy(search, room, &search->best_count);
    memcpy(search->best, search->set, search->best_count * sizeof *search->set);
}

/* ---- All sizes, after the limited ones ---- */

static double worst_of(const struct search *search, const size_t *set, size_t count)
{
    double worst = 0;
    for (size_t s = 0; s < search->count; s++)
        worst = fmax(worst, least_loss(search, s, set, count));
    return worst;
}

/* Sums the losses; the excess over the limit counts twice, as users notice the slowest sizes. */
static double penalised_sum(const struct search *search, const size_t *set, size_t count)
{
    double sum = 0;
    for (size_t s = 0; s < search->count; s++) {
        double loss = fmin(least_loss(search, s, set, count), LOSS_MAX);
        sum += weight_of(search, s) * (loss + fmax(0, loss - search->limit));
    }
    return sum;
}

/* Uses the rest of the room to lower the sum of losses at all sizes. */
static void fill(struct search *all, size_t room)
{
    size_t next;
    memset(all->times_covered, 1, all->count * sizeof *all->times_covered);
    while (all->best_count < room && most_useful(all, all->best, all->best_count, &next))
        all->best[all->best_count++] = next;
}

/* Finds the configurations that are valid wherever anything was measured: with one of them, other sizes will have a
 * valid choice, too. */
static void find_general(struct search *search)
{
    size_t width = search->losses->configuration_count;
    for (size_t c = 0; c < width; c++) {
        bool valid = true, measured = false;
        for (size_t s = 0; s < search->count; s++) {
            double loss = search->losses->of[search->sizes[s] * width + c];
            valid &= !(isinf(loss) && loss < 0);
            measured |= isfinite(loss);
        }
        search->general[c] = valid && measured;
        search->any_general |= search->general[c];
    }
}

static bool has_general(const struct search *search, const size_t *set, size_t count)
{
    bool has = !search->any_general;
    for (size_t i = 0; i < count; i++)
        has |= search->general[set[i]];
    return has;
}

/* Makes the exchange of one configuration for another that lowers the sum of losses at all sizes most. A set that holds
 * the limit at the limited sizes keeps it, and the set keeps or gains a configuration valid at all sizes. False if no
 * exchange lowers the sum. */
static bool exchange(struct search *all, const struct search *first, bool holds)
{
    size_t out = 0, in = 0;
    double least =
        has_general(all, all->best, all->best_count) ? penalised_sum(all, all->best, all->best_count) - 1e-9 : INFINITY;
    double before = least;
    memcpy(all->set, all->best, all->best_count * sizeof *all->set);
    for (size_t i = 0; i < all->best_count; i++) {
        for (size_t c = 0; c < all->losses->configuration_count; c++) {
            all->set[i] = c;
            double sum = penalised_sum(all, all->set, all->best_count);
            if (sum < least && has_general(all, all->set, all->best_count) &&
                (!holds || worst_of(first, all->set, all->best_count) <= all->limit)) {
                least = sum;
                out = i;
                in = c;
            }
        }
        all->set[i] = all->best[i];
    }
    if (least < before)
        all->best[out] = in;
    return least < before;
}

/* Sorts by the sum of losses, the least first; failures count as very slow. */
static void sort(const struct search *search, size_t *set, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t first = i;
        double least = INFINITY;
        for (size_t j = i; j < count; j++) {
            double sum = 0;
            for (size_t s = 0; s < search->count; s++)
                sum += weight_of(search, s) * fmin(loss_of(search, s, set[j]), LOSS_MAX);
            if (sum < least) {
                least = sum;
                first = j;
            }
        }
        size_t configuration = set[first];
        memmove(&set[i + 1], &set[i], (first - i) * sizeof *set);
        set[i] = configuration;
    }
}

int fit_cover(const struct fit_losses *losses, const size_t *sizes, size_t count, size_t limited, size_t most,
              double limit, struct fit_cover *cover, struct error *error)
{
    struct arena arena = {0};
    struct search all = {.losses = losses, .sizes = sizes, .count = count};
    int code = 0;
    all.set = arena_array(&arena, most + 1, sizeof *all.set);
    all.best = arena_array(&arena, most + 1, sizeof *all.best);
    all.times_covered = arena_array(&arena, count + 1, sizeof *all.times_covered);
    all.candidates = arena_array(&arena, count + 1, sizeof *all.candidates);
    all.general = arena_array(&arena, losses->configuration_count + 1, sizeof *all.general);
    if (!all.general || !all.set || !all.best || !all.times_covered || !all.candidates)
        code = error_memory(error);
    struct search first = all;
    first.count = limited;
    if (!code && !find(&all, limit, most)) {
        bool holds = find(&first, limit, most);
        if (!holds)
            find_widest(&first, most);
        all.best_count = first.best_count;
        fill(&all, most);
        find_general(&all);
        while (exchange(&all, &first, holds))
            ;
    }
    if (!code) {
        sort(&all, all.best, all.best_count);
        cover->count = all.best_count;
        memcpy(cover->chosen, all.best, all.best_count * sizeof *cover->chosen);
        cover->worst = worst_of(&first, cover->chosen, cover->count);
        cover->holds = cover->worst <= limit;
    }
    arena_free(&arena);
    return code;
}

/* Returns the summed loss of the sizes with the best of a set plus `next` (SIZE_MAX: none), and `share` of the loss
 * with the second best. */
static double doubled_sum(const struct search *search, const double *best, const double *second, double share,
                          size_t next)
{
    double sum = 0;
    for (size_t s = 0; s < search->count; s++) {
        double loss = next == SIZE_MAX ? LOSS_MAX : fmin(loss_of(search, s, next), LOSS_MAX);
        sum += weight_of(search, s) * (fmin(best[s], loss) + share * fmin(second[s], fmax(best[s], loss)));
    }
    return sum;
}

static void note_losses(const struct search *search, double *best, double *second, size_t next)
{
    for (size_t s = 0; s < search->count; s++) {
        double loss = fmin(loss_of(search, s, next), LOSS_MAX);
        second[s] = fmin(second[s], fmax(best[s], loss));
        best[s] = fmin(best[s], loss);
    }
}

static bool is_chosen(const struct fit_cover *cover, size_t configuration)
{
    bool chosen = false;
    for (size_t i = 0; i < cover->count; i++)
        chosen |= cover->chosen[i] == configuration;
    return chosen;
}

int fit_cover_extend(const struct fit_losses *losses, const size_t *sizes, size_t count, double share, size_t room,
                     struct fit_cover *cover, struct error *error)
{
    const struct search search = {.losses = losses, .sizes = sizes, .count = count};
    double *best = malloc((2 * count + 1) * sizeof *best), *second = best ? best + count : NULL;
    if (!best)
        return error_memory(error);
    for (size_t s = 0; s < 2 * count; s++)
        best[s] = LOSS_MAX;
    for (size_t i = 0; i < cover->count; i++)
        note_losses(&search, best, second, cover->chosen[i]);
    for (bool found = true; found && cover->count < room;) {
        size_t next = 0;
        double least = doubled_sum(&search, best, second, share, SIZE_MAX) - 1e-9;
        found = false;
        for (size_t c = 0; c < losses->configuration_count; c++) {
            double sum = is_chosen(cover, c) ? INFINITY : doubled_sum(&search, best, second, share, c);
            if (sum < least) {
                least = sum;
                next = c;
                found = true;
            }
        }
        if (found) {
            note_losses(&search, best, second, next);
            cover->chosen[cover->count++] = next;
        }
    }
    free(best);
    return 0;
}
