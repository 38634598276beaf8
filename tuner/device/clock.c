/* What the multiprocessors' clock does while something is timed, and why, as far as NVML knows. Nothing here changes a
 * setting of the device.
 *
 * The clock is read by a kernel that compares the cycle counter with the global timer: that needs no permission and no
 * library. NVML is loaded at run time and may be missing. */
#include <dlfcn.h>
#include <math.h>

#include "base/clock.h"
#include "device/gpu.h"

/* Of nvml.h, whose values never change: what means that the device protects itself. A power cap is the normal state of
 * a kernel that computes much; whether it matters shows in the clock. */
enum {
    REASON_HW_SLOWDOWN = 0x8,
    REASON_SW_THERMAL = 0x20,
    REASON_HW_THERMAL = 0x40,
    REASON_POWER_BRAKE = 0x80,
    REASONS_THROTTLED = REASON_HW_SLOWDOWN | REASON_SW_THERMAL | REASON_HW_THERMAL | REASON_POWER_BRAKE
};

enum { SPIN_NS = 30000, SETTLE_LOOKS = 4, SETTLE_FLUSHES = 8 };
static const int64_t settle_limit_ns = 1000000000;
static const int64_t nvml_each_ns = 50000000; /* a question takes a good part of a millisecond */
static const double settled_within = 0.01, throttled_below = 0.75;

/* ---- NVML ---- */

static void *symbol(void *library, const char *name, const char *older)
{
    void *found = dlsym(library, name);
    return found ? found : dlsym(library, older);
}

/* Whatever is missing leaves the reasons unknown. The library stays loaded as long as the process. */
static void open_nvml(struct gpu_nvml *nvml, int ordinal)
{
    char bus[32];
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    int (*init)(void), (*by_bus)(const char *bus, void **device);
    nvml->last = -1;
    if (!library || cudaDeviceGetPCIBusId(bus, sizeof bus, ordinal))
        return;
    *(void **)&init = symbol(library, "nvmlInit_v2", "nvmlInit");
    *(void **)&by_bus = symbol(library, "nvmlDeviceGetHandleByPciBusId_v2", "nvmlDeviceGetHandleByPciBusId");
    *(void **)&nvml->reasons =
        symbol(library, "nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons");
    if (!init || !by_bus || !nvml->reasons || init() || by_bus(bus, &nvml->device))
        nvml->device = NULL;
}

static int64_t ask_nvml(struct gpu_nvml *nvml)
{
    int64_t now_ns = clock_now_ns();
    unsigned long long reasons = 0;
    if (!nvml->device || (nvml->asked_ns && now_ns - nvml->asked_ns < nvml_each_ns))
        return nvml->last;
    nvml->asked_ns = now_ns;
    nvml->last = nvml->reasons(nvml->device, &reasons) ? -1 : (int64_t)reasons;
    return nvml->last;
}

/* ---- The clock ---- */

int gpu_open_clock(struct gpu *gpu, int ordinal, struct error *error)
{
    gpu->settled_mhz = NAN;
    open_nvml(&gpu->nvml, ordinal);
    return gpu_check(cudaHostAlloc((void **)&gpu->clock, sizeof *gpu->clock, cudaHostAllocMapped),
                     "allocating host memory", error);
}

cudaError_t gpu_clock_queue(struct gpu *gpu)
{
    unsigned long long spin_ns = SPIN_NS;
    void *counters = NULL;
    void *arguments[] = {&spin_ns, &counters};
    cudaError_t result = cudaHostGetDevicePointer(&counters, gpu->clock, 0);
    cudaLaunchConfig_t config = {.gridDim = {1, 1, 1}, .blockDim = {1, 1, 1}, .stream = gpu->stream};
    return result ? result : cudaLaunchKernelExC(&config, (const void *)gpu->helpers[HELPER_CLOCK], arguments);
}

struct gpu_condition gpu_clock_read(struct gpu *gpu)
{
    struct gpu_condition condition = {.reasons = ask_nvml(&gpu->nvml)};
    condition.mhz = gpu->clock->ns ? 1e3 * (double)gpu->clock->cycles / (double)gpu->clock->ns : NAN;
    condition.throttled = condition.mhz < throttled_below * gpu->settled_mhz ||
                          (condition.reasons > 0 && (condition.reasons & REASONS_THROTTLED));
    return condition;
}

/* One look after some work that makes the device wake up. */
static cudaError_t look(struct gpu *gpu, double *mhz)
{
    cudaError_t result = cudaSuccess;
    for (int i = 0; i < SETTLE_FLUSHES && !result; i++)
        result = cudaMemsetAsync(gpu->flush, i, gpu->flush_bytes, gpu->stream);
    if (!result)
        result = gpu_clock_queue(gpu);
    cudaError_t finished = cudaStreamSynchronize(gpu->stream);
    *mhz = gpu_clock_read(gpu).mhz;
    return result ? result : finished;
}

int gpu_settle(struct gpu *gpu, struct error *error)
{
    double looks[SETTLE_LOOKS];
    int64_t start_ns = clock_now_ns();
    cudaError_t result = cudaSuccess;
    for (size_t count = 0; !result; count++) {
        double low = INFINITY, high = 0;
        result = look(gpu, &looks[count % SETTLE_LOOKS]);
        for (size_t i = 0; i < SETTLE_LOOKS && i <= count; i++) {
            low = fmin(low, looks[i]);
            high = fmax(high, looks[i]);
        }
        gpu->settled_mhz = high;
        if ((count + 1 >= SETTLE_LOOKS && high - low <= settled_within * high) ||
            clock_now_ns() - start_ns > settle_limit_ns)
            break;
    }
    return gpu_check(result, "waiting for the clock to settle", error);
}
