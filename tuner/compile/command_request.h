/* Requests to a compiler command. */
#ifndef CUTUNE_COMPILE_COMMAND_REQUEST_H
#define CUTUNE_COMPILE_COMMAND_REQUEST_H

#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "base/error.h"
#include "base/text.h"
#include "compile/command_hello.h"

struct command_request {
    cJSON *tree;
    const cJSON *kernels; /* of the tree */
    size_t kernel_count;
    const char *architecture; /* "sm_90a" */
    struct text members;      /* the request's text without id and outputs: the same text asks for the same code */
};

/* Reads a job's request, without the parameters that the compiler does not use. ERROR_USAGE: it is not a request. */
int command_request_read(struct command_request *request, const char *text, const struct command_hello *hello,
                         struct error *error);
void command_request_free(struct command_request *request);

/* Writes the line for the worker, with the newline. `outputs`: as many NUL-terminated paths as kernels. */
void command_request_write(const struct command_request *request, uint64_t id, const char *outputs, struct text *line);

#endif
