/* Observes the multiprocessors' clock during timing and, through NVML, the reasons for a low clock. Changes no setting
 * of the device.
 *
 * A kernel reads the clock by comparing the cycle counter with the global timer, without permissions or libraries. NVML
 * is loaded at run time and may be missing. */
#include "device/clock.h"

#include <dlfcn.h>
#include <math.h>

#include "base/clock.h"
#include "device/check.h"
#include "device/gpu.h"
#include "device/nvml_types.h"
#include "device/rest.h"

/* Power caps are left out: they are normal for compute-bound kernels, and the clock shows their effect. */
enum { REASONS_THROTTLED = NVML_HW_SLOWDOWN | NVML_SW_THERMAL | NVML_HW_THERMAL | NVML_POWER_BRAKE };

enum { SPIN_NS = 30000, SETTLE_LOOKS = 4, SETTLE_FLUSHES = 8 };
static const int64_t settle_least_ns = 20000000, settle_timeout_ns = 1000000000;
static const int64_t nvml_each_ns = 50000000; /* a query takes almost a millisecond */
static const double settled_within = 0.01, throttled_below = 0.75;

/* ---- NVML ---- */

static void *symbol(void *library, const char *name, const char *older)
{
    void *found = dlsym(library, name);
    return found ? found : dlsym(library, older);
}

/* Loads and initialises NVML, which stays loaded until the process ends. Returns NULL if it is missing. */
static void *start_nvml(void *unused)
{
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    gpu_nvml_init *init = NULL;
    (void)unused;
    if (library)
        *(void **)&init = symbol(library, "nvmlInit_v2", "nvmlInit");
    return init && !init() ? library : NULL;
}

void gpu_begin_clock(struct gpu *gpu)
{
    gpu->nvml.starting = !pthread_create(&gpu->nvml.starter, NULL, start_nvml, NULL);
}

/* The reasons stay unknown without NVML or one of its functions, the temperature also without its own. */
static void open_nvml(struct gpu_nvml *nvml)
{
    char bus[32];
    void *library = NULL;
    gpu_nvml_by_bus *by_bus;
    nvml->last = nvml->celsius = -1;
    if (!nvml->starting)
        library = start_nvml(NULL);
    else
        pthread_join(nvml->starter, &library);
    nvml->starting = false;
    if (!library || cudaDeviceGetPCIBusId(bus, sizeof bus, 0))
        return;
    *(void **)&by_bus = symbol(library, "nvmlDeviceGetHandleByPciBusId_v2", "nvmlDeviceGetHandleByPciBusId");
    *(void **)&nvml->reasons =
        symbol(library, "nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons");
    *(void **)&nvml->temperature = symbol(library, "nvmlDeviceGetTemperature", "nvmlDeviceGetTemperature");
    *(void **)&nvml->energy = dlsym(library, "nvmlDeviceGetTotalEnergyConsumption");
    *(void **)&nvml->power_limit = dlsym(library, "nvmlDeviceGetEnforcedPowerLimit");
    *(void **)&nvml->fields = dlsym(library, "nvmlDeviceGetFieldValues");
    if (!by_bus || !nvml->reasons || by_bus(bus, &nvml->device))
        nvml->device = NULL;
}

static void ask_nvml(struct gpu_nvml *nvml)
{
    int64_t now_ns = clock_now_ns();
    unsigned long long reasons = 0;
    unsigned celsius = 0;
    if (!nvml->device || (nvml->asked_ns && now_ns - nvml->asked_ns < nvml_each_ns))
        return;
    nvml->asked_ns = now_ns;
    nvml->last = nvml->reasons(nvml->device, &reasons) ? -1 : (int64_t)reasons;
    bool warm = nvml->temperature && !nvml->temperature(nvml->device, NVML_SENSOR_GPU, &celsius);
    nvml->celsius = warm ? (int64_t)celsius : -1;
}

/* ---- The clock ---- */

