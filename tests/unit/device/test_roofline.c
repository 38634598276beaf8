/* The ceilings of the roofline on the fake device, where each launch takes 10 us. */
#include "device/roofline.h"
#include "fake_gpu.h"

static struct gpu gpu; /* large */

/* Returns the number of threads of a launch, which is also 1e9 over its time. */
static double threads(void)
{
    return 1024.0 * (double)gpu.limits.sm_count;
}

static void rates(void)
{
    struct error error = {0};
    struct roofline found;
    test_gpu_begin(&gpu, FILL_NONE);
    size_t used = fake.device_used;
    CU_ASSERT_EQUAL_FATAL(gpu_measure_roofline(&gpu, "fake: time_ns=10000", &found, &error), 0);
    double step = threads() * 4 * 16, data = step * fmax(floor((double)gpu.limits.l2_bytes / 4 / step), 1);
    CU_ASSERT_DOUBLE_EQUAL(found.l2 / (data * 32 / 1e-5), 1, 1e-3);
    CU_ASSERT_DOUBLE_EQUAL(found.shared / (threads() * 64 * 512 / 1e-5), 1, 1e-3);
    CU_ASSERT_DOUBLE_EQUAL(found.issue / (threads() / 32 * 32 * 512 / 1e-5), 1, 1e-3);
    CU_ASSERT_DOUBLE_EQUAL(found.fma / (threads() * 32 * 1024 / 1e-5), 1, 1e-3);
    CU_ASSERT_DOUBLE_EQUAL(found.tensor / (threads() / 32 * 65536 * 512 / 1e-5), 1, 1e-3);
    CU_ASSERT_EQUAL(fake.device_used, used);
    CU_ASSERT_PTR_NULL(fake.misuse);
    test_gpu_close(&gpu);
}

/* Ceilings without memory or without a unit of the device stay unknown. A broken device is an error. */
static void unknown(void)
{
    struct error error = {0};
    struct roofline found;
    test_gpu_begin(&gpu, FILL_NONE);
    gpu.limits.cc = 75;
    fake.device_room = fake.device_used;
    CU_ASSERT_EQUAL_FATAL(gpu_measure_roofline(&gpu, "fake: time_ns=10000", &found, &error), 0);
    expect_number("l2", found.l2, NAN);
    expect_number("tensor", found.tensor, NAN);
    CU_ASSERT(found.shared > 0 && found.issue > 0 && found.fma > 0);
    CU_ASSERT_EQUAL(cudaGetLastError(), cudaSuccess);
    fake.broken = cudaErrorIllegalAddress;
    CU_ASSERT_EQUAL(gpu_measure_roofline(&gpu, "fake: time_ns=10000", &found, &error), ERROR_DEVICE);
    expect_start(error.message, "measuring the ceilings of the roofline: an illegal memory access");
    test_gpu_close(&gpu);
}

/* Through a process: one that dies is replaced, and later jobs run. */
static void through_a_process(void)
{
    static const struct {
        const char *cubin;
        bool known;
    } rows[] = {{"fake: time_ns=10000", true}, {"fake: time_ns=10000 kill=1", false}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct error error = {0};
        struct roofline found;
        struct device *device = test_device_open(&test_sampling);
        CU_ASSERT_EQUAL(device_measure_roofline(device, rows[i].cubin, strlen(rows[i].cubin) + 1, NULL, &found, &error),
                        0);
        CU_ASSERT_EQUAL(!isnan(found.fma), rows[i].known);
        CU_ASSERT(device_is_set_up(device) && device_idle(device));
        device_close(device);
        fake_reset();
    }
}

CU_TestInfo tests_roofline[] = {
    {"rates", rates}, {"unknown ceilings", unknown}, {"through a process", through_a_process}, CU_TEST_INFO_NULL};
