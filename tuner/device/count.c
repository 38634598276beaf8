/* Counts the launches of a configuration, or times the stages of a pipeline. Each pass of the profiler starts as a
 * timed run does: with the buffers' initial contents and an L2 that is flushed or warm. */
#include "device/count.h"
#include "base/timeline.h"
#include "device/buffers.h"
#include "device/check.h"
#include "device/cupti.h"
#include "device/gpu.h"
#include "device/launch.h"
#include "device/stages.h"
#include "device/techniques.h"

/* Shortens the repetitions to 1 or 2, the parity that leaves each later launch its buffers despite swaps, and leaves
 * out the loops, so that each launch is as in the first round. Returns the number of launches. */
static size_t shorten(struct launch *launch)
{
    size_t launches = 0;
    const bool looped = launch->call_count > 0;
    launch->graph = 0;
    for (size_t s = 0; s < launch->step_count; s++) {
        const uint64_t repeat = looped ? space_step_count(launch, s) : launch->steps[s].repeat;
        launch->steps[s].repeat = repeat % 2 ? 1 : 2;
        launches += launch->steps[s].repeat;
    }
    launch->call_count = launch->loop_count = launch->until_count = 0;
    return launches;
}

static cudaError_t restore(struct gpu *gpu, struct gpu_kernel *kernel)
{
    cudaError_t result = gpu_restore(gpu);
    return result ? result : gpu_techniques_restore(gpu, kernel, false);
}

static int prepare(struct gpu *gpu, struct gpu_kernel *kernel, struct error *error)
{
    cudaError_t result = restore(gpu, kernel);
    if (!result && !gpu->sampling.warm)
        result = cudaMemsetAsync(gpu->flush, 0, gpu->flush_bytes, gpu->stream);
    if (!result && gpu->sampling.warm)
        result = gpu_launch_steps(gpu, kernel, gpu_own_places(gpu));
    if (!result && gpu->sampling.warm)
        result = restore(gpu, kernel);
    if (!result)
        result = cudaStreamSynchronize(gpu->stream);
    return gpu_check(result, "preparing a run", error);
}

static int run(struct gpu *gpu, struct gpu_kernel *kernel, struct error *error)
{
    cudaError_t result = gpu_launch_steps(gpu, kernel, gpu_own_places(gpu));
    cudaError_t finished = cudaStreamSynchronize(gpu->stream);
    return gpu_check(result ? result : finished, "running under the profiler", error);
}

static int count_passes(struct gpu *gpu, struct gpu_kernel *kernel, size_t launches, struct error *error)
{
    size_t left = cupti_passes(gpu->cupti);
    bool more = true;
    int code = cupti_begin(gpu->cupti, launches, error);
    timeline("profiler", "counting begins");
    while (!code && more) {
        if (left-- == 0)
            return error_set(error, ERROR_DEVICE, "the profiler wants more than its %zu passes",
                             cupti_passes(gpu->cupti));
        code = prepare(gpu, kernel, error);
        if (!code)
            code = cupti_start(gpu->cupti, error);
        if (!code)
            code = run(gpu, kernel, error);
        if (!code)
            code = cupti_stop(gpu->cupti, &more, error);
        timeline("profiler", "pass ended");
    }
    return code;
}

static int count_launches(struct gpu *gpu, struct gpu_kernel *kernel, size_t launches, struct evidence *evidence,
                          struct error *error)
{
    struct evidence each[2 * SPACE_LAUNCHES_MAX];
    for (size_t i = 0; i < launches; i++)
        each[i] = evidence_unknown();
    int code = count_passes(gpu, kernel, launches, error);
    cudaError_t left = gpu_leave(gpu, kernel);
    if (!code)
        code = gpu_check(left, "leaving the configuration", error);
    if (!code)
        code = cupti_read(gpu->cupti, launches, each, error);
    for (size_t s = 0, i = 0; s < kernel->launch.step_count && !code; i += kernel->launch.steps[s++].repeat)
        evidence[s] = each[i];
    return code;
}

static int time_stages(struct gpu *gpu, struct gpu_kernel *kernel, struct evidence *evidence, struct error *error)
{
    *evidence = evidence_unknown();
    int code = gpu_check(gpu_time_stages(gpu, kernel, evidence), "timing the stages of the pipeline", error);
    cudaError_t left = gpu_leave(gpu, kernel);
    return code ? code : gpu_check(left, "leaving the configuration", error);
}

static int count_loaded(struct gpu *gpu, struct gpu_kernel *kernel, size_t launches, struct evidence *evidence,
                        struct error *error)
{
    int code = gpu_check(gpu_set_scratch(gpu, &kernel->launch, 0), "clearing the scratch buffers", error);
    if (!code)
        code = gpu_check(gpu_enter(gpu, kernel), "entering the configuration", error);
    if (code)
        return code;
    return gpu_way_of(&kernel->launch) ? time_stages(gpu, kernel, evidence, error)
                                       : count_launches(gpu, kernel, launches, evidence, error);
}

int gpu_count(struct gpu *gpu, struct gpu_kernel *kernel, struct evidence *evidence, struct error *error)
{
    struct measurement measurement = measurement_unknown(STATUS_OK);
    size_t launches = shorten(&kernel->launch);
    int code = gpu_check(gpu_load(kernel), "loading", error);
    if (!code) {
        gpu_attach(gpu, kernel, &measurement);
        code = measurement.status == STATUS_OK ? count_loaded(gpu, kernel, launches, evidence, error)
                                               : error_set(error, ERROR_VALUE, "%s", measurement.message);
    }
    /* The library stays loaded: CUPTI 13.0 reads unloaded code when it patches other code later, and crashes. */
    gpu_techniques_detach(kernel);
    return code;
}
