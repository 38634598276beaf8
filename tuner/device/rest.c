/* Keeps a device out of its power cap. The cap comes with load and lowers the clock; after a rest the device runs at
 * the settled clock again, until it has been loaded for a while. */
#include "device/rest.h"

#include <math.h>
#include <time.h>

#include "base/clock.h"
#include "device/clock.h"
#include "device/gpu.h"
#include "device/measure.h"

static const int64_t look_each_ns = 1000000;

void gpu_pause(int64_t ns)
{
    struct timespec time = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
    nanosleep(&time, NULL);
}

bool gpu_rests(const struct gpu *gpu)
{
    return !gpu->sampling.sustained && gpu->power.capped && gpu->power.failed < REST_FAILED_MAX;
}

/* Reads the clock of the device at rest. NVML's reasons do not matter: they are late. */
static cudaError_t look(struct gpu *gpu, bool *back)
{
    cudaError_t result = gpu_clock_queue(gpu);
    cudaError_t finished = cudaStreamSynchronize(gpu->stream);
    *back = !(gpu_clock_read(gpu).mhz < GPU_CLOCK_RETURNED * gpu->calibration.settled_mhz);
    return result ? result : finished;
}

static int64_t longest_rest(int64_t part_ns)
{
    if (part_ns >= REST_NS / REST_PARTS)
        return REST_NS;
    return part_ns * REST_PARTS > REST_LEAST_NS ? part_ns * REST_PARTS : REST_LEAST_NS;
}

/* Rests until the clock is back, and then `more_ns` longer: `most_ns` at most, and not after
 * `until_ns`. */
static cudaError_t rest(struct gpu *gpu, int64_t most_ns, int64_t more_ns, int64_t until_ns)
{
    const int64_t full_ns = clock_now_ns() + most_ns, end_ns = full_ns < until_ns ? full_ns : until_ns;
    bool back = false;
    cudaError_t result;
    while (!(result = look(gpu, &back)) && !back && clock_now_ns() + look_each_ns <= end_ns)
        gpu_pause(look_each_ns);
    if (back)
        gpu->power.failed = 0;
    else if (full_ns <= until_ns)
        gpu->power.failed++;
    int64_t left_ns = end_ns - clock_now_ns();
    if (!result && more_ns > 0 && left_ns > 0)
        gpu_pause(more_ns < left_ns ? more_ns : left_ns);
    return result;
}

cudaError_t gpu_rest(struct gpu *gpu, int64_t part_ns, int64_t until_ns)
{
    return gpu_rests(gpu) ? rest(gpu, longest_rest(part_ns), 0, until_ns) : cudaSuccess;
}

/* True if the batch after a rest ran at the power cap, and the next rest is longer. */
static bool needs_more(struct gpu *gpu)
{
    struct gpu_power *power = &gpu->power;
    if (!power->at_cap || !gpu_rests(gpu) || power->failed || power->parts >= REST_PARTS)
        return false;
    power->parts = power->parts ? 2 * power->parts : 1;
    return true;
}

cudaError_t gpu_run_rested(struct gpu *gpu, const struct gpu_timed *timed, size_t batch, int64_t part_ns,
                           int64_t until_ns, double *samples_ns, struct measurement *measurement)
{
    for (;;) {
        const bool rests = gpu_rests(gpu);
        struct measurement tried = *measurement;
        cudaError_t result =
            rests ? rest(gpu, longest_rest(part_ns), gpu->power.parts * part_ns, until_ns) : cudaSuccess;
        if (!result)
            result = gpu_run_batch(gpu, timed, batch, until_ns, samples_ns, &tried);
        if (result || !rests || clock_now_ns() >= until_ns || !needs_more(gpu)) {
            *measurement = tried;
            return result;
        }
        measurement->discarded += (uint32_t)batch;
    }
}
