/* Submits configurations to the pool, and rules out configurations by its results. */
#include <string.h>

#include "base/clock.h"
#include "compile/spills.h"
#include "evaluate/assemble.h"
#include "evaluate/code_evidence.h"
#include "evaluate/command_request.h"
#include "evaluate/gpu_evaluator.h"
#include "evaluate/launch_evidence.h"
#include "evaluate/prune.h"
#include "space/candidate.h"

/* The code of a candidate stands for that of the space; only the launches' kernels are its. */
static void put_candidate(const struct candidate *candidate, struct compile_job *job)
{
    job->foreign = true;
    if (candidate->kind == CANDIDATE_ARGUMENT)
        return;
    job->path = candidate->path;
    job->source = candidate->code;
    job->generator = (struct generator){0};
    if (candidate->kind != CANDIDATE_CUBIN)
        return;
    job->module = candidate->code;
    job->module_bytes = candidate->bytes;
}

int gpu_compile_submit(struct gpu_evaluator *gpu, uint64_t id, const uint32_t *choices, const struct launch *launch,
                       bool reports, struct error *error)
{
    const struct space *space = gpu->setup->space;
    const struct candidate *candidate = space_candidate(space, choices);
    struct text options = {0}, names = {0}, values = {0}, request = {0};
    struct compile_job job = {.id = id,
                              .path = space->source_path,
                              .folder = space->folder,
                              .source = space->source,
                              .nvcc = space->nvcc,
                              .name_count = launch->kernel_count,
                              .cc = gpu->limits->cc};
    int code = space_launch_options(space, launch, choices, reports ? SPILLS_OPTION : NULL, &options, &job.plan, error);
    if (!code)
        code = space_generator(space, NULL, choices, &values, &job.generator, error);
    if (!code)
        code = command_job(space, choices, launch, gpu->setup->compiler_build, &request, &job, error);
    if (!code && candidate)
        put_candidate(candidate, &job);
    space_launch_kernels(space, launch, &names);
    job.options = text_string(&options);
    job.option_count = bundle_option_count(&job.plan);
    job.name_expressions = text_string(&names);
    if (!code && names.failed)
        code = error_memory(error);
    if (!code)
        code = compile_pool_submit(gpu->pool, &job, error);
    text_free(&names);
    text_free(&values);
    text_free(&options);
    text_free(&request);
    return code;
}

static int start_compiling(struct gpu_evaluator *gpu, struct slot *slot, struct error *error)
{
    slot->state = SLOT_COMPILING;
    return gpu_compile_submit(gpu, (uint64_t)(slot - gpu->slots), slot->choices, &slot->launch, slot->evidence, error);
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

/* Takes the compilation of a slot's configuration. */
static int take(struct gpu_evaluator *gpu, struct slot *slot, const struct compile_result *result, struct error *error)
{
    char why[256];
    slot->measurement.compile_ns = result->cached ? 0 : result->compile_ns; /* reading the cache is no compile time */
    if (result->status == STATUS_OK &&
        !assemble_launch(gpu->setup->space, slot->choices, &slot->launch, result, why, sizeof why)) {
        measurement_explain(&slot->measurement, "%s", why);
        gpu_slots_finish(slot, STATUS_COMPILE_ERROR);
        return 0;
    }
    prune_compiled(gpu->setup->space, gpu->limits, &slot->launch, result, gpu->setup->min_occupancy,
                   &slot->measurement);
    if (slot->measurement.status != STATUS_OK) {
        if (result->status != STATUS_OK)
            text_append(&slot->log, result->log, strlen(result->log));
        gpu_slots_finish(slot, slot->measurement.status);
        return 0;
    }
    text_clear(&slot->cubin);
    text_append(&slot->cubin, result->cubin, result->cubin_bytes);
    text_clear(&slot->names);
    text_append(&slot->names, result->lowered_names, text_strings_bytes(result->lowered_names, result->name_count));
    if (slot->cubin.failed || slot->names.failed)
        return error_memory(error);
    if (slot->evidence) {
        launch_evidence(gpu->setup->space, gpu->limits, &slot->launch, result, &slot->amounts, slot->evidence);
        code_evidence_begin(&slot->lister, &slot->launch, result);
    }
    slot->state = SLOT_COMPILED;
    return slot->apart ? 0 : gpu_slots_find_duplicate(gpu, slot, error);
}

int gpu_compile_take(struct gpu_evaluator *gpu, struct error *error)
{
    struct compile_result result;
    int code = 0, got = 0;
    while (!code && (got = compile_pool_next(gpu->pool, &result, error)) > 0) {
        struct slot *slot;
        if (result.fatal) {
            code = error_set(error, ERROR_COMPILE, "%s", result.message);
            space_put_place(&gpu->setup->space->compiler_place, error);
            return code;
        }
        if (gpu_sets_take(gpu, &result) || set_up_take(gpu->set_up, &result) || gpu_roofline_take(gpu, &result) ||
            gpu_library_take(gpu, &result))
            continue;
        if (!gpu_foreseen_take(gpu, &result, &slot))
            slot = &gpu->slots[result.id];
        if (!slot || !slot->apart)
            note_compiled(gpu, result.compile_ns);
        if (slot)
            code = take(gpu, slot, &result, error);
    }
    return got < 0 ? ERROR_WORKER : code;
}

/* Slots with a foreseen configuration take its result, or wait for it. */
static int take_foreseen(struct gpu_evaluator *gpu, struct error *error)
{
    int code = 0;
    for (size_t i = 0; i < gpu->slot_count && !code; i++) {
        struct slot *slot = &gpu->slots[i];
        if (slot->state != SLOT_WAITING || !slot->foreseen)
            continue;
        const struct compile_result *result = gpu_foreseen_result(slot->foreseen);
        slot->state = SLOT_COMPILING;
        if (!result)
            continue;
        code = take(gpu, slot, result, error);
        gpu_foreseen_release(gpu, slot);
    }
    return code;
}

int gpu_compile_start(struct gpu_evaluator *gpu, struct error *error)
{
    struct slot *slot;
    int code = gpu->setup->device_count ? set_up_start(gpu->set_up, gpu->pool, error) : 0;
    if (!code)
        code = gpu_sets_start(gpu, error);
    if (!code && gpu->foreseen_count)
        code = take_foreseen(gpu, error);
    while (!code && (slot = gpu_slots_oldest(gpu, SLOT_WAITING)) &&
           (compile_pool_idle(gpu->pool) || gpu_foreseen_abandon(gpu)))
        code = start_compiling(gpu, slot, error);
    return code ? code : gpu_foreseen_start(gpu, error);
}

int gpu_compile_waiting(struct gpu_evaluator *gpu, int64_t until_ns, struct error *error)
{
    int code = gpu_compile_start(gpu, error);
    if (code || !(gpu_slots_oldest(gpu, SLOT_COMPILING) || gpu_sets_compiling(gpu) ||
                  gpu->roofline.state == ROOFLINE_COMPILING))
        return code;
    worker_wait(gpu->workers, compile_pool_workers(gpu->pool, gpu->workers, gpu->setup->jobs), until_ns);
    return gpu_compile_take(gpu, error);
}