int gpu_open_clock(struct gpu *gpu, struct error *error)
{
    gpu->calibration.settled_mhz = NAN;
    open_nvml(&gpu->nvml);
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
    ask_nvml(&gpu->nvml);
    struct gpu_condition condition = {.reasons = gpu->nvml.last, .celsius = gpu->nvml.celsius};
    condition.mhz = gpu->clock->ns ? 1e3 * (double)gpu->clock->cycles / (double)gpu->clock->ns : NAN;
    condition.throttled = condition.mhz < throttled_below * gpu->calibration.settled_mhz ||
                          (condition.reasons > 0 && (condition.reasons & REASONS_THROTTLED));
    return condition;
}

bool gpu_at_cap(const struct gpu *gpu, const struct gpu_condition *condition)
{
    const int64_t reasons = condition->reasons == -1 ? 0 : condition->reasons;
    const bool low = condition->mhz < GPU_CLOCK_RETURNED * gpu->calibration.settled_mhz;
    const bool unexplained = !(reasons & REASONS_THROTTLED) && gpu->power.failed < REST_FAILED_MAX;
    return low && ((reasons & POWER_CAP_REASON) || unexplained);
}

void gpu_note_power(struct gpu *gpu, const struct gpu_condition *condition)
{
    gpu->power.at_cap = gpu_at_cap(gpu, condition);
    gpu->power.capped |= gpu->power.at_cap;
}

struct look {
    double mhz, flush_ms;
};

/* Wakes the device up by flushes, then reads the clock. */
static cudaError_t look(struct gpu *gpu, struct look *look)
{
    float ms = 0;
    cudaError_t result = cudaEventRecord(gpu->events[0], gpu->stream);
    for (int i = 0; i < SETTLE_FLUSHES && !result; i++)
        result = cudaMemsetAsync(gpu->flush, i, gpu->flush_bytes, gpu->stream);
    if (!result)
        result = cudaEventRecord(gpu->events[1], gpu->stream);
    if (!result)
        result = gpu_clock_queue(gpu);
    cudaError_t finished = cudaStreamSynchronize(gpu->stream);
    if (!result && !(result = finished))
        result = cudaEventElapsedTime(&ms, gpu->events[0], gpu->events[1]);
    *look = (struct look){gpu_clock_read(gpu).mhz, ms};
    return result;
}

bool gpu_agree(const double *readings, size_t count)
{
    double low = readings[0], high = readings[0];
    for (size_t i = 1; i < count; i++) {
        low = fmin(low, readings[i]);
        high = fmax(high, readings[i]);
    }
    return high - low <= settled_within * high;
}

/* True if the last readings agree. */
static bool settled(const struct look looks[SETTLE_LOOKS])
{
    double mhz[SETTLE_LOOKS], flush_ms[SETTLE_LOOKS];
    for (size_t i = 0; i < SETTLE_LOOKS; i++) {
        mhz[i] = looks[i].mhz;
        flush_ms[i] = looks[i].flush_ms;
    }
    return gpu_agree(mhz, SETTLE_LOOKS) && gpu_agree(flush_ms, SETTLE_LOOKS);
}

int gpu_settle(struct gpu *gpu, struct error *error)
{
    struct look looks[SETTLE_LOOKS];
    int64_t start_ns = clock_now_ns(), awake_ns = gpu->awake_ns ? gpu->awake_ns : start_ns, passed_ns;
    cudaError_t result = cudaSuccess;
    size_t count = 0;
    do {
        result = look(gpu, &looks[count++ % SETTLE_LOOKS]);
        passed_ns = clock_now_ns() - start_ns;
    } while (!result && passed_ns < settle_timeout_ns &&
             (clock_now_ns() - awake_ns < settle_least_ns || count < SETTLE_LOOKS || !settled(looks)));
    gpu->awake_ns = awake_ns;
    double *settled_mhz = &gpu->calibration.settled_mhz; /* fmax ignores NaN */
    double flush_ms = looks[0].flush_ms;
    for (size_t i = 0; i < SETTLE_LOOKS && i < count; i++) {
        *settled_mhz = fmax(*settled_mhz, looks[i].mhz);
        flush_ms = fmin(flush_ms, looks[i].flush_ms);
    }
    gpu->flush_ns = (int64_t)(flush_ms * 1e6) / SETTLE_FLUSHES;
    return gpu_check(result, "waiting for the clock to settle", error);
}
