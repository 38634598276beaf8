/* Compares CUPTI's interface with its headers, and tests all ways in which CUPTI can be missing, with a fake one. */
#include "device/cupti.h"

#include "device/cupti_types.h"
#include "device_kit.h"

#if __has_include(<cupti_range_profiler.h>) && __has_include(<cupti_profiler_host.h>) /* not part of the CUDA packages \
                                                                                         that cutune builds with */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#include <cupti_profiler_host.h> /* includes <string>, for which an include folder has an empty file */
#include <cupti_range_profiler.h>
#include <cupti_target.h>
#pragma GCC diagnostic pop

#define SAME(name, value) _Static_assert((int)(name) == (int)(value), #name)
SAME(CUPTI_OK, CUPTI_SUCCESS);
SAME(CUPTI_NOT_COMPATIBLE, CUPTI_ERROR_NOT_COMPATIBLE);
SAME(CUPTI_BUSY, CUPTI_ERROR_HARDWARE_BUSY);
SAME(CUPTI_FORBIDDEN, CUPTI_ERROR_INSUFFICIENT_PRIVILEGES);
SAME(CUPTI_OTHER_API, CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED);
SAME(CUPTI_LEGACY, CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED);
SAME(CUPTI_OTHER_SUBSCRIBER, CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
SAME(CUPTI_VIRTUALIZED_FORBIDDEN, CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES);
SAME(CUPTI_CHIP, CUPTI_ERROR_INVALID_CHIP_NAME);
SAME(CUPTI_RANGE_PROFILER, CUPTI_PROFILER_TYPE_RANGE_PROFILER);
SAME(CUPTI_AUTO_RANGE, CUPTI_AutoRange);
SAME(CUPTI_USER_REPLAY, CUPTI_UserReplay);
#undef SAME

/* Checks that a member has the offset and size of CUPTI's. */
#define SAME(ours, member, theirs, name)                                                                               \
    _Static_assert(offsetof(struct ours, member) == offsetof(theirs, name) &&                                          \
                       sizeof((struct ours){.reserved = NULL}.member) == sizeof((theirs){.pPriv = NULL}.name),         \
                   #ours "." #member)
SAME(cupti_initialize, reserved, CUpti_Profiler_Initialize_Params, pPriv);
SAME(cupti_chip_name, device, CUpti_Device_GetChipName_Params, deviceIndex);
SAME(cupti_chip_name, chip, CUpti_Device_GetChipName_Params, pChipName);
SAME(cupti_availability, context, CUpti_Profiler_GetCounterAvailability_Params, ctx);
SAME(cupti_availability, bytes, CUpti_Profiler_GetCounterAvailability_Params, counterAvailabilityImageSize);
SAME(cupti_availability, image, CUpti_Profiler_GetCounterAvailability_Params, pCounterAvailabilityImage);
SAME(cupti_host_initialize, profiler_type, CUpti_Profiler_Host_Initialize_Params, profilerType);
SAME(cupti_host_initialize, chip, CUpti_Profiler_Host_Initialize_Params, pChipName);
SAME(cupti_host_initialize, availability, CUpti_Profiler_Host_Initialize_Params, pCounterAvailabilityImage);
SAME(cupti_host_initialize, host, CUpti_Profiler_Host_Initialize_Params, pHostObject);
SAME(cupti_host_deinitialize, host, CUpti_Profiler_Host_Deinitialize_Params, pHostObject);
SAME(cupti_metric_properties, host, CUpti_Profiler_Host_GetMetricProperties_Params, pHostObject);
SAME(cupti_metric_properties, name, CUpti_Profiler_Host_GetMetricProperties_Params, pMetricName);
SAME(cupti_metric_properties, type, CUpti_Profiler_Host_GetMetricProperties_Params, metricType);
SAME(cupti_add_metrics, host, CUpti_Profiler_Host_ConfigAddMetrics_Params, pHostObject);
SAME(cupti_add_metrics, names, CUpti_Profiler_Host_ConfigAddMetrics_Params, ppMetricNames);
SAME(cupti_add_metrics, count, CUpti_Profiler_Host_ConfigAddMetrics_Params, numMetrics);
SAME(cupti_config_size, bytes, CUpti_Profiler_Host_GetConfigImageSize_Params, configImageSize);
SAME(cupti_config_image, bytes, CUpti_Profiler_Host_GetConfigImage_Params, configImageSize);
SAME(cupti_config_image, image, CUpti_Profiler_Host_GetConfigImage_Params, pConfigImage);
SAME(cupti_passes, bytes, CUpti_Profiler_Host_GetNumOfPasses_Params, configImageSize);
SAME(cupti_passes, image, CUpti_Profiler_Host_GetNumOfPasses_Params, pConfigImage);
SAME(cupti_passes, passes, CUpti_Profiler_Host_GetNumOfPasses_Params, numOfPasses);
SAME(cupti_evaluate, image, CUpti_Profiler_Host_EvaluateToGpuValues_Params, pCounterDataImage);
SAME(cupti_evaluate, bytes, CUpti_Profiler_Host_EvaluateToGpuValues_Params, counterDataImageSize);
SAME(cupti_evaluate, range, CUpti_Profiler_Host_EvaluateToGpuValues_Params, rangeIndex);
SAME(cupti_evaluate, names, CUpti_Profiler_Host_EvaluateToGpuValues_Params, ppMetricNames);
SAME(cupti_evaluate, count, CUpti_Profiler_Host_EvaluateToGpuValues_Params, numMetrics);
SAME(cupti_evaluate, values, CUpti_Profiler_Host_EvaluateToGpuValues_Params, pMetricValues);
SAME(cupti_enable, context, CUpti_RangeProfiler_Enable_Params, ctx);
SAME(cupti_enable, profiler, CUpti_RangeProfiler_Enable_Params, pRangeProfilerObject);
SAME(cupti_disable, profiler, CUpti_RangeProfiler_Disable_Params, pRangeProfilerObject);
SAME(cupti_data_size, names, CUpti_RangeProfiler_GetCounterDataSize_Params, pMetricNames);
SAME(cupti_data_size, count, CUpti_RangeProfiler_GetCounterDataSize_Params, numMetrics);
SAME(cupti_data_size, ranges, CUpti_RangeProfiler_GetCounterDataSize_Params, maxNumOfRanges);
SAME(cupti_data_size, nodes, CUpti_RangeProfiler_GetCounterDataSize_Params, maxNumRangeTreeNodes);
SAME(cupti_data_size, bytes, CUpti_RangeProfiler_GetCounterDataSize_Params, counterDataSize);
SAME(cupti_data_initialize, bytes, CUpti_RangeProfiler_CounterDataImage_Initialize_Params, counterDataSize);
SAME(cupti_data_initialize, image, CUpti_RangeProfiler_CounterDataImage_Initialize_Params, pCounterData);
SAME(cupti_set_config, config_bytes, CUpti_RangeProfiler_SetConfig_Params, configSize);
SAME(cupti_set_config, config, CUpti_RangeProfiler_SetConfig_Params, pConfig);
SAME(cupti_set_config, bytes, CUpti_RangeProfiler_SetConfig_Params, counterDataImageSize);
SAME(cupti_set_config, image, CUpti_RangeProfiler_SetConfig_Params, pCounterDataImage);
SAME(cupti_set_config, range, CUpti_RangeProfiler_SetConfig_Params, range);
SAME(cupti_set_config, replay, CUpti_RangeProfiler_SetConfig_Params, replayMode);
SAME(cupti_set_config, ranges, CUpti_RangeProfiler_SetConfig_Params, maxRangesPerPass);
SAME(cupti_set_config, nesting_levels, CUpti_RangeProfiler_SetConfig_Params, numNestingLevels);
SAME(cupti_set_config, least_nesting_level, CUpti_RangeProfiler_SetConfig_Params, minNestingLevel);
SAME(cupti_set_config, pass, CUpti_RangeProfiler_SetConfig_Params, passIndex);
SAME(cupti_set_config, nesting_level, CUpti_RangeProfiler_SetConfig_Params, targetNestingLevel);
SAME(cupti_start, profiler, CUpti_RangeProfiler_Start_Params, pRangeProfilerObject);
SAME(cupti_stop, pass, CUpti_RangeProfiler_Stop_Params, passIndex);
SAME(cupti_stop, all_submitted, CUpti_RangeProfiler_Stop_Params, isAllPassSubmitted);
SAME(cupti_decode, dropped, CUpti_RangeProfiler_DecodeData_Params, numOfRangeDropped);
#endif

/* Each failure is one sentence with its cure. */
static void failures(void)
{
    static const struct {
        bool here;
        int result;
        int device;
        enum error_code code;
        const char *message, *hint;
    } rows[] = {
        {false, 0, 0, ERROR_NOT_FOUND, "CUPTI, which reads performance counters, is not installed",
         "install NVIDIA's package cuda-cupti-"},
        {true, CUPTI_FORBIDDEN, 0, ERROR_DEVICE, "the driver lets administrators alone read performance counters",
         "run as root or with CAP_PERFMON, or set NVreg_RestrictProfilingToAdminUsers=0"},
        {true, CUPTI_VIRTUALIZED_FORBIDDEN, 0, ERROR_DEVICE, "the hypervisor does not let this virtual GPU", "have "},
        {true, CUPTI_BUSY, 0, ERROR_DEVICE, "another profiler uses the performance counters", "end it; `dcgmi"},
        {true, CUPTI_OTHER_SUBSCRIBER, 0, ERROR_DEVICE, "another profiler is attached", "run without it"},
        {true, CUPTI_NOT_COMPATIBLE, 0, ERROR_DEVICE, "the driver is too old for this CUPTI", "install the driver"},
        {true, 999, 0, ERROR_DEVICE, "cuptiRangeProfilerEnable fails with CUPTI error 999: an unknown error", ""},
        {true, 0, 1, ERROR_DEVICE, "cuptiDeviceGetChipName fails with CUPTI error 1: some error", ""},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct cupti *cupti;
        struct error error = {0};
        fake_reset();
        fake.cupti = rows[i].here;
        fake.cupti_result = rows[i].result;
        CU_ASSERT_EQUAL(cupti_open(&cupti, rows[i].device, &error), (int)rows[i].code);
        CU_ASSERT_PTR_NULL(cupti);
        CU_ASSERT_EQUAL(error.code, rows[i].code);
        expect_start(error.message, rows[i].message);
        expect_start(error.hint, rows[i].hint);
    }
}

/* Calls out of order are errors, too. */
static void order(void)
{
    struct cupti *cupti;
    struct evidence evidence = evidence_unknown();
    struct error error = {0};
    bool more = true;
    fake_reset();
    fake.cupti = true;
    CU_ASSERT_EQUAL_FATAL(cupti_open(&cupti, 0, &error), 0);
    CU_ASSERT_EQUAL(cupti_passes(cupti), 3);
    CU_ASSERT_EQUAL(cupti_start(cupti, NULL), ERROR_DEVICE);
    CU_ASSERT_EQUAL(cupti_begin(cupti, 1, &error), 0);
    CU_ASSERT_EQUAL(cupti_start(cupti, &error), 0);
    CU_ASSERT_EQUAL(cupti_stop(cupti, &more, &error), 0);
    CU_ASSERT_TRUE(more);
    CU_ASSERT_EQUAL(cupti_stop(cupti, &more, NULL), ERROR_DEVICE);
    CU_ASSERT_FALSE(more);
    CU_ASSERT_EQUAL(cupti_read(cupti, 1, &evidence, &error), ERROR_DEVICE); /* passes are missing */
    CU_ASSERT(isnan(evidence.cycles));
    cupti_close(cupti);
    cupti_close(NULL);
}

CU_TestInfo tests_cupti[] = {{"failures", failures}, {"order", order}, CU_TEST_INFO_NULL};
