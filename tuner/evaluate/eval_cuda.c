/* Evaluations on the GPU: compiled ahead by a pool of processes, pruned by what the cubin says, verified and timed by
 * the device process. The coordinator only moves messages between them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "compile/pool.h"
#include "device/device.h"
#include "device/occupancy.h"
#include "evaluate/duplicates.h"
#include "evaluate/evaluator.h"
#include "evaluate/set_up.h"

enum slot_state {
    SLOT_FREE,
    SLOT_WAITING,
    SLOT_COMPILING,
    SLOT_COMPILED,
    SLOT_DUPLICATE, /* the same code and launch as a slot that is compiled or measuring */
    SLOT_MEASURING,
    SLOT_DONE
};

/* A configuration on its way. */
struct slot {
    enum slot_state state;
    bool exact;            /* never stopped early */
    bool apart;            /* from the search: its code has no duplicates */
    uint64_t index, order; /* order: of submission, so that the oldest goes first */
    struct launch launch;
    struct measurement measurement;
    struct text cubin, name, log;
    char code[HASH_HEX_BYTES]; /* of the cubin and the launch: what is measured */
};

struct cuda {
    const struct evaluator_setup *setup;
    struct compile_pool *pool;
    bool started;
    struct evaluator_usage usage;
    int64_t compile_begin_ns, measure_begin_ns; /* of the first one of each; 0: none yet */
    double incumbent_ns;
    uint64_t orders;
    uint64_t asked;    /* configurations that were compiled for their compiler metrics, or are being so */
    size_t depth;      /* how many may be on their way in the search */
    size_t slot_count; /* of those, and of a play-off */
    struct slot *slots;
    struct worker **workers; /* room for worker_wait */
    struct duplicates duplicates;
};

/* Compiled configurations that may wait for the GPU, beside those that are being compiled. */
enum { AHEAD = 4 };
enum { FACTS_NS = 100000000 };

/* ---- Starting ---- */

/* Started by the first need, so that a run that finds everything in its journal compiles and measures nothing. */
static int start(struct cuda *cuda, struct error *error)
{
    if (cuda->started)
        return 0;
    const struct evaluator_setup *setup = cuda->setup;
    int code = compile_pool_open(&cuda->pool, setup->jobs, setup->timeout_ns, setup->cache, error);
    if (!code)
        code = set_up_device(cuda->pool, setup, error);
    cuda->started = code == 0;
    return code;
}

static int open_cuda(void *state, const struct evaluator_setup *setup, struct error *error)
{
    struct cuda *cuda = state;
    cuda->setup = setup;
    cuda->incumbent_ns = INFINITY;
    cuda->depth = 2 * setup->jobs + AHEAD;
    cuda->slot_count = cuda->depth > DEVICE_KERNELS_MAX ? cuda->depth : DEVICE_KERNELS_MAX;
    cuda->slots = calloc(cuda->slot_count, sizeof *cuda->slots);
    cuda->workers = calloc(setup->jobs + 1, sizeof *cuda->workers);
    return cuda->slots && cuda->workers ? 0 : error_memory(error);
}

static void close_cuda(void *state)
{
    struct cuda *cuda = state;
    compile_pool_close(cuda->pool);
    for (size_t i = 0; cuda->slots && i < cuda->slot_count; i++) {
        text_free(&cuda->slots[i].cubin);
        text_free(&cuda->slots[i].name);
        text_free(&cuda->slots[i].log);
    }
    duplicates_free(&cuda->duplicates);
    free(cuda->slots);
    free(cuda->workers);
}

/* ---- Slots ---- */

/* The oldest slot in a state; NULL when there is none. */
static struct slot *oldest(struct cuda *cuda, enum slot_state state)
{
    struct slot *found = NULL;
    for (size_t i = 0; i < cuda->slot_count; i++)
        if (cuda->slots[i].state == state && (!found || cuda->slots[i].order < found->order))
            found = &cuda->slots[i];
    return found;
}

