/* The ceilings of the fake device: 1000 bytes per ns in its memory, 25 over the link. */
#include "device/ceilings.h"
#include "fake_gpu.h"

static struct gpu gpu; /* large */

static void rates(void)
{
    static const struct {
        size_t device_mib, host_mib;
        bool warm, link;
        double copy, link_to_device, link_to_host, link_both;
    } rows[] = {
        {24, 1000, false, true, NAN, NAN, NAN, NAN}, /* neither fits */
        {40, 1000, false, true, 1e12, NAN, NAN, NAN},   {72, 1000, false, true, 1e12, 25e9, 25e9, 50e9},
        {72, 1000, true, true, 1e12, 25e9, 25e9, 50e9}, {72, 63, false, true, 1e12, NAN, NAN, NAN},
        {72, 1000, false, false, 1e12, NAN, NAN, NAN}, /* not requested */
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct error error = {0};
        test_gpu_begin(&gpu, FILL_NONE);
        fake.device_room = rows[i].device_mib << 20;
        fake.host_room = rows[i].host_mib << 20;
        gpu.sampling.warm = rows[i].warm;
        gpu.calibration.ceilings = (struct ceilings){NAN, NAN, NAN, NAN};
        size_t used = fake.device_used, host_used = fake.host_used;
        CU_ASSERT_EQUAL(gpu_measure_ceilings(&gpu, true, rows[i].link, &error), 0);
        expect_number("copy", round(gpu.calibration.ceilings.copy / 1e9) * 1e9, rows[i].copy);
        expect_number("in", round(gpu.calibration.ceilings.link_to_device / 1e9) * 1e9, rows[i].link_to_device);
        expect_number("out", round(gpu.calibration.ceilings.link_to_host / 1e9) * 1e9, rows[i].link_to_host);
        expect_number("both", round(gpu.calibration.ceilings.link_both / 1e9) * 1e9, rows[i].link_both);
        CU_ASSERT_EQUAL(fake.device_used, used);
        CU_ASSERT_EQUAL(fake.host_used, host_used);
        CU_ASSERT_PTR_NULL(fake.misuse);
        CU_ASSERT_EQUAL(cudaGetLastError(), cudaSuccess); /* no error is left for later calls */
    }
    test_gpu_close(&gpu);
}

/* Without memory for the buffers the ceilings are unknown, which is not an error. A broken device is an error. */
static void failures(void)
{
    struct error error = {0};
    test_gpu_begin(&gpu, FILL_NONE);
    cudaFree(gpu.flush);
    gpu.flush = NULL;
    fake.device_room = fake.device_used;
    CU_ASSERT_EQUAL(gpu_measure_ceilings(&gpu, true, true, &error), 0);
    expect_number("copy", gpu.calibration.ceilings.copy, NAN);
    CU_ASSERT_EQUAL(cudaGetLastError(), cudaSuccess);
    fake.device_room = 40 << 20;
    fake.broken = cudaErrorIllegalAddress;
    CU_ASSERT_EQUAL(gpu_measure_ceilings(&gpu, true, true, &error), ERROR_DEVICE);
    expect_start(error.message, "measuring the device's ceilings: an illegal memory access");
    test_gpu_close(&gpu);
}

CU_TestInfo tests_ceilings[] = {{"rates", rates}, {"failures", failures}, CU_TEST_INFO_NULL};
