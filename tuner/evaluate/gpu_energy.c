/* Measures the energy of the best configurations, in one job of the first device. */
#include <math.h>

#include "base/timeline.h"
#include "evaluate/gpu_evaluator.h"

_Static_assert((int)ENERGY_CANDIDATES_MAX <= (int)DEVICE_KERNELS_MAX, "a job measures all candidates");

/* A round of all is long, and rounds of another run cannot follow it: the first request to stop ends them. */
static bool is_stopped(const struct evaluator_setup *setup)
{
    return (setup->stop && *setup->stop) || gpu_given_up(setup);
}

/* Waits for the job. *ended: false after a stop. */
static int measure(struct gpu_evaluator *gpu, const struct device_kernel *kernels, size_t count,
                   struct measurement measured[DEVICE_KERNELS_MAX], bool *ended, struct error *error)
{
    struct device *device = gpu->setup->devices[0];
    const struct device_job job = {.energy = true,
                                   .kernel_count = count,
                                   .kernels = kernels,
                                   .incumbent_ns = INFINITY,
                                   .timeout_ns = gpu_limit_ns(gpu->setup, gpu->setup->timeout_ns * (int64_t)count)};
    uint64_t id;
    int got = 0;
    gpu_evidence_end(gpu);
    int code = device_submit(device, &job, error);
    while (!code && !is_stopped(gpu->setup) && (got = device_next(device, &id, measured, error)) == 0)
        worker_wait((struct worker *[]){device_worker(device)}, 1, INT64_MAX);
    *ended = got > 0;
    timeline("coordinator", "energy measured");
    return code ? code : got < 0 ? ERROR_DEVICE : 0;
}

/* Measures the compiled slots; the others keep their failures. */
static int measure_slots(struct gpu_evaluator *gpu, struct slot *const *slots, struct evaluator_energy *asked,
                         struct error *error)
{
    struct device_kernel kernels[DEVICE_KERNELS_MAX];
    struct measurement measured[DEVICE_KERNELS_MAX];
    size_t numbers[DEVICE_KERNELS_MAX], count = 0;
    bool ended = false;
    int code = 0;
    for (size_t i = 0; i < asked->count && !code; i++) {
        if (slots[i]->state != SLOT_COMPILED || gpu_measure_refuse(gpu, slots[i]))
            continue;
        numbers[count] = i;
        kernels[count++] = gpu_slots_kernel(slots[i]);
        code = gpu_sets_tell(gpu, slots[i]->set, gpu->setup->devices[0], error);
    }
    if (!code && count)
        code = measure(gpu, kernels, count, measured, &ended, error);
    if (!code && count && !ended)
        return error_set(error, ERROR_INTERRUPTED, "interrupted while the energy was measured");
    for (size_t k = 0; k < count && !code; k++) {
        const struct slot *slot = slots[numbers[k]];
        asked->energies[numbers[k]] = device_energies(gpu->setup->devices[0])[k];
        if (isnan(slot->amounts.work))
            asked->energies[numbers[k]].work = NAN;
        gpu_measure_outcome(slots[numbers[k]], &measured[k]);
    }
    return code;
}

int gpu_energy(void *state, struct evaluator_energy *asked, struct error *error)
{
    struct gpu_evaluator *gpu = state;
    struct slot *slots[DEVICE_KERNELS_MAX] = {NULL};
    int code = gpu_start(gpu, error);
    if (!code)
        asked->missing = device_counter_missing(gpu->setup->devices[0]);
    if (code || asked->missing)
        return code;
    for (size_t i = 0; i < asked->count; i++)
        asked->energies[i] = energy_unknown();
    for (size_t i = 0; i < asked->count && !code; i++)
        code = gpu_playoff_enter(gpu, asked->indices[i], &slots[i], error);
    if (!code)
        code = gpu_playoff_compile(gpu, error);
    if (!code && is_stopped(gpu->setup))
        code = error_set(error, ERROR_INTERRUPTED, "interrupted before the energy was measured");
    if (!code && asked->count)
        code = measure_slots(gpu, slots, asked, error);
    for (size_t i = 0; i < asked->count; i++)
        if (slots[i]) {
            asked->measurements[i] = slots[i]->measurement;
            slots[i]->state = SLOT_FREE;
        }
    return code;
}