static size_t room(void *state)
{
    struct cuda *cuda = state;
    size_t used = 0;
    for (size_t i = 0; i < cuda->slot_count; i++)
        used += cuda->slots[i].state != SLOT_FREE;
    return cuda->depth - used;
}

static void finish(struct slot *slot, enum status status)
{
    slot->measurement.status = status;
    slot->state = SLOT_DONE;
}

static int submit(void *state, uint64_t index, bool exact, struct error *error)
{
    struct cuda *cuda = state;
    uint32_t choices[SPACE_PARAMETERS_MAX];
    char why[256];
    struct slot *slot = oldest(cuda, SLOT_FREE);
    int code = start(cuda, error);
    if (code)
        return code;
    valid_set_get(cuda->setup->set, index, choices);
    memset(&slot->launch, 0, sizeof slot->launch); /* it is hashed */
    code = space_launch(cuda->setup->space, choices, &slot->launch, error);
    if (code)
        return code;
    slot->state = SLOT_WAITING;
    slot->index = index;
    slot->exact = exact;
    slot->apart = false;
    slot->order = cuda->orders++;
    slot->measurement = measurement_unknown(STATUS_OK);
    text_clear(&slot->log);
    if (!space_launch_fits(cuda->setup->space, &slot->launch, why, sizeof why)) {
        measurement_explain(&slot->measurement, "%s", why);
        finish(slot, STATUS_PRUNED_LIMIT);
    }
    return 0;
}

/* ---- Compiling ---- */

static int start_compiling(struct cuda *cuda, struct slot *slot, struct error *error)
{
    const struct space *space = cuda->setup->space;
    uint32_t choices[SPACE_PARAMETERS_MAX];
    struct text options = {0};
    struct compile_job job = {.id = (uint64_t)(slot - cuda->slots),
                              .path = space->source_path,
                              .source = space->source,
                              .name_expression = space->kernel,
                              .cc = device_limits(cuda->setup->device)->cc};
    valid_set_get(cuda->setup->set, slot->index, choices);
    int code = space_compile_options(space, choices, &options, &job.option_count, error);
    job.options = text_string(&options);
    if (!code)
        code = compile_pool_submit(cuda->pool, &job, error);
    if (!code)
        slot->state = SLOT_COMPILING;
    text_free(&options);
    return code;
}

/* What the cubin already tells: whether a block can run at all, and how many fit a multiprocessor. */
static void prune(struct cuda *cuda, struct slot *slot, const struct kernel_resources *resources)
{
    const struct device_limits *limits = device_limits(cuda->setup->device);
    struct measurement *measurement = &slot->measurement;
    const struct launch *launch = &slot->launch;
    int64_t threads = (int64_t)launch->block[0] * launch->block[1] * launch->block[2];
    int64_t dynamic = (int64_t)launch->shared_bytes;
    struct occupancy occupancy = occupancy_of(limits, threads, resources->registers, resources->shared_bytes, dynamic);
    measurement->registers = resources->registers;
    measurement->shared_bytes = resources->shared_bytes + dynamic;
    measurement->local_bytes = resources->local_bytes;
    measurement->occupancy = occupancy.fraction;
    if (resources->max_threads && threads > resources->max_threads) {
        measurement_explain(measurement, "%lld threads a block, the kernel is compiled for at most %lld",
                            (long long)threads, (long long)resources->max_threads);
        finish(slot, STATUS_PRUNED_LIMIT);
    } else if (occupancy.blocks_sm == 0) {
        measurement_explain(
            measurement, "no block fits a multiprocessor: %s (%lld threads, %lld registers each, %lld bytes shared)",
            occupancy.limit, (long long)threads, (long long)resources->registers, (long long)measurement->shared_bytes);
        finish(slot, STATUS_PRUNED_LIMIT);
    } else if (occupancy.fraction < cuda->setup->min_occupancy) {
        measurement_explain(measurement, "occupancy %.3g, limited by %s", occupancy.fraction, occupancy.limit);
        finish(slot, STATUS_PRUNED_OCCUPANCY);
    } else {
        slot->state = SLOT_COMPILED;
    }
}

