/* The same machine code from NVRTC in less time: --minimal, which leaves out what few kernels need. Precompiled headers
 * (--pch) would save more where a kernel begins with large ones, but NVRTC keeps them in files of several megabytes
 * that stay behind in the folder of temporary files whenever a process is killed, and compiler processes are. */
#ifndef CUTUNE_COMPILE_MINIMAL_H
#define CUTUNE_COMPILE_MINIMAL_H

#include <stdbool.h>
#include <stdint.h>

#include "compile/answer.h"

/* Part of the cubin cache's keys: a new number wherever these minimal options could change an answer. */
enum { MINIMAL_VERSION = 2 };

/* What a process has learnt of the source that it compiles. Zeroed at first. */
struct minimal {
    uint64_t source; /* whose text this is of */
    bool plain;      /* it compiles only without */
};

/* Makes `quick` the request with the minimal options that fit it; false when none does. It borrows from the request and
 * owns its all_options, which minimal_free frees. Before the request's options are gathered in all_options, there is
 * nothing to make it of. */
bool minimal_apply(struct minimal *minimal, const struct request *request, struct request *quick);
void minimal_free(struct request *quick);

/* The quick request did not compile, but the request did. */
void minimal_give_up(struct minimal *minimal);

#endif
