#include "cache_scratch.h"
#include "compile_one.h"

#define KERNEL "extern \"C\" __global__ void k(float *o) { o[threadIdx.x] = 1; }\n"

/* ---- Compilations ---- */

static struct compile_pool *open_pool(const struct compile_cache *cache)
{
    struct compile_pool *pool = NULL;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(compile_pool_open(&pool, 1, (int64_t)120 * 1000000000, cache, &error), 0);
    return pool;
}

static struct compile_job job_of(const char *source)
{
    return (struct compile_job){.id = 7,
                                .path = "kernels.cu",
                                .source = source,
                                .name_expressions = "k",
                                .name_count = 1,
                                .cc = 90,
                                .options = ""};
}

/* The common contents of two results as text. */
static void describe(const struct compile_result *result, struct text *text)
{
    text_clear(text);
    text_printf(text, "%d %s\n%s\n%s\n%zu\n", (int)result->status, result->message, result->log, result->lowered_names,
                result->cubin_bytes);
    if (result->cubin) {
        text_append(text, result->lowered_names, text_strings_bytes(result->lowered_names, result->name_count));
        text_append(text, result->resources, result->name_count * sizeof *result->resources);
        text_append(text, result->cubin, result->cubin_bytes);
    }
}

static void expect_cached(struct compile_pool *pool, const struct compile_job *job, bool cached)
{
    struct compile_result result = compile_one(pool, job);
    CU_ASSERT_EQUAL(result.cached, cached);
    if (result.cached != cached)
        fprintf(stderr, "%s: %s\n", job->source, result.log);
}

/* Answers from the cache equal the compiled results byte for byte. */
static void answers_are_the_same(void)
{
    static const struct {
        const char *source;
        enum status status;
        bool kept;
    } rows[] = {
        {KERNEL, STATUS_OK, true},
        {"#warning \"a word\"\n__constant__ int c[10]; __shared__ int s[64];" KERNEL, STATUS_OK, true},
        {"#include <cuda_pipeline.h>\n" KERNEL, STATUS_OK, true},
        {"extern \"C\" __global__ void k(float *o) { o[0] = x; }", STATUS_COMPILE_ERROR, true},
        {"extern \"C\" __global__ void k(char *o) { __shared__ char s[240000]; s[threadIdx.x] = o[0];\n"
         "  __syncthreads(); o[0] = s[threadIdx.x + 1]; }\n",
         STATUS_PRUNED_LIMIT, true},
        /* The file may exist next time. */
        {"#include \"missing.h\"\n" KERNEL, STATUS_COMPILE_ERROR, false},
        /* Memory may suffice next time. The compiler's message looks like that of an assertion. */
        {KERNEL "static_assert(false, \"out of memory\");\n", STATUS_COMPILE_ERROR, false},
        /* The file behind the macro is unknown. */
        {"#define HEADER <cuda_pipeline.h>\n#include HEADER\n" KERNEL, STATUS_OK, false},
    };
    struct compile_cache cache = new_cache();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text first = {0}, again = {0};
        struct compile_job job = job_of(rows[i].source);
        /* Another process answers than the one that compiled. */
        struct compile_pool *pool = open_pool(&cache), *other = open_pool(&cache), *without = open_pool(NULL);
        struct compile_result result = compile_one(pool, &job);
        CU_ASSERT(!result.cached && result.status == rows[i].status);
        describe(&result, &first);
        result = compile_one(other, &job);
        CU_ASSERT_EQUAL(result.cached, rows[i].kept);
        CU_ASSERT(result.compile_ns > 0);
        describe(&result, &again);
        CU_ASSERT(first.length == again.length && memcmp(first.bytes, again.bytes, first.length) == 0);
        expect_cached(without, &job, false);
        compile_pool_close(pool);
        compile_pool_close(other);
        compile_pool_close(without);
        text_free(&first);
        text_free(&again);
    }
    CU_ASSERT_EQUAL(usage_of(&cache, UINT64_MAX).entries, 5);
    remove_folder(cache.folder);
}

static void every_part_of_a_question_counts(void)
{
    struct compile_job default_ = job_of(KERNEL), changed[] = {default_, default_, default_, default_, default_};
    struct compile_cache cache = new_cache();
    struct compile_pool *pool = open_pool(&cache);
    changed[0].source = KERNEL "\n";
    changed[1].name_expressions = " k";
    changed[2].cc = 80;
    changed[3].options = "-DTILE=1";
    changed[3].option_count = 1;
    changed[4].path = "others.cu";
    expect_cached(pool, &default_, false);
    expect_cached(pool, &default_, true);
    for (size_t i = 0; i < sizeof changed / sizeof *changed; i++) {
        expect_cached(pool, &changed[i], false);
        expect_cached(pool, &changed[i], true);
    }
    /* The boundaries between options matter. */
    struct compile_job two = default_;
    two.options = "-DA\0-DB";
    two.option_count = 2;
    expect_cached(pool, &two, false);
    two.options = "-DA-DB";
    two.option_count = 1;
    expect_cached(pool, &two, false);
    /* The id does not matter. */
    default_.id = 8;
    expect_cached(pool, &default_, true);
    compile_pool_close(pool);
    remove_folder(cache.folder);
}

