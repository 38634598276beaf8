#include "compile/compile_reply.h"

#include <string.h>

int compile_reply_read_resources(struct compile_reply *reply, struct error *error)
{
    const char *name = reply->lowered_names;
    int code = 0;
    for (size_t i = 0; i < reply->name_count && !code; i++, name += strlen(name) + 1)
        code = cubin_resources(reply->cubin, reply->cubin_bytes, name, &reply->resources[i], error);
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
                                    .compile_ns = compile_ns,
                                    .cached = reply->cached};
    memcpy(result.resources, reply->resources, result.name_count * sizeof *result.resources);
    memcpy(result.message, reply->message, sizeof result.message);
    return result;
}
