#include "evaluate/launch_evidence.h"

#include <stdio.h>
#include <string.h>

#include "compile/spills.h"
#include "device/occupancy.h"

static void put_occupancy(const struct device_limits *limits, const struct launch_step *step,
                          const struct kernel_resources *resources, struct evidence *evidence)
{
    const struct occupancy occupancy = occupancy_of(limits, (int64_t)evidence->threads, resources->registers,
                                                    resources->shared_bytes, (int64_t)step->shared_bytes);
    double resident = (double)occupancy.blocks_sm * (double)limits->sm_count;
    if (step->grid[0] == 0) /* as many blocks as run at once */
        evidence->blocks = resident;
    evidence->occupancy = occupancy.fraction;
    evidence->blocks_sm = (double)occupancy.blocks_sm;
    evidence->blocks_sm_registers = (double)occupancy.blocks_registers;
    evidence->blocks_sm_shared = (double)occupancy.blocks_shared;
    evidence->blocks_sm_warps = (double)occupancy.blocks_warps;
    evidence->blocks_sm_most = (double)occupancy.blocks_most;
    if (resident > 0)
        evidence->waves = evidence->blocks / resident;
}

void launch_evidence(const struct space *space, const struct device_limits *limits, const struct launch *launch,
                     const struct compile_result *result, const struct work_amounts *amounts, struct evidence *launches)
{
    for (size_t s = 0; s < launch->step_count; s++) {
        const struct launch_step *step = &launch->steps[s];
        const struct kernel_resources *resources = &result->resources[step->kernel];
        const char *name = result->lowered_names;
        struct evidence *evidence = &launches[s];
        struct kernel_spills spills;
        for (size_t k = 0; k < step->kernel; k++)
            name += strlen(name) + 1;
        *evidence = evidence_unknown();
        snprintf(evidence->kernel, sizeof evidence->kernel, "%s", space->kernels[launch->kernels[step->kernel]]);
        evidence->launch = (double)s;
        evidence->repeats = step->repeat;
        evidence->bytes_needed = amounts->bytes;
        evidence->flops_needed = amounts->flops;
        evidence->threads = (double)step->block[0] * step->block[1] * step->block[2];
        evidence->blocks = (double)step->grid[0] * step->grid[1] * step->grid[2];
        evidence->sm_count = (double)limits->sm_count;
        evidence->registers = (double)resources->registers;
        evidence->shared_bytes = (double)resources->shared_bytes + (double)step->shared_bytes;
        evidence->local_bytes = (double)resources->local_bytes;
        if (spills_read(result->log, name, &spills)) {
            evidence->spill_store_bytes = (double)spills.store_bytes;
            evidence->spill_load_bytes = (double)spills.load_bytes;
        }
        put_occupancy(limits, step, resources, evidence);
    }
}
