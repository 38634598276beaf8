/* Makes NVRTC faster: --minimal leaves out features that few kernels need, and of the kernels that are not asked for,
 * those are left out that share nothing with others. Neither changes the machine code, nor what the source means: where
 * a text may ask for what would be missing, nothing is left out. Precompiled headers (--pch) would save more for
 * kernels that include large ones. But NVRTC keeps them in files of several megabytes, which stay behind in the
 * temporary folder if a process is killed, and compiler processes are killed. */
#ifndef CUTUNE_COMPILE_MINIMAL_H
#define CUTUNE_COMPILE_MINIMAL_H

#include <stdbool.h>
#include <stdint.h>

#include "compile/answer.h"

/* Part of the cubin cache's keys: increase it whenever the minimal options could change an answer. */
enum { MINIMAL_VERSION = 4 };

/* With which options a source is compiled, in the order in which they are tried. */
enum minimal_level {
    MINIMAL_BOTH,     /* without the kernels that are not asked for, and with --minimal */
    MINIMAL_ALONE,    /* without these kernels: the one that is asked for needs what --minimal leaves out */
    MINIMAL_FEATURES, /* with --minimal: a kernel cannot be left out */
    MINIMAL_NOT
};

/* What a process has learnt about the source that it compiles. Initially zeroed. */
struct minimal {
    uint64_t source; /* hash of the source's text */
    enum minimal_level level;
    bool alone; /* the last request left out kernels */
};

/* Sets `quick` to the request with the minimal options that suit it; false if none does. `quick` borrows from the
 * request and from `alone`, an empty text of the caller's, and owns its all_options, which minimal_free frees. Call it
 * after the request's options are gathered in all_options, and its included files are known. */
bool minimal_apply(struct minimal *minimal, const struct request *request, struct request *quick, struct text *alone);
void minimal_free(struct request *quick);

/* Notes that the quick request did not compile, but the request did: the next one has fewer options. */
void minimal_give_up(struct minimal *minimal);

#endif
