/* The other side of the pool: what runs in a compiler process. nvrtc.c is the only file that knows NVRTC. */
#ifndef CUTUNE_COMPILE_NVRTC_H
#define CUTUNE_COMPILE_NVRTC_H

#include "base/worker.h"

/* The questions that a compiler process answers, one after the other. An answer has the kind and id of its question.
 *   QUESTION_COMPILE  path, source, name expression (strings), cc (u64), option count (u64), options (bytes, as in
 *                     struct compile_job)
 *             answer  status (u64), compile_ns (u64), cached (u64), message, log, lowered name (strings), struct
 * kernel_resources (bytes), cubin (bytes) QUESTION_VERSION  nothing answer  "13.0" (string) */
enum { QUESTION_COMPILE = 1, QUESTION_VERSION = 2 };

/* Answers until the coordinator is gone or talks nonsense. The context is a const struct compile_cache, or NULL. */
worker_main compile_worker;

#endif
