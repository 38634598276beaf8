/* The same machine code from NVRTC in less time: --minimal, which leaves out what few kernels need, and precompiled
 * headers of the toolkit. An NVRTC process keeps a precompiled header in memory, and takes it again only when all that
 * comes before its end is the same, macros of the command line included. So the macros of a configuration are moved
 * into the source, behind the toolkit's headers. */
#ifndef CUTUNE_COMPILE_LEVERS_H
#define CUTUNE_COMPILE_LEVERS_H

#include <stdbool.h>
#include <stdint.h>

#include "compile/answer.h"

/* Part of the cubin cache's keys: a new number wherever these levers could change an answer. */
enum { LEVERS_VERSION = 1 };

/* What a process has learnt of the source that it compiles. Zeroed at first. */
struct levers {
    uint64_t source; /* whose text this is of */
    bool plain;      /* it compiles only without */
    bool no_headers; /* precompiled headers do not pay */
    unsigned compiled, created;
};

/* Makes `quick` the request with the levers that fit it; false when none does. It borrows from the request and owns
 * `text`, its source, and its all_options; levers_free frees both. Before the request's options are gathered in
 * all_options, there is nothing to make it of. */
bool levers_apply(struct levers *levers, const struct request *request, struct request *quick, struct text *text);
void levers_free(struct request *quick, struct text *text);

/* The quick request compiled; `created`: NVRTC has made a precompiled header for it. */
void levers_note(struct levers *levers, bool created);
/* The quick request did not compile, but the request did. */
void levers_give_up(struct levers *levers);

#endif
