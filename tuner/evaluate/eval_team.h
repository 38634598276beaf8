/* Evaluates on several hosts: by an evaluator of this process and agents (evaluate/agent.h) at the other ends of
 * channels. Devices are numbered over all members, this process's first. Play-off, evidence, library and ceilings are
 * this process's alone. An agent that ends, sends nonsense or falls silent is excluded, and others evaluate its
 * configurations. */
#ifndef CUTUNE_EVALUATE_EVAL_TEAM_H
#define CUTUNE_EVALUATE_EVAL_TEAM_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include "base/channel.h"
#include "evaluate/evaluator.h"
#include "evaluate/remote_messages.h"

struct kept_samples; /* evaluate/kept_samples.h */

/* The connection to an agent, over several jobs. */
struct team_link {
    struct channel channel;
    char name[80]; /* "rank 3 on node7" */
    uint64_t job;  /* number of the last job sent to the agent */
    enum { LINK_IDLE, LINK_OPENING, LINK_READY, LINK_LOST } state;
    struct remote_ready ready; /* LINK_READY */
};

struct team_setup {
    const struct evaluator *local; /* open; closed by its owner, after the team */
    struct team_link *links;       /* those in LINK_READY take part, and are LINK_IDLE or LINK_LOST afterwards */
    size_t link_count;
    struct kept_samples *kept;                     /* as in struct evaluator_setup; receives those of the agents */
    int64_t silence_ns;                            /* limit on an agent's silence */
    void (*note)(void *context, const char *text); /* messages for users; may be NULL */
    void *context;
    const volatile sig_atomic_t *stop; /* not 0: the run is being stopped, which may end ranks; may be NULL */
};

int evaluator_open_team(struct evaluator *evaluator, const struct team_setup *setup, struct error *error);

/* Gives up a link, with a note "NAME is left out: REASON". */
void team_lose_link(const struct team_setup *setup, struct team_link *link, const char *reason);

#endif
