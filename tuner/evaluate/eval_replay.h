/* Replays evaluations from a journal recorded on a real device. */
#ifndef CUTUNE_EVALUATE_EVAL_REPLAY_H
#define CUTUNE_EVALUATE_EVAL_REPLAY_H

#include "evaluate/evaluators.h"

/* Uses the setup's space, set, journal and jobs: the number of simulated compilers; 0: one configuration at a time. */
int evaluator_open_replay(struct evaluator *evaluator, const struct evaluator_setup *setup, struct error *error);

#endif
