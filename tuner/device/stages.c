/* Times each stage of a pipeline alone, and the whole run, with the methods for kernels. The stages are timed in turn,
 * so that clock changes affect all alike. */
#include "device/stages.h"
#include "base/clock.h"
#include "base/statistics.h"
#include "base/stop_rules.h"
#include "device/buffers.h"
#include "device/gpu.h"
#include "device/measure.h"
#include "device/techniques.h"

enum { WHOLE = STAGES }; /* all stages together */

struct timed_stage {
    struct gpu_kernel *kernel;
    int stage; /* enum gpu_stage or WHOLE */
};

static cudaError_t restore(struct gpu *gpu, void *context)
{
    const struct timed_stage *timed = context;
    cudaError_t result = gpu_restore(gpu);
    const struct gpu_way *way = gpu_way_of(&timed->kernel->launch);
    if (!result)
        result = gpu_techniques_restore(gpu, timed->kernel, false);
    return result || !way->restore ? result : way->restore(gpu, timed->kernel);
}

static cudaError_t settle(struct gpu *gpu, void *context)
{
    const struct timed_stage *timed = context;
    const struct gpu_way *way = gpu_way_of(&timed->kernel->launch);
    return timed->stage == WHOLE ? way->settle(gpu, timed->kernel)
                                 : way->settle_stage(gpu, timed->kernel, (enum gpu_stage)timed->stage);
}

static cudaError_t queue(struct gpu *gpu, void *context)
{
    const struct timed_stage *timed = context;
    const struct gpu_way *way = gpu_way_of(&timed->kernel->launch);
    return timed->stage == WHOLE ? way->run(gpu, timed->kernel, false)
                                 : way->run_stage(gpu, timed->kernel, (enum gpu_stage)timed->stage);
}

static cudaError_t time_stage(struct gpu *gpu, struct gpu_kernel *kernel, int stage, double *ns)
{
    struct timed_stage context = {kernel, stage};
    struct measurement ignored = measurement_unknown(STATUS_OK);
    const struct gpu_timed timed = {
        .restore = restore, .settle = settle, .queue = queue, .context = &context, .warm = gpu->sampling.warm};
    *ns = 0;
    if (stage != WHOLE && !gpu_way_of(&kernel->launch)->has_stage(&kernel->launch, (enum gpu_stage)stage))
        return cudaSuccess;
    return gpu_run_batch(gpu, &timed, 1, 0, ns, &ignored);
}

cudaError_t gpu_time_stages(struct gpu *gpu, struct gpu_kernel *kernel, struct evidence *evidence)
{
    double *const items[WHOLE + 1] = {[STAGE_ALLOCATE] = &evidence->allocate_ns,
                                      [STAGE_IN] = &evidence->in_ns,
                                      [STAGE_KERNEL] = &evidence->kernel_ns,
                                      [STAGE_OUT] = &evidence->out_ns,
                                      [WHOLE] = &evidence->run_ns};
    double times_ns[WHOLE + 1][STAGE_TIMES_MAX];
    struct stop_progress progress = {.least = STAGE_TIMES_LEAST,
                                     .most = STAGE_TIMES_MAX,
                                     .until_ns = clock_now_ns() + STAGES_NS,
                                     .end_ns = INT64_MAX};
    cudaError_t result = cudaSuccess;
    for (; !result && !stop_rules_end(&progress); progress.count++, progress.now_ns = clock_now_ns())
        for (int stage = 0; stage <= WHOLE && !result; stage++)
            result = time_stage(gpu, kernel, stage, &times_ns[stage][progress.count]);
    for (int stage = 0; stage <= WHOLE && !result; stage++) {
        statistics_sort(times_ns[stage] + 1, progress.count - 1);
        *items[stage] = statistics_median(times_ns[stage] + 1, progress.count - 1);
    }
    return result;
}
