#include "compile/cache_key.h"

#include <stdio.h>
#include <string.h>

#include "compile/dependencies.h"
#include "compile/headers.h"
#include "compile/messages.h"
#include "compile/minimal.h"

/* ---- Keys ---- */

static void add_part(struct text *digest, const char *name, const void *bytes, size_t length)
{
    text_printf(digest, "%s %zu\n", name, length);
    text_append(digest, bytes, length);
}

bool cache_key_of(const struct request *request, const char *compiler, struct include_cache *include_cache, bool anew,
                  char key[HASH_HEX_BYTES])
{
    struct text digest = {0};
    /* The numbers of statuses may change between builds of one version. */
    text_printf(&digest, "cutune %s messages %d minimal options %d statuses %d %d %d\n", CUTUNE_VERSION, PACK_VERSION,
                MINIMAL_VERSION, STATUS_OK, STATUS_COMPILE_ERROR, STATUS_PRUNED_LIMIT);
    add_part(&digest, "compiler", compiler, strlen(compiler));
    add_part(&digest, "path", request->job.path, strlen(request->job.path));
    add_part(&digest, "kernels", request->job.name_expressions,
             text_strings_bytes(request->job.name_expressions, request->job.name_count));
    add_part(&digest, "shared", "1", request->job.shared);
    add_part(&digest, "ptx", "1", request->job.wants_ptx);
    add_part(&digest, "options", text_string(&request->all_options), request->all_options.length);
    headers_digest(request->hidden_headers, &digest);
    bool good =
        !request->all_options.failed && include_cache_append(include_cache, request, anew, &digest) && !digest.failed;
    if (good)
        hash_hex(digest.bytes, digest.length, key);
    text_free(&digest);
    return good;
}

/* ---- Answers ---- */

/* Reads the resources from the cubin again, to detect an entry that is not a cubin. */
static bool read_answer(struct compile_reply *reply)
{
    struct compile_result kept;
    struct error error = {0};
    if (!unpack_whole(text_string(&reply->recalled), reply->recalled.length, &compile_result_table, &kept))
        return false;
    memcpy(reply->message, kept.message, sizeof reply->message);
    /* These texts are never written to; they are not const because a fresh answer owns them. */
    reply->log = (char *)kept.log;
    reply->cubin = (char *)kept.cubin;
    reply->ptx = (char *)kept.ptx;
    reply->cubin_bytes = kept.cubin_bytes;
    reply->lowered_names = kept.lowered_names;
    reply->name_count = kept.name_count;
    memcpy(reply->answers, kept.answers, sizeof reply->answers);
    reply->answer_count = kept.answer_count;
    memcpy(reply->parameters, kept.parameters, sizeof reply->parameters);
    reply->parameter_count = kept.parameter_count;
    reply->status = kept.status;
    reply->cached = true;
    if (kept.status == STATUS_COMPILE_ERROR || kept.status == STATUS_PRUNED_LIMIT)
        return kept.message[0] && kept.cubin_bytes == 0;
    return kept.status == STATUS_OK && !kept.message[0] && kept.cubin_bytes &&
           !compile_reply_read_resources(reply, &error);
}

bool cache_key_load(const struct compile_cache *cache, const char *key, struct compile_reply *reply)
{
    *reply = (struct compile_reply){0};
    if (compile_cache_load(cache, key, &reply->recalled) && read_answer(reply))
        return true;
    text_free(&reply->recalled);
    *reply = (struct compile_reply){0};
    return false;
}

size_t cache_key_store(const struct compile_cache *cache, const char *key, const struct compile_reply *reply)
{
    struct text payload = {0};
    const struct compile_result result = compile_result_of(reply, 0);
    pack_struct(&payload, &compile_result_table, &result);
    size_t kept = reply->lasting && !payload.failed && compile_cache_store(cache, key, payload.bytes, payload.length)
                      ? payload.length
                      : 0;
    text_free(&payload);
    return kept;
}

bool cache_key_load_with_files(const struct compile_cache *cache, const char *key, struct compile_reply *reply)
{
    struct text files = {0};
    char own_key[HASH_HEX_BYTES];
    bool found = compile_cache_load(cache, key, &files) && dependencies_key(key, &files, INT64_MAX, own_key) &&
                 cache_key_load(cache, own_key, reply);
    text_free(&files);
    return found;
}

bool cache_key_store_with_files(const struct compile_cache *cache, const char *key, const struct text *files,
                                int64_t started_s, const struct compile_reply *reply)
{
    char own_key[HASH_HEX_BYTES];
    if (!reply->lasting || !dependencies_key(key, files, started_s, own_key) ||
        !compile_cache_store(cache, key, text_string(files), files->length))
        return false;
    const bool due = compile_cache_due(cache, key, files->length);
    const size_t bytes = cache_key_store(cache, own_key, reply);
    return (bytes && compile_cache_due(cache, own_key, bytes)) || due;
}
