/* Set-up of a device process, with its failures and their messages; jobs of several kernels. */
#include "device/device.h"

#include "device_kit.h"

static const int64_t patience_ns = 5000000000;

/* All failures of a set-up. */
static void set_ups(void)
{
    static const struct {
        const char *reference, *helpers;
        size_t device_kib; /* device memory; 0: enough */
        unsigned malloc_fails;
        int code;
        const char *message, *hint;
        unsigned lives;
    } rows[] = {
        {"fake:", "fake:", 0, 0, 0, "", "", 1},
        {"fake:", "fake: invalid=1", 0, 0, ERROR_DEVICE,
         "loading cutune's own kernels: device kernel image is invalid (cudaErrorInvalidKernelImage)", "", 1},
        {"fake: invalid=1", "fake:", 0, 0, ERROR_DEVICE, "loading the reference kernel: device kernel image is invalid",
         "", 1},
        {"fake: refuse=1", "fake:", 0, 0, ERROR_DEVICE,
         "launching the reference kernel: too many resources requested for launch", "", 1},
        {"fake: sticky=1", "fake:", 0, 0, ERROR_DEVICE,
         "running the reference kernel: an illegal memory access was encountered", "", 1},
        {"fake: nan=1", "fake:", 0, 0, ERROR_VALUE,
         "the output out of the reference kernel is NaN in 1 of 1000 values, the first at 0",
         "nothing can be compared with NaN: change the buffers or the reference", 1},
        {"fake: wrong=2", "fake:", 0, 0, ERROR_VALUE,
         "the output out of the reference kernel is not the same on two runs in 1 of 1000 values, the first at 0",
         "it leaves values unwritten (then write `buffer ... zero inout`), is not deterministic (then give a "
         "tolerance), "
         "or keeps a __device__ variable from launch to launch (then set it by `device_variable`)",
         1},
        {"fake: unwritten=1", "fake:", 0, 0, ERROR_VALUE,
         "the output out of the reference kernel is not the same on two runs in 1000 of 1000 values, the first at 0",
         "it leaves values unwritten", 1},
        {"fake: beside=1", "fake:", 0, 0, ERROR_VALUE,
         "the reference kernel writes outside a buffer: 4 bytes beside out", "", 1},
        {"fake: input=2", "fake:", 0, 0, ERROR_VALUE, "the reference kernel writes to in, which is not an output", "",
         1},
        {"fake:", "fake:", 80, 0, ERROR_DEVICE, "the buffers need 92.00 KiB of device memory: out of memory",
         "16.00 KiB are free; make the problem smaller with -D, or wait for other processes on the device", 1},
        {"fake:", "fake:", 60, 0, ERROR_DEVICE, "the buffers need 92.00 KiB of device memory: out of memory",
         "60.00 KiB are free", 1},
        {"fake: kill=1", "fake:", 0, 0, ERROR_WORKER,
         "the device process fails to set up 3 times in a row, the last time killed by signal 11", "", 3},
        {"fake: kill=1/0", "fake:", 0, 0, 0, "", "", 2}, /* someone may have killed it */
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct error error = {0};
        struct device *device = NULL;
        struct space space;
        struct buffer buffers[TEST_BUFFERS];
        struct launch launch = test_launch();
        struct device_setup setup = test_setup(&space, buffers, &launch);
        fake_reset();
        fake.device_room = rows[i].device_kib ? rows[i].device_kib << 10 : fake.device_room;
        setup.first.reference = test_device_kernel(rows[i].reference, &launch);
        setup.helpers.cubin = rows[i].helpers;
        setup.helpers.cubin_bytes = strlen(rows[i].helpers) + 1;
        CU_ASSERT_EQUAL_FATAL(device_open(&device, "0", &error), 0);
        CU_ASSERT_EQUAL(device_setup(device, &setup, &error), rows[i].code);
        expect_start(error.message, rows[i].message);
        expect_start(error.hint, rows[i].hint);
        CU_ASSERT_EQUAL(test_lives(rows[i].lives), rows[i].lives);
        device_close(device);
    }
}

enum { ELEMENTS = 10 };

/* Measures a kernel that writes `got` to its output's first eight bytes, over a reference that writes `want`, for
 * elements of `type`. */
