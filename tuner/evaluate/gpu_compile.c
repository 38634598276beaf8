/* Submits configurations to the pool, and prunes by the answers. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "device/occupancy.h"
#include "evaluate/gpu_evaluator.h"

/* Duration of one call for compiler metrics. */
enum { METRICS_NS = 100000000 };

static int start_compiling(struct gpu_evaluator *gpu, struct slot *slot, struct error *error)
{
    const struct space *space = gpu->setup->space;
    uint32_t choices[SPACE_PARAMETERS_MAX];
    struct text options = {0}, names = {0};
    struct compile_job job = {.id = (uint64_t)(slot - gpu->slots),
                              .path = space->source_path,
                              .source = space->source,
                              .name_count = slot->launch.kernel_count,
                              .cc = device_limits(gpu->setup->devices[0])->cc};
    valid_set_get(gpu->setup->set, slot->index, choices);
    int code = space_compile_options(space, choices, &options, &job.option_count, error);
    space_launch_kernels(space, &slot->launch, &names);
    job.options = text_string(&options);
    job.name_expressions = text_string(&names);
    if (!code && names.failed)
        code = error_memory(error);
    if (!code)
        code = compile_pool_submit(gpu->pool, &job, error);
    if (!code)
        slot->state = SLOT_COMPILING;
    text_free(&names);
    text_free(&options);
    return code;
}

/* Prunes by one launch: whether a block can run at all, and how many fit a multiprocessor. */
static void prune_step(struct slot *slot, const struct launch_step *step, const struct kernel_resources *resources,
                       const struct occupancy *occupancy, double min_occupancy)
{
    struct measurement *measurement = &slot->measurement;
    int64_t threads = (int64_t)step->block[0] * step->block[1] * step->block[2];
    if (resources->max_threads && threads > resources->max_threads) {
        measurement_explain(measurement, "%lld threads per block, but the kernel is compiled for at most %lld",
                            (long long)threads, (long long)resources->max_threads);
        gpu_slots_finish(slot, STATUS_PRUNED_LIMIT);
    } else if (occupancy->blocks_sm == 0) {
        measurement_explain(measurement,
                            "no block fits a multiprocessor: %s (%lld threads, %lld registers each, %lld bytes shared)",
                            occupancy->limit, (long long)threads, (long long)resources->registers,
                            (long long)measurement->shared_bytes);
        gpu_slots_finish(slot, STATUS_PRUNED_LIMIT);
    } else if (occupancy->fraction < min_occupancy) {
        measurement_explain(measurement, "occupancy %.3g, limited by %s", occupancy->fraction, occupancy->limit);
        gpu_slots_finish(slot, STATUS_PRUNED_OCCUPANCY);
    }
}

/* Prunes by the resources of the launch with the lowest occupancy, which the measurement keeps, or of the first launch
 * that cannot run. */
static void prune(struct gpu_evaluator *gpu, struct slot *slot, const struct kernel_resources *all)
{
    const struct device_limits *limits = device_limits(gpu->setup->devices[0]);
    const struct space *space = gpu->setup->space;
    struct measurement *measurement = &slot->measurement;
    slot->state = SLOT_COMPILED;
    for (size_t s = 0; s < slot->launch.step_count && slot->state == SLOT_COMPILED; s++) {
        const struct launch_step *step = &slot->launch.steps[s];
        const struct kernel_resources *resources = &all[step->kernel];
        int64_t threads = (int64_t)step->block[0] * step->block[1] * step->block[2];
        int64_t dynamic = (int64_t)step->shared_bytes;
        struct occupancy occupancy =
            occupancy_of(limits, threads, resources->registers, resources->shared_bytes, dynamic);
        if (s > 0 && occupancy.fraction >= measurement->occupancy)
            continue;
        measurement->registers = resources->registers;
        measurement->shared_bytes = resources->shared_bytes + dynamic;
        measurement->local_bytes = resources->local_bytes;
        measurement->occupancy = occupancy.fraction;
        if (space->kernel_count > 1)
            snprintf(measurement->kernel, sizeof measurement->kernel, "%s",
                     space->kernels[slot->launch.kernels[step->kernel]]);
        prune_step(slot, step, resources, &occupancy, gpu->setup->min_occupancy);
    }
}

