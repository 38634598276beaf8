/* An agent: opens the jobs of a session on another host, one after the other, and evaluates for it. Files of a job are
 * sent to it and kept in a folder of the cubin cache. It neither reads nor writes the caller's folder. */
#ifndef CUTUNE_SESSION_SESSION_AGENT_H
#define CUTUNE_SESSION_SESSION_AGENT_H

#include <stddef.h>

#include "base/error.h"
#include "device/choice.h"

struct session_agent {
    const char *device; /* this and the rest as in struct session_request */
    struct device_share device_share;
    size_t jobs, core_sharers;
};

/* Serves until the other end closes the socket; then returns 0. Changes the working directory. ERROR_WORKER for an
 * invalid message. Errors of a job are sent to the other end. */
int session_serve(int socket, const struct session_agent *agent, struct error *error);

#endif