static struct measurement compare_as(const struct element_type *type, unsigned want, unsigned got, double tolerance)
{
    struct measurement measurements[DEVICE_KERNELS_MAX] = {{.status = STATUS_COUNT}};
    struct error error = {0};
    uint64_t id;
    struct device *device = NULL;
    struct space space;
    struct buffer buffers[TEST_BUFFERS];
    struct launch reference = test_launch(), launch = test_launch();
    struct device_setup setup = test_setup(&space, buffers, &reference);
    struct device_kernel kernel = test_device_kernel("fake:", &launch);
    struct device_job job = {
        .kernels = &kernel, .kernel_count = 1, .incumbent_ns = INFINITY, .timeout_ns = patience_ns};
    fake_reset();
    buffers[TEST_OUT].type = type;
    buffers[TEST_OUT].count = ELEMENTS;
    buffers[TEST_OUT].fill = FILL_ZERO;
    buffers[TEST_OUT].role = BUFFER_INOUT;
    buffers[TEST_OUT].tolerance.absolute = tolerance;
    test_put(&reference, 2, &want, sizeof want);
    test_put(&launch, 2, &got, sizeof got);
    setup.first.reference.lowered_names = kernel.lowered_names = "write_bits";
    CU_ASSERT_EQUAL_FATAL(device_open(&device, "0", &error), 0);
    CU_ASSERT_EQUAL_FATAL(device_setup(device, &setup, &error), 0);
    CU_ASSERT_EQUAL(device_submit(device, &job, &error), 0);
    CU_ASSERT_EQUAL(test_wait(device, &id, measurements, &error), 1);
    device_close(device);
    return measurements[0];
}

/* Elements are compared by their type: the two tolerances enclose the difference, which another type would change. */
static void element_kinds(void)
{
    static const struct {
        enum scalar scalar;
        unsigned want, got;
        double within, beyond;
    } rows[] = {
        {SCALAR_char, 0, 0xffffffff, 1, 0.5}, /* -1 */
        {SCALAR_short, 0, 0xffffffff, 1, 0.5},
        {SCALAR_int, 0, 0xffffffff, 1, 0.5},
        {SCALAR_long, 0, 0xffffffff, 1, 0.5},
        {SCALAR_uchar, 0, 0xffffffff, 255, 254}, /* the largest difference */
        {SCALAR_ushort, 0, 0xffffffff, 65535, 65534},
        {SCALAR_uint, 0, 0xffffffff, 4294967295, 4294967294},
        {SCALAR_ulong, 0, 0xffffffff, 0x1p64, 0x1p63},
        {SCALAR_bool, 0, 0x01010101, 1, 0.5},
        {SCALAR_half, 0x3c003c00, 0x40004000, 1, 0.99},          /* 1 and 2; a bfloat16 is 0.0078 and 2 */
        {SCALAR_bfloat16, 0x20002000, 0x24002400, 1e-15, 1e-18}, /* a half is 0.0078 and 0.0156 */
        {SCALAR_float, 0x3f800000, 0x40000000, 1, 0.99},         /* 1 and 2; a double is 0.0078 and 2 */
        {SCALAR_double, 0x3ff00000, 0x40000000, 1.000001, 0.99}, /* nearly 1 and 2; floats are 1.875 and 2 */
    };
    bool seen[COUNT(rows)] = {false};
    for (const struct element_type *type = element_types; type < element_types + element_type_count; type++) {
        char expected[128];
        size_t r = 0;
        while (r < COUNT(rows) && rows[r].scalar != type->scalar)
            r++;
        CU_ASSERT_FATAL(r < COUNT(rows));
        seen[r] = true;
        snprintf(expected, sizeof expected, "out: %d of %d values differ from the reference, the first at 0",
                 8 * (int)type->components / (int)type->bytes, ELEMENTS * (int)type->components);
        struct measurement near = compare_as(type, rows[r].want, rows[r].got, rows[r].within);
        struct measurement far = compare_as(type, rows[r].want, rows[r].got, rows[r].beyond);
        if (near.status != STATUS_OK || far.status != STATUS_WRONG_RESULT)
            fprintf(stderr, "\n%s:\n", type->name);
        CU_ASSERT_EQUAL(near.status, STATUS_OK);
        CU_ASSERT_EQUAL(far.status, STATUS_WRONG_RESULT);
        expect_text(near.message, "");
        expect_text(far.message, expected);
    }
    for (size_t r = 0; r < COUNT(rows); r++)
        CU_ASSERT(seen[r]);
}

