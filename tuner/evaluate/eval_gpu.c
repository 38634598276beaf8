/* Evaluates on GPUs: a pool of processes compiles ahead, the cubins' resources rule out configurations, and the device
 * processes verify and time. The coordinator only passes messages between them. */
#include "evaluate/eval_gpu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "evaluate/gpu_evaluator.h"

/* ---- Starting ---- */

/* Checks that the devices are alike, because the space knows the limits of one device only. */
static int check_alike(const struct evaluator_setup *setup, struct error *error)
{
    for (size_t d = 1; d < setup->device_count && device_answered(setup->devices[d]); d++) {
        const struct device_limits *first = device_limits(setup->devices[0]), *other = device_limits(setup->devices[d]);
        const char *unlike = strcmp(other->name, first->name) != 0 ? "name" : NULL;
        for (size_t i = 0; i < limit_count && !unlike; i++)
            if (limit_get(other, &limit_rows[i]) != limit_get(first, &limit_rows[i]))
                unlike = limit_rows[i].name;
        if (unlike)
            return error_set(error, ERROR_USAGE, "the devices %s and %s differ in %s: they cannot share a search",
                             first->name, other->name, unlike);
    }
    return 0;
}

static int open_gpu(void *state, const void *given, struct error *error)
{
    struct gpu_evaluator *gpu = state;
    const struct evaluator_setup *setup = gpu->setup = given;
    gpu->limits = setup->limits ? setup->limits : device_limits(setup->devices[0]);
    gpu->queue = (struct queue_depth){.compilers = setup->jobs, .devices = setup->device_count};
    gpu->slot_count = queue_depth_deepest(&gpu->queue);
    if (gpu->slot_count < DEVICE_KERNELS_MAX)
        gpu->slot_count = DEVICE_KERNELS_MAX;
    gpu->slots = calloc(gpu->slot_count, sizeof *gpu->slots);
    gpu->workers = calloc(setup->jobs + setup->device_count, sizeof *gpu->workers);
    gpu->members = calloc(setup->device_count + 1, sizeof *gpu->members);
    if (!gpu->slots || !gpu->workers || !gpu->members)
        return error_memory(error);
    for (size_t d = 0; d < setup->device_count; d++)
        gpu->members[d].incumbent = gpu->members[d].best = INFINITY;
    return check_alike(setup, error);
}

static void close_gpu(void *state)
{
    struct gpu_evaluator *gpu = state;
    profiler_close(gpu->profiler);
    text_free(&gpu->roofline.cubin);
    text_free(&gpu->library.object);
    gpu_close_pool(gpu);
    command_close(&gpu->command);
    set_up_close(gpu->set_up);
    gpu_foreseen_free(gpu);
    for (size_t i = 0; gpu->slots && i < gpu->slot_count; i++) {
        text_free(&gpu->slots[i].cubin);
        text_free(&gpu->slots[i].names);
        text_free(&gpu->slots[i].log);
        text_free(&gpu->slots[i].environment);
    }
    duplicates_free(&gpu->duplicates);
    gpu_sets_free(gpu);
    free(gpu->slots);
    free(gpu->workers);
    free(gpu->members);
}

/* ---- The search ---- */

static size_t room(void *state, bool learns_at_once)
{
    return gpu_slots_room(state, learns_at_once);
}

static double busy_s(const void *state, double compile_s, double measure_s)
{
    return queue_depth_busy_s(&((const struct gpu_evaluator *)state)->queue, compile_s, measure_s);
}

static size_t devices(const void *state)
{
    return ((const struct gpu_evaluator *)state)->setup->device_count;
}

static int submit(void *state, uint64_t index, bool exact, size_t device, struct error *error)
{
    struct gpu_evaluator *gpu = state;
    struct slot *slot = NULL;
    int code = gpu_slots_submit(gpu, index, exact, false, &slot, error);
    if (code)
        return code;
    queue_depth_replace(&gpu->queue, clock_now_ns());
    slot->wanted = device;
    return slot->state != SLOT_WAITING ? 0 : gpu_sets_need(gpu, slot->set, error);
}