/* ---- Duplicates: byte-equal machine code with the same launch is measured once ---- */

static bool hash_code(struct slot *slot)
{
    struct text text = {0};
    text_append(&text, &slot->launch, sizeof slot->launch);
    text_append(&text, slot->name.bytes, slot->name.length);
    text_append(&text, slot->cubin.bytes, slot->cubin.length);
    bool good = !text.failed;
    if (good)
        hash_hex(text.bytes, text.length, slot->code);
    text_free(&text);
    return good;
}

/* Takes the outcome of the configuration that was measured in its place. */
static void take_over(struct cuda *cuda, struct slot *slot, const struct duplicate *duplicate)
{
    struct text config = {0};
    uint32_t choices[SPACE_PARAMETERS_MAX];
    int64_t compile_ns = slot->measurement.compile_ns;
    valid_set_get(cuda->setup->set, duplicate->index, choices);
    space_config_text(cuda->setup->space, choices, &config);
    slot->measurement = duplicate->measurement;
    slot->measurement.compile_ns = compile_ns;
    slot->measurement.measure_ns = 0;
    if (duplicate->measurement.status == STATUS_OK)
        slot->measurement.status = STATUS_DUPLICATE;
    measurement_explain_duplicate(&slot->measurement, text_string(&config), duplicate->measurement.message);
    text_free(&config);
    slot->state = SLOT_DONE;
}

/* A compiled slot that has a duplicate waits for it, or takes its outcome if that serves. */
static void find_duplicate(struct cuda *cuda, struct slot *slot)
{
    const struct duplicate *duplicate = duplicates_find(&cuda->duplicates, slot->code);
    if (duplicate && duplicate_serves(duplicate, slot->exact, cuda->incumbent_ns)) {
        take_over(cuda, slot, duplicate);
        return;
    }
    for (size_t i = 0; i < cuda->slot_count; i++) {
        const struct slot *other = &cuda->slots[i];
        if (other != slot && (other->state == SLOT_COMPILED || other->state == SLOT_MEASURING) &&
            strcmp(other->code, slot->code) == 0) {
            slot->state = SLOT_DUPLICATE;
            return;
        }
    }
}

/* Keeps what was measured, and gives it to those that wait for it. Whom it does not serve is measured itself. */
static int keep_measured(struct cuda *cuda, const struct slot *slot, struct error *error)
{
    struct duplicate duplicate = {.index = slot->index, .measurement = slot->measurement};
    memcpy(duplicate.code, slot->code, sizeof duplicate.code);
    int code = duplicates_add(&cuda->duplicates, &duplicate, error);
    for (size_t i = 0; i < cuda->slot_count; i++)
        if (cuda->slots[i].state == SLOT_DUPLICATE && strcmp(cuda->slots[i].code, slot->code) == 0) {
            cuda->slots[i].state = SLOT_COMPILED;
            find_duplicate(cuda, &cuda->slots[i]);
        }
    return code;
}

static void note_compiled(struct cuda *cuda, int64_t compile_ns)
{
    struct evaluator_usage *usage = &cuda->usage;
    int64_t now_ns = clock_now_ns(), begin_ns = now_ns - compile_ns;
    if (!cuda->compile_begin_ns || begin_ns < cuda->compile_begin_ns)
        cuda->compile_begin_ns = begin_ns;
    usage->compiled++;
    usage->compile_ns += compile_ns;
    usage->compile_wall_ns = now_ns - cuda->compile_begin_ns;
    if (cuda->measure_begin_ns)
        usage->phase_compile_ns += now_ns - (begin_ns > cuda->measure_begin_ns ? begin_ns : cuda->measure_begin_ns);
}

