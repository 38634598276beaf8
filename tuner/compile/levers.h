/* The same machine code from NVRTC in less time: --minimal, which leaves out what few kernels need. Precompiled headers
 * (--pch) would save more where a kernel begins with large ones, but NVRTC keeps them in files of several megabytes
 * that stay behind in the folder of temporary files whenever a process is killed, and compiler processes are. */
#ifndef CUTUNE_COMPILE_LEVERS_H
#define CUTUNE_COMPILE_LEVERS_H

#include <stdbool.h>
#include <stdint.h>

#include "compile/answer.h"

/* Part of the cubin cache's keys: a new number wherever these levers could change an answer. */
enum { LEVERS_VERSION = 2 };

/* What a process has learnt of the source that it compiles. Zeroed at first. */
struct levers {
    uint64_t source; /* whose text this is of */
    bool plain;      /* it compiles only without */
};

/* Makes `quick` the request with the levers that fit it; false when none does. It borrows from the request and owns its
 * all_options, which levers_free frees. Before the request's options are gathered in all_options, there is nothing to
 * make it of. */
bool levers_apply(struct levers *levers, const struct request *request, struct request *quick);
void levers_free(struct request *quick);

/* The quick request did not compile, but the request did. */
void levers_give_up(struct levers *levers);

#endif
