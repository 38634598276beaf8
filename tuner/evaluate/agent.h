/* An agent's part of an open job: evaluates configurations for the run at the other end of a channel, and sends a sign
 * of life at least every AGENT_ALIVE_NS. */
#ifndef CUTUNE_EVALUATE_AGENT_H
#define CUTUNE_EVALUATE_AGENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/channel.h"
#include "evaluate/evaluator.h"
#include "evaluate/kept_samples.h"
#include "evaluate/remote_messages.h"

enum { AGENT_ALIVE_NS = 500000000 };

/* longer than a living agent leaves the other side unread */
#define AGENT_SEND_NS INT64_C(60000000000)

/* Returns the state of an idle evaluator. */
struct remote_state agent_state(const struct evaluator *evaluator);

/* Serves the job until its end, and returns 0. `kept`: as in struct evaluator_setup, sent with the outcomes.
 * ERROR_WORKER if the other side is gone or sends nonsense; else the evaluator's error, which the other side has
 * received. */
int agent_serve(struct channel *channel, uint64_t job, const struct evaluator *evaluator, struct kept_samples *kept,
                struct error *error);

#endif
