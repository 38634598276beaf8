/* Replaces the clock, NVML and CUPTI, and configures whole programs. */
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "device/nvml_types.h"
#include "fake_private.h"

/* ---- The clock ---- */

enum { LOOK_NS = 10 }; /* ends loops that wait by reading the clock */
static const int64_t clock_start_ns = 1000000000000;

int64_t __real_clock_now_ns(void);
int64_t __wrap_clock_now_ns(void);
int64_t __wrap_clock_now_ns(void)
{
    return fake.virtual_time ? clock_start_ns + (fake.now_ns += LOOK_NS) : __real_clock_now_ns();
}

/* In virtual time, a thread runs at once, so that what it sees does not depend on the machine. The time that it takes
 * passes for the thread alone; it ends at a point in the future. One thread at a time. */
static struct {
    bool runs;
    int64_t end_ns;
    void *result;
} thread;

int __real_pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*start)(void *), void *context);
int __wrap_pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*start)(void *), void *context);
int __wrap_pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*start)(void *), void *context)
{
    if (!fake.virtual_time)
        return __real_pthread_create(id, attributes, start, context);
    const int64_t now_ns = fake.now_ns;
    *id = pthread_self();
    thread.runs = true;
    thread.result = start(context);
    thread.runs = false;
    thread.end_ns = fake.now_ns;
    fake.now_ns = now_ns;
    return 0;
}

int __real_pthread_join(pthread_t id, void **result);
int __wrap_pthread_join(pthread_t id, void **result);
int __wrap_pthread_join(pthread_t id, void **result)
{
    if (!pthread_equal(id, pthread_self()))
        return __real_pthread_join(id, result);
    if (fake.now_ns < thread.end_ns)
        fake.now_ns = thread.end_ns;
    if (result)
        *result = thread.result;
    return 0;
}

int __real_pthread_tryjoin_np(pthread_t id, void **result);
int __wrap_pthread_tryjoin_np(pthread_t id, void **result);
int __wrap_pthread_tryjoin_np(pthread_t id, void **result)
{
    if (!pthread_equal(id, pthread_self()))
        return __real_pthread_tryjoin_np(id, result);
    return fake.now_ns < thread.end_ns ? EBUSY : __wrap_pthread_join(id, result);
}

int __real_nanosleep(const struct timespec *wanted, struct timespec *left);
int __wrap_nanosleep(const struct timespec *wanted, struct timespec *left);
int __wrap_nanosleep(const struct timespec *wanted, struct timespec *left)
{
    if (!fake.virtual_time)
        return __real_nanosleep(wanted, left);
    fake.now_ns += (int64_t)wanted->tv_sec * 1000000000 + wanted->tv_nsec;
    return 0;
}

/* ---- NVML ---- */

enum { FAKE_BOARDS = 64 };

/* The boards by device; the address of the array stands for the library. */
static struct nvmlDevice_st {
    char unused;
} nvml[FAKE_BOARDS];

/* True for the board of this process's device. */
static bool is_own(const struct nvmlDevice_st *device)
{
    return device - nvml == fake.device;
}

static unsigned nvml_init(void)
{
    return 0;
}

static unsigned nvml_by_bus(const char *bus, struct nvmlDevice_st **device)
{
    unsigned number = 0;
    if (sscanf(bus, "00000000:%02x:00.0", &number) != 1 || number < 1 || number > FAKE_BOARDS)
        return 1;
    *device = &nvml[number - 1];
    return 0;
}

static unsigned nvml_reasons(struct nvmlDevice_st *device, unsigned long long *reasons)
{
    *reasons = fake.now_ns >= fake.slow_from_ns && fake.now_ns < fake.slow_until_ns ? fake.slow_reasons : fake.reasons;
    *reasons |= fake_at_cap(fake.now_ns) && !fake.cap_silent ? 0x4 : 0;
    return !is_own(device);
}

static unsigned nvml_temperature(struct nvmlDevice_st *device, unsigned sensor, unsigned *celsius)
{
    *celsius = fake.celsius;
    return !is_own(device) || sensor != 0 || !fake.celsius;
}

/* The counter advances every 100 ms. */
static unsigned nvml_energy(struct nvmlDevice_st *device, unsigned long long *millijoules)
{
    static unsigned questions;
    const int64_t took_ns = (++questions % 7 ? 1 : 4) * (int64_t)fake.energy_ns;
    /* That of the middle; the main thread has queued nothing yet for the future of another thread. */
    *millijoules = fake_millijoules((int)(device - nvml), fake.now_ns + (thread.runs ? 0 : took_ns / 2));
    fake.now_ns += took_ns;
    return fake.watts ? fake.counter_error : 3;
}

static unsigned nvml_power_limit(struct nvmlDevice_st *device, unsigned *milliwatts)
{
    *milliwatts = 700000;
    return !is_own(device);
}

/* The mean of the last advance. */
static unsigned nvml_fields(struct nvmlDevice_st *device, int count, struct gpu_nvml_field *fields)
{
    const int board = (int)(device - nvml);
    for (int i = 0; i < count; i++) {
        fields[i].result = fields[i].field == NVML_POWER_INSTANT ? 0 : 3;
        fields[i].type = NVML_UNSIGNED;
        fields[i].value.milliwatts =
            10 * (unsigned)(fake_millijoules(board, fake.now_ns) - fake_millijoules(board, fake.now_ns - 100000000));
    }
    return !is_own(device);
}

