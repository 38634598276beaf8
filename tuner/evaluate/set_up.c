#include "evaluate/set_up.h"
#include "base/timeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evaluate/compiler_errors.h"
#include "evaluate/gpu_evaluator.h"
#include "evaluate/set_code.h"

/* --timeout is for variants. On a loaded machine these kernels may take longer than a user allows a variant. */
static const int64_t own_kernels_timeout_ns = 120 * (int64_t)1000000000;
/* Of the reference's command, unless a user allows a variant more. */
static const int64_t command_timeout_ns = 600 * (int64_t)1000000000;

static int compile_and_wait(struct compile_pool *pool, const struct gpu_setup *setup, const struct compile_job *job,
                            struct compile_result *result, const char *what, struct error *error)
{
    struct worker *workers[POOL_JOBS_MAX];
    char hint[512];
    int code = compile_pool_submit(pool, job, error), got = 0;
    while (!code && (got = compile_pool_next(pool, result, error)) == 0 && !gpu_given_up(setup))
        worker_wait(workers, compile_pool_workers(pool, workers, POOL_JOBS_MAX), INT64_MAX);
    if (!code && got < 0)
        code = ERROR_WORKER;
    if (!code && got == 0)
        code = error_set(error, ERROR_INTERRUPTED, "interrupted while %s was compiled", what);
    if (!code && result->status != STATUS_OK) {
        code = error_set(error, ERROR_COMPILE, "%s does not compile: %s", what, result->message);
        error_place(error, job->path, 0, 0);
        if (compiler_errors_hint_log(setup->space, result->log, hint, sizeof hint))
            error_hint(error, "%s", hint);
    }
    return code;
}

/* What the device processes get. */
struct own_kernels {
    struct text helpers;
    struct set_code first; /* the default configuration's set */
    bool apart;            /* the reference is not compiled from the kernel's source */
    struct own_code fills; /* empty unless `apart`: the reference's cubin has them, too */
    struct launch fill_launches[SPACE_FILL_KERNELS_MAX];
    struct device_kernel fill_kernels[SPACE_FILL_KERNELS_MAX];
    size_t fill_count;
    struct device_file expected[SPACE_ARGUMENTS_MAX];
};

static int compile_helpers(struct compile_pool *pool, const struct gpu_setup *setup, struct own_kernels *own,
                           struct error *error)
{
    const struct compile_job job = {.path = "cutune_kernels.cu",
                                    .source = device_kernels_source,
                                    .name_expressions = device_kernels_entry,
                                    .name_count = 1,
                                    .cc = device_limits(setup->devices[0])->cc,
                                    .options = "",
                                    .timeout_ns = own_kernels_timeout_ns};
    struct compile_result result;
    int code = compile_and_wait(pool, setup, &job, &result, "cutune's own kernel file", error);
    if (!code)
        text_append(&own->helpers, result.cubin, result.cubin_bytes);
    return code;
}

/* Appends the name expressions of the kernels that fill buffers and counts them. */
static void name_fills(const struct space *space, struct text *expressions, size_t *count)
{
    for (size_t i = 0; i < space->buffer_count; i++)
        if (space->buffers[i].by) {
            text_append(expressions, space->buffers[i].by->step.kernel, strlen(space->buffers[i].by->step.kernel) + 1);
            ++*count;
        }
}

/* Compiles a part of the first set, with the kernels that fill buffers if they are in the same file. */
static int compile_part(struct compile_pool *pool, const struct gpu_setup *setup, enum set_part part, bool filling,
                        struct own_kernels *own, struct error *error)
{
    struct set_part_code *code = &own->first.parts[part];
    struct compile_job job = {.cc = device_limits(setup->devices[0])->cc};
    struct compile_result result;
    struct text options = {0}, expressions = {0};
    char what[192];
    if (!code->used)
        return 0;
    int made = set_code_job(setup->space, &own->first, part, &options, &expressions, &job, error);
    size_t count = job.name_count;
    if (filling)
        name_fills(setup->space, &expressions, &job.name_count);
    job.name_expressions = text_string(&expressions);
    snprintf(what, sizeof what, "%s%s", set_code_part_name(&own->first, part),
             job.name_count > count ? " or a kernel that fills a buffer" : "");
    if (!made && expressions.failed)
        made = error_memory(error);
    if (!made)
        made = compile_and_wait(pool, setup, &job, &result, what, error);
    if (!made)
        made = own_code_take(&code->own, &result, error);
    text_free(&options);
    text_free(&expressions);
    return made;
}

static int compile_fills(struct compile_pool *pool, const struct gpu_setup *setup, struct own_kernels *own,
                         struct error *error)
{
    const struct space *space = setup->space;
    struct compile_job job = {.path = space->source_path,
                              .source = space->source,
                              .nvcc = space->nvcc,
                              .cc = device_limits(setup->devices[0])->cc};
    struct compile_result result;
    struct text options = {0}, expressions = {0};
    uint32_t choices[SPACE_PARAMETERS_MAX];
    name_fills(space, &expressions, &job.name_count);
    if (!job.name_count)
        return 0;
    space_default(space, choices);
    int code = space_compile_options(space, choices, &options, &job.option_count, error);
    job.options = text_string(&options);
    job.name_expressions = text_string(&expressions);
    if (!code && expressions.failed)
        code = error_memory(error);
    if (!code)
        code = compile_and_wait(pool, setup, &job, &result, "a kernel that fills a buffer", error);
    if (!code)
        code = own_code_take(&own->fills, &result, error);
    text_free(&options);
    text_free(&expressions);
    return code;
}

