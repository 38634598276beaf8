#include "compile/compile_reply.h"

#include <string.h>

int compile_reply_read_resources(struct compile_reply *reply, struct error *error)
{
    const char *name = reply->lowered_names;
    int code = 0;
    for (size_t i = 0; i < reply->name_count && !code; i++, name += strlen(name) + 1) {
        const struct bundle_part part = bundle_part_of(reply->cubin, reply->cubin_bytes, i);
        code = cubin_resources(part.bytes, part.length, name, &reply->resources[i], error);
    }
    return code;
}

struct compile_result compile_result_of(const struct compile_reply *reply, int64_t compile_ns)
{
    bool good = reply->status == STATUS_OK;
    struct compile_result result = {.status = reply->status,
                                    .cubin = good ? reply->cubin : NULL,
                                    .cubin_bytes = good ? reply->cubin_bytes : 0,
                                    .lowered_names = good ? reply->lowered_names : "",
                                    .name_count = good ? reply->name_count : 0,
                                    .ptx = good && reply->ptx ? reply->ptx : "",
                                    .log = reply->log ? reply->log : "",
                                    .answer_count = good ? reply->answer_count : 0,
                                    .parameter_count = good ? reply->parameter_count : 0,
                                    .fatal = reply->fatal,
                                    .compile_ns = compile_ns,
                                    .cached = reply->cached};
    memcpy(result.resources, reply->resources, result.name_count * sizeof *result.resources);
    memcpy(result.answers, reply->answers, result.answer_count * sizeof *result.answers);
    memcpy(result.parameters, reply->parameters, result.parameter_count * sizeof *result.parameters);
    memcpy(result.message, reply->message, sizeof result.message);
    return result;
}
