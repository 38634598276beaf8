/* Measures the ceilings of the roofline for evidence, once: their kernels are compiled like variants, and the first
 * device times them. */
#include "evaluate/gpu_evaluator.h"

static const int64_t compile_timeout_ns = 120 * (int64_t)1000000000; /* as for cutune's other kernels */

int gpu_roofline_begin(struct gpu_evaluator *gpu, struct error *error)
{
    struct compile_job job = {.id = gpu_roofline_id(gpu),
                              .path = "cutune_roofline.cu",
                              .source = device_roofline_source.text,
                              .name_expressions = device_roofline_source.names,
                              .name_count = device_roofline_source.name_count,
                              .options = "",
                              .cc = gpu->limits->cc,
                              .timeout_ns = compile_timeout_ns};
    if (gpu->roofline.state != ROOFLINE_WANTED || !gpu->setup->device_count ||
        !(compile_pool_idle(gpu->pool) || gpu_foreseen_abandon(gpu)))
        return 0;
    gpu->roofline.state = ROOFLINE_COMPILING;
    return compile_pool_submit(gpu->pool, &job, error);
}

bool gpu_roofline_take(struct gpu_evaluator *gpu, const struct compile_result *result)
{
    if (result->id != gpu_roofline_id(gpu))
        return false;
    gpu->roofline.state = ROOFLINE_COMPILED;
    if (result->status == STATUS_OK)
        text_append(&gpu->roofline.cubin, result->cubin, result->cubin_bytes);
    return true;
}

static int compile(struct gpu_evaluator *gpu, struct error *error)
{
    int code = 0;
    while (!code && gpu->roofline.state < ROOFLINE_COMPILED) {
        if (gpu_given_up(gpu->setup))
            return error_set(error, ERROR_INTERRUPTED, "interrupted while the roofline was measured");
        code = gpu_roofline_begin(gpu, error);
        gpu_wait_for_workers(gpu, INT64_MAX);
        if (!code)
            code = gpu_compile_take(gpu, error);
    }
    return code;
}

static void keep(struct gpu_evaluator *gpu, const struct roofline *found)
{
    struct evidence *ceilings = &gpu->roofline.ceilings;
    *ceilings = evidence_unknown();
    ceilings->ceiling_dram = device_ceilings(gpu->setup->devices[0])->copy;
    ceilings->ceiling_l2 = found->l2;
    ceilings->ceiling_shared = found->shared;
    ceilings->ceiling_issue = found->issue;
    ceilings->ceiling_fma = found->fma;
    ceilings->ceiling_tensor = found->tensor;
}

int gpu_roofline_measure(struct gpu_evaluator *gpu, struct error *error)
{
    const struct evaluator_setup *setup = gpu->setup;
    struct roofline found = roofline_unknown;
    if (gpu->roofline.state == ROOFLINE_MEASURED)
        return 0;
    gpu->roofline.ceilings = evidence_unknown();
    int code = setup->device_count ? compile(gpu, error) : 0;
    if (!code && setup->device_count && gpu->roofline.cubin.length)
        code = device_measure_roofline(setup->devices[0], gpu->roofline.cubin.bytes, gpu->roofline.cubin.length,
                                       setup->stop, &found, error);
    if (!code && setup->device_count)
        keep(gpu, &found);
    if (!code)
        gpu->roofline.state = ROOFLINE_MEASURED;
    text_free(&gpu->roofline.cubin);
    return code;
}
