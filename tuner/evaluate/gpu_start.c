/* Starts compilers and devices, which work side by side until the devices are set up. */
#include <stdio.h>

#include "base/timeline.h"
#include "evaluate/gpu_evaluator.h"

static size_t find_workers(struct gpu_evaluator *gpu)
{
    size_t count = gpu->pool ? compile_pool_workers(gpu->pool, gpu->workers, gpu->setup->jobs) : 0;
    for (size_t d = 0; d < gpu->setup->device_count; d++)
        gpu->workers[count++] = device_worker(gpu->setup->devices[d]);
    return count;
}

void gpu_wait_for_workers(struct gpu_evaluator *gpu, int64_t until_ns)
{
    worker_wait(gpu->workers, find_workers(gpu), until_ns);
}

size_t gpu_watch(void *state, int *descriptors, size_t room)
{
    struct gpu_evaluator *gpu = state;
    size_t count = find_workers(gpu), used = 0;
    for (size_t i = 0; i < count && used < room; i++)
        if (gpu->workers[i] && gpu->workers[i]->pid)
            descriptors[used++] = gpu->workers[i]->channel.socket;
    return used;
}

static int open_pool(struct gpu_evaluator *gpu, struct error *error)
{
    const struct evaluator_setup *setup = gpu->setup;
    bool lent = setup->pool && *setup->pool;
    int code = lent ? 0 : compile_pool_open(&gpu->pool, setup->jobs, setup->timeout_ns, setup->cache, error);
    if (lent)
        gpu->pool = *setup->pool;
    else if (setup->pool)
        *setup->pool = gpu->pool;
    return code;
}

void gpu_close_pool(struct gpu_evaluator *gpu)
{
    if (gpu->pool && gpu->setup->pool)
        compile_pool_empty(gpu->pool);
    else
        compile_pool_close(gpu->pool);
    gpu->pool = NULL;
}

int gpu_prepare(struct gpu_evaluator *gpu, struct error *error)
{
    if (gpu->pool)
        return 0;
    int code = open_pool(gpu, error);
    if (!code)
        code = set_up_open(&gpu->set_up, gpu->setup, gpu->limits->cc, gpu_set_up_id(gpu), error);
    if (!code)
        code = gpu_compile_start(gpu, error);
    timeline("coordinator", "compilers started");
    if (code) { /* the next call starts again */
        gpu_close_pool(gpu);
        set_up_close(gpu->set_up);
        gpu->set_up = NULL;
    }
    return code;
}

/* Compiles, waits for a process, and advances the devices. */
static int advance(struct gpu_evaluator *gpu, const char *what, struct error *error)
{
    struct measurement measurements[DEVICE_KERNELS_MAX]; /* stays empty without a job */
    uint64_t id;
    int code = gpu_given_up(gpu->setup) ? error_set(error, ERROR_INTERRUPTED, "interrupted while %s", what)
                                        : gpu_compile_start(gpu, error);
    if (!code) {
        gpu_wait_for_workers(gpu, INT64_MAX);
        code = gpu_compile_take(gpu, error);
    }
    for (size_t d = 0; d < gpu->setup->device_count && !code; d++)
        if (device_next(gpu->setup->devices[d], &id, measurements, error) < 0)
            code = error ? (int)error->code : ERROR_DEVICE;
    return code;
}

static int compile_set_up(struct gpu_evaluator *gpu, struct error *error)
{
    const char *what;
    char words[256];
    int code = 0;
    while (!code && (what = set_up_compiling(gpu->set_up))) {
        snprintf(words, sizeof words, "%s was compiled", what);
        code = advance(gpu, words, error);
    }
    timeline("coordinator", "kernels of the set-up compiled");
    return code ? code : set_up_finish(gpu->set_up, &gpu->command, error);
}

static int await(struct gpu_evaluator *gpu, bool (*done)(const struct device *device), const char *what, size_t d,
                 struct error *error)
{
    int code = 0;
    while (!code && !done(gpu->setup->devices[d]))
        code = advance(gpu, what, error);
    return code;
}

int gpu_await_answers(struct gpu_evaluator *gpu, struct error *error)
{
    int code = gpu_prepare(gpu, error);
    for (size_t d = 0; d < gpu->setup->device_count && !code; d++)
        code = await(gpu, device_answered, "the device was opened", d, error);
    return code;
}

/* Sets up the devices side by side, unless they measure the ceilings of a common link. */
static int set_up_devices(struct gpu_evaluator *gpu, struct error *error)
{
    bool share_link = set_up_transfers(gpu->set_up);
    int code = 0;
    for (size_t d = 0; d < gpu->setup->device_count && !code; d++) {
        code = set_up_device(gpu->set_up, gpu->setup->devices[d], error);
        if (!code && share_link)
            code = await(gpu, device_is_set_up, "the device was set up", d, error);
    }
    for (size_t d = 0; d < gpu->setup->device_count && !code; d++)
        code = await(gpu, device_is_set_up, "the device was set up", d, error);
    return code;
}

int gpu_start(struct gpu_evaluator *gpu, struct error *error)
{
    if (gpu->started)
        return 0;
    int code = gpu_prepare(gpu, error);
    if (!code && gpu->setup->device_count)
        code = compile_set_up(gpu, error);
    if (!code)
        code = set_up_devices(gpu, error);
    timeline("coordinator", "devices set up");
    gpu->started = code == 0;
    return code;
}
