/* A search: a strategy from its start to its stop. A run, the public ask and tell, and the benchmarks search by it. */
#ifndef CUTUNE_SEARCH_SEARCH_H
#define CUTUNE_SEARCH_SEARCH_H

#include "search/strategy.h"

/* Empty when zeroed. Read-only for callers. */
struct search {
    const struct strategy_ops *strategy;
    void *state;
    void *defaults; /* of the strategy's options; NULL: the caller has them */
};

/* Starts a strategy. setup->options NULL: the defaults. The search is empty after an error. */
int search_begin(struct search *search, const struct strategy_ops *strategy, const struct strategy_setup *setup,
                 struct error *error);
void search_end(struct search *search); /* may be empty */

/* True if the strategy learns from outcomes. */
bool search_learns(const struct search *search);

/* Asks the strategy, as strategy_ops.ask does. Before the first outcome (`known` false), no more than the opening are
 * in flight together with the `in_flight` that are so already. */
int search_ask(struct search *search, size_t in_flight, bool known, uint64_t *configs, size_t room, size_t *count,
               struct error *error);
/* Tells the strategy, if it learns; ignored by an empty search. */
void search_tell(struct search *search, uint64_t config, const struct cost *cost);
/* Writes the weights of the prior runs, if the strategy uses them (strategy_ops.weigh); ignored likewise. */
void search_weigh(const struct search *search, double *weights);

#endif
