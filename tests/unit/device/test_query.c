/* The device and its driver, as reported to child processes. */
#include "device_kit.h"

static void limits(void)
{
    struct device *device = NULL;
    struct error error = {0};
    fake_reset();
    CU_ASSERT_EQUAL_FATAL(device_open(&device, "0", &error), 0);
    const struct device_limits *limits = device_limits(device);
    expect_text(limits->name, "Fake GPU");
    expect_text(limits->uuid, "GPU-01000000-0000-0000-0000-000000000000");
    CU_ASSERT_EQUAL(limits->cc, 90);
    CU_ASSERT_EQUAL(limits->cuda, 13000);
    CU_ASSERT_EQUAL(limits->memory_bytes, 24 << 20);
    CU_ASSERT_EQUAL(limits->sm_count, 4);
    CU_ASSERT_EQUAL(limits->max_threads, 1024);
    CU_ASSERT_EQUAL(limits->l2_bytes, 1 << 16);
    CU_ASSERT_EQUAL(limits->shared_limit, 232448);
    CU_ASSERT_EQUAL(limits->texture_pitch_alignment, 32);
    CU_ASSERT(*limits->driver != '\0');
    device_close(device);
}

static void devices(void)
{
    static const struct {
        int devices;
        cudaError_t no_devices;
        int driver, code, count;
        const char *message;
    } rows[] = {
        {1, cudaSuccess, 13000, 0, 1, ""},
        {3, cudaSuccess, 13000, 0, 3, ""},
        {0, cudaSuccess, 13000, ERROR_NO_DEVICE, 0, "no CUDA device: the driver lists none"},
        {0, cudaErrorNoDevice, 13000, ERROR_NO_DEVICE, 0, "no CUDA device: no CUDA-capable device is detected"},
        {1, cudaErrorInsufficientDriver, 0, ERROR_NO_DEVICE, 0, "no CUDA device: no NVIDIA driver is installed"},
        {1, cudaErrorInsufficientDriver, 11000, ERROR_NO_DEVICE, 0,
         "no CUDA device: CUDA driver version is insufficient for CUDA runtime version"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct error error = {0};
        struct device *device = NULL;
        int count = -1;
        fake_reset();
        fake.devices = rows[i].devices;
        fake.no_devices = rows[i].no_devices;
        fake.driver = rows[i].driver;
        CU_ASSERT_EQUAL(device_count(&count, &error), rows[i].code);
        CU_ASSERT_EQUAL(count, rows[i].count);
        expect_text(error.message, rows[i].message);
        error = (struct error){0};
        CU_ASSERT_EQUAL(device_open(&device, "0", &error), rows[i].code);
        CU_ASSERT_EQUAL(device != NULL, rows[i].code == 0);
        expect_text(error.message, rows[i].message);
        device_close(device);
    }
}

static void ordinal(void)
{
    struct error error = {0};
    struct device *device = NULL;
    fake_reset();
    CU_ASSERT_EQUAL(device_open(&device, "1", &error), ERROR_NO_DEVICE);
    expect_text(error.message,
                "no CUDA device 1: no CUDA-capable device is detected; `cutune devices` lists the devices");
    fake.devices = 2;
    error = (struct error){0};
    CU_ASSERT_EQUAL(device_open(&device, "2", &error), ERROR_NO_DEVICE);
    expect_text(error.message,
                "no CUDA device 2: no CUDA-capable device is detected; `cutune devices` lists the devices");
    CU_ASSERT_PTR_NULL(device);
    CU_ASSERT_EQUAL_FATAL(device_open(&device, "1", &error), 0);
    expect_text(device_limits(device)->name, "Fake GPU");
    device_close(device);
}

CU_TestInfo tests_query[] = {{"limits", limits}, {"devices", devices}, {"ordinal", ordinal}, CU_TEST_INFO_NULL};