static int compile_source(struct compile_pool *pool, const struct gpu_setup *setup, struct own_kernels *own,
                          struct error *error)
{
    const struct space *space = setup->space;
    own->apart = space->reference_path || !space_reference_launches(space);
    int code = compile_part(pool, setup, SET_REFERENCE, !own->apart, own, error);
    if (!code && own->apart)
        code = compile_fills(pool, setup, own, error);
    if (!code)
        code = compile_part(pool, setup, SET_ACCEPT, false, own, error);
    return code ? code : set_code_check(space, &own->first, error);
}

/* The number of elements that a fill kernel gets may be an integer of 32 bits if it fits. */
static void narrow_count(const struct own_code *own, const char *name, uint64_t elements, struct launch *launch)
{
    enum { COUNT = 1, NARROW_BYTES = 4 };
    struct kernel_parameters parameters;
    if (!cubin_parameters(own->cubin.bytes, own->cubin.length, name, &parameters, NULL) && parameters.known &&
        parameters.count > COUNT && parameters.bytes[COUNT] == NARROW_BYTES && elements <= INT32_MAX)
        launch->arguments[COUNT].bytes = NARROW_BYTES;
}

static int make_fills(const struct space *space, struct own_kernels *own, struct error *error)
{
    const struct own_code *from = own->apart ? &own->fills : &own->first.parts[SET_REFERENCE].own;
    const char *name = text_string(&from->names);
    int code = 0;
    if (!own->apart)
        name +=
            text_strings_bytes(name, own->first.parts[SET_REFERENCE].launch.kernel_count); /* behind the reference */
    for (size_t i = 0; i < space->buffer_count && !code; i++) {
        if (!space->buffers[i].by)
            continue;
        struct launch *launch = &own->fill_launches[own->fill_count];
        code = space_fill_launch(space, i, launch, error);
        if (!code)
            narrow_count(from, name, space->buffers[i].count, launch);
        if (!code)
            code = own_code_check(space, from, name, launch, launch->steps, space->buffers[i].by->step.kernel,
                                  space->buffers[i].line, error);
        own->fill_kernels[own->fill_count++] =
            (struct device_kernel){.cubin = own->apart ? from->cubin.bytes : NULL,
                                   .cubin_bytes = own->apart ? from->cubin.length : 0,
                                   .lowered_names = name,
                                   .name_count = 1,
                                   .launch = launch};
        name += strlen(name) + 1;
    }
    return code;
}

static void find_expected(const struct space *space, struct device_file *expected)
{
    for (size_t i = 0; i < space->buffer_count && i < SPACE_ARGUMENTS_MAX; i++) /* more: device_setup refuses them */
        expected[i] = (struct device_file){space->buffers[i].expected_path, space->buffers[i].expected_offset};
}

/* `device` is what the devices will get. */
static int run_command(const struct gpu_setup *setup, const struct device_setup *device, struct command *command,
                       struct device_file *expected, struct error *error)
{
    uint32_t choices[SPACE_PARAMETERS_MAX];
    int64_t timeout_ns = setup->timeout_ns > command_timeout_ns ? setup->timeout_ns : command_timeout_ns;
    int code = command_open(command, setup->space, error);
    if (!code)
        code = device_write_inputs(setup->devices[0], device, command->folder, error);
    space_default(setup->space, choices);
    return code ? code : command_run(command, setup->space, choices, timeout_ns, setup->stop, expected, error);
}

int set_up_devices(struct compile_pool *pool, const struct gpu_setup *setup, struct command *command,
                   struct error *error)
{
    struct own_kernels *own = calloc(1, sizeof *own); /* large */
    int code = own ? compile_helpers(pool, setup, own, error) : error_memory(error);
    timeline("coordinator", "cutune's own kernels compiled");
    if (!code)
        code = set_code_make(setup->space, &own->first, error);
    if (!code)
        code = compile_source(pool, setup, own, error);
    if (!code && own->helpers.failed)
        code = error_memory(error);
    if (!code)
        code = make_fills(setup->space, own, error);
    timeline("coordinator", "reference compiled");
    if (code)
        goto out;
    find_expected(setup->space, own->expected);
    const struct device_setup device = {.space = setup->space,
                                        .sampling = setup->sampling,
                                        .first = set_code_expected(&own->first),
                                        .expected = own->expected,
                                        .accept_name = setup->space->accept ? setup->space->accept->step.kernel : NULL,
                                        .fills = own->fill_kernels,
                                        .fill_count = own->fill_count,
                                        .helpers = {.cubin = own->helpers.bytes, .cubin_bytes = own->helpers.length},
                                        .stop = setup->stop,
                                        .seed = setup->seed};
    if (setup->space->reference_kind == REFERENCE_COMMAND)
        code = run_command(setup, &device, command, own->expected, error);
    /* One after the other: in parallel the devices would share the link whose ceilings they measure. */
    for (size_t d = 0; d < setup->device_count && !code; d++)
        code = device_setup(setup->devices[d], &device, error);
    timeline("coordinator", "devices set up");
out:
    if (own) {
        text_free(&own->helpers);
        set_code_free(&own->first);
        own_code_free(&own->fills);
    }
    free(own);
    return code;
}

int gpu_start(struct gpu_evaluator *gpu, struct error *error)
{
    if (gpu->started)
        return 0;
    const struct gpu_setup *setup = gpu->setup;
    int code = compile_pool_open(&gpu->pool, setup->jobs, setup->timeout_ns, setup->cache, error);
    timeline("coordinator", "compilers started");
    if (!code)
        code = set_up_devices(gpu->pool, setup, &gpu->command, error);
    gpu->started = code == 0;
    return code;
}
