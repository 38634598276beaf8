#include "api/api_compile.h"

#include <cutune.h>
#include <stdlib.h>

#include "api/api_recall.h"
#include "compile/cache.h"
#include "compile/command.h"
#include "compile/pool.h"
#include "evaluate/assemble.h"
#include "evaluate/command_request.h"

static const int64_t compile_timeout_ns = (int64_t)300 * 1000000000;

struct compiling {
    const struct space *space;
    const uint32_t *choices;
    struct launch *launch;
    const char *configuration;
    const struct compile_cache *cache; /* NULL: none */
    struct compile_job job;
    struct nvrtc_version command; /* of a compiler command */
    struct api_code *code;
};

/* ---- The result ---- */

static int fail(const struct compiling *all, const struct compile_result *result, struct error *error)
{
    const struct space *space = all->space;
    error_set(error, ERROR_COMPILE, "%s with %s does not compile: %s", space->kernel, all->configuration,
              result->message);
    if (space->compiler_command)
        space_put_place(&space->compiler_place, error);
    else if (generator_is_subject(result->message))
        space_put_place(&space->source_place, error);
    else
        error_place(error, space->source_path, 0, 0);
    return ERROR_COMPILE;
}

static int take(const struct compiling *all, const struct compile_result *result, struct error *error)
{
    struct api_code *code = all->code;
    if (result->status != STATUS_OK)
        return fail(all, result, error);
    int status = assemble_checked(all->space, all->choices, all->launch, result, error);
    for (size_t k = 0; k < result->answer_count; k++)
        code->reordered |= result->answers[k].lists;
    text_append(&code->cubin, result->cubin, result->cubin_bytes);
    text_append(&code->names, result->lowered_names, text_strings_bytes(result->lowered_names, result->name_count));
    return status ? status : code->cubin.failed || code->names.failed ? error_memory(error) : 0;
}

/* ---- Compiling ---- */

static int wait_for(struct compile_pool *pool, struct compile_result *result, struct error *error)
{
    struct worker *worker;
    int got;
    while ((got = compile_pool_next(pool, result, error)) == 0)
        worker_wait(&worker, compile_pool_workers(pool, &worker, 1), INT64_MAX);
    return got < 0 ? ERROR_WORKER : 0;
}

/* Compiles in a child process, and remembers the kernel for processes that start none. */
static int compile(const struct compiling *all, struct compile_result *result, struct error *error)
{
    struct compile_pool *pool = NULL;
    int code = compile_pool_open(&pool, 1, compile_timeout_ns, all->cache, error);
    if (!code)
        code = compile_pool_submit(pool, &all->job, error);
    if (!code)
        code = wait_for(pool, result, error);
    if (!code)
        code = take(all, result, error);
    if (!code && all->cache && !all->space->compiler_command) /* the pool has stored a command's answer */
        api_remember(all->cache, all->space, &all->job, result);
    compile_pool_close(pool);
    return code;
}

/* Takes the kernel from the cache, or fails. */
static int recall(const struct compiling *all, struct compile_result *result, struct error *error)
{
    struct text payload = {0};
    bool found =
        all->cache && (all->space->compiler_command ? compile_command_recall(all->cache, &all->job, &payload, result)
                                                    : api_recall(all->cache, all->space, &all->job, &payload, result));
    int code = found ? take(all, result, error)
                     : error_set(error, ERROR_NOT_FOUND, "%s with %s is not in the cache of compiled kernels",
                                 all->space->kernel, all->configuration);
    text_free(&payload);
    return code;
}

/* Asks for the identity of a command, which names the answers in the cache. */
static int identify(struct compiling *all, unsigned flags, struct error *error)
{
    const struct space *space = all->space;
    const struct compile_command command = {.line = space->compiler_command, .folder = space->compiler_folder};
    if (!command.line || (flags & CUTUNE_CACHED))
        return 0;
    int code = compile_command_version(&command, all->cache, compile_hello_timeout_ns, &all->command, NULL, error);
    if (code)
        space_put_place(&space->compiler_place, error);
    return code;
}

static int make_and_run(struct compiling *all, unsigned flags, struct error *error)
{
    struct compile_job *job = &all->job;
    struct text options = {0}, names = {0}, values = {0}, request = {0};
    struct compile_result *result = calloc(1, sizeof *result); /* large */
    int code = result ? 0 : error_memory(error);
    if (!code)
        code = space_launch_options(all->space, all->launch, all->choices, NULL, &options, &job->plan, error);
    job->option_count = bundle_option_count(&job->plan);
    if (!code)
        code = space_generator(all->space, NULL, all->choices, &values, &job->generator, error);
    if (!code)
        code = identify(all, flags, error);
    if (!code)
        code = command_job(all->space, all->choices, all->launch, all->command.build, &request, job, error);
    space_launch_kernels(all->space, all->launch, &names);
    job->options = text_string(&options);
    job->name_expressions = text_string(&names);
    if (!code && (options.failed || names.failed))
        code = error_memory(error);
    if (!code)
        code = (flags & CUTUNE_CACHED ? recall : compile)(all, result, error);
    struct text *const texts[] = {&options, &names, &values, &request};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        text_free(texts[i]);
    free(result);
    return code;
}

int api_compile(const struct space *space, const uint32_t *choices, struct launch *launch, int64_t cc,
                const char *configuration, unsigned flags, struct api_code *code, struct error *error)
{
    struct compile_cache cache;
    /* Without a usable cache, compiles every time. */
    bool cached = !(flags & CUTUNE_NO_CACHE) && !compile_cache_find(&cache, NULL) && !compile_cache_open(&cache, NULL);
    struct compiling all = {.space = space,
                            .choices = choices,
                            .launch = launch,
                            .configuration = configuration,
                            .cache = cached ? &cache : NULL,
                            .code = code,
                            .job = {.path = space->source_path,
                                    .folder = space->folder,
                                    .source = space->source,
                                    .nvcc = space->nvcc,
                                    .name_count = launch->kernel_count,
                                    .cc = cc}};
    return make_and_run(&all, flags, error);
}

void api_code_free(struct api_code *code)
{
    text_free(&code->cubin);
    text_free(&code->names);
}