/* A set-up can be abandoned. */
static void given_up(void)
{
    volatile sig_atomic_t stop = 2;
    struct error error = {0};
    struct device *device = NULL;
    struct space space;
    struct buffer buffers[TEST_BUFFERS];
    struct launch launch = test_launch();
    struct device_setup setup = test_setup(&space, buffers, &launch);
    fake_reset();
    setup.first.reference = test_device_kernel("fake: spin=1", &launch);
    setup.stop = &stop;
    CU_ASSERT_EQUAL_FATAL(device_open(&device, "0", &error), 0);
    CU_ASSERT_EQUAL(device_setup(device, &setup, &error), ERROR_INTERRUPTED);
    expect_text(error.message, "interrupted while the device was set up");
    device_close(device);
    error = (struct error){0};
    space.buffer_count = SPACE_ARGUMENTS_MAX + 1;
    fake_reset();
    CU_ASSERT_EQUAL_FATAL(device_open(&device, "0", &error), 0);
    CU_ASSERT_EQUAL(device_setup(device, &setup, &error), ERROR_VALUE);
    device_close(device);
}

/* The ceilings are measured once and passed to processes that replace others. */
static void calibrated_once(void)
{
    struct measurement measurements[DEVICE_KERNELS_MAX];
    struct error error = {0};
    uint64_t id;
    struct launch launch = test_launch();
    struct space space;
    struct buffer buffers[TEST_BUFFERS];
    struct device_setup setup = test_setup(&space, buffers, &launch);
    struct device_kernel killer = test_device_kernel("fake: sticky=1", &launch),
                         fine = test_device_kernel("fake: time_ns=5000", &launch);
    struct device_job job = {
        .kernels = &killer, .kernel_count = 1, .incumbent_ns = INFINITY, .timeout_ns = patience_ns};
    struct device *device = NULL;
    fake_reset();
    fake.device_room = 40 << 20;
    CU_ASSERT_EQUAL_FATAL(device_open(&device, "0", &error), 0);
    CU_ASSERT_EQUAL_FATAL(device_setup(device, &setup, &error), 0);
    expect_number("copy", round(device_ceilings(device)->copy / 1e9), 1000);
    expect_number("link", device_ceilings(device)->link_both, NAN);
    fake_trace_clear();
    CU_ASSERT_EQUAL(device_submit(device, &job, &error), 0);
    CU_ASSERT_EQUAL(test_wait(device, &id, measurements, &error), 1);
    job.kernels = &fine;
    CU_ASSERT_EQUAL(device_submit(device, &job, &error), 0);
    CU_ASSERT_EQUAL(test_wait(device, &id, measurements, &error), 1);
    expect_number("time", measurements[0].value, 5000);
    CU_ASSERT_EQUAL(test_lives(2), 2);
    size_t copies = 0; /* the reference's output is copied; the ceiling would need seven copies */
    for (const char *at = fake_trace(); *at; at++)
        copies += *at == 'C';
    CU_ASSERT(copies < 7);
    expect_number("copy", round(device_ceilings(device)->copy / 1e9), 1000);
    device_close(device);
}

