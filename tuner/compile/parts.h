/* Within a compiler process: the parts of a job whose kernels have macros of their own. */
#ifndef CUTUNE_COMPILE_PARTS_H
#define CUTUNE_COMPILE_PARTS_H

#include "compile/compile_reply.h"

struct parts {
    const struct compile_job *job;
    size_t next;                /* number of the next part */
    struct compile_job own;     /* of the current part */
    struct text own_names;      /* its kernels */
    struct compile_reply reply; /* to the whole job; borrows from the texts */
    struct text log, cubins[BUNDLE_PARTS_MAX], names[BUNDLE_PARTS_MAX], bundle, lowered_names;
    struct kernel_resources resources[BUNDLE_PARTS_MAX][COMPILE_KERNELS_MAX];
};

/* The parts of a job in turn: parts_begin, then while parts_next, parts_take of the answer to parts->own. An answer
 * that is not OK is the last. parts_end puts the answers together. */
void parts_begin(struct parts *parts, const struct compile_job *job);
bool parts_next(struct parts *parts);
void parts_take(struct parts *parts, const struct compile_reply *reply);
void parts_end(struct parts *parts);
void parts_free(struct parts *parts);

#endif
