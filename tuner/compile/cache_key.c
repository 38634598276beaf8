#include "compile/cache_key.h"

#include <stdio.h>
#include <string.h>

#include "base/worker.h"
#include "compile/minimal.h"

/* Of the payload that cache_key_store writes. */
enum { PAYLOAD_FORMAT = 1 };

/* ---- Keys ---- */

static void add_part(struct text *digest, const char *name, const void *bytes, size_t length)
{
    text_printf(digest, "%s %zu\n", name, length);
    text_append(digest, bytes, length);
}

bool cache_key_of(const struct request *request, const char *compiler, struct taken *taken, bool anew,
                  char key[HASH_HEX_BYTES])
{
    struct text digest = {0};
    /* Numbers of statuses may change between builds of one version. */
    text_printf(&digest, "cutune %s payload %d minimal options %d statuses %d %d %d\n", CUTUNE_VERSION, PAYLOAD_FORMAT,
                MINIMAL_VERSION, STATUS_OK, STATUS_COMPILE_ERROR, STATUS_PRUNED_LIMIT);
    add_part(&digest, "compiler", compiler, strlen(compiler));
    add_part(&digest, "path", request->path, strlen(request->path));
    add_part(&digest, "kernel", request->name_expression, strlen(request->name_expression));
    add_part(&digest, "options", text_string(&request->all_options), request->all_options.length);
    bool good = !request->all_options.failed && taken_append(taken, request, anew, &digest) && !digest.failed;
    if (good)
        hash_hex(digest.bytes, digest.length, key);
    text_free(&digest);
    return good;
}

/* ---- Answers ---- */

static bool read_answer(struct answer *answer)
{
    struct message message = {.bytes = text_string(&answer->recalled), .length = answer->recalled.length};
    struct unpack unpack = unpack_message(&message);
    struct error error = {0};
    uint64_t status = unpack_u64(&unpack);
    snprintf(answer->message, sizeof answer->message, "%s", unpack_string(&unpack));
    /* Nobody writes to them: they are not const because a fresh answer owns them. */
    answer->log = (char *)unpack_string(&unpack);
    answer->lowered_name = unpack_string(&unpack);
    answer->cubin = (char *)unpack_bytes(&unpack, &answer->cubin_bytes);
    if (unpack.failed || unpack.at != unpack.end)
        return false;
    answer->status = (enum status)status;
    answer->cached = true;
    if (status == STATUS_COMPILE_ERROR || status == STATUS_PRUNED_LIMIT)
        return answer->message[0] && answer->cubin_bytes == 0;
    return status == STATUS_OK && !answer->message[0] &&
           !cubin_resources(answer->cubin, answer->cubin_bytes, answer->lowered_name, &answer->resources, &error);
}

bool cache_key_load(const struct compile_cache *cache, const char *key, struct answer *answer)
{
    *answer = (struct answer){0};
    if (compile_cache_load(cache, key, &answer->recalled) && read_answer(answer))
        return true;
    text_free(&answer->recalled);
    *answer = (struct answer){0};
    return false;
}

size_t cache_key_store(const struct compile_cache *cache, const char *key, const struct answer *answer)
{
    struct text payload = {0};
    bool good = answer->status == STATUS_OK;
    pack_u64(&payload, answer->status);
    pack_string(&payload, answer->message);
    pack_string(&payload, answer->log ? answer->log : "");
    pack_string(&payload, good ? answer->lowered_name : "");
    pack_bytes(&payload, answer->cubin, good ? answer->cubin_bytes : 0);
    size_t kept = answer->lasting && !payload.failed && compile_cache_store(cache, key, payload.bytes, payload.length)
                      ? payload.length
                      : 0;
    text_free(&payload);
    return kept;
}
