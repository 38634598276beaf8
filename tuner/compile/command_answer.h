/* The answer of a worker to a request. */
#ifndef CUTUNE_COMPILE_COMMAND_ANSWER_H
#define CUTUNE_COMPILE_COMMAND_ANSWER_H

#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "base/error.h"
#include "base/text.h"
#include "compile/answer.h"
#include "compile/command_request.h"

struct command_answer {
    cJSON *tree;
    struct text error; /* the compiler's message with its place; empty: it has compiled */
    const char *ptxas; /* of the tree, like all strings; NULL: none */
    struct text files; /* NUL-terminated paths, as the worker names them */
    struct {
        const char *entry, *file; /* `file` NULL: the request's output */
    } kernels[COMPILE_KERNELS_MAX];
    struct kernel_answer answers[COMPILE_KERNELS_MAX];
    struct answer_parameter parameters[ANSWER_PARAMETERS_MAX];
    size_t parameter_count;
};

/* Reads a line. ERROR_WORKER: it is not an answer to the request `id`, so that the worker makes no sense; ERROR_DATA:
 * something else is wrong, with the member and both sides in the message. */
int command_answer_read(struct command_answer *answer, const struct text *line, uint64_t id,
                        const struct command_request *request, struct error *error);
void command_answer_free(struct command_answer *answer);

#endif
