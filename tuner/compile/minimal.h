/* Makes NVRTC faster without changing the machine code: --minimal leaves out features that few kernels need.
 * Precompiled headers (--pch) would save more for kernels that include large ones. But NVRTC keeps them in files of
 * several megabytes, which stay behind in the temporary folder if a process is killed, and compiler processes are
 * killed. */
#ifndef CUTUNE_COMPILE_MINIMAL_H
#define CUTUNE_COMPILE_MINIMAL_H

#include <stdbool.h>
#include <stdint.h>

#include "compile/answer.h"

/* Part of the cubin cache's keys: increase it whenever the minimal options could change an answer. */
enum { MINIMAL_VERSION = 2 };

/* What a process has learnt about the source that it compiles. Initially zeroed. */
struct minimal {
    uint64_t source; /* hash of the source's text */
    bool plain;      /* it compiles only without the options */
};

/* Sets `quick` to the request with the minimal options that suit it; false if none does. `quick` borrows from the
 * request and owns its all_options, which minimal_free frees. Call it after the request's options are gathered in
 * all_options. */
bool minimal_apply(struct minimal *minimal, const struct request *request, struct request *quick);
void minimal_free(struct request *quick);

/* Notes that the quick request did not compile, but the request did. */
void minimal_give_up(struct minimal *minimal);

#endif
