/* Replays evaluations from a journal recorded on a real device. */
#ifndef CUTUNE_EVALUATE_EVAL_REPLAY_H
#define CUTUNE_EVALUATE_EVAL_REPLAY_H

#include <stddef.h>

#include "db/journal.h"
#include "evaluate/evaluator.h"
#include "space/space.h"
#include "space/valid_set.h"

struct replay_setup {
    const struct space *space; /* bound */
    const struct valid_set *set;
    const struct journal *journal; /* the recorded run */
    size_t jobs;                   /* number of simulated compilers; 0: one configuration at a time */
};

int evaluator_open_replay(struct evaluator *evaluator, const struct replay_setup *setup, struct error *error);

#endif
