/* Runs the play-off on the first device, apart from the search. */
#include <math.h>

#include "device/stop_rules.h"
#include "evaluate/gpu_evaluator.h"

_Static_assert((int)EVALUATOR_PLAYOFF_NS == (int)KERNEL_NS, "the time that a play-off announces");

int gpu_playoff_compile(struct gpu_evaluator *gpu, struct error *error)
{
    int code = 0;
    while (!code && !gpu_given_up(gpu->setup) &&
           (gpu_slots_oldest(gpu, SLOT_WAITING) || gpu_slots_oldest(gpu, SLOT_COMPILING) || gpu_sets_compiling(gpu)))
        code = gpu_compile_waiting(gpu, INT64_MAX, error);
    return code;
}

/* True if a play-off's outcome is the kernel's own. If the process dies or is late, all kernels fail; a death is the
 * kernel's fault only if it was alone. */
static bool is_verdict(enum status status, size_t kernel_count)
{
    return status == STATUS_OK || status == STATUS_WRONG_RESULT || status == STATUS_LAUNCH_ERROR ||
           (status == STATUS_CRASHED && kernel_count == 1);
}

/* Measures the compiled finalists in one job and waits for it. */
static int measure_finalists(struct gpu_evaluator *gpu, struct slot *const *slots, size_t count, bool *played,
                             struct error *error)
{
    struct device *device = gpu->setup->devices[0];
    struct device_kernel kernels[DEVICE_KERNELS_MAX];
    struct measurement finals[DEVICE_KERNELS_MAX];
    struct device_job job = {.playoff = true,
                             .kernels = kernels,
                             .incumbent_ns = INFINITY,
                             .capped = gpu->members[0].capped,
                             .timeout_ns = gpu_limit_ns(gpu->setup, gpu->setup->timeout_ns * (int64_t)count)};
    uint64_t id;
    int got = 0;
    int code = 0;
    gpu_evidence_end(gpu);
    for (size_t i = 0; i < count && !code; i++)
        if (slots[i]->state == SLOT_COMPILED && !gpu_measure_refuse(gpu, slots[i])) {
            kernels[job.kernel_count++] = gpu_slots_kernel(slots[i]);
            code = gpu_sets_tell(gpu, slots[i]->set, device, error);
        }
    if (!code)
        code = job.kernel_count ? device_submit(device, &job, error) : 0;
    while (!code && job.kernel_count && !gpu_given_up(gpu->setup) &&
           (got = device_next(device, &id, finals, error)) == 0)
        worker_wait((struct worker *[]){device_worker(device)}, 1, INT64_MAX);
    if (code || got < 0)
        return code ? code : ERROR_DEVICE;
    for (size_t i = 0, k = 0; i < count && got; i++)
        if (slots[i]->state == SLOT_COMPILED) {
            *played |= is_verdict(finals[k].status, job.kernel_count);
            gpu_measure_outcome(slots[i], &finals[k++]);
            gpu_measure_note_power(&gpu->members[0], &slots[i]->measurement);
            gpu_measure_doubt(gpu, slots[i], 0);
        }
    return 0;
}

int gpu_playoff_enter(struct gpu_evaluator *gpu, uint64_t index, struct slot **slot, struct error *error)
{
    int code = gpu_slots_submit(gpu, index, true, true, slot, error);
    return code || (*slot)->state != SLOT_WAITING ? code : gpu_sets_need(gpu, (*slot)->set, error);
}

int gpu_playoff(void *state, const uint64_t *indices, size_t count, struct measurement *finals, bool *played,
                struct error *error)
{
    struct gpu_evaluator *gpu = state;
    struct slot *slots[DEVICE_KERNELS_MAX] = {NULL};
    int code = 0;
    *played = false;
    for (size_t i = 0; i < count && !code; i++)
        code = gpu_playoff_enter(gpu, indices[i], &slots[i], error);
    if (!code)
        code = gpu_playoff_compile(gpu, error);
    if (!code)
        code = gpu_library_begin(gpu, error);
    if (!code && !gpu->setup->pool) /* probably nothing is left to compile, and ending the compilers takes as long as a
                                       short play-off */
        compile_pool_rest(gpu->pool);
    if (!code && !gpu_given_up(gpu->setup))
        code = measure_finalists(gpu, slots, count, played, error);
    for (size_t i = 0; i < count && !code; i++) {
        finals[i] = slots[i]->measurement;
        slots[i]->state = SLOT_FREE;
    }
    return code;
}