static int take_compiled(struct cuda *cuda, struct error *error)
{
    struct compile_result result;
    int got;
    while ((got = compile_pool_next(cuda->pool, &result, error)) > 0) {
        struct slot *slot = &cuda->slots[result.id];
        slot->measurement.compile_ns = result.compile_ns;
        if (!slot->apart)
            note_compiled(cuda, result.compile_ns);
        if (result.status != STATUS_OK) {
            measurement_explain(&slot->measurement, "%s", result.message);
            text_append(&slot->log, result.log, strlen(result.log));
            finish(slot, result.status);
            continue;
        }
        text_clear(&slot->cubin);
        text_append(&slot->cubin, result.cubin, result.cubin_bytes);
        text_clear(&slot->name);
        text_append(&slot->name, result.lowered_name, strlen(result.lowered_name));
        if (slot->cubin.failed || slot->name.failed)
            return error_memory(error);
        prune(cuda, slot, &result.resources);
        if (slot->state != SLOT_COMPILED || slot->apart)
            continue;
        if (!hash_code(slot))
            return error_memory(error);
        find_duplicate(cuda, slot);
    }
    return got < 0 ? ERROR_WORKER : 0;
}

/* ---- Measuring ---- */

static struct device_kernel kernel_of(const struct slot *slot)
{
    return (struct device_kernel){.cubin = slot->cubin.bytes,
                                  .cubin_bytes = slot->cubin.length,
                                  .lowered_name = text_string(&slot->name),
                                  .launch = &slot->launch};
}

static int start_measuring(struct cuda *cuda, struct slot *slot, struct error *error)
{
    struct device_kernel kernel = kernel_of(slot);
    struct device_job job = {.id = (uint64_t)(slot - cuda->slots),
                             .kernels = &kernel,
                             .kernel_count = 1,
                             .incumbent_ns = slot->exact ? INFINITY : cuda->incumbent_ns,
                             .timeout_ns = cuda->setup->timeout_ns};
    int code = device_submit(cuda->setup->device, &job, error);
    if (!code)
        slot->state = SLOT_MEASURING;
    if (!cuda->measure_begin_ns)
        cuda->measure_begin_ns = clock_now_ns();
    return code;
}

/* The runtime's numbers replace the cubin's where it had the chance to say them. */
static void take_outcome(struct slot *slot, const struct measurement *measured)
{
    struct measurement known = slot->measurement;
    slot->measurement = *measured;
    slot->measurement.compile_ns = known.compile_ns;
    slot->measurement.occupancy = known.occupancy;
    if (measured->registers < 0) {
        slot->measurement.registers = known.registers;
        slot->measurement.shared_bytes = known.shared_bytes;
        slot->measurement.local_bytes = known.local_bytes;
    }
    slot->state = SLOT_DONE;
}

static int take_measured(struct cuda *cuda, struct error *error)
{
    uint64_t id;
    struct measurement measured[DEVICE_KERNELS_MAX];
    int got;
    while ((got = device_next(cuda->setup->device, &id, measured, error)) > 0) {
        struct slot *slot = &cuda->slots[id];
        take_outcome(slot, &measured[0]);
        cuda->usage.phase_ns = clock_now_ns() - cuda->measure_begin_ns;
        cuda->usage.phase_measure_ns += measured[0].measure_ns > 0 ? measured[0].measure_ns : 0;
        int code = keep_measured(cuda, slot, error);
        if (code)
            return code;
    }
    return got < 0 ? ERROR_DEVICE : 0;
}

