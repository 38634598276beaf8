/* Evaluates on several hosts: an evaluator of this process and agents (evaluate/agent.h) at the other ends of channels.
 * Devices are numbered over all, those of this process first. Play-off, evidence, library and ceilings are this
 * process's alone. An agent that goes away, sends nonsense or falls silent is left out, and others evaluate what it
 * had. */
#ifndef CUTUNE_EVALUATE_EVAL_TEAM_H
#define CUTUNE_EVALUATE_EVAL_TEAM_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include "base/channel.h"
#include "evaluate/evaluator.h"
#include "evaluate/remote_messages.h"

/* The way to an agent, over several jobs. */
struct team_link {
    struct channel channel;
    char name[80]; /* "rank 3 on node7" */
    uint64_t job;  /* number of the last job that it was sent */
    enum { LINK_IDLE, LINK_OPENING, LINK_READY, LINK_LOST } state;
    struct remote_ready ready; /* LINK_READY */
};

struct team_setup {
    const struct evaluator *local; /* open; closed by its owner, after the team */
    struct team_link *links;       /* those that are LINK_READY take part, and are LINK_IDLE or LINK_LOST afterwards */
    size_t link_count;
    int64_t silence_ns;                            /* an agent that is silent for so long is lost */
    void (*note)(void *context, const char *text); /* what users must know; may be NULL */
    void *context;
    const volatile sig_atomic_t *stop; /* not 0: ranks may end for that reason alone; may be NULL */
};

int evaluator_open_team(struct evaluator *evaluator, const struct team_setup *setup, struct error *error);

/* Gives a link up, with a note "NAME is left out: REASON". */
void team_lose_link(const struct team_setup *setup, struct team_link *link, const char *reason);

#endif
