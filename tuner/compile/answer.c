#include "compile/answer.h"

#include <string.h>

int answer_read_resources(struct answer *answer, struct error *error)
{
    const char *name = answer->lowered_names;
    int code = 0;
    for (size_t i = 0; i < answer->name_count && !code; i++, name += strlen(name) + 1)
        code = cubin_resources(answer->cubin, answer->cubin_bytes, name, &answer->resources[i], error);
    return code;
}

struct compile_result compile_result_of(const struct answer *answer, int64_t compile_ns)
{
    bool good = answer->status == STATUS_OK;
    struct compile_result result = {.status = answer->status,
                                    .cubin = good ? answer->cubin : NULL,
                                    .cubin_bytes = good ? answer->cubin_bytes : 0,
                                    .lowered_names = good ? answer->lowered_names : "",
                                    .name_count = good ? answer->name_count : 0,
                                    .ptx = good && answer->ptx ? answer->ptx : "",
                                    .log = answer->log ? answer->log : "",
                                    .compile_ns = compile_ns,
                                    .cached = answer->cached};
    memcpy(result.resources, answer->resources, result.name_count * sizeof *result.resources);
    memcpy(result.message, answer->message, sizeof result.message);
    return result;
}