static void incumbent(void *state, size_t device, double value)
{
    struct gpu_evaluator *gpu = state;
    for (size_t d = 0; d < gpu->setup->device_count; d++)
        if (device == d || device == EVALUATOR_ANY_DEVICE)
            gpu->members[d].incumbent = value;
}

static void leave_out(void *state, size_t device)
{
    struct gpu_evaluator *gpu = state;
    gpu->members[device].left_out = true;
    gpu->queue.devices--;
}

/* Advances all slots as far as possible. */
static int pump(struct gpu_evaluator *gpu, struct error *error)
{
    if (!gpu->started)
        return 0;
    int code = gpu_compile_take(gpu, error);
    if (!code)
        code = gpu_measure_take(gpu, error);
    if (!code)
        code = gpu_compile_start(gpu, error);
    return code ? code : gpu_measure_start(gpu, error);
}

static int wait(void *state, int64_t until_ns, struct evaluation *done, size_t space, size_t *count,
                struct error *error)
{
    struct gpu_evaluator *gpu = state;
    *count = 0;
    for (bool waited = false;; waited = true) {
        struct slot *slot;
        int code = pump(gpu, error);
        /* after an error, too */
        while (*count < space && (slot = gpu_slots_oldest(gpu, SLOT_DONE))) {
            done[(*count)++] = (struct evaluation){.index = slot->index,
                                                   .withdrawn = slot->withdrawn,
                                                   .device = slot->device,
                                                   .original = slot->original,
                                                   .measurement = slot->measurement,
                                                   .log = slot->log.length ? slot->log.bytes : NULL};
            if (!slot->withdrawn) {
                queue_depth_note(&gpu->queue, &slot->measurement);
                queue_depth_vacate(&gpu->queue, clock_now_ns());
            }
            slot->state = SLOT_FREE;
        }
        if (code || *count || waited)
            return code;
        gpu_wait_for_workers(gpu, until_ns);
    }
}

/* ---- Ceilings and usage ---- */

static int ceilings(void *state, struct ceilings *measured, struct event_timer *timer, struct error *error)
{
    struct gpu_evaluator *gpu = state;
    int code = gpu_start(gpu, error);
    *measured = *device_ceilings(gpu->setup->devices[0]);
    *timer = *device_timer(gpu->setup->devices[0]);
    return code;
}

static void usage(const void *state, struct evaluator_usage *usage)
{
    const struct gpu_evaluator *gpu = state;
    *usage = gpu->usage;
    usage->compilers = gpu->setup->jobs;
}

static const struct evaluator_device_ops device_ops = {
    .library = gpu_library, .energy = gpu_energy, .ceilings = ceilings, .evidence = gpu_evidence};

static const struct evaluator_ops ops = {.state_size = sizeof(struct gpu_evaluator),
                                         .open = open_gpu,
                                         .room = room,
                                         .devices = devices,
                                         .submit = submit,
                                         .wait = wait,
                                         .withdraw = gpu_slots_withdraw,
                                         .limit = evaluator_ignore_limit,
                                         .watch = gpu_watch,
                                         .playoff = gpu_playoff,
                                         .busy_s = busy_s,
                                         .stops_early = true,
                                         .incumbent = incumbent,
                                         .leave_out = leave_out,
                                         .lost = evaluator_lose_none,
                                         .now = evaluator_real_time,
                                         .usage = usage,
                                         .close = close_gpu,
                                         .device = &device_ops};

int evaluator_gpu_foresee(struct evaluator *evaluator, const uint64_t *indices, size_t count, struct error *error)
{
    int code = gpu_prepare(evaluator->state, error);
    return code || !count ? code : gpu_foresee(evaluator->state, indices, count, error);
}

int evaluator_gpu_await(struct evaluator *evaluator, struct error *error)
{
    return gpu_await_answers(evaluator->state, error);
}

int evaluator_open_gpu(struct evaluator *evaluator, const struct evaluator_setup *setup, struct error *error)
{
    return evaluator_open(evaluator, &ops, setup, error);
}

const struct evaluator_kind evaluator_gpu = {.open = evaluator_open_gpu};
