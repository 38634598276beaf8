#include "device/cupti.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/timeline.h"
#include "base/toolkit.h"
#include "device/counters.h"
#include "device/cupti_types.h"

typedef int message_of(int result, const char **text);

struct cupti {
#define FUNCTION(name, parameters, last) int (*name)(struct parameters *);
#include "device/cupti_functions.def"
#undef FUNCTION
    message_of *cuptiGetErrorMessage;
    void *context, *host, *profiler;
    struct counters counters;
    const char *names[COUNTERS_METRICS_MAX];
    struct image {
        size_t bytes;
        uint8_t *data;
    } availability, config, data;
    size_t passes, ranges; /* ranges: capacity of `data` */
};

/* Calls a function with its parameters, which begin with their size. */
#define BYTES_TO(type, last)             (offsetof(struct type, last) + sizeof((struct type){.bytes_of_struct = 0}.last))
#define FUNCTION(name, parameters, last) enum { parameters##_bytes = BYTES_TO(parameters, last) };
#include "device/cupti_functions.def"
#undef FUNCTION
#define CALL(cupti, name, parameters, values, error)                                                                   \
    ((values)->bytes_of_struct = parameters##_bytes, check(cupti, (cupti)->name(values), #name, error))

/* ---- Errors ---- */

static const struct {
    int result;
    const char *what, *cure;
} failures[] = {
    {CUPTI_FORBIDDEN, "the driver lets administrators alone read performance counters",
     "run as root or with CAP_PERFMON, or set NVreg_RestrictProfilingToAdminUsers=0 for the kernel module nvidia"},
    {CUPTI_VIRTUALIZED_FORBIDDEN, "the hypervisor does not let this virtual GPU read performance counters",
     "have its administrator enable profiling"},
    {CUPTI_BUSY, "another profiler uses the performance counters", "end it; `dcgmi profile --pause` pauses DCGM's"},
    {CUPTI_OTHER_SUBSCRIBER, "another profiler is attached", "run without it"},
    {CUPTI_OTHER_API, "another profiler is attached", "run without it"},
    {CUPTI_NOT_COMPATIBLE, "the driver is too old for this CUPTI",
     "install the driver of its CUDA version or a newer one"},
    {CUPTI_LEGACY, "this CUPTI does not know the device", "install that of a newer CUDA Toolkit"},
    {CUPTI_CHIP, "this CUPTI does not know the device", "install that of a newer CUDA Toolkit"},
};

static int check(const struct cupti *cupti, int result, const char *call, struct error *error)
{
    const char *text = NULL;
    if (result == CUPTI_OK)
        return 0;
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++)
        if (failures[i].result == result) {
            error_set(error, ERROR_DEVICE, "%s", failures[i].what);
            error_hint(error, "%s", failures[i].cure);
            return ERROR_DEVICE;
        }
    if (cupti->cuptiGetErrorMessage(result, &text) || !text)
        text = "unknown";
    return error_set(error, ERROR_DEVICE, "%s fails with CUPTI error %d: %s", call, result, text);
}

/* ---- Loading ---- */

static const struct {
    const char *name;
    size_t offset;
} symbols[] = {
#define FUNCTION(name, parameters, last) {#name, offsetof(struct cupti, name)},
#include "device/cupti_functions.def"
#undef FUNCTION
    {"cuptiGetErrorMessage", offsetof(struct cupti, cuptiGetErrorMessage)}};

static int find_functions(void *library, const char *path, struct cupti *cupti, struct error *error)
{
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        void *function = dlsym(library, symbols[i].name);
        if (!function) {
            error_set(error, ERROR_NOT_FOUND, "%s has no function %s", path, symbols[i].name);
            error_hint(error, "install CUPTI of CUDA 12.6 or newer");
            return ERROR_NOT_FOUND;
        }
        memcpy((char *)cupti + symbols[i].offset, &function, sizeof function);
    }
    return 0;
}

static int load(struct cupti *cupti, struct error *error)
{
    static const char name[] = "libcupti.so." CUTUNE_CUDA_MAJOR,
                      apart[] = "../extras/CUPTI/lib64/libcupti.so." CUTUNE_CUDA_MAJOR;
    struct text paths = {0};
    size_t count = 0;
    void *library = NULL;
    toolkit_libraries(name, &paths, &count);
    toolkit_libraries(apart, &paths, &count);
    text_append(&paths, name, sizeof name);
    int code = paths.failed ? error_memory(error) : 0;
    const char *path = text_string(&paths), *found = path;
    for (size_t i = 0; i <= count && !code && !library; i++, path += strlen(path) + 1)
        if ((library = dlopen(path, RTLD_NOW | RTLD_LOCAL)))
            found = path;
    if (!code && library) {
        code = find_functions(library, found, cupti, error);
    } else if (!code) {
        code = error_set(error, ERROR_NOT_FOUND, "CUPTI, which reads performance counters, is not installed");
        error_hint(error, "install NVIDIA's package cuda-cupti-" CUTUNE_CUDA_MAJOR
                          "-*, or set CUDA_HOME to the folder of a CUDA Toolkit " CUTUNE_CUDA_MAJOR);
    }
    text_free(&paths);
    return code;
}

