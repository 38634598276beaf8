/* The counters against CUPTI itself, whose host part needs no device. Skipped without CUPTI. */
#include "device/counters.h"

#include <dlfcn.h>
#include <math.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "../unit.h"
#include "base/text.h"
#include "base/toolkit.h"
#include "device/cupti_types.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void *library;
static void *host;

const char *suite_lacks(const char *suite)
{
    struct text paths = {0};
    size_t count = 0;
    (void)suite;
    toolkit_libraries("libcupti.so.13", &paths, &count);
    const char *path = text_string(&paths);
    for (size_t i = 0; i < count && !library; i++, path += strlen(path) + 1)
        library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    text_free(&paths);
    return library ? NULL : "no CUPTI";
}

/* Calls a function of CUPTI. `bytes`: up to the last member. */
static int call(const char *name, void *values, size_t bytes)
{
    int (*function)(void *) = NULL;
    *(void **)&function = dlsym(library, name);
    memcpy(values, &bytes, sizeof bytes);
    return function(values);
}
#define CALL(name, type, last, values)                                                                                 \
    call(name, values, offsetof(struct type, last) + sizeof((struct type){.reserved = NULL}.last))

static bool has_metric(void *context, const char *metric)
{
    struct cupti_metric_properties properties = {.host = host, .name = metric};
    (void)context;
    return CALL("cuptiProfilerHostGetMetricProperties", cupti_metric_properties, type, &properties) == 0;
}

static size_t passes_of(const struct counters *counters)
{
    static uint8_t image[1 << 20];
    const char *names[COUNTERS_METRICS_MAX];
    for (size_t i = 0; i < counters->count; i++)
        names[i] = counters->names[i];
    struct cupti_add_metrics add = {.host = host, .names = names, .count = counters->count};
    struct cupti_config_size size = {.host = host};
    CU_ASSERT_EQUAL(CALL("cuptiProfilerHostConfigAddMetrics", cupti_add_metrics, count, &add), 0);
    CU_ASSERT_EQUAL(CALL("cuptiProfilerHostGetConfigImageSize", cupti_config_size, bytes, &size), 0);
    CU_ASSERT_FATAL(size.bytes <= sizeof image);
    struct cupti_config_image config = {.host = host, .bytes = size.bytes, .image = image};
    struct cupti_passes passes = {.bytes = size.bytes, .image = image};
    CU_ASSERT_EQUAL(CALL("cuptiProfilerHostGetConfigImage", cupti_config_image, image, &config), 0);
    CU_ASSERT_EQUAL(CALL("cuptiProfilerHostGetNumOfPasses", cupti_passes, passes, &passes), 0);
    return passes.passes;
}

/* The items that no metric of the chip gives. */
static void list_missing(const struct counters *counters, struct text *missing)
{
    struct evidence evidence = evidence_unknown();
    double values[COUNTERS_METRICS_MAX];
    for (size_t i = 0; i < counters->count; i++)
        values[i] = 1;
    counters_put(counters, values, &evidence);
    for (size_t i = 0; i < evidence_count; i++)
        if (evidence_rows[i].source == EVIDENCE_COUNTER && isnan(evidence_get(&evidence, &evidence_rows[i])))
            text_printf(missing, " %s", evidence_rows[i].name);
}

/* The counters and passes of each architecture. */
static void chips(void)
{
    static const struct {
        const char *chip, *missing;
        size_t passes;
    } rows[] = {{"TU102", " async_copies stall_gmma", 12},
                {"GA100", " stall_gmma", 12},
                {"GA102", " stall_gmma", 12},
                {"AD102", " stall_gmma", 12},
                {"GH100", "", 13},
                {"GB100", " stall_imc stall_gmma", 12},
                {"GB202", " stall_imc stall_gmma", 12}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct counters counters;
        struct text missing = {0};
        struct cupti_host_initialize initialize = {.chip = rows[i].chip};
        CU_ASSERT_EQUAL_FATAL(CALL("cuptiProfilerHostInitialize", cupti_host_initialize, host, &initialize), 0);
        host = initialize.host;
        counters_choose(&counters, has_metric, NULL);
        list_missing(&counters, &missing);
        CU_ASSERT_STRING_EQUAL(text_string(&missing), rows[i].missing);
        CU_ASSERT_EQUAL(passes_of(&counters), rows[i].passes);
        struct cupti_host_deinitialize end = {.host = host};
        CU_ASSERT_EQUAL(CALL("cuptiProfilerHostDeinitialize", cupti_host_deinitialize, host, &end), 0);
        text_free(&missing);
    }
}

CU_TestInfo tests_chips[] = {{"chips", chips}, CU_TEST_INFO_NULL};
