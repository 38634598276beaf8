/* Keeps a device out of its power cap. The cap comes with load and lowers the clock; after a rest the device runs at
 * the settled clock again, until it has been loaded for a while. */
#include <math.h>
#include <time.h>

#include "base/clock.h"
#include "device/gpu.h"

enum { FAILED_MAX = 8 };                     /* then the cap does not depend on the load, and rests are useless */
static const int64_t look_each_ns = 1000000; /* a reading of NVML takes about as long */

void gpu_pause(int64_t ns)
{
    struct timespec time = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
    nanosleep(&time, NULL);
}

bool gpu_rests(const struct gpu *gpu)
{
    return !gpu->sampling.sustained && gpu->power.capped && gpu->power.failed < FAILED_MAX;
}

static cudaError_t is_rested(struct gpu *gpu, bool *rested)
{
    cudaError_t result = gpu_clock_queue(gpu);
    cudaError_t finished = cudaStreamSynchronize(gpu->stream);
    gpu->nvml.asked_ns = 0;
    const struct gpu_condition condition = gpu_clock_read(gpu);
    bool capped = condition.reasons > 0 && (condition.reasons & POWER_CAP_REASON);
    *rested = !capped && !(condition.mhz < GPU_CLOCK_RETURNED * gpu->calibration.settled_mhz);
    return result ? result : finished;
}

static int64_t rest_end(int64_t part_ns, int64_t until_ns)
{
    int64_t end_ns = clock_now_ns() + (part_ns < REST_NS / REST_PARTS ? REST_PARTS * part_ns : REST_NS);
    return end_ns < until_ns ? end_ns : until_ns;
}

static cudaError_t rest_until(struct gpu *gpu, int64_t end_ns)
{
    cudaError_t result;
    bool rested = false;
    while (!(result = is_rested(gpu, &rested)) && !rested && clock_now_ns() + look_each_ns <= end_ns)
        gpu_pause(look_each_ns);
    gpu->power.failed = rested ? 0 : gpu->power.failed + 1;
    return result;
}

cudaError_t gpu_rest(struct gpu *gpu, int64_t part_ns, int64_t until_ns)
{
    if (!gpu_rests(gpu))
        return cudaSuccess;
    cudaError_t result = rest_until(gpu, rest_end(part_ns, until_ns));
    gpu->nvml.asked_ns = 0; /* the next batch gets a reading of its own */
    return result;
}

/* Rests, and then as much longer as earlier batches needed. */
static cudaError_t rest_longer(struct gpu *gpu, int64_t part_ns, int64_t until_ns)
{
    if (!gpu_rests(gpu))
        return cudaSuccess;
    const int64_t end_ns = rest_end(part_ns, until_ns);
    cudaError_t result = rest_until(gpu, end_ns);
    int64_t more_ns = gpu->power.parts * part_ns, left_ns = end_ns - clock_now_ns();
    if (more_ns > left_ns)
        more_ns = left_ns;
    if (!result && more_ns > 0)
        gpu_pause(more_ns);
    gpu->nvml.asked_ns = 0;
    return result;
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
        cudaError_t result = rest_longer(gpu, part_ns, until_ns);
        if (!result)
            result = gpu_run_batch(gpu, timed, batch, until_ns, samples_ns, &tried);
        if (result || !rests || clock_now_ns() >= until_ns || !needs_more(gpu)) {
            *measurement = tried;
            return result;
        }
        measurement->discarded += (uint32_t)batch;
    }
}