static void note_compiled(struct gpu_evaluator *gpu, int64_t compile_ns)
{
    struct evaluator_usage *usage = &gpu->usage;
    int64_t now_ns = clock_now_ns(), begin_ns = now_ns - compile_ns;
    if (!gpu->compile_begin_ns || begin_ns < gpu->compile_begin_ns)
        gpu->compile_begin_ns = begin_ns;
    usage->compiled++;
    usage->compile_ns += compile_ns;
    usage->compile_wall_ns = now_ns - gpu->compile_begin_ns;
    if (gpu->measure_begin_ns)
        usage->phase_compile_ns += now_ns - (begin_ns > gpu->measure_begin_ns ? begin_ns : gpu->measure_begin_ns);
}

int gpu_compile_take(struct gpu_evaluator *gpu, struct error *error)
{
    struct compile_result result;
    int got;
    while ((got = compile_pool_next(gpu->pool, &result, error)) > 0) {
        struct slot *slot = &gpu->slots[result.id];
        slot->measurement.compile_ns = result.compile_ns;
        if (!slot->apart)
            note_compiled(gpu, result.compile_ns);
        if (result.status != STATUS_OK) {
            measurement_explain(&slot->measurement, "%s", result.message);
            text_append(&slot->log, result.log, strlen(result.log));
            gpu_slots_finish(slot, result.status);
            continue;
        }
        text_clear(&slot->cubin);
        text_append(&slot->cubin, result.cubin, result.cubin_bytes);
        text_clear(&slot->names);
        text_append(&slot->names, result.lowered_names, text_strings_bytes(result.lowered_names, result.name_count));
        if (slot->cubin.failed || slot->names.failed)
            return error_memory(error);
        prune(gpu, slot, result.resources);
        if (slot->state != SLOT_COMPILED || slot->apart)
            continue;
        int code = gpu_slots_find_duplicate(gpu, slot, error);
        if (code)
            return code;
    }
    return got < 0 ? ERROR_WORKER : 0;
}

int gpu_compile_start(struct gpu_evaluator *gpu, struct error *error)
{
    struct slot *slot;
    int code = 0;
    while (!code && compile_pool_idle(gpu->pool) && (slot = gpu_slots_oldest(gpu, SLOT_WAITING)))
        code = start_compiling(gpu, slot, error);
    return code;
}

int gpu_compile_waiting(struct gpu_evaluator *gpu, int64_t until_ns, struct error *error)
{
    int code = gpu_compile_start(gpu, error);
    if (code || !gpu_slots_oldest(gpu, SLOT_COMPILING))
        return code;
    worker_wait(gpu->workers, compile_pool_workers(gpu->pool, gpu->workers, gpu->setup->jobs), until_ns);
    return gpu_compile_take(gpu, error);
}

int gpu_compile_metrics(void *state, int64_t end_ns, double *compiler_metrics, uint64_t *done, bool *more,
                        struct error *error)
{
    struct gpu_evaluator *gpu = state;
    uint64_t valid = valid_set_count(gpu->setup->set);
    int64_t until_ns = clock_now_ns() + METRICS_NS;
    int code = 0;
    do {
        bool asks = gpu->asked < valid && !(gpu->setup->stop && *gpu->setup->stop) && clock_now_ns() < end_ns;
        while (!code && asks && gpu->asked < valid && gpu_slots_room(gpu))
            code = gpu_slots_submit(gpu, gpu->asked++, true, true, NULL, error);
        if (!code && gpu->started)
            code = gpu_compile_waiting(gpu, until_ns, error);
        for (size_t i = 0; i < gpu->slot_count; i++) {
            struct slot *slot = &gpu->slots[i];
            if (slot->state != SLOT_COMPILED && slot->state != SLOT_DONE)
                continue;
            for (enum compiler_metric metric = 0; metric < COMPILER_METRICS; metric++)
                compiler_metrics[metric * valid + slot->index] =
                    measurement_compiler_metric(&slot->measurement, metric);
            slot->state = SLOT_FREE;
        }
        *done = gpu->asked - (gpu->depth - gpu_slots_room(gpu));
        *more = *done < (asks ? valid : gpu->asked);
    } while (!code && *more && clock_now_ns() < until_ns);
    return code;
}
