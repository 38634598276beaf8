/* Times each stage of a pipeline alone, and the whole run, with the methods for kernels. The stages are timed in turn,
 * so that clock changes affect all alike. */
#include "base/clock.h"
#include "base/statistics.h"
#include "device/techniques.h"

enum {
    WHOLE = STAGES, /* all stages together */
    TIMES = 5,      /* after a first time, which is discarded */
    TIMES_LEAST = 1
};
static const int64_t enough_ns = 300000000; /* then TIMES_LEAST suffices */

struct timed_stage {
    struct gpu_kernel *kernel;
    int stage; /* enum gpu_stage or WHOLE */
};

static cudaError_t restore(struct gpu *gpu, void *context)
{
    const struct timed_stage *timed = context;
    cudaError_t result = gpu_restore(gpu);
    const struct gpu_way *way = gpu_way_of(&timed->kernel->launch);
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
    double times_ns[WHOLE + 1][TIMES + 1];
    int64_t until_ns = clock_now_ns() + enough_ns;
    size_t times = 0;
    cudaError_t result = cudaSuccess;
    for (; times <= TIMES && (times <= TIMES_LEAST || clock_now_ns() < until_ns) && !result; times++)
        for (int stage = 0; stage <= WHOLE && !result; stage++)
            result = time_stage(gpu, kernel, stage, &times_ns[stage][times]);
    for (int stage = 0; stage <= WHOLE && !result; stage++) {
        statistics_sort(times_ns[stage] + 1, times - 1);
        *items[stage] = statistics_median(times_ns[stage] + 1, times - 1);
    }
    return result;
}
