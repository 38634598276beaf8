/* Within a compiler process: turns a compiler's log into the message of an answer. */
#ifndef CUTUNE_COMPILE_LOG_H
#define CUTUNE_COMPILE_LOG_H

#include <stdbool.h>

#include "compile/compile_reply.h"

/* The file name, in logs, of a text with one line for each kernel of a request. */
#define LOG_KERNELS "cutune_kernels"

/* Sets status and message. The message becomes one clean line: a log may hold anything. */
void log_explain(struct compile_reply *reply, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Sets status and message by the first error of the answer's log; the message names the kernel of the request that
 * it concerns. PRUNED_LIMIT: the assembler reports that the kernel needs more than any block may have. False if the
 * log has no error. */
bool log_explain_error(struct compile_reply *reply, const struct request *request);

/* True if the log contains the word, in small or capital letters. */
bool log_mentions(const char *log, const char *word);

#endif
