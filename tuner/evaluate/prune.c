#include "evaluate/prune.h"

#include <stdio.h>

#include "device/occupancy.h"
#include "evaluate/arguments.h"
#include "evaluate/compiler_errors.h"

/* A launch of a configuration, and its kernel. */
struct judged {
    const struct launch *launch;
    const struct launch_step *step;
    const char *kernel; /* in the space file */
    const struct kernel_resources *resources;
    struct occupancy occupancy;
    int64_t threads;
};

static void describe(const struct space *space, const struct judged *judged, struct measurement *measurement)
{
    measurement->registers = judged->resources->registers;
    measurement->shared_bytes = judged->resources->shared_bytes + (int64_t)judged->step->shared_bytes;
    measurement->local_bytes = judged->resources->local_bytes;
    measurement->occupancy = judged->occupancy.fraction;
    if (space->kernel_count > 1)
        snprintf(measurement->kernel, sizeof measurement->kernel, "%s", judged->kernel);
}

/* Returns STATUS_OK, or a status with its reason in the measurement. */
static enum status judge(const struct judged *judged, const struct compile_result *result, double min_occupancy,
                         struct measurement *measurement)
{
    const struct kernel_resources *resources = judged->resources;
    const struct occupancy *occupancy = &judged->occupancy;
    char why[256];
    const struct device_kernel code = {.cubin = result->cubin,
                                       .cubin_bytes = result->cubin_bytes,
                                       .lowered_names = result->lowered_names,
                                       .launch = judged->launch};
    if (!arguments_suit(&code, judged->step, judged->kernel, why, sizeof why)) {
        measurement_explain(measurement, "%s", why);
        return STATUS_COMPILE_ERROR;
    }
    if (resources->max_threads && judged->threads > resources->max_threads) {
        measurement_explain(measurement, "%lld threads per block, but the kernel is compiled for at most %lld",
                            (long long)judged->threads, (long long)resources->max_threads);
        return STATUS_PRUNED_LIMIT;
    }
    if (occupancy->blocks_sm == 0) {
        measurement_explain(measurement,
                            "no block fits a multiprocessor: %s (%lld threads, %lld registers each, %lld bytes shared)",
                            occupancy->limit, (long long)judged->threads, (long long)resources->registers,
                            (long long)resources->shared_bytes + (long long)judged->step->shared_bytes);
        return STATUS_PRUNED_LIMIT;
    }
    if (occupancy->fraction < min_occupancy) {
        measurement_explain(measurement, "occupancy %.3g, limited by %s", occupancy->fraction, occupancy->limit);
        return STATUS_PRUNED_OCCUPANCY;
    }
    return STATUS_OK;
}

void prune_compiled(const struct space *space, const struct device_limits *limits, const struct launch *launch,
                    const struct compile_result *result, double min_occupancy, struct measurement *measurement)
{
    char hint[sizeof measurement->message];
    measurement->status = result->status;
    if (result->status == STATUS_COMPILE_ERROR && compiler_errors_hint_log(space, result->log, hint, sizeof hint))
        measurement_explain(measurement, "%s; %s", result->message, hint);
    else if (result->status != STATUS_OK)
        measurement_explain(measurement, "%s", result->message);
    bool judged_step[SPACE_LAUNCHES_MAX] = {false};
    for (size_t c = 0; c < launch_call_count(launch) && measurement->status == STATUS_OK; c++) {
        const struct launch_call call = launch_call_at(launch, c);
        const struct launch_step own = launch_step_of(launch, &call), *step = &own;
        const struct kernel_resources *resources = &result->resources[step->kernel];
        if (judged_step[call.step] && !step->field_count)
            continue;
        judged_step[call.step] = true;
        int64_t threads = (int64_t)step->block[0] * step->block[1] * step->block[2];
        const struct judged judged = {.launch = launch,
                                      .step = step,
                                      .kernel = space->kernel_titles[launch->kernels[step->kernel]],
                                      .resources = resources,
                                      .occupancy = occupancy_of(limits, threads, resources->registers,
                                                                resources->shared_bytes, (int64_t)step->shared_bytes),
                                      .threads = threads};
        measurement->status = judge(&judged, result, min_occupancy, measurement);
        if (c == 0 || measurement->status != STATUS_OK || judged.occupancy.fraction < measurement->occupancy)
            describe(space, &judged, measurement);
    }
}
