/* Reads any bytes as a line of a compiler command: behind an `h` a hello, otherwise an answer to a request of two
 * kernels. An error has a message; an accepted answer stays within the request. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "compile/command_answer.h"
#include "compile/command_hello.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { KERNELS = 2, ARGUMENTS = 2, DIMENSIONS = 2, ID = 7 };
static const char request_text[] = "{\"architecture\": \"sm_90a\", \"params\": {\"T\": 1}, \"kernels\": ["
                                   "{\"name\": \"k\", \"arguments\": [{\"name\": \"x\", \"kind\": \"buffer\", "
                                   "\"extents\": [4, 8]}, {\"name\": \"n\"}]}, "
                                   "{\"name\": \"j\", \"arguments\": [{\"name\": \"x\", \"kind\": \"buffer\", "
                                   "\"extents\": [4, 8]}, {\"name\": \"n\"}]}]}";

static void check(bool good)
{
    if (!good)
        __builtin_trap();
}

static void check_answer(const struct command_answer *answer)
{
    size_t count = 0, first = 0;
    for (size_t k = 0; k < KERNELS; k++) {
        const struct kernel_answer *kernel = &answer->answers[k];
        check(answer->kernels[k].entry && *answer->kernels[k].entry && kernel->shared_bytes >= -1);
        check(kernel->lists || !kernel->parameter_count);
        count += kernel->parameter_count;
        for (; first < count; first += 1 + answer->parameters[first].members)
            check(answer->parameters[first].members < count - first);
        check(first == count);
    }
    check(count == answer->parameter_count && count <= ANSWER_PARAMETERS_MAX);
    for (size_t p = 0; p < count; p++) {
        const struct answer_parameter *parameter = &answer->parameters[p];
        check(parameter->kind < ANSWER_KINDS && parameter->argument < ARGUMENTS && parameter->dimension < DIMENSIONS);
        check(parameter->bytes <= 4096 && parameter->alignment <= 256);
    }
}

static void read_answer(const struct text *line)
{
    static struct command_answer answer;
    const struct command_hello all = {0};
    struct command_request request;
    struct error error = {0};
    check(!command_request_read(&request, request_text, &all, NULL));
    int code = command_answer_read(&answer, line, ID, &request, &error);
    if (code)
        check(error.code == (enum error_code)code && *error.message);
    else if (!answer.error.length)
        check_answer(&answer);
    command_answer_free(&answer);
    command_request_free(&request);
}

static void read_hello(const struct text *line)
{
    const struct compile_command command = {.line = "true", .folder = "/nonexistent"};
    struct command_hello hello = {0};
    struct error error = {0};
    int code = command_hello_read(&hello, &command, line, &error);
    check(code ? error.code != ERROR_NONE && *error.message : *hello.version.number && *hello.version.build);
    command_hello_free(&hello);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t skipped = size && data[0] == 'h';
    struct text line = {0};
    text_append(&line, data + skipped, size - skipped);
    (skipped ? read_hello : read_answer)(&line);
    text_free(&line);
    return 0;
}
