#include "device/counters.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "base/text.h"
#include "base/toolkit.h"
#include "device/cupti_types.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool has_all(void *context, const char *metric)
{
    (void)context, (void)metric;
    return true;
}

static bool lacks(void *context, const char *metric)
{
    return strcmp(metric, context) != 0;
}

/* The value of a metric is the length of its name. */
static struct evidence measured(const struct counters *counters)
{
    struct evidence evidence = evidence_unknown();
    double values[COUNTERS_METRICS_MAX];
    for (size_t i = 0; i < counters->count; i++)
        values[i] = (double)strlen(counters->names[i]);
    counters_put(counters, values, &evidence);
    return evidence;
}

/* The table has a row for each counter, and for nothing else. */
static void items(void)
{
    struct counters counters;
    counters_choose(&counters, has_all, NULL);
    const struct evidence evidence = measured(&counters);
    for (size_t i = 0; i < evidence_count; i++) {
        bool known = !isnan(evidence_get(&evidence, &evidence_rows[i]));
        if (known != (evidence_rows[i].source == EVIDENCE_COUNTER))
            fprintf(stderr, "\n%s", evidence_rows[i].name);
        CU_ASSERT_EQUAL(known, evidence_rows[i].source == EVIDENCE_COUNTER);
    }
    for (size_t i = 0; i < counters.count; i++)
        for (size_t j = 0; j < i; j++)
            CU_ASSERT_STRING_NOT_EQUAL(counters.names[i], counters.names[j]);
}

/* An item may be a sum, a ratio or scaled. Another row replaces one whose metric is missing; without one the item is
 * unknown. */
static void values(void)
{
    static char missing[][COUNTERS_NAME_BYTES] = {"dram__bytes_read.sum", "smsp__warps_issue_stalled_gmma.sum",
                                                  "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum"};
    struct counters counters;
    counters_choose(&counters, has_all, NULL);
    struct evidence evidence = measured(&counters);
    CU_ASSERT_EQUAL(evidence.cycles, strlen("sm__cycles_elapsed.max"));
    CU_ASSERT_EQUAL(evidence.l2_bytes, 32 * strlen("lts__t_sectors_srcunit_tex.sum"));
    CU_ASSERT_EQUAL(evidence.atomic_requests, strlen("l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum"
                                                     "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum"));
    CU_ASSERT_DOUBLE_EQUAL(evidence.sm_active,
                           (double)strlen("sm__cycles_active.avg") / (double)strlen("sm__cycles_elapsed.max"), 1e-12);
    CU_ASSERT_EQUAL(evidence.dram_read_bytes, strlen("dram__bytes_read.sum"));
    counters_choose(&counters, lacks, missing[0]);
    CU_ASSERT_EQUAL(measured(&counters).dram_read_bytes, strlen("dram__bytes_op_read.sum"));
    counters_choose(&counters, lacks, missing[1]);
    CU_ASSERT(isnan(measured(&counters).stall_gmma));
    CU_ASSERT_FALSE(isnan(measured(&counters).stall_wait));
    counters_choose(&counters, lacks, missing[2]);
    CU_ASSERT(isnan(measured(&counters).atomic_requests));
    double zeros[COUNTERS_METRICS_MAX] = {0};
    counters_choose(&counters, has_all, NULL);
    evidence = evidence_unknown();
    counters_put(&counters, zeros, &evidence);
    CU_ASSERT_EQUAL(evidence.cycles, 0);
    CU_ASSERT(isnan(evidence.l1_hits)); /* no accesses */
}

/* ---- Against CUPTI itself, if installed: its host part needs no device ---- */

void *__real_dlopen(const char *name, int flags);
void *__real_dlsym(void *library, const char *name);

static void *library;
static void *host;

/* Calls a function of CUPTI. `bytes`: up to the last member. */
static int call(const char *name, void *values, size_t bytes)
{
    int (*function)(void *) = NULL;
    *(void **)&function = __real_dlsym(library, name);
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
    struct text paths = {0};
    size_t count = 0;
#ifndef __SANITIZE_ADDRESS__ /* AddressSanitizer breaks CUPTI's loading of its own library */
    toolkit_libraries("libcupti.so.13", &paths, &count);
#endif
    const char *path = text_string(&paths);
    for (size_t i = 0; i < count && !library; i++, path += strlen(path) + 1)
        library = __real_dlopen(path, RTLD_NOW | RTLD_LOCAL);
    text_free(&paths);
    for (size_t i = 0; i < COUNT(rows) && library; i++) {
        struct counters counters;
        struct text missing = {0};
        struct cupti_host_initialize initialize = {.chip = rows[i].chip};
        CU_ASSERT_EQUAL_FATAL(CALL("cuptiProfilerHostInitialize", cupti_host_initialize, host, &initialize), 0);
        host = initialize.host;
        counters_choose(&counters, has_metric, NULL);
        const struct evidence evidence = measured(&counters);
        for (size_t k = 0; k < evidence_count; k++)
            if (evidence_rows[k].source == EVIDENCE_COUNTER && isnan(evidence_get(&evidence, &evidence_rows[k])))
                text_printf(&missing, " %s", evidence_rows[k].name);
        CU_ASSERT_STRING_EQUAL(text_string(&missing), rows[i].missing);
        CU_ASSERT_EQUAL(passes_of(&counters), rows[i].passes);
        struct cupti_host_deinitialize end = {.host = host};
        CU_ASSERT_EQUAL(CALL("cuptiProfilerHostDeinitialize", cupti_host_deinitialize, host, &end), 0);
        text_free(&missing);
    }
}

CU_TestInfo tests_counters[] = {{"items", items}, {"values", values}, {"chips", chips}, CU_TEST_INFO_NULL};
