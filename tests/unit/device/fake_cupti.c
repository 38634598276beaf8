/* A CUPTI for the fake runtime: counts the kernels that run between start and stop, in fake.passes passes. All metrics
 * of a launch are 1000 times its grid in x, percentages 50. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "device/cupti_types.h"
#include "fake_private.h"

enum { RANGES_MAX = 64 };

static struct {
    bool host, enabled, configured, counts;
    size_t ranges, room, pass, image_bytes;
    uint8_t *image;
    unsigned grids[RANGES_MAX];
} cupti;

static char here; /* its address stands for contexts and objects */

void fake_cupti_forget(void)
{
    memset(&cupti, 0, sizeof cupti);
}

void fake_cupti_launched(unsigned grid)
{
    if (!cupti.counts)
        return;
    if (cupti.ranges == cupti.room)
        fake_misuse("more launches than ranges for them");
    else if (cupti.pass && cupti.grids[cupti.ranges] != grid)
        fake_misuse("another launch than in the pass before");
    else
        cupti.grids[cupti.ranges++] = grid;
}

int fake_context_current(void **context)
{
    *context = &here;
    return 0;
}

static int message(int result, const char **text)
{
    *text = result == 999 ? "an unknown error" : "some error";
    return 0;
}

#define FAKE(name, parameters) static int fake_##name(struct parameters *values)

FAKE(cuptiProfilerInitialize, cupti_initialize)
{
    return values->reserved ? 1 : 0;
}

FAKE(cuptiDeviceGetChipName, cupti_chip_name)
{
    values->chip = "FAKE100";
    return values->device >= (size_t)fake.devices;
}

FAKE(cuptiProfilerGetCounterAvailability, cupti_availability)
{
    if (values->context != &here)
        fake_misuse("counters of another context");
    if (values->image)
        memset(values->image, 1, values->bytes);
    values->bytes = 64;
    return 0;
}

FAKE(cuptiProfilerHostInitialize, cupti_host_initialize)
{
    if (strcmp(values->chip, "FAKE100") != 0 || !values->availability || values->availability[63] != 1)
        fake_misuse("another chip");
    values->host = &here;
    cupti.host = true;
    return 0;
}

FAKE(cuptiProfilerHostDeinitialize, cupti_host_deinitialize)
{
    cupti.host = false;
    return values->host != &here;
}

/* The chip lacks some metrics of each kind. */
FAKE(cuptiProfilerHostGetMetricProperties, cupti_metric_properties)
{
    return strstr(values->name, "gmma") || strstr(values->name, "dram__bytes_read") ? 17 : 0;
}

FAKE(cuptiProfilerHostConfigAddMetrics, cupti_add_metrics)
{
    for (size_t i = 0; i < values->count; i++)
        if (strstr(values->names[i], "gmma"))
            return 17;
    return 0;
}

FAKE(cuptiProfilerHostGetConfigImageSize, cupti_config_size)
{
    values->bytes = 32;
    return 0;
}

FAKE(cuptiProfilerHostGetConfigImage, cupti_config_image)
{
    memset(values->image, 2, values->bytes);
    return values->bytes != 32;
}

FAKE(cuptiProfilerHostGetNumOfPasses, cupti_passes)
{
    values->passes = fake.cupti_passes;
    return values->image[31] != 2;
}

FAKE(cuptiProfilerHostEvaluateToGpuValues, cupti_evaluate)
{
    if (values->range >= cupti.ranges || values->image[values->bytes - 1] != 4)
        return 1;
    for (size_t i = 0; i < values->count; i++)
        values->values[i] = strstr(values->names[i], "pct_of_peak") ? 50 : 1000.0 * cupti.grids[values->range];
    return 0;
}

FAKE(cuptiRangeProfilerEnable, cupti_enable)
{
    values->profiler = &here;
    cupti.enabled = fake.cupti_result == 0;
    return fake.cupti_result;
}

FAKE(cuptiRangeProfilerDisable, cupti_disable)
{
    cupti.enabled = false;
    return values->profiler != &here;
}

FAKE(cuptiRangeProfilerGetCounterDataSize, cupti_data_size)
{
    values->bytes = 16 * values->ranges;
    return !cupti.enabled || values->nodes < values->ranges;
}

FAKE(cuptiRangeProfilerCounterDataImageInitialize, cupti_data_initialize)
{
    memset(values->image, 3, values->bytes);
    cupti.image_bytes = values->bytes;
    return !cupti.enabled;
}

FAKE(cuptiRangeProfilerSetConfig, cupti_set_config)
{
    if (values->bytes != cupti.image_bytes || values->image[0] != 3 || values->config[0] != 2 ||
        values->ranges * 16 != values->bytes || values->ranges > RANGES_MAX || values->range != CUPTI_AUTO_RANGE)
        return 1;
    cupti.image = values->image;
    cupti.room = values->ranges;
    cupti.configured = true;
    cupti.pass = 0;
    return 0;
}

FAKE(cuptiRangeProfilerStart, cupti_start)
{
    if (fake.cupti_start == FAKE_CUPTI_CRASHES) {
        signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
    }
    while (fake.cupti_start == FAKE_CUPTI_HANGS)
        sleep(1);
    cupti.counts = cupti.configured;
    cupti.ranges = 0;
    return !cupti.configured || values->profiler != &here;
}

FAKE(cuptiRangeProfilerStop, cupti_stop)
{
    if (!cupti.counts)
        return 7;
    cupti.counts = false;
    values->all_submitted = ++cupti.pass >= fake.cupti_passes;
    return 0;
}

FAKE(cuptiRangeProfilerDecodeData, cupti_decode)
{
    memset(cupti.image, 4, cupti.image_bytes);
    values->dropped = 0;
    return cupti.pass < fake.cupti_passes;
}

void *fake_cupti_library(void)
{
    return fake.cupti ? &cupti : NULL;
}

void *fake_cupti_function(const char *name)
{
    static const struct {
        const char *name;
        void (*function)(void);
    } rows[] = {
#define FUNCTION(name, parameters, last) {#name, (void (*)(void))fake_##name},
#include "device/cupti_functions.def"
#undef FUNCTION
        {"cuptiGetErrorMessage", (void (*)(void))message}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(name, rows[i].name) == 0)
            return *(void *const *)&rows[i].function;
    return NULL;
}
