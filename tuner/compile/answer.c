#include "compile/answer.h"

#include <string.h>

struct compile_result compile_result_of(const struct answer *answer, int64_t compile_ns)
{
    bool good = answer->status == STATUS_OK;
    struct compile_result result = {.status = answer->status,
                                    .cubin = good ? answer->cubin : NULL,
                                    .cubin_bytes = good ? answer->cubin_bytes : 0,
                                    .lowered_name = good ? answer->lowered_name : "",
                                    .log = answer->log ? answer->log : "",
                                    .compile_ns = compile_ns,
                                    .cached = answer->cached};
    if (good)
        result.resources = answer->resources;
    memcpy(result.message, answer->message, sizeof result.message);
    return result;
}
