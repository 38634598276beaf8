/* Makes NVRTC faster: --minimal omits features that few kernels need, and kernels that are not requested are omitted
 * if they share nothing with others. Neither changes the machine code or the meaning of the source: nothing is
 * omitted if the text may need it. Precompiled headers (--pch) would help kernels that include large headers. But
 * NVRTC keeps them in large files, which a killed process leaves in the temporary folder, and compiler processes are
 * killed. */
#ifndef CUTUNE_COMPILE_MINIMAL_H
#define CUTUNE_COMPILE_MINIMAL_H

#include <stdbool.h>
#include <stdint.h>

#include "compile/compile_reply.h"

/* Part of the cubin cache's keys: increase it whenever the minimal options could change an answer. */
enum { MINIMAL_VERSION = 4 };

/* The options for compiling a source, in the order of the attempts. */
enum minimal_level {
    MINIMAL_BOTH,     /* without the kernels that are not requested, and with --minimal */
    MINIMAL_ALONE,    /* without these kernels; the requested one needs features that --minimal omits */
    MINIMAL_FEATURES, /* with --minimal; a kernel cannot be omitted */
    MINIMAL_NOT
};

/* Knowledge of a process about the source that it compiles. Initially zeroed. */
struct minimal {
    uint64_t source; /* hash of the source's text */
    enum minimal_level level;
    bool alone; /* the last request omitted kernels */
};

/* Sets `quick` to the request with the suitable minimal options; false without any. `quick` borrows from the request
 * and from `alone`, an empty text of the caller's. It owns its all_options, which minimal_free frees. Call it after
 * the request's options are gathered in all_options, and its included files are known. */
bool minimal_apply(struct minimal *minimal, const struct request *request, struct request *quick, struct text *alone);
void minimal_free(struct request *quick);

/* Notes that the quick request failed to compile but the full one succeeded: the next one has fewer options. */
void minimal_give_up(struct minimal *minimal);

#endif
