/* Runs a strategy step by step: passes costs to it, then checks its proposals. */
#ifndef CUTUNE_TESTS_SEARCH_STEPS_H
#define CUTUNE_TESTS_SEARCH_STEPS_H

#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "search/strategy.h"

struct steps {
    struct space *space;
    struct valid_set *set;
    struct strategy_choice choice;
    void *state;
};

/* Without constraints, the last parameter varies fastest in the index. */
static inline void steps_open_prior(struct steps *steps, const char *parameters, const char *strategy, uint64_t seed,
                                    const struct prior_run *prior_runs, size_t count)
{
    struct error error = {0};
    char text[512] = "space 2\n";
    memset(steps, 0, sizeof *steps);
    strcat(text, parameters);
    CU_ASSERT_EQUAL_FATAL(space_parse_text(&steps->space, "t.space", text, strlen(text), "", &error), 0);
    CU_ASSERT_EQUAL_FATAL(space_bind(steps->space, NULL, 0, NULL, &error), 0);
    CU_ASSERT_EQUAL_FATAL(valid_set_build(&steps->set, steps->space, VALID_SET_DEFAULT_BYTES, &error), 0);
    CU_ASSERT_EQUAL_FATAL(strategy_choose(&steps->choice, strategy, &error), 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(steps->state = calloc(1, steps->choice.ops->state_size));
    struct strategy_setup setup = {.space = steps->space,
                                   .set = steps->set,
                                   .prior_runs = prior_runs,
                                   .prior_run_count = count,
                                   .seed = seed,
                                   .options = steps->choice.options};
    CU_ASSERT_EQUAL_FATAL(steps->choice.ops->start(steps->state, &setup, &error), 0);
}

static inline void steps_open(struct steps *steps, const char *parameters, const char *strategy, uint64_t seed)
{
    steps_open_prior(steps, parameters, strategy, seed, NULL, 0);
}

static inline void steps_close(struct steps *steps)
{
    if (steps->choice.ops->stop)
        steps->choice.ops->stop(steps->state);
    free(steps->state);
    strategy_choice_free(&steps->choice);
    valid_set_free(steps->set);
    space_free(steps->space);
}

/* Returns the next proposal; UINT64_MAX: none. */
static inline uint64_t steps_ask(struct steps *steps)
{
    struct error error = {0};
    uint64_t config = UINT64_MAX;
    size_t count = 0;
    CU_ASSERT_EQUAL_FATAL(steps->choice.ops->ask(steps->state, &config, 1, &count, &error), 0);
    return count ? config : UINT64_MAX;
}

static inline void steps_tell(struct steps *steps, uint64_t config, double value)
{
    steps->choice.ops->tell(steps->state, config, &(struct cost){.ok = true, .value = value});
}

static inline void steps_tell_bound(struct steps *steps, uint64_t config, double value)
{
    steps->choice.ops->tell(steps->state, config, &(struct cost){.ok = true, .censored = true, .value = value});
}

static inline void steps_tell_failed(struct steps *steps, uint64_t config)
{
    steps->choice.ops->tell(steps->state, config, &(struct cost){.ok = false});
}

#endif
