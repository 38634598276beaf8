/* Within a compiler process: a received question and its answer. */
#ifndef CUTUNE_COMPILE_COMPILE_REPLY_H
#define CUTUNE_COMPILE_COMPILE_REPLY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/measurement.h"
#include "base/text.h"
#include "compile/pool.h"

struct request {
    struct compile_job job;  /* borrows the message */
    struct text all_options; /* owned: the job's and those of every compilation, in the same form */
    size_t all_option_count;
    struct text generated;   /* owned: the whole text of a source that a command prints */
    uint64_t hidden_headers; /* headers.h: headers to hide from NVRTC */
    const char *included; /* texts of the user's files that it may include, NUL-terminated, one after the other; NULL:
                             unknown */
    size_t included_count;
};

struct compile_reply {
    enum status status;
    char message[256];
    bool cached;  /* `log`, `cubin`, `ptx` and the names point into `recalled`; otherwise the first three are owned */
    bool lasting; /* the same question always has this answer */
    char *log, *cubin, *ptx; /* NULL: none */
    size_t cubin_bytes;
    const char *lowered_names; /* of a fresh answer: in own_names */
    struct kernel_resources resources[COMPILE_KERNELS_MAX];
    size_t name_count;
    struct kernel_answer answers[COMPILE_KERNELS_MAX]; /* of a command */
    size_t answer_count;
    struct answer_parameter parameters[ANSWER_PARAMETERS_MAX];
    size_t parameter_count;
    bool fatal;
    struct text own_names, recalled; /* owned */
};

/* Reads the resources of all kernels from the cubin or bundle. ERROR_DATA if it is not a cubin or lacks a kernel. */
int compile_reply_read_resources(struct compile_reply *reply, struct error *error);

/* The answer as a result for the pool and the cache; borrows the answer. */
struct compile_result compile_result_of(const struct compile_reply *reply, int64_t compile_ns);

#endif
