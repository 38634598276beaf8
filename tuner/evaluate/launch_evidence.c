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
    if (step->grid[0] == 0) /* a resident grid */
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

/* Returns the number of copies over the link for a part of a buffer, which is divided into pieces. */
static double copies_of(const struct launch_pipeline *pipeline, uint64_t bytes)
{
    uint64_t pieces = pipeline->packed || pipeline->host_memory == HOST_MANAGED ? 1 : pipeline->pieces;
    uint64_t piece = (bytes + pieces - 1) / pieces;
    return (double)((bytes + piece - 1) / piece);
}

static void put_copy(const struct launch_pipeline *pipeline, const struct launch_copy *copy, uint64_t bytes,
                     struct evidence *evidence)
{
    uint64_t item_bytes = bytes / pipeline->total, whole = pipeline->total / pipeline->chunk_length;
    uint64_t rest = pipeline->total % pipeline->chunk_length;
    double copies = (double)whole * copies_of(pipeline, item_bytes * pipeline->chunk_length);
    if (rest)
        copies += copies_of(pipeline, item_bytes * rest);
    if (pipeline->host_memory != HOST_MAPPED)
        evidence->transfers += (copy->in + copy->out) * copies;
    evidence->in_bytes += copy->in ? (double)bytes : 0;
    evidence->out_bytes += copy->out ? (double)bytes : 0;
}

static void put_pipeline(const struct space *space, const struct launch *launch, struct evidence *evidence)
{
    const struct launch_pipeline *pipeline = &launch->pipeline;
    bool mapped = pipeline->host_memory == HOST_MAPPED, managed = pipeline->host_memory == HOST_MANAGED;
    evidence->chunks = (double)((pipeline->total - 1) / pipeline->chunk_length + 1);
    evidence->streams = pipeline->streams;
    evidence->transfers = evidence->in_bytes = evidence->out_bytes = 0;
    for (size_t i = 0; i < pipeline->copy_count; i++)
        put_copy(pipeline, &pipeline->copies[i], space_buffer_bytes(space, launch, pipeline->copies[i].buffer),
                 evidence);
    if (!managed)
        evidence->host_locked = pipeline->host_memory != HOST_PAGEABLE;
    evidence->in_place = mapped;
    evidence->managed = managed;
    evidence->allocations = pipeline->allocation == ALLOCATION_REUSE ? 0 : pipeline->copy_count;
    evidence->pooled = pipeline->allocation == ALLOCATION_POOL;
    evidence->host_work_ns = (double)pipeline->host_work_ns;
}

void launch_evidence(const struct space *space, const struct device_limits *limits, const struct launch *launch,
                     const struct compile_result *result, const struct work_amounts *amounts, struct evidence *launches)
{
    struct bundle bundle;
    bundle_read(result->cubin, result->cubin_bytes, &bundle);
    for (size_t s = 0; s < launch->step_count; s++) {
        const struct launch_step *step = &launch->steps[s];
        const struct kernel_resources *resources = &result->resources[step->kernel];
        const char *name = result->lowered_names;
        struct evidence *evidence = &launches[s];
        struct kernel_spills spills;
        for (size_t k = 0; k < step->kernel; k++)
            name += strlen(name) + 1;
        *evidence = evidence_unknown();
        snprintf(evidence->kernel, sizeof evidence->kernel, "%s", space->kernel_titles[launch->kernels[step->kernel]]);
        evidence->launch = (double)s;
        evidence->repeats = launch->until_count  ? 1 /* the number of rounds is unknown */
                            : launch->call_count ? (double)space_step_count(launch, s)
                                                 : step->repeat;
        evidence->bytes_needed = amounts->bytes;
        evidence->flops_needed = amounts->flops;
        evidence->threads = (double)step->block[0] * step->block[1] * step->block[2];
        evidence->blocks = (double)step->grid[0] * step->grid[1] * step->grid[2];
        evidence->sm_count = (double)limits->sm_count;
        evidence->registers = (double)resources->registers;
        evidence->shared_bytes = (double)resources->shared_bytes + (double)step->shared_bytes;
        evidence->local_bytes = (double)resources->local_bytes;
        if (spills_read(bundle_log(result->log, bundle.of[step->kernel]), name, &spills)) {
            evidence->spill_store_bytes = (double)spills.store_bytes;
            evidence->spill_load_bytes = (double)spills.load_bytes;
        }
        put_occupancy(limits, step, resources, evidence);
        if (launch->pipeline.total > 0)
            put_pipeline(space, launch, evidence);
    }
}