/* The kernels and their order are part of the question; each answer comes back in its own order. */
static void kernels_are_answered_in_their_order(void)
{
    static const struct {
        const char *names;
        size_t count;
        const char *lowered[2];
    } rows[] = {{"k\0t<1>", 2, {"k", "_Z1tILi1EEvPf"}},
                {"t<1>\0k", 2, {"_Z1tILi1EEvPf", "k"}},
                {"k", 1, {"k"}},
                {"t<1>", 1, {"_Z1tILi1EEvPf"}}};
    struct compile_cache cache = new_cache();
    struct compile_pool *pool = open_pool(&cache);
    for (int again = 0; again < 2; again++)
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            struct compile_job job =
                job_of(KERNEL "template <int T> __global__ void t(float *o) { __shared__ float s[64];\n"
                              "  s[threadIdx.x] = o[T]; __syncthreads(); o[threadIdx.x] = s[63 - threadIdx.x]; }\n");
            job.name_expressions = rows[i].names;
            job.name_count = rows[i].count;
            struct compile_result result = compile_one(pool, &job);
            CU_ASSERT_EQUAL(result.cached, again);
            CU_ASSERT_EQUAL_FATAL(result.name_count, rows[i].count);
            const char *name = result.lowered_names;
            for (size_t j = 0; j < rows[i].count; j++, name += strlen(name) + 1) {
                CU_ASSERT_STRING_EQUAL(name, rows[i].lowered[j]);
                CU_ASSERT_EQUAL(result.resources[j].shared_bytes, *name == 'k' ? 0 : 256);
            }
        }
    compile_pool_close(pool);
    remove_folder(cache.folder);
}

