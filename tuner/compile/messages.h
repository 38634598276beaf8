/* Messages between the pool and a compiler process, which answers one question after the other. An answer has the
 * kind and id of its question. */
#ifndef CUTUNE_COMPILE_MESSAGES_H
#define CUTUNE_COMPILE_MESSAGES_H

#include "base/pack.h"
#include "compile/pool.h"

enum compile_message {
    QUESTION_COMPILE = 1, /* compile_job; the answer is a compile_result */
    QUESTION_VERSION      /* nothing; the answer is an nvrtc_version */
};

/* All fields except the ids, which travel with the message, and the time limit, which is the pool's. Pointers
 * borrow. */
extern const struct pack_table compile_job_table, compile_result_table;
extern const struct pack_table nvrtc_version_table;

#endif
