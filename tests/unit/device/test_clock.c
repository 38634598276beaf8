/* The device's clock, and NVML if present, in virtual time. */
#include "device/clock.h"
#include "device/nvml_types.h"
#include "fake_gpu.h"
#include <stddef.h>

#if __has_include(<nvml.h>) /* not part of the CUDA packages that cutune builds with */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic" /* enumerators beyond int */
#include <nvml.h>
#pragma GCC diagnostic pop
#define SAME_FUNCTION(name, type) _Static_assert(_Generic(&(name), type * : 1, default : 0), #name)
#define SAME_REASON(name, value)  _Static_assert(nvmlClocksThrottleReason##name == (value), #name)
SAME_FUNCTION(nvmlInit_v2, gpu_nvml_init);
SAME_FUNCTION(nvmlDeviceGetHandleByPciBusId_v2, gpu_nvml_by_bus);
#ifdef nvmlClocksEventReasonNone /* the other name is deprecated */
SAME_FUNCTION(nvmlDeviceGetCurrentClocksEventReasons, gpu_nvml_reasons);
#else
SAME_FUNCTION(nvmlDeviceGetCurrentClocksThrottleReasons, gpu_nvml_reasons);
#endif
SAME_FUNCTION(nvmlDeviceGetTemperature, gpu_nvml_temperature);
SAME_FUNCTION(nvmlDeviceGetTotalEnergyConsumption, gpu_nvml_energy);
SAME_FUNCTION(nvmlDeviceGetEnforcedPowerLimit, gpu_nvml_power_limit);
_Static_assert(sizeof(nvmlFieldValue_t) == sizeof(struct gpu_nvml_field), "nvmlFieldValue_t");
_Static_assert(offsetof(nvmlFieldValue_t, value) == offsetof(struct gpu_nvml_field, value), "nvmlFieldValue_t.value");
_Static_assert(NVML_FI_DEV_POWER_INSTANT == NVML_POWER_INSTANT, "NVML_FI_DEV_POWER_INSTANT");
_Static_assert((int)NVML_VALUE_TYPE_UNSIGNED_INT == NVML_UNSIGNED, "NVML_VALUE_TYPE_UNSIGNED_INT");
SAME_REASON(SwPowerCap, POWER_CAP_REASON);
SAME_REASON(HwSlowdown, NVML_HW_SLOWDOWN);
SAME_REASON(SwThermalSlowdown, NVML_SW_THERMAL);
SAME_REASON(HwThermalSlowdown, NVML_HW_THERMAL);
SAME_REASON(HwPowerBrakeSlowdown, NVML_POWER_BRAKE);
_Static_assert(NVML_SUCCESS == 0, "NVML_SUCCESS");
_Static_assert((int)NVML_ERROR_NOT_SUPPORTED == NVML_NOT_SUPPORTED, "NVML_ERROR_NOT_SUPPORTED");
_Static_assert((int)NVML_ERROR_NO_PERMISSION == NVML_NO_PERMISSION, "NVML_ERROR_NO_PERMISSION");
#endif

static struct gpu gpu; /* large */
static const int64_t ms = 1000000;

static struct gpu_condition look(void)
{
    CU_ASSERT_EQUAL(gpu_clock_queue(&gpu), cudaSuccess);
    CU_ASSERT_EQUAL(cudaStreamSynchronize(gpu.stream), cudaSuccess);
    return gpu_clock_read(&gpu);
}

static void slow(double mhz, int64_t until_ns)
{
    fake.slow_mhz = mhz;
    fake.slow_from_ns = 0;
    fake.slow_until_ns = fake.now_ns + until_ns;
}

/* Keeps the device busy until its clock is stable, for a second at most. */
static void settles(void)
{
    static const struct {
        double slow_mhz;
        int64_t slow_ns, least_ns, most_ns;
        double settled_mhz;
    } rows[] = {
        {0, 0, 20 * 1000000, 21 * 1000000, 1000},
        {500, 10 * 1000000, 20 * 1000000, 21 * 1000000, 1000}, /* it rises before the first reading */
        {500, INT64_MAX / 2, 20 * 1000000, 21 * 1000000, 500},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct error error = {0};
        test_gpu_begin(&gpu, FILL_NONE);
        slow(rows[i].slow_mhz, rows[i].slow_ns);
        int64_t start_ns = fake.now_ns;
        fake_trace_clear();
        CU_ASSERT_EQUAL(gpu_settle(&gpu, &error), 0);
        expect_start(fake_trace(), "EFFFFFFFFEcEFFFFFFFFEc"); /* wakes the device up, and reads the clock */
        CU_ASSERT(fake.now_ns - start_ns >= rows[i].least_ns && fake.now_ns - start_ns <= rows[i].most_ns);
        expect_number("settled", gpu.calibration.settled_mhz, rows[i].settled_mhz);
    }
    /* Earlier work counts, but the readings must still agree. */
    gpu.awake_ns = clock_now_ns() - 15 * ms;
    int64_t start_ns = fake.now_ns;
    struct error none = {0};
    CU_ASSERT_EQUAL(gpu_settle(&gpu, &none), 0);
    CU_ASSERT(fake.now_ns - start_ns >= 5 * ms && fake.now_ns - start_ns <= 6 * ms);
    gpu.awake_ns = 0;
    /* The earlier clock is kept, so that a restarted process does not take a throttled clock for normal. */
    slow(500, 1000 * ms);
    gpu.calibration.settled_mhz = 1000;
    struct error error = {0};
    CU_ASSERT_EQUAL(gpu_settle(&gpu, &error), 0);
    expect_number("kept", gpu.calibration.settled_mhz, 1000);
    CU_ASSERT(look().throttled);
    test_gpu_close(&gpu);
}

