/* Compiled kernels that a process without a compiler finds again. The keys of the cubin cache name the compiler, which
 * only a compiler process knows; these name the question alone: the job, and the source with its headers. */
#include "api/api_recall.h"
#include "base/hash.h"
#include "compile/cache.h"
#include "compile/messages.h"

/* False: out of memory. */
static bool make_key(const struct space *space, const struct compile_job *job, char key[HASH_HEX_BYTES])
{
    struct text question = {0};
    struct compile_job packed = *job;
    if (!job->generator.command || !*job->generator.command)
        packed.generator = (struct generator){"", "", "", 0};
    text_printf(&question, "kernel of cutune %s messages %d source %s\n", CUTUNE_VERSION, PACK_VERSION,
                space->source_hash);
    pack_struct(&question, &compile_job_table, &packed);
    bool good = !question.failed;
    if (good)
        hash_hex(question.bytes, question.length, key);
    text_free(&question);
    return good;
}

bool api_recall(const struct compile_cache *cache, const struct space *space, const struct compile_job *job,
                struct text *payload, struct compile_result *result)
{
    char key[HASH_HEX_BYTES];
    return make_key(space, job, key) && compile_cache_load(cache, key, payload) &&
           unpack_whole(payload->bytes, payload->length, &compile_result_table, result) &&
           result->status == STATUS_OK && result->name_count == job->name_count;
}

void api_remember(const struct compile_cache *cache, const struct space *space, const struct compile_job *job,
                  const struct compile_result *result)
{
    char key[HASH_HEX_BYTES];
    struct text payload = {0};
    struct cache_usage usage;
    if (result->status == STATUS_OK && make_key(space, job, key)) {
        pack_struct(&payload, &compile_result_table, result);
        if (!payload.failed && compile_cache_store(cache, key, payload.bytes, payload.length) &&
            compile_cache_due(cache, key, payload.length))
            compile_cache_trim(cache, cache->max_bytes, &usage, NULL);
    }
    text_free(&payload);
}
