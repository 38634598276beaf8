#include "evaluate/set_up.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evaluate/arguments.h"
#include "evaluate/compiler_errors.h"
#include "evaluate/gpu_evaluator.h"

/* --timeout is for variants. On a loaded machine these kernels may take longer than a user allows a variant. */
static const int64_t own_kernels_timeout_ns = 120 * (int64_t)1000000000;

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

/* Kernels of one compilation: lowered names, NUL-terminated strings one after the other. */
struct own_code {
    struct text cubin, names;
};

/* What the device processes get. */
struct own_kernels {
    struct text helpers;
    struct own_code reference;
    bool apart;            /* the reference is not compiled from the kernel's source */
    struct own_code fills; /* empty unless `apart`: the reference's cubin has them, too */
    struct own_code accept;
    struct launch reference_launch, accept_launch, fill_launches[SPACE_FILL_KERNELS_MAX];
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

/* Begins messages about the reference. */
static const char *reference_name(const struct space *space)
{
    return space->reference_kind == REFERENCE_DEFAULT ? "the default configuration" : "the reference kernel";
}

static void name_reference(const struct space *space, const struct launch *launch, struct text *expressions,
                           size_t *count)
{
    for (size_t k = 0; k < launch->kernel_count; k++, ++*count) {
        const char *name = space_reference_kernel(space, launch, k);
        text_append(expressions, name, strlen(name) + 1);
    }
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

/* Compiles the reference, the kernels that fill buffers if there are any, or both where they are in one file. */
static int compile_kernels(struct compile_pool *pool, const struct gpu_setup *setup, const struct launch *reference,
                           bool filling, struct own_code *own, struct error *error)
{
    const struct space *space = setup->space;
    bool own_file = reference && space->reference_path;
    char what[96];
    struct compile_job job = {.path = own_file ? space->reference_path : space->source_path,
                              .source = own_file ? space->reference_source : space->source,
                              .nvcc = space->nvcc,
                              .cc = device_limits(setup->devices[0])->cc};
    struct compile_result result;
    struct text options = {0}, expressions = {0};
    uint32_t choices[SPACE_PARAMETERS_MAX];
    if (reference)
        name_reference(space, reference, &expressions, &job.name_count);
    snprintf(what, sizeof what, "%s", reference ? reference_name(space) : "a kernel that fills a buffer");
    if (filling) {
        size_t before = job.name_count;
        name_fills(space, &expressions, &job.name_count);
        if (reference && job.name_count > before)
            snprintf(what, sizeof what, "%s or a kernel that fills a buffer", reference_name(space));
    }
    if (!job.name_count)
        return 0;
    space_default(space, choices);
    int code = reference ? space_reference_options(space, &options, &job.option_count, error)
                         : space_compile_options(space, choices, &options, &job.option_count, error);
    job.options = text_string(&options);
    job.name_expressions = text_string(&expressions);
    if (!code && expressions.failed)
        code = error_memory(error);
    if (!code)
        code = compile_and_wait(pool, setup, &job, &result, what, error);
    if (!code) {
        text_append(&own->cubin, result.cubin, result.cubin_bytes);
        text_append(&own->names, result.lowered_names, text_strings_bytes(result.lowered_names, result.name_count));
    }
    text_free(&options);
    text_free(&expressions);
    return code ? code : own->cubin.failed || own->names.failed ? error_memory(error) : 0;
}

static int compile_source(struct compile_pool *pool, const struct gpu_setup *setup, struct own_kernels *own,
                          struct error *error)
{
    const struct space *space = setup->space;
    int code = 0;
    own->apart = space->reference_path || space->reference_kind == REFERENCE_NONE;
    if (space->reference_kind != REFERENCE_NONE)
        code = compile_kernels(pool, setup, &own->reference_launch, !own->apart, &own->reference, error);
    return code || !own->apart ? code : compile_kernels(pool, setup, NULL, true, &own->fills, error);
}

static int compile_accept(struct compile_pool *pool, const struct gpu_setup *setup, struct own_kernels *own,
                          struct error *error)
{
    const struct space *space = setup->space;
    struct compile_job job = {.path = space->source_path,
                              .source = space->source,
                              .nvcc = space->nvcc,
                              .name_expressions = space->accept->step.kernel,
                              .name_count = 1,
                              .cc = device_limits(setup->devices[0])->cc};
    struct compile_result result;
    struct text options = {0};
    uint32_t choices[SPACE_PARAMETERS_MAX];
    space_default(space, choices);
    int code = space_compile_options(space, choices, &options, &job.option_count, error);
    job.options = text_string(&options);
    if (!code)
        code = compile_and_wait(pool, setup, &job, &result, "the accept kernel", error);
    if (!code) {
        text_append(&own->accept.cubin, result.cubin, result.cubin_bytes);
        text_append(&own->accept.names, result.lowered_names, strlen(result.lowered_names) + 1);
    }
    text_free(&options);
    return code ? code : own->accept.cubin.failed || own->accept.names.failed ? error_memory(error) : 0;
}

/* Compares the arguments of a kernel on that line of the space file. `names` begins with the launch's lowered names. */
static int check_arguments(const struct space *space, const struct own_code *own, const char *names,
                           const struct launch *launch, const struct launch_step *step, const char *kernel, int line,
                           struct error *error)
{
    const struct device_kernel code = {
        .cubin = own->cubin.bytes, .cubin_bytes = own->cubin.length, .lowered_names = names, .launch = launch};
    char why[256];
    if (arguments_suit(&code, step, kernel, why, sizeof why))
        return 0;
    error_set(error, ERROR_DATA, "%s", why);
    error_place(error, space->path, line, 0);
    return ERROR_DATA;
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

static int make_reference(const struct space *space, struct launch *launch, struct error *error)
{
    char why[256];
    int code = space->reference_kind == REFERENCE_NONE ? 0 : space_reference_launch(space, launch, error);
    if (!code && !space_launch_fits(space, launch, why, sizeof why)) {
        code = error_set(error, ERROR_DATA, "%s cannot be launched: %s", reference_name(space), why);
        if (space->reference_kind == REFERENCE_KERNEL)
            error_hint(error, "it gets the textures and tensor maps of the `default` configuration");
    }
    return code;
}

static int check_reference(const struct space *space, const struct own_kernels *own, struct error *error)
{
    const struct launch *launch = &own->reference_launch;
    int code = 0, line = space->reference_kind == REFERENCE_KERNEL ? space->reference.line : 0;
    for (size_t s = 0; s < launch->step_count && !code; s++)
        code = check_arguments(space, &own->reference, text_string(&own->reference.names), launch, &launch->steps[s],
                               space_reference_kernel(space, launch, launch->steps[s].kernel), line, error);
    return code;
}

static int make_accept(struct compile_pool *pool, const struct gpu_setup *setup, struct own_kernels *own,
                       struct error *error)
{
    const struct space *space = setup->space;
    struct launch *launch = &own->accept_launch;
    char why[256];
    if (!space->accept)
        return 0;
    int code = space_accept_launch(space, launch, error);
    if (!code && !space_launch_fits(space, launch, why, sizeof why)) {
        code = error_set(error, ERROR_DATA, "the accept kernel cannot be launched: %s", why);
        error_hint(error, "it gets the textures and tensor maps of the `default` configuration");
    }
    if (!code)
        code = compile_accept(pool, setup, own, error);
    return code ? code
                : check_arguments(space, &own->accept, text_string(&own->accept.names), launch, launch->steps,
                                  space->accept->step.kernel, space->accept->line, error);
}

static int make_fills(const struct space *space, struct own_kernels *own, struct error *error)
{
    const struct own_code *from = own->apart ? &own->fills : &own->reference;
    const char *name = text_string(&from->names);
    int code = 0;
    if (!own->apart)
        name += text_strings_bytes(name, own->reference_launch.kernel_count); /* behind the reference */
    for (size_t i = 0; i < space->buffer_count && !code; i++) {
        if (!space->buffers[i].by)
            continue;
        struct launch *launch = &own->fill_launches[own->fill_count];
        code = space_fill_launch(space, i, launch, error);
        if (!code)
            narrow_count(from, name, space->buffers[i].count, launch);
        if (!code)
            code = check_arguments(space, from, name, launch, launch->steps, space->buffers[i].by->step.kernel,
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

int set_up_devices(struct compile_pool *pool, const struct gpu_setup *setup, struct error *error)
{
    struct own_kernels *own = calloc(1, sizeof *own); /* large */
    int code = own ? compile_helpers(pool, setup, own, error) : error_memory(error);
    if (!code)
        code = make_reference(setup->space, &own->reference_launch, error);
    if (!code)
        code = compile_source(pool, setup, own, error);
    if (!code && own->helpers.failed)
        code = error_memory(error);
    if (!code)
        code = check_reference(setup->space, own, error);
    if (!code)
        code = make_fills(setup->space, own, error);
    if (!code)
        code = make_accept(pool, setup, own, error);
    if (code)
        goto out;
    find_expected(setup->space, own->expected);
    const struct device_setup device = {.space = setup->space,
                                        .sampling = setup->sampling,
                                        .reference_name = reference_name(setup->space),
                                        .reference = {.cubin = own->reference.cubin.bytes,
                                                      .cubin_bytes = own->reference.cubin.length,
                                                      .lowered_names = text_string(&own->reference.names),
                                                      .name_count = own->reference_launch.kernel_count,
                                                      .launch = &own->reference_launch},
                                        .expected = own->expected,
                                        .accept = {.cubin = own->accept.cubin.bytes,
                                                   .cubin_bytes = own->accept.cubin.length,
                                                   .lowered_names = text_string(&own->accept.names),
                                                   .name_count = 1,
                                                   .launch = &own->accept_launch},
                                        .accept_name = setup->space->accept ? setup->space->accept->step.kernel : NULL,
                                        .fills = own->fill_kernels,
                                        .fill_count = own->fill_count,
                                        .helpers = {.cubin = own->helpers.bytes, .cubin_bytes = own->helpers.length},
                                        .stop = setup->stop,
                                        .seed = setup->seed};
    /* One after the other: in parallel the devices would share the link whose ceilings they measure. */
    for (size_t d = 0; d < setup->device_count && !code; d++)
        code = device_setup(setup->devices[d], &device, error);
out:
    if (own) {
        text_free(&own->helpers);
        text_free(&own->reference.cubin);
        text_free(&own->reference.names);
        text_free(&own->accept.cubin);
        text_free(&own->accept.names);
        text_free(&own->fills.cubin);
        text_free(&own->fills.names);
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
    if (!code)
        code = set_up_devices(gpu->pool, setup, error);
    gpu->started = code == 0;
    return code;
}
