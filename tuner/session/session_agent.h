/* An agent: opens the jobs that a session elsewhere sends, one after the other, and evaluates for it. What a job needs
 * of files travels, and is kept in a folder of the cubin cache. Nothing of the caller's folder is read or written. */
#ifndef CUTUNE_SESSION_SESSION_AGENT_H
#define CUTUNE_SESSION_SESSION_AGENT_H

#include <stddef.h>

#include "base/error.h"
#include "device/choice.h"

struct session_agent {
    const char *device; /* as in struct session_request, like the rest */
    struct device_share device_share;
    size_t jobs, core_sharers;
};

/* Serves until the other end of the socket closes it; returns 0 then. Changes the working directory. ERROR_WORKER for
 * what makes no sense. What is wrong with a job is told to the other end. */
int session_serve(int socket, const struct session_agent *agent, struct error *error);

#endif
