/* Collects evidence about configurations: compiles them again, with the assembler's report, and counts them on the
 * first device with its profiler. The compilers work ahead of the profiler. */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "device/profile.h"
#include "evaluate/code_evidence.h"
#include "evaluate/gpu_evaluator.h"

struct collection {
    struct gpu_evaluator *gpu;
    int64_t until_ns, longest_ns; /* longest_ns: longest time of a configuration */
    evaluator_take_evidence *take;
    void *context;
};

/* Waits for the slot's compilation. */
static int await(struct gpu_evaluator *gpu, const struct slot *slot, struct error *error)
{
    int code = 0;
    while (!code && (slot->state == SLOT_WAITING || slot->state == SLOT_COMPILING) && !gpu_given_up(gpu->setup))
        code = gpu_compile_waiting(gpu, INT64_MAX, error);
    return code;
}

/* Adds the counters of a compiled slot; `why` explains missing ones. */
static void count(const struct collection *collection, struct slot *slot, char *why, size_t room)
{
    const struct device_kernel kernel = gpu_slots_kernel(slot);
    struct evidence counted[SPACE_LAUNCHES_MAX];
    struct error error = {0};
    *why = '\0';
    for (size_t s = 0; s < slot->launch.step_count; s++)
        evidence_add(&slot->evidence[s], &collection->gpu->roofline.ceilings);
    if (!collection->gpu->profiler)
        snprintf(why, room, "the device is not at hand");
    else if (profiler_count(collection->gpu->profiler, &kernel, collection->gpu->setup->timeout_ns, counted, &error))
        snprintf(why, room, "%s%s%s", error.message, *error.hint ? ": " : "", error.hint);
    else
        for (size_t s = 0; s < slot->launch.step_count; s++)
            evidence_add(&slot->evidence[s], &counted[s]);
}

static int collect(const struct collection *collection, struct slot *slot, struct error *error)
{
    char why[sizeof error->message + sizeof error->hint + 2];
    int code = await(collection->gpu, slot, error);
    if (!code) /* once, before the profiler takes the device */
        code = gpu_roofline_measure(collection->gpu, error);
    if (code || gpu_given_up(collection->gpu->setup))
        return code;
    struct evaluator_evidence evidence = {.index = slot->index, .no_counters = why};
    if (slot->state == SLOT_COMPILED) {
        count(collection, slot, why, sizeof why);
        code_evidence_end(&slot->lister, &slot->launch, slot->evidence);
        evidence.launches = slot->evidence;
        evidence.launch_count = slot->launch.step_count;
    } else {
        snprintf(why, sizeof why, "%s", slot->measurement.message);
    }
    return collection->take(collection->context, &evidence, error);
}

/* Abandons the slot's compilation, if any, and frees the slot. */
static void free_slot(struct gpu_evaluator *gpu, struct slot *slot)
{
    if (!slot)
        return;
    if (slot->state == SLOT_COMPILING)
        compile_pool_abandon(gpu->pool, (uint64_t)(slot - gpu->slots));
    worker_stop(&slot->lister);
    free(slot->evidence);
    slot->evidence = NULL;
    slot->state = SLOT_FREE;
}

/* Submits a configuration, without its compilation ahead, which lacks the report. */
static int submit(struct gpu_evaluator *gpu, uint64_t index, struct slot **slot, struct error *error)
{
    int code = gpu_slots_submit(gpu, index, true, true, slot, error);
    if (code)
        return code;
    (*slot)->foreseen = NULL;
    (*slot)->evidence = calloc(SPACE_LAUNCHES_MAX, sizeof *(*slot)->evidence);
    return (*slot)->evidence ? 0 : error_memory(error);
}

/* True if the next configuration would end too late, if it took as long as the longest so far, or after a stop. */
static bool ends(const struct collection *collection)
{
    const volatile sig_atomic_t *stop = collection->gpu->setup->stop;
    return clock_now_ns() >= collection->until_ns - collection->longest_ns || (stop && *stop);
}

static void note_time(struct collection *collection, int64_t begin_ns)
{
    int64_t taken_ns = clock_now_ns() - begin_ns;
    if (taken_ns > collection->longest_ns)
        collection->longest_ns = taken_ns;
}

/* Collects all evidence. Each compiler works one configuration ahead of the profiler. */
static int collect_all(struct collection *collection, const uint64_t *indices, size_t count, struct error *error)
{
    struct gpu_evaluator *gpu = collection->gpu;
    struct slot *slots[DEVICE_KERNELS_MAX] = {NULL};
    size_t ahead = gpu->setup->jobs < DEVICE_KERNELS_MAX ? gpu->setup->jobs : DEVICE_KERNELS_MAX;
    size_t done = 0, submitted = 0;
    int code = 0;
    for (; done < count && !code && !ends(collection); done++) {
        int64_t begin_ns = clock_now_ns();
        while (submitted < count && submitted < done + ahead && !code) {
            code = submit(gpu, indices[submitted], &slots[submitted % ahead], error);
            submitted++;
        }
        if (!code)
            code = collect(collection, slots[done % ahead], error);
        free_slot(gpu, slots[done % ahead]);
        slots[done % ahead] = NULL;
        if (done > 0) /* the first includes the profiler's start */
            note_time(collection, begin_ns);
    }
    for (; done < submitted; done++)
        free_slot(gpu, slots[done % ahead]);
    return code;
}

int gpu_evidence(void *state, const uint64_t *indices, size_t count, int64_t until_ns, evaluator_take_evidence *take,
                 void *context, struct error *error)
{
    struct gpu_evaluator *gpu = state;
    struct collection collection = {.gpu = gpu, .until_ns = until_ns, .take = take, .context = context};
    const struct evaluator_setup *setup = gpu->setup;
    int code = gpu_start(gpu, error);
    if (!code)
        code = gpu_roofline_begin(gpu, error);
    if (!code && setup->device_count && !gpu->profiler)
        code = profiler_open(&gpu->profiler, setup->devices[0], setup->stop, error);
    return code ? code : collect_all(&collection, indices, count, error);
}

void gpu_evidence_end(struct gpu_evaluator *gpu)
{
    profiler_close(gpu->profiler);
    gpu->profiler = NULL;
}
