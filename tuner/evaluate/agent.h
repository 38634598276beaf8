/* An agent's part of a job that is open: evaluates what the run at the other end of a channel asks for, and tells at
 * least every AGENT_ALIVE_NS that it is alive. */
#ifndef CUTUNE_EVALUATE_AGENT_H
#define CUTUNE_EVALUATE_AGENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/channel.h"
#include "evaluate/evaluator.h"
#include "evaluate/remote_messages.h"

enum { AGENT_ALIVE_NS = 500000000 };

/* Longer than any agent that lives leaves the other side unread. */
#define AGENT_SEND_NS INT64_C(60000000000)

/* The state of an idle evaluator. */
struct remote_state agent_state(const struct evaluator *evaluator);

/* Serves the job until its end. Returns 0 then; ERROR_WORKER when the other side is gone or sends nonsense; or the
 * evaluator's error, after it was told. */
int agent_serve(struct channel *channel, uint64_t job, const struct evaluator *evaluator, struct error *error);

#endif
