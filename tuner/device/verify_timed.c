/* Verifies kernels again after they were timed. */
#include "device/verify_timed.h"
#include "device/buffers.h"
#include "device/check.h"
#include "device/expected.h"
#include "device/gpu.h"
#include "device/measure.h"
#include "device/techniques.h"
#include "device/verdict.h"
#include "device/verify.h"

const char gpu_wrong_later[] = "right on the first launch, wrong on a later one: ";

/* Copies the results that the timed runs left outside the buffers into them. */
static int collect_timed(struct gpu *gpu, struct gpu_kernel *kernel, struct error *error)
{
    const struct gpu_way *way = gpu_way_of(&kernel->launch);
    int code = way && way->collect ? way->collect(gpu, kernel, false, error) : 0;
    return code ? code : gpu_check(gpu_techniques_collect(gpu, kernel), "copying the contents of the surfaces", error);
}

/* Adds the spare bytes to the scratch buffers, because any of the timed kernels may have written there. */
static void widen_scratch(struct gpu *gpu)
{
    for (size_t i = 0; i < gpu->buffer_count; i++) {
        gpu->buffers[i].bytes += gpu->buffers[i].spare_bytes;
        gpu->buffers[i].spare_bytes = 0;
    }
}

/* Checks the memory that several kernels must not write. A fault concerns all of them, because any may have caused
 * it. */
static int check_shared_damage(struct gpu *gpu, struct measurement *measurements, size_t count, struct error *error)
{
    struct measurement left = measurement_unknown(STATUS_OK);
    widen_scratch(gpu);
    int code = gpu_judge(gpu, NULL, &left, error);
    for (size_t k = 0; k < count && !code && left.status != STATUS_OK; k++)
        if (status_class(measurements[k].status) != OUTCOME_FAILED) {
            measurements[k].status = STATUS_CRASHED;
            measurement_explain(&measurements[k], "correct at first, then one of those timed together %s",
                                left.message);
        }
    return code;
}

static bool has_scratch(const struct gpu *gpu)
{
    bool found = false;
    for (size_t i = 0; i < gpu->buffer_count; i++)
        found |= gpu->buffers[i].role == BUFFER_SCRATCH;
    return found;
}

/* Verifies with two contents of scratch, because a kernel may rely on results of earlier launches there. Kept contents
 * expose a kernel that finds its work already done; poison exposes a launch that no longer writes data for the next. */
static int launch_again(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *again, struct error *error)
{
    int code = gpu_verify_once(gpu, kernel, GPU_SCRATCH_KEPT, again, error);
    return code || again->status != STATUS_OK || !has_scratch(gpu)
               ? code
               : gpu_verify_once(gpu, kernel, GPU_POISON_UNKNOWN, again, error);
}

/* A kernel that was stopped early cannot win, so its last results are judged without another launch. */
static int verify_timed(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement,
                        struct error *error)
{
    struct measurement again = measurement_unknown(STATUS_OK);
    bool whole = measurement->status == STATUS_OK;
    int code = gpu->set == gpu->sets[kernel->set] ? 0 : gpu_expect(gpu, kernel->set, error);
    if (!code)
        code = whole ? launch_again(gpu, kernel, &again, error) : gpu_judge_run(gpu, kernel, &again, error);
    if (code)
        return code;
    if (again.status == STATUS_OK) {
        measurement->verified = whole ? VERIFIED_TIMED : measurement->verified;
        return 0;
    }
    measurement->status = again.status;
    measurement_explain(measurement, "%s%s", again.status == STATUS_WRONG_RESULT ? gpu_wrong_later : gpu_when_repeated,
                        again.message);
    return 0;
}

int gpu_verify_timed(struct gpu *gpu, struct gpu_kernel *kernels, struct measurement *measurements, size_t count,
                     struct error *error)
{
    int code = 0;
    for (size_t k = 0; k < count && !code; k++)
        if (status_class(measurements[k].status) != OUTCOME_FAILED)
            code = collect_timed(gpu, &kernels[k], error);
    if (!code && count > 1)
        code = check_shared_damage(gpu, measurements, count, error);
    for (size_t k = 0; k < count && !code && !gpu->spoiled; k++)
        if (status_class(measurements[k].status) != OUTCOME_FAILED)
            code = verify_timed(gpu, &kernels[k], &measurements[k], error);
    return code;
}