/* Running out of memory is the kernel's fault only if the kernel would not fit an empty device. */
static void memory(void)
{
    static const struct {
        const char *script;
        int got;
        enum status status;
        const char *message;
    } rows[] = {
        {"fake: nomemory=1", -1, STATUS_COUNT, "the device is out of memory: other processes hold most of it"},
        {"fake: load=1", -1, STATUS_COUNT, "the device is out of memory: other processes hold most of it"},
        {"fake: nomemory=4", -1, STATUS_COUNT, "the device is out of memory: other processes hold most of it"},
        /* 4 multiprocessors of 2048 threads of 3000 bytes: too much even for an empty device */
        {"fake: nomemory=1 local=3000", 1, STATUS_LAUNCH_ERROR, "out of memory"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct measurement measurements[DEVICE_KERNELS_MAX] = {{.status = STATUS_COUNT}};
        struct error error = {0};
        uint64_t id;
        struct launch launch = test_launch();
        fake_reset();
        struct device *device = test_device_open(&test_sampling);
        struct device_kernel kernel = test_device_kernel(rows[i].script, &launch);
        struct device_job job = {
            .kernels = &kernel, .kernel_count = 1, .incumbent_ns = INFINITY, .timeout_ns = patience_ns};
        CU_ASSERT_EQUAL(device_submit(device, &job, &error), 0);
        CU_ASSERT_EQUAL(test_wait(device, &id, measurements, &error), rows[i].got);
        CU_ASSERT_EQUAL(error.code, rows[i].got < 0 ? ERROR_BUSY : ERROR_NONE);
        expect_start(rows[i].got < 0 ? error.message : measurements[0].message, rows[i].message);
        if (rows[i].got > 0)
            CU_ASSERT_EQUAL(measurements[0].status, rows[i].status);
        device_close(device);
    }
}

/* A play-off in the process, including kernels that break it. */
static void playoffs(void)
{
    enum { KERNELS = 3 };
    static const struct {
        const char *scripts[KERNELS];
        enum status statuses[KERNELS];
        double times_ns[KERNELS];
        unsigned lives; /* including the replacement of a broken process */
    } rows[] = {
        {{"fake: time_ns=50000", "fake: time_ns=70000", "fake: time_ns=60000"},
         {STATUS_OK, STATUS_OK, STATUS_OK},
         {50000, 70000, 60000},
         1},
        /* wrong when verified again: drops out */
        {{"fake: time_ns=50000", "fake: wrong=1", "fake: time_ns=60000"},
         {STATUS_OK, STATUS_WRONG_RESULT, STATUS_OK},
         {50000, NAN, 60000},
         1},
        /* running out of memory does not affect another kernel's refusal */
        {{"fake: time_ns=50000", "fake: refuse=1", "fake: nomemory=1 local=3000"},
         {STATUS_OK, STATUS_LAUNCH_ERROR, STATUS_LAUNCH_ERROR},
         {50000, NAN, NAN},
         1},
        /* spoils the buffers before all kernels are verified */
        {{"fake: time_ns=50000", "fake: beside=1", "fake: time_ns=60000"},
         {STATUS_OK, STATUS_WRONG_RESULT, STATUS_OK},
         {NAN, NAN, NAN},
         2},
        {{"fake: time_ns=50000", "fake: time_ns=70000", "fake: sticky=30"},
         {STATUS_OK, STATUS_OK, STATUS_CRASHED},
         {NAN, NAN, NAN},
         2},
        /* the culprit is unknown */
        {{"fake: time_ns=50000", "fake: time_ns=70000", "fake: kill=30"},
         {STATUS_CRASHED, STATUS_CRASHED, STATUS_CRASHED},
         {NAN, NAN, NAN},
         3},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct measurement finals[DEVICE_KERNELS_MAX];
        struct error error = {0};
        uint64_t id;
        struct launch launch = test_launch();
        fake_reset();
        struct device *device = test_device_open(&test_sampling);
        struct device_kernel kernels[KERNELS];
        for (size_t k = 0; k < KERNELS; k++)
            kernels[k] = test_device_kernel(rows[i].scripts[k], &launch);
        struct device_job job = {.playoff = true,
                                 .kernels = kernels,
                                 .kernel_count = KERNELS,
                                 .incumbent_ns = INFINITY,
                                 .timeout_ns = patience_ns};
        CU_ASSERT_EQUAL(device_submit(device, &job, &error), 0);
        CU_ASSERT_EQUAL(test_wait(device, &id, finals, &error), 1);
        CU_ASSERT_EQUAL(test_lives(rows[i].lives), rows[i].lives);
        for (size_t k = 0; k < KERNELS; k++) {
            CU_ASSERT_EQUAL(finals[k].status, rows[i].statuses[k]);
            expect_number(rows[i].scripts[k], finals[k].value, rows[i].times_ns[k]);
        }
        device_close(device);
    }
}

CU_TestInfo tests_process[] = {{"set-ups", set_ups},
                               {"given up", given_up},
                               {"element kinds", element_kinds},
                               {"calibrated once", calibrated_once},
                               {"memory", memory},
                               {"playoffs", playoffs},
                               CU_TEST_INFO_NULL};
