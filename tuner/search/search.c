#include "search/search.h"

#include <stdlib.h>
#include <string.h>

/* Allocates the state and, if the caller has no options, their defaults. */
static int allocate(struct search *search, const void **options, struct error *error)
{
    const struct strategy_ops *strategy = search->strategy;
    search->state = calloc(1, strategy->state_size);
    if (!*options)
        *options = search->defaults = calloc(1, strategy->options_size + 1);
    if (!search->state || !*options)
        return error_memory(error);
    return search->defaults ? option_defaults(strategy->options, strategy->option_count, search->defaults, error) : 0;
}

int search_begin(struct search *search, const struct strategy_ops *strategy, const struct strategy_setup *setup,
                 struct error *error)
{
    struct strategy_setup own = *setup;
    *search = (struct search){.strategy = strategy};
    int code = allocate(search, &own.options, error);
    if (!code)
        code = strategy->start(search->state, &own, error);
    if (code)
        search_end(search);
    return code;
}

void search_end(struct search *search)
{
    if (search->state && search->strategy->stop)
        search->strategy->stop(search->state);
    free(search->state);
    free(search->defaults);
    memset(search, 0, sizeof *search);
}

bool search_learns(const struct search *search)
{
    return search->strategy->tell;
}

int search_ask(struct search *search, size_t in_flight, bool known, uint64_t *configs, size_t room, size_t *count,
               struct error *error)
{
    const struct strategy_ops *strategy = search->strategy;
    if (strategy->opening && !known) {
        size_t opening = strategy->opening(search->state), left = opening > in_flight ? opening - in_flight : 0;
        room = left < room ? left : room;
    }
    return strategy->ask(search->state, configs, room, count, error);
}

void search_tell(struct search *search, uint64_t config, const struct cost *cost)
{
    if (search->strategy && search->strategy->tell)
        search->strategy->tell(search->state, config, cost);
}

void search_weigh(const struct search *search, double *weights)
{
    if (search->strategy && search->strategy->weigh)
        search->strategy->weigh(search->state, weights);
}
