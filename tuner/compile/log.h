/* Within a compiler process: what a compiler's log says, as the message of an answer. */
#ifndef CUTUNE_COMPILE_LOG_H
#define CUTUNE_COMPILE_LOG_H

#include <stdbool.h>

#include "compile/answer.h"

/* What a log calls the text that names the kernels of a request, if that has a line for each. */
#define LOG_KERNELS "cutune_kernels"

/* Sets status and message. The message becomes one clean line: a log may hold anything. */
void log_explain(struct answer *answer, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Sets status and message by the first error of the answer's log, which names the kernel of the request that it is
 * about. PRUNED_LIMIT: the assembler reports that the kernel needs more than any block may have. False if the log has
 * no error. */
bool log_explain_error(struct answer *answer, const struct request *request);

/* Does the log contain the word, in small or capital letters? */
bool log_mentions(const char *log, const char *word);

#endif