int cupti_locate(struct text *path, struct error *error)
{
    struct cupti cupti = {0};
    Dl_info info;
    void *function;
    int code = load(&cupti, error);
    if (code)
        return code;
    memcpy(&function, (const char *)&cupti + symbols[0].offset, sizeof function);
    text_printf(path, "%s", dladdr(function, &info) ? info.dli_fname : "an unknown file");
    return path->failed ? error_memory(error) : 0;
}

static int current_context(void **context, struct error *error)
{
    enum { SINCE = 12000 };
    int (*function)(void **) = NULL;
    cudaError_t result =
        cudaGetDriverEntryPointByVersion("cuCtxGetCurrent", (void **)&function, SINCE, cudaEnableDefault, NULL);
    if (result || !function || function(context) || !*context)
        return error_set(error, ERROR_DEVICE, "the driver names no current context");
    return 0;
}

/* ---- Choice of counters ---- */

static int make_image(struct image *image, size_t bytes, struct error *error)
{
    free(image->data);
    image->data = calloc(1, bytes + 1);
    image->bytes = image->data ? bytes : 0;
    return image->data ? 0 : error_memory(error);
}

static bool has_metric(void *context, const char *metric)
{
    struct cupti *cupti = context;
    struct cupti_metric_properties properties = {.host = cupti->host, .name = metric};
    struct error unknown = {0};
    return CALL(cupti, cuptiProfilerHostGetMetricProperties, cupti_metric_properties, &properties, &unknown) == 0;
}

static int open_host(struct cupti *cupti, int device, struct error *error)
{
    struct cupti_initialize initialize = {0};
    struct cupti_chip_name chip = {.device = (size_t)device};
    struct cupti_availability availability = {.context = cupti->context};
    int code = CALL(cupti, cuptiProfilerInitialize, cupti_initialize, &initialize, error);
    if (!code)
        code = CALL(cupti, cuptiDeviceGetChipName, cupti_chip_name, &chip, error);
    if (!code)
        code = CALL(cupti, cuptiProfilerGetCounterAvailability, cupti_availability, &availability, error);
    if (!code)
        code = make_image(&cupti->availability, availability.bytes, error);
    availability.image = cupti->availability.data;
    if (!code)
        code = CALL(cupti, cuptiProfilerGetCounterAvailability, cupti_availability, &availability, error);
    struct cupti_host_initialize host = {
        .profiler_type = CUPTI_RANGE_PROFILER, .chip = chip.chip, .availability = cupti->availability.data};
    if (!code)
        code = CALL(cupti, cuptiProfilerHostInitialize, cupti_host_initialize, &host, error);
    cupti->host = code ? NULL : host.host;
    return code;
}

static int configure(struct cupti *cupti, struct error *error)
{
    counters_choose(&cupti->counters, has_metric, cupti);
    for (size_t i = 0; i < cupti->counters.count; i++)
        cupti->names[i] = cupti->counters.names[i];
    struct cupti_add_metrics add = {.host = cupti->host, .names = cupti->names, .count = cupti->counters.count};
    struct cupti_config_size size = {.host = cupti->host};
    int code = CALL(cupti, cuptiProfilerHostConfigAddMetrics, cupti_add_metrics, &add, error);
    if (!code)
        code = CALL(cupti, cuptiProfilerHostGetConfigImageSize, cupti_config_size, &size, error);
    if (!code)
        code = make_image(&cupti->config, size.bytes, error);
    struct cupti_config_image image = {.host = cupti->host, .bytes = cupti->config.bytes, .image = cupti->config.data};
    struct cupti_passes passes = {.bytes = cupti->config.bytes, .image = cupti->config.data};
    if (!code)
        code = CALL(cupti, cuptiProfilerHostGetConfigImage, cupti_config_image, &image, error);
    if (!code)
        code = CALL(cupti, cuptiProfilerHostGetNumOfPasses, cupti_passes, &passes, error);
    cupti->passes = passes.passes;
    return code;
}

static int enable(struct cupti *cupti, struct error *error)
{
    struct cupti_enable enable = {.context = cupti->context};
    int code = CALL(cupti, cuptiRangeProfilerEnable, cupti_enable, &enable, error);
    cupti->profiler = code ? NULL : enable.profiler;
    return code;
}

