/* Messages between the pool and a compiler process, which answers one question after the other. An answer has the
 * kind and id of its question; before it, there may be notices about the worker of a compiler command. */
#ifndef CUTUNE_COMPILE_MESSAGES_H
#define CUTUNE_COMPILE_MESSAGES_H

#include "base/pack.h"
#include "compile/pool.h"

enum compile_message {
    QUESTION_COMPILE = 1, /* compile_job; the answer is a compile_result */
    QUESTION_VERSION,     /* nothing; the answer is an nvrtc_version */
    NOTICE_STARTED,       /* a worker has started; nothing */
    NOTICE_HELLO          /* it has said hello; command_notice */
};

struct command_notice {
    uint64_t resident_bytes; /* of the worker; 0: unknown */
};

/* All fields except the ids, which travel with the message, and the time limit, which is the pool's. Pointers
 * borrow. */
extern const struct pack_table compile_job_table, compile_result_table;
extern const struct pack_table nvrtc_version_table, command_notice_table;

#endif