void *__real_dlopen(const char *name, int flags);
void *__wrap_dlopen(const char *name, int flags);
void *__wrap_dlopen(const char *name, int flags)
{
    if (name && strstr(name, "libcupti.so"))
        return fake_cupti_library();
    if (!name || strcmp(name, "libnvidia-ml.so.1") != 0)
        return __real_dlopen(name, flags);
    return fake.nvml ? nvml : NULL;
}

/* Behaves like a current library, which lacks the old names. */
void *__real_dlsym(void *library, const char *name);
void *__wrap_dlsym(void *library, const char *name);
void *__wrap_dlsym(void *library, const char *name)
{
    static const struct {
        const char *name;
        unsigned (*init)(void);
        unsigned (*by_bus)(const char *bus, struct nvmlDevice_st **device);
        unsigned (*reasons)(struct nvmlDevice_st *device, unsigned long long *reasons);
        unsigned (*temperature)(struct nvmlDevice_st *device, unsigned sensor, unsigned *celsius);
        unsigned (*energy)(struct nvmlDevice_st *device, unsigned long long *millijoules);
        unsigned (*limit)(struct nvmlDevice_st *device, unsigned *milliwatts);
        gpu_nvml_fields *fields;
    } rows[] = {{.name = "nvmlInit_v2", .init = nvml_init},
                {.name = "nvmlDeviceGetHandleByPciBusId_v2", .by_bus = nvml_by_bus},
                {.name = "nvmlDeviceGetCurrentClocksEventReasons", .reasons = nvml_reasons},
                {.name = "nvmlDeviceGetTemperature", .temperature = nvml_temperature},
                {.name = "nvmlDeviceGetEnforcedPowerLimit", .limit = nvml_power_limit},
                {.name = "nvmlDeviceGetFieldValues", .fields = nvml_fields},
                {.name = "nvmlDeviceGetTotalEnergyConsumption", .energy = nvml_energy}};
    if (library && library == fake_cupti_library())
        return fake_cupti_function(name);
    if (library != (void *)nvml)
        return __real_dlsym(library, name);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(name, rows[i].name) == 0)
            return rows[i].init          ? *(void **)&rows[i].init
                   : rows[i].by_bus      ? *(void **)&rows[i].by_bus
                   : rows[i].reasons     ? *(void **)&rows[i].reasons
                   : rows[i].temperature ? *(void **)&rows[i].temperature
                   : rows[i].limit       ? *(void **)&rows[i].limit
                   : rows[i].fields      ? *(void **)&rows[i].fields
                                         : *(void **)&rows[i].energy;
    return NULL;
}

/* ---- Whole programs ---- */

static const struct {
    const char *name;
    size_t offset, bytes;
} settings[] = {
#define SETTING(name)                                                                                                  \
    {                                                                                                                  \
#name, offsetof(struct fake_cuda, name), sizeof fake.name                                                      \
    }
    SETTING(devices),      SETTING(device_room),  SETTING(host_room),   SETTING(slow_from_ns),  SETTING(slow_until_ns),
    SETTING(slow_reasons), SETTING(reasons),      SETTING(nvml),        SETTING(real_time),     SETTING(malloc_fails),
    SETTING(driver),       SETTING(device_taken), SETTING(no_devices),  SETTING(start_ms),      SETTING(cupti),
    SETTING(cupti_result), SETTING(cupti_start),  SETTING(unlike),      SETTING(slower),        SETTING(alike),
    SETTING(cap_mhz),      SETTING(cap_load_ns),  SETTING(cap_rest_ns), SETTING(celsius),       SETTING(event_ns),
    SETTING(tick_ns),      SETTING(dies),         SETTING(places),      SETTING(faults_from),   SETTING(any_kernel),
    SETTING(watts),        SETTING(watts_noise),  SETTING(watts_seed),  SETTING(counter_error), SETTING(copy_ns),
    SETTING(watts_each),   SETTING(no_export),    SETTING(no_mapping),
#undef SETTING
};

static void wrong(const char *all, const char *what)
{
    fprintf(stderr, "the fake CUDA runtime does not understand '%s' in CUTUNE_FAKE=%s\n", what, all);
    abort();
}

static void set(const char *all, const char *name, const char *value)
{
    unsigned long long number = strtoull(value, NULL, 0);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (strcmp(name, settings[i].name) == 0) {
            memcpy((char *)&fake + settings[i].offset, &number, settings[i].bytes); /* little-endian */
            return;
        }
    wrong(all, name);
}

/* Runs before main, so that unit tests and programs find a device. */
static void __attribute__((constructor)) begin(void)
{
    const char *all = getenv("CUTUNE_FAKE");
    char words[FAKE_SCRIPT_BYTES], *rest = words, *word;
    fake_reset();
    snprintf(words, sizeof words, "%s", all ? all : "");
    while ((word = strtok_r(rest, " ", &rest))) {
        char *value = strchr(word, '=');
        if (!value)
            wrong(all, word);
        *value = '\0';
        set(all, word, value + 1);
    }
}
