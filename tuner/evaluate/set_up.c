#include "evaluate/set_up.h"

#include <string.h>

#include "evaluate/gpu_evaluator.h"

/* --timeout is for variants. On a loaded machine these kernels may take longer than a user allows a variant. */
static const int64_t own_kernels_timeout_ns = 120 * (int64_t)1000000000;

static int compile_and_wait(struct compile_pool *pool, const struct gpu_setup *setup, const struct compile_job *job,
                            struct compile_result *result, const char *what, struct error *error)
{
    struct worker *workers[POOL_JOBS_MAX];
    int code = compile_pool_submit(pool, job, error), got = 0;
    while (!code && (got = compile_pool_next(pool, result, error)) == 0 && !gpu_given_up(setup))
        worker_wait(workers, compile_pool_workers(pool, workers, POOL_JOBS_MAX), INT64_MAX);
    if (!code && got < 0)
        code = ERROR_WORKER;
    if (!code && got == 0)
        code = error_set(error, ERROR_INTERRUPTED, "interrupted while %s was compiled", what);
    if (!code && result->status != STATUS_OK) {
        code = error_set(error, ERROR_COMPILE, "%s does not compile: %s", what, result->message);
        error_place(error, setup->space->source_path, 0, 0);
    }
    return code;
}

int set_up_devices(struct compile_pool *pool, const struct gpu_setup *setup, struct error *error)
{
    const struct space *space = setup->space;
    struct compile_job helpers = {.path = "cutune_kernels.cu",
                                  .source = device_kernels_source,
                                  .name_expressions = device_kernels_entry,
                                  .name_count = 1,
                                  .cc = device_limits(setup->devices[0])->cc,
                                  .options = "",
                                  .timeout_ns = own_kernels_timeout_ns};
    struct compile_job reference = {.path = space->source_path,
                                    .source = space->source,
                                    .name_expressions = space->reference.kernel,
                                    .name_count = 1,
                                    .cc = helpers.cc};
    struct compile_result result;
    struct text helper_cubin = {0}, reference_cubin = {0}, reference_name = {0}, options = {0};
    uint32_t choices[SPACE_PARAMETERS_MAX];
    struct launch launch;
    char why[256];
    int code = compile_and_wait(pool, setup, &helpers, &result, "cutune's own kernel file", error);
    if (code)
        goto out;
    text_append(&helper_cubin, result.cubin, result.cubin_bytes);
    space_default(space, choices);
    code = space_compile_options(space, choices, &options, &reference.option_count, error);
    reference.options = text_string(&options);
    if (!code)
        code = compile_and_wait(pool, setup, &reference, &result, "the reference kernel", error);
    if (!code)
        code = space_reference_launch(space, &launch, error);
    if (!code && !space_launch_fits(space, &launch, why, sizeof why)) {
        code = error_set(error, ERROR_DATA, "the reference kernel cannot be launched: %s", why);
        error_hint(error, "it gets the textures and tensor maps of the `default` configuration");
    }
    if (code)
        goto out;
    text_append(&reference_cubin, result.cubin, result.cubin_bytes);
    text_append(&reference_name, result.lowered_names, strlen(result.lowered_names));
    if (helper_cubin.failed || reference_cubin.failed || reference_name.failed) {
        code = error_memory(error);
        goto out;
    }
    const struct device_setup device = {.space = space,
                                        .sampling = setup->sampling,
                                        .reference = {.cubin = reference_cubin.bytes,
                                                      .cubin_bytes = reference_cubin.length,
                                                      .lowered_names = text_string(&reference_name),
                                                      .name_count = 1,
                                                      .launch = &launch},
                                        .helpers = {.cubin = helper_cubin.bytes, .cubin_bytes = helper_cubin.length},
                                        .stop = setup->stop,
                                        .seed = setup->seed};
    /* One after the other: in parallel the devices would share the link whose ceilings they measure. */
    for (size_t d = 0; d < setup->device_count && !code; d++)
        code = device_setup(setup->devices[d], &device, error);
out:
    text_free(&options);
    text_free(&reference_name);
    text_free(&reference_cubin);
    text_free(&helper_cubin);
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