/* An entry with valid checksums but meaningless content. */
static void nonsense_is_compiled_anew(void)
{
    struct compile_cache cache = new_cache();
    struct compile_job job = job_of(KERNEL);
    char key[HASH_HEX_BYTES] = "", command[4200];
    struct compile_pool *pool = open_pool(&cache);
    expect_cached(pool, &job, false);
    snprintf(command, sizeof command, "ls '%s'/??", cache.folder);
    FILE *list = popen(command, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(list);
    CU_ASSERT_EQUAL(fread(key, 1, HASH_HEX_BYTES - 1, list), HASH_HEX_BYTES - 1);
    pclose(list);
    struct text payload = {0};
    CU_ASSERT_FATAL(compile_cache_load(&cache, key, &payload));
    for (size_t cut = 0; cut < 120 && cut < payload.length; cut++) {
        CU_ASSERT(compile_cache_store(&cache, key, payload.bytes, cut));
        if (cut % 20 == 0)
            expect_cached(pool, &job, false);
    }
    for (size_t i = 0; i < 64; i += 8) { /* lengths and the status */
        payload.bytes[i] = (char)(payload.bytes[i] ^ 0x7f);
        CU_ASSERT(compile_cache_store(&cache, key, payload.bytes, payload.length));
        payload.bytes[i] = (char)(payload.bytes[i] ^ 0x7f);
        struct compile_result result = compile_one(pool, &job);
        CU_ASSERT_EQUAL(result.status, STATUS_OK);
    }
    expect_cached(pool, &job, true);
    text_free(&payload);
    compile_pool_close(pool);
    remove_folder(cache.folder);
}

/* The processes themselves keep the cache small, between their jobs. */
static void the_limit_holds(void)
{
    enum { JOBS = 16 };
    struct compile_cache cache = new_cache();
    cache.max_bytes = 20000;
    struct compile_pool *pool = open_pool(&cache);
    struct compile_job job = job_of(KERNEL);
    uint64_t total = 0, largest = 0;
    for (int i = 0; i < JOBS; i++) {
        char option[32];
        snprintf(option, sizeof option, "-DNUMBER=%d", i);
        job.options = option;
        job.option_count = 1;
        struct compile_result result = compile_one(pool, &job);
        CU_ASSERT_EQUAL(result.status, STATUS_OK);
        total += result.cubin_bytes;
        largest = result.cubin_bytes > largest ? result.cubin_bytes : largest;
    }
    compile_pool_close(pool);
    CU_ASSERT_FATAL(total > cache.max_bytes + 2 * largest); /* otherwise the limit was not tested */
    struct cache_usage usage = usage_of(&cache, UINT64_MAX);
    CU_ASSERT(usage.entries > 0 && usage.bytes <= cache.max_bytes + 2 * largest); /* the last entry may remain */
    remove_folder(cache.folder);
}

/* ---- Included files ---- */

static void headers_count(void)
{
    struct compile_cache cache = new_cache();
    char header[4096], inner[4096], source[4096], option[4200];
    snprintf(source, sizeof source, "%s/kernels.cu", cache.folder);
    snprintf(header, sizeof header, "%s/tile.h", cache.folder);
    snprintf(inner, sizeof inner, "%s/inner", cache.folder);
    CU_ASSERT_EQUAL(mkdir(inner, 0700), 0);
    snprintf(option, sizeof option, "-I%s", inner);
    snprintf(inner, sizeof inner, "%s/inner/deep.h", cache.folder);
    struct compile_job job = job_of("#include <tile.h>\n" KERNEL "static_assert(TILE > 0);");
    job.path = source;
    struct compile_pool *pool = open_pool(&cache);
    expect_cached(pool, &job, false);
    expect_cached(pool, &job, false); /* fails to compile: the file is missing */
    write_bytes(header, "#include \"inner/deep.h\"\n", 24);
    write_bytes(inner, "#define TILE 1\n", 15);
    expect_cached(pool, &job, false);
    expect_cached(pool, &job, true);
    write_bytes(inner, "#define TILE 2\n", 15);
    expect_cached(pool, &job, false);
    expect_cached(pool, &job, true);
    write_bytes(header, "#define TILE 1\n", 15);
    expect_cached(pool, &job, false);
    unlink(header);
    expect_cached(pool, &job, false);
    /* In a folder named by an option. */
    job = job_of("#include \"deep.h\"\n" KERNEL "static_assert(TILE > 0);");
    job.options = option;
    job.option_count = 1;
    expect_cached(pool, &job, false);
    expect_cached(pool, &job, true);
    write_bytes(inner, "#define TILE 3\n", 15);
    expect_cached(pool, &job, false);
    /* Included by an option. */
    job = job_of(KERNEL "static_assert(TILE > 0);");
    snprintf(option, sizeof option, "-include=%s", inner);
    job.options = option;
    job.option_count = 1;
    expect_cached(pool, &job, false);
    expect_cached(pool, &job, true);
    write_bytes(inner, "#define TILE 4\n", 15);
    expect_cached(pool, &job, false);
    /* A new file in the source's folder takes precedence over an option's. */
    snprintf(option, sizeof option, "-I%.*s", (int)(strrchr(inner, '/') - inner), inner);
    job = job_of("#include <deep.h>\n" KERNEL "static_assert(TILE > 0);");
    job.path = source;
    job.options = option;
    job.option_count = 1;
    expect_cached(pool, &job, false);
    expect_cached(pool, &job, true);
    snprintf(header, sizeof header, "%s/deep.h", cache.folder);
    write_bytes(header, "#define TILE 5\n", 15);
    expect_cached(pool, &job, false);
    compile_pool_close(pool);
    remove_folder(cache.folder);
}

/* NVRTC keeps the output of this option in a place that is not checked. */
static void precompiled_headers_are_not_cached(void)
{
    struct compile_cache cache = new_cache();
    struct compile_job job = job_of(KERNEL);
    struct compile_pool *pool = open_pool(&cache);
    job.options = "-pch";
    job.option_count = 1;
    expect_cached(pool, &job, false);
    expect_cached(pool, &job, false);
    CU_ASSERT_EQUAL(usage_of(&cache, UINT64_MAX).entries, 0);
    compile_pool_close(pool);
    remove_folder(cache.folder);
}

/* The compiler may have read either version of the header. */
static void changing_headers_are_not_cached(void)
{
    struct compile_cache cache = new_cache();
    struct compile_pool *pool = open_pool(&cache);
    struct compile_result result = {0};
    struct error error = {0};
    char header[4096], fresh[4100], source[4096], text[64];
    int found = 0;
    snprintf(source, sizeof source, "%s/kernels.cu", cache.folder);
    snprintf(header, sizeof header, "%s/tile.h", cache.folder);
    snprintf(fresh, sizeof fresh, "%s.new", header);
    write_bytes(header, "#define TILE 1\n", 15);
    struct compile_job job = job_of("#include \"tile.h\"\n" KERNEL "static_assert(TILE > 0);");
    job.path = source;
    CU_ASSERT_EQUAL_FATAL(compile_pool_submit(pool, &job, &error), 0);
    for (int i = 2; (found = compile_pool_next(pool, &result, &error)) == 0; i++) {
        snprintf(text, sizeof text, "#define TILE %d\n", i);
        write_bytes(fresh, text, strlen(text));
        CU_ASSERT_EQUAL(rename(fresh, header), 0);
    }
    CU_ASSERT_EQUAL(found, 1);
    CU_ASSERT_EQUAL(result.status, STATUS_OK);
    CU_ASSERT_EQUAL(usage_of(&cache, UINT64_MAX).entries, 0);
    compile_pool_close(pool);
    remove_folder(cache.folder);
}

CU_TestInfo tests_cache_key[] = {
    {"answers are the same", answers_are_the_same},
    {"every part of a question counts", every_part_of_a_question_counts},
    {"kernels are answered in their order", kernels_are_answered_in_their_order},
    {"nonsense is compiled anew", nonsense_is_compiled_anew},
    {"the limit holds", the_limit_holds},
    {"headers count", headers_count},
    {"precompiled headers are not cached", precompiled_headers_are_not_cached},
    {"changing headers are not cached", changing_headers_are_not_cached},
    CU_TEST_INFO_NULL,
};