/* Moves everything that can move. */
static int pump(struct cuda *cuda, struct error *error)
{
    struct slot *slot;
    int code = cuda->started ? take_compiled(cuda, error) : 0;
    if (!code && cuda->started)
        code = take_measured(cuda, error);
    while (!code && cuda->started && compile_pool_idle(cuda->pool) && (slot = oldest(cuda, SLOT_WAITING)))
        code = start_compiling(cuda, slot, error);
    if (!code && device_idle(cuda->setup->device) && (slot = oldest(cuda, SLOT_COMPILED)))
        code = start_measuring(cuda, slot, error);
    return code;
}

static int wait(void *state, int64_t until_ns, struct evaluation *done, size_t space, size_t *count,
                struct error *error)
{
    struct cuda *cuda = state;
    *count = 0;
    for (bool waited = false;; waited = true) {
        struct slot *slot;
        int code = pump(cuda, error);
        /* What has ended is handed over also when nothing more will. */
        while (*count < space && (slot = oldest(cuda, SLOT_DONE))) {
            done[(*count)++] = (struct evaluation){.index = slot->index,
                                                   .measurement = slot->measurement,
                                                   .log = slot->log.length ? slot->log.bytes : NULL};
            slot->state = SLOT_FREE;
        }
        if (code || *count || waited)
            return code;
        size_t workers = cuda->started ? compile_pool_workers(cuda->pool, cuda->workers, cuda->setup->jobs) : 0;
        cuda->workers[workers++] = device_worker(cuda->setup->device);
        worker_wait(cuda->workers, workers, until_ns);
    }
}

/* ---- Apart from the search: compiler metrics ---- */

/* Hands the compilers what is waiting, and takes what they have done, if not later than `until_ns`. */
static int compile_waiting(struct cuda *cuda, int64_t until_ns, struct error *error)
{
    struct slot *slot;
    int code = 0;
    while (!code && compile_pool_idle(cuda->pool) && (slot = oldest(cuda, SLOT_WAITING)))
        code = start_compiling(cuda, slot, error);
    if (code || !oldest(cuda, SLOT_COMPILING))
        return code;
    worker_wait(cuda->workers, compile_pool_workers(cuda->pool, cuda->workers, cuda->setup->jobs), until_ns);
    return take_compiled(cuda, error);
}

static int compiler_metrics(void *state, int64_t end_ns, double *compiler_metrics, uint64_t *done, bool *more,
                            struct error *error)
{
    struct cuda *cuda = state;
    uint64_t valid = valid_set_count(cuda->setup->set);
    int64_t until_ns = clock_now_ns() + FACTS_NS;
    int code = 0;
    do {
        bool asks = cuda->asked < valid && !(cuda->setup->stop && *cuda->setup->stop) && clock_now_ns() < end_ns;
        while (!code && asks && cuda->asked < valid && room(cuda)) {
            struct slot *slot = oldest(cuda, SLOT_FREE);
            code = submit(cuda, cuda->asked++, true, error);
            slot->apart = true;
        }
        if (!code && cuda->started)
            code = compile_waiting(cuda, until_ns, error);
        for (size_t i = 0; i < cuda->slot_count; i++) {
            struct slot *slot = &cuda->slots[i];
            if (slot->state != SLOT_COMPILED && slot->state != SLOT_DONE)
                continue;
            for (enum compiler_metric metric = 0; metric < COMPILER_METRICS; metric++)
                compiler_metrics[metric * valid + slot->index] =
                    measurement_compiler_metric(&slot->measurement, metric);
            slot->state = SLOT_FREE;
        }
        *done = cuda->asked - (cuda->depth - room(cuda));
        *more = *done < (asks ? valid : cuda->asked);
    } while (!code && *more && clock_now_ns() < until_ns);
    return code;
}

/* ---- Apart from the search: the play-off ---- */

/* Compiles what is waiting, mostly out of the cache. */
static int compile_finalists(struct cuda *cuda, struct error *error)
{
    int code = 0;
    while (!code && !evaluator_given_up(cuda->setup) && (oldest(cuda, SLOT_WAITING) || oldest(cuda, SLOT_COMPILING)))
        code = compile_waiting(cuda, INT64_MAX, error);
    return code;
}

