/* Sources that a command prints: one call for each set of values, and clear messages. */
#include "cache_scratch.h"
#include "pool_kit.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define PRINT        "echo $CUTUNE_T >> calls; printf 'extern \"C\" __global__ void k(float *o) { o[%s] = 1; }' $CUTUNE_T"

/* Returns the number of calls. */
static size_t calls_in(const char *folder)
{
    char path[CACHE_FOLDER_BYTES + 8];
    size_t lines = 0;
    snprintf(path, sizeof path, "%s/calls", folder);
    FILE *file = fopen(path, "r");
    for (int c; file && (c = getc(file)) != EOF;)
        lines += c == '\n';
    if (file)
        fclose(file);
    return lines;
}

/* Each row compiles with one more macro, so that no cubin is cached. */
static void one_call_for_each_set(void)
{
    static const struct {
        const char *values, *source, *gen;
        size_t calls; /* so far */
    } rows[] = {
        {"CUTUNE_T=1", "", "", 1},        {"CUTUNE_T=1", "", "", 1},
        {"CUTUNE_T=2", "", "", 2},        {"CUTUNE_T=1", "__device__ int i;", "", 2},
        {"CUTUNE_T=2", "", "changed", 3}, {"CUTUNE_T=2", "", "changed", 3},
    };
    struct compile_cache cache = new_cache(), folder = new_cache();
    struct compile_pool *pool = NULL;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(compile_pool_open(&pool, 2, 120 * second_ns, &cache, &error), 0);
    for (size_t i = 0; i < COUNT(rows); i++) {
        char path[CACHE_FOLDER_BYTES + 8], option[32];
        snprintf(path, sizeof path, "%s/gen", folder.folder);
        write_bytes(path, rows[i].gen, strlen(rows[i].gen));
        snprintf(option, sizeof option, "-DROW=%zu", i);
        struct compile_job job = job_of(rows[i].source, "k");
        job.generator = (struct generator){PRINT "; : gen", folder.folder, rows[i].values, 1};
        job.options = option;
        job.option_count = 1;
        expect_ok(pool, &job);
        CU_ASSERT_EQUAL(calls_in(folder.folder), rows[i].calls);
    }
    compile_pool_close(pool);
    remove_folder(cache.folder);
    remove_folder(folder.folder);
}

/* Processes that need the same text at once share one call. */
static void processes_share_a_call(void)
{
    enum { JOBS = 4 };
    struct compile_cache cache = new_cache(), folder = new_cache();
    struct compile_pool *pool = NULL;
    struct compile_result result;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(compile_pool_open(&pool, JOBS, 120 * second_ns, &cache, &error), 0);
    for (size_t i = 0; i < JOBS; i++) {
        char option[32];
        struct compile_job job = job_of("", "k");
        snprintf(option, sizeof option, "-DJOB=%zu", i);
        job.generator = (struct generator){"sleep 0.2; " PRINT, folder.folder, "CUTUNE_T=3", 1};
        job.options = option;
        job.option_count = 1;
        CU_ASSERT_EQUAL_FATAL(compile_pool_submit(pool, &job, &error), 0);
    }
    for (size_t i = 0; i < JOBS; i++) {
        CU_ASSERT_EQUAL_FATAL(next_result(pool, &result), 1);
        CU_ASSERT_EQUAL(result.status, STATUS_OK);
    }
    CU_ASSERT_EQUAL(calls_in(folder.folder), 1);
    compile_pool_close(pool);
    remove_folder(cache.folder);
    remove_folder(folder.folder);
}

static void failures(void)
{
    static const struct {
        const char *command, *folder;
        enum status status;
        const char *message; /* its beginning */
    } rows[] = {
        {"no-such-program", "/", STATUS_COMPILE_ERROR,
         "the source command ended with exit status 127: source: 2: no-such"},
        {"echo why >&2; exit 3", "/", STATUS_COMPILE_ERROR, "the source command ended with exit status 3: why"},
        {"kill -9 $$", "/", STATUS_COMPILE_ERROR, "the source command was killed by signal 9 (Killed)"},
        {"true", "/", STATUS_COMPILE_ERROR, "the source command printed nothing: it must print the source to standard"},
        {"echo; echo why >&2", "/", STATUS_COMPILE_ERROR, "the source command printed nothing"},
        {"head -c 3 /dev/zero", "/", STATUS_COMPILE_ERROR, "the source command printed a NUL byte"},
        {"head -c 17000000 /dev/zero", "/", STATUS_COMPILE_ERROR, "the source command gave no source: "},
        {"true", "/nonexistent", STATUS_COMPILE_ERROR, "the source command ended with exit status 2: source: 1: cd:"},
        {"sleep 60", "/", STATUS_TIMEOUT, "the source command and compiling took longer than 3.000 s"},
    };
    struct compile_pool *pool = open_pool(1, 3 * second_ns);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct compile_job job = job_of("", "k");
        job.generator = (struct generator){rows[i].command, rows[i].folder, "", 0};
        struct compile_result result = compile_one(pool, &job);
        CU_ASSERT_EQUAL(result.status, rows[i].status);
        bool begins = strncmp(result.message, rows[i].message, strlen(rows[i].message)) == 0;
        CU_ASSERT(begins);
        if (!begins)
            fprintf(stderr, "\n%s: %s", rows[i].command, result.message);
    }
    compile_pool_close(pool);
}

CU_TestInfo tests_generate[] = {{"one call for each set", one_call_for_each_set},
                                {"processes share a call", processes_share_a_call},
                                {"failures", failures},
                                CU_TEST_INFO_NULL};