/* Gives up on an unstable clock after a second, on a broken device at once. */
static void does_not_settle(void)
{
    struct error error = {0};
    test_gpu_begin(&gpu, FILL_NONE);
    fake.restless = true;
    int64_t start_ns = fake.now_ns;
    CU_ASSERT_EQUAL(gpu_settle(&gpu, &error), 0);
    CU_ASSERT(fake.now_ns - start_ns >= 1000 * ms && fake.now_ns - start_ns < 1001 * ms);
    expect_number("settled", gpu.calibration.settled_mhz, 1000);
    fake.broken = cudaErrorIllegalAddress;
    CU_ASSERT_EQUAL(gpu_settle(&gpu, &error), ERROR_DEVICE);
    expect_text(error.message, "waiting for the clock to settle: an illegal memory access was encountered "
                               "(cudaErrorIllegalAddress)");
    test_gpu_close(&gpu);
}

static void conditions(void)
{
    static const struct {
        double slow_mhz;
        bool nvml;
        uint64_t reasons;
        double mhz;
        int64_t said;
        bool throttled, at_cap;
    } rows[] = {
        {0, false, 0, 1000, -1, false, false},     {0, false, 0x40, 1000, -1, false, false}, /* not queried */
        {0, true, 0, 1000, 0, false, false},       {0, true, 0x4, 1000, 0x4, false, false},
        {0, true, 0x8, 1000, 0x8, true, false},    {0, true, 0x20, 1000, 0x20, true, false},
        {0, true, 0x40, 1000, 0x40, true, false},  {0, true, 0x80, 1000, 0x80, true, false},
        {0, true, 0x10, 1000, 0x10, false, false}, {0, true, 0x44, 1000, 0x44, true, false},
        {749, false, 0, 749, -1, true, true},      {751, false, 0, 751, -1, false, true},
        {979, true, 0, 979, 0, false, true},       {981, true, 0x4, 981, 0x4, false, false},
        {900, true, 0x4, 900, 0x4, false, true},   {900, true, 0x10, 900, 0x10, false, true},
        {900, true, 0x40, 900, 0x40, true, false}, /* too hot */
        {900, true, 0x44, 900, 0x44, true, true},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct error error = {0};
        test_gpu_open(&gpu, FILL_NONE);
        fake.nvml = rows[i].nvml;
        fake.reasons = rows[i].reasons;
        CU_ASSERT_EQUAL(gpu_open_clock(&gpu, &error), 0);
        gpu.calibration.settled_mhz = 1000;
        slow(rows[i].slow_mhz, 1000 * ms);
        fake.slow_reasons = rows[i].reasons;
        struct gpu_condition got = look();
        expect_number("clock", got.mhz, rows[i].mhz);
        expect_number("reasons", (double)got.reasons, (double)rows[i].said);
        CU_ASSERT_EQUAL(got.throttled, rows[i].throttled);
        CU_ASSERT_EQUAL(gpu_at_cap(&gpu, &got), rows[i].at_cap);
    }
    test_gpu_close(&gpu);
}

/* NVML is queried again after 50 ms, not before; an unknown device has no reasons. */
static void nvml(void)
{
    /* begun in a thread, or not */
    for (int begun = 0; begun < 2; begun++) {
        struct error error = {0};
        test_gpu_begin(&gpu, FILL_NONE);
        fake.nvml = true;
        if (begun)
            gpu_begin_clock(&gpu);
        CU_ASSERT_EQUAL(gpu_open_clock(&gpu, &error), 0);
        CU_ASSERT_PTR_NOT_NULL(gpu.nvml.device);
        test_gpu_close(&gpu);
    }
    struct error error = {0};
    test_gpu_open(&gpu, FILL_NONE);
    fake.nvml = true;
    CU_ASSERT_EQUAL(gpu_open_clock(&gpu, &error), 0);
    CU_ASSERT_EQUAL(look().reasons, 0);
    fake.reasons = 0x4;
    CU_ASSERT_EQUAL(look().reasons, 0);
    fake.now_ns += 49 * ms;
    CU_ASSERT_EQUAL(look().reasons, 0);
    fake.now_ns += 1 * ms;
    CU_ASSERT_EQUAL(look().reasons, 0x4);
    CU_ASSERT_EQUAL(gpu_open_clock(&gpu, &error), 0);
    CU_ASSERT_EQUAL(look().reasons, -1);
    test_gpu_close(&gpu);
}

CU_TestInfo tests_clock[] = {{"settles", settles},
                             {"does not settle", does_not_settle},
                             {"conditions", conditions},
                             {"nvml", nvml},
                             CU_TEST_INFO_NULL};