/* Whether the outcome of a kernel in a play-off speaks of the kernel: a process that ends, or is late, ends it for all,
 * and speaks of one only when it died and that one was alone. */
static bool is_verdict(enum status status, size_t kernel_count)
{
    return status == STATUS_OK || status == STATUS_WRONG_RESULT || status == STATUS_LAUNCH_ERROR ||
           (status == STATUS_CRASHED && kernel_count == 1);
}

/* Lets the device measure those that are compiled, all in one job, and waits for it. */
static int measure_finalists(struct cuda *cuda, struct slot *const *slots, size_t count, bool *played,
                             struct error *error)
{
    struct device *device = cuda->setup->device;
    struct device_kernel kernels[DEVICE_KERNELS_MAX];
    struct measurement finals[DEVICE_KERNELS_MAX];
    struct device_job job = {.playoff = true,
                             .kernels = kernels,
                             .incumbent_ns = INFINITY,
                             .timeout_ns = cuda->setup->timeout_ns * (int64_t)count};
    uint64_t id;
    int got = 0;
    for (size_t i = 0; i < count; i++)
        if (slots[i]->state == SLOT_COMPILED)
            kernels[job.kernel_count++] = kernel_of(slots[i]);
    int code = job.kernel_count ? device_submit(device, &job, error) : 0;
    while (!code && job.kernel_count && !evaluator_given_up(cuda->setup) &&
           (got = device_next(device, &id, finals, error)) == 0)
        worker_wait((struct worker *[]){device_worker(device)}, 1, INT64_MAX);
    if (code || got < 0)
        return code ? code : ERROR_DEVICE;
    for (size_t i = 0, k = 0; i < count && got; i++)
        if (slots[i]->state == SLOT_COMPILED) {
            *played |= is_verdict(finals[k].status, job.kernel_count);
            take_outcome(slots[i], &finals[k++]);
        }
    return 0;
}

static int playoff(void *state, const uint64_t *indices, size_t count, struct measurement *finals, bool *played,
                   struct error *error)
{
    struct cuda *cuda = state;
    struct slot *slots[DEVICE_KERNELS_MAX] = {NULL};
    int code = 0;
    *played = false;
    for (size_t i = 0; i < count && !code; i++) {
        slots[i] = oldest(cuda, SLOT_FREE);
        code = submit(cuda, indices[i], true, error);
        slots[i]->apart = true;
    }
    if (!code)
        code = compile_finalists(cuda, error);
    if (!code && !evaluator_given_up(cuda->setup))
        code = measure_finalists(cuda, slots, count, played, error);
    for (size_t i = 0; i < count && !code; i++) {
        finals[i] = slots[i]->measurement;
        slots[i]->state = SLOT_FREE;
    }
    return code;
}

static void incumbent(void *state, double high_ns)
{
    struct cuda *cuda = state;
    cuda->incumbent_ns = high_ns;
}

static int ceilings(void *state, struct ceilings *measured, struct error *error)
{
    struct cuda *cuda = state;
    int code = start(cuda, error);
    *measured = *device_ceilings(cuda->setup->device);
    return code;
}

static void usage(const void *state, struct evaluator_usage *usage)
{
    const struct cuda *cuda = state;
    *usage = cuda->usage;
    usage->compilers = cuda->setup->jobs;
}

const struct evaluator_ops evaluator_cuda = {.name = "cuda",
                                             .summary = "the GPU in this machine",
                                             .state_size = sizeof(struct cuda),
                                             .open = open_cuda,
                                             .room = room,
                                             .submit = submit,
                                             .wait = wait,
                                             .compiler_metrics = compiler_metrics,
                                             .playoff = playoff,
                                             .incumbent = incumbent,
                                             .ceilings = ceilings,
                                             .usage = usage,
                                             .close = close_cuda};