int cupti_open(struct cupti **result, int device, struct error *error)
{
    struct cupti *cupti = *result = calloc(1, sizeof *cupti);
    int code = cupti ? load(cupti, error) : error_memory(error);
    timeline("profiler", "CUPTI loaded");
    if (!code)
        code = current_context(&cupti->context, error);
    if (!code)
        code = open_host(cupti, device, error);
    timeline("profiler", "chip known");
    if (!code)
        code = configure(cupti, error);
    timeline("profiler", "counters chosen");
    if (!code)
        code = enable(cupti, error);
    if (code) {
        cupti_close(cupti);
        *result = NULL;
    }
    return code;
}

void cupti_close(struct cupti *cupti)
{
    if (!cupti)
        return;
    struct cupti_disable disable = {.profiler = cupti->profiler};
    struct cupti_host_deinitialize host = {.host = cupti->host};
    if (cupti->profiler)
        CALL(cupti, cuptiRangeProfilerDisable, cupti_disable, &disable, NULL);
    if (cupti->host)
        CALL(cupti, cuptiProfilerHostDeinitialize, cupti_host_deinitialize, &host, NULL);
    free(cupti->availability.data);
    free(cupti->config.data);
    free(cupti->data.data);
    free(cupti);
}

size_t cupti_passes(const struct cupti *cupti)
{
    return cupti->passes;
}

/* ---- Counting ---- */

/* Clears the image of the counts, and resizes it for `launches`. */
static int make_data(struct cupti *cupti, size_t launches, struct error *error)
{
    struct cupti_data_size size = {.profiler = cupti->profiler,
                                   .names = cupti->names,
                                   .count = cupti->counters.count,
                                   .ranges = launches,
                                   .nodes = (uint32_t)launches};
    int code = 0;
    if (cupti->ranges != launches) {
        code = CALL(cupti, cuptiRangeProfilerGetCounterDataSize, cupti_data_size, &size, error);
        if (!code)
            code = make_image(&cupti->data, size.bytes, error);
        cupti->ranges = code ? 0 : launches;
    }
    struct cupti_data_initialize initialize = {
        .profiler = cupti->profiler, .bytes = cupti->data.bytes, .image = cupti->data.data};
    return code ? code
                : CALL(cupti, cuptiRangeProfilerCounterDataImageInitialize, cupti_data_initialize, &initialize, error);
}

int cupti_begin(struct cupti *cupti, size_t launches, struct error *error)
{
    int code = make_data(cupti, launches, error);
    struct cupti_set_config config = {.profiler = cupti->profiler,
                                      .config_bytes = cupti->config.bytes,
                                      .config = cupti->config.data,
                                      .bytes = cupti->data.bytes,
                                      .image = cupti->data.data,
                                      .range = CUPTI_AUTO_RANGE,
                                      .replay = CUPTI_USER_REPLAY,
                                      .ranges = launches,
                                      .nesting_levels = 1,
                                      .least_nesting_level = 1};
    return code ? code : CALL(cupti, cuptiRangeProfilerSetConfig, cupti_set_config, &config, error);
}

int cupti_start(struct cupti *cupti, struct error *error)
{
    struct cupti_start start = {.profiler = cupti->profiler};
    return CALL(cupti, cuptiRangeProfilerStart, cupti_start, &start, error);
}

int cupti_stop(struct cupti *cupti, bool *more, struct error *error)
{
    struct cupti_stop stop = {.profiler = cupti->profiler};
    int code = CALL(cupti, cuptiRangeProfilerStop, cupti_stop, &stop, error);
    *more = !code && !stop.all_submitted;
    return code;
}

int cupti_read(struct cupti *cupti, size_t launches, struct evidence *evidence, struct error *error)
{
    double values[COUNTERS_METRICS_MAX];
    struct cupti_decode decode = {.profiler = cupti->profiler};
    int code = CALL(cupti, cuptiRangeProfilerDecodeData, cupti_decode, &decode, error);
    for (size_t i = 0; i < launches && !code; i++) {
        struct cupti_evaluate evaluate = {.host = cupti->host,
                                          .image = cupti->data.data,
                                          .bytes = cupti->data.bytes,
                                          .range = i,
                                          .names = cupti->names,
                                          .count = cupti->counters.count,
                                          .values = values};
        code = CALL(cupti, cuptiProfilerHostEvaluateToGpuValues, cupti_evaluate, &evaluate, error);
        if (!code)
            counters_put(&cupti->counters, values, &evidence[i]);
    }
    return code;
}
