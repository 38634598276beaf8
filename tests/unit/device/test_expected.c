/* Sets of expected results are kept while memory allows, and computed again when needed, in one process and in a
 * restarted one. */
#include <stdlib.h>

#include "device/expected.h"
#include "device/launch.h"
#include "device/verify.h"
#include "fake_gpu.h"

enum { SETS = 4 };

static struct gpu gpu; /* large */

/* out[i] = 2 * in[i] + plus */
static struct launch plus_launch(int plus)
{
    enum { PLUS = 4 };
    struct launch launch = test_launch();
    launch.argument_count = launch.steps[0].argument_count = PLUS + 1;
    launch.arguments[PLUS] = launch.arguments[3] = launch.arguments[2];
    launch.arguments[2] = launch.arguments[1];
    launch.arguments[1] = launch.arguments[0];
    test_put(&launch, PLUS, &plus, sizeof plus);
    return launch;
}

static struct gpu_kernel plus_kernel(const char *script, int plus)
{
    struct gpu_kernel kernel = test_kernel(script);
    kernel.names = "twice_plus";
    kernel.launch = plus_launch(plus);
    return kernel;
}

static const char *const scripts[SETS] = {"fake: letter=r id=0", "fake: letter=r id=1", "fake: letter=r id=2",
                                          "fake: letter=r id=3"};

/* Sets up a process with all sets and room for `room` of them. */
static void begin(size_t room)
{
    test_gpu_begin(&gpu, FILL_NONE);
    for (uint32_t s = 0; s < SETS; s++) {
        gpu.sets[s] = calloc(1, sizeof *gpu.sets[s]);
        CU_ASSERT_PTR_NOT_NULL_FATAL(gpu.sets[s]);
        gpu.sets[s]->reference = plus_kernel(scripts[s], (int)s);
        strcpy(gpu.sets[s]->name, "the reference kernel");
    }
    gpu.set = gpu.sets[0];
    test_gpu_refill(&gpu);
    /* a quarter of the memory stays free */
    fake.device_room = (fake.device_used + (room - 1) * gpu.set_bytes + gpu.set_bytes / 2) / 3 * 4;
}

static void end(void)
{
    for (size_t s = 0; s < SETS; s++)
        free(gpu.sets[s]);
    test_gpu_close(&gpu);
}

/* Requested sets, and the number of runs of their references. A run of a reference is two launches, over different
 * poison. */
static void kept(void)
{
    static const struct {
        size_t room;
        const char *asked;
        unsigned runs[SETS];
    } rows[] = {
        {4, "00112233", {1, 1, 1, 1}}, {4, "01230123", {1, 1, 1, 1}},
        {1, "0101", {2, 2, 0, 0}},     {2, "010101", {1, 1, 0, 0}},
        {2, "012", {1, 1, 1, 0}},      {2, "0121", {1, 1, 1, 0}}, /* 0 is not the least recently used */
        {2, "0120", {2, 1, 1, 0}},     {2, "01020", {1, 1, 1, 0}},
        {2, "01021", {1, 2, 1, 0}},    {3, "01230", {2, 1, 1, 1}},
        {3, "012301", {2, 2, 1, 1}},
    };
    for (size_t r = 0; r < COUNT(rows); r++) {
        begin(rows[r].room);
        for (const char *at = rows[r].asked; *at; at++) {
            uint32_t number = (uint32_t)(*at - '0');
            struct error error = {0};
            CU_ASSERT_EQUAL_FATAL(gpu_expect(&gpu, number, &error), 0);
            for (int plus = 0; plus < SETS; plus++) { /* only the set's own kernel gives right results */
                struct gpu_kernel kernel = plus_kernel("fake:", plus);
                struct measurement measurement = measurement_unknown(STATUS_OK);
                CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
                CU_ASSERT_EQUAL(gpu_verify(&gpu, &kernel, &measurement, &error), 0);
                CU_ASSERT_EQUAL(measurement.status, plus == (int)number ? STATUS_OK : STATUS_WRONG_RESULT);
                gpu_unload(&kernel);
            }
        }
        for (size_t s = 0; s < SETS; s++) {
            if (fake_launches(scripts[s]) != 2 * rows[r].runs[s])
                fprintf(stderr, "\n%s in room for %zu: set %zu\n", rows[r].asked, rows[r].room, s);
            CU_ASSERT_EQUAL(fake_launches(scripts[s]), 2 * rows[r].runs[s]);
        }
        end();
    }
}

/* A set that cannot be computed is not in use afterwards, and does not harm others. */
static void refused(void)
{
    struct error error = {0};
    begin(4);
    CU_ASSERT_EQUAL(gpu_expect(&gpu, SETS, &error), ERROR_WORKER);
    gpu.sets[1]->reference.cubin = "fake: nan=1";
    error = (struct error){0};
    CU_ASSERT_EQUAL(gpu_expect(&gpu, 1, &error), ERROR_VALUE);
    expect_text(error.message, "the output out of the reference kernel is NaN in 1 of 1000 values, the first at 0");
    CU_ASSERT_PTR_NULL(gpu.set);
    error = (struct error){0};
    CU_ASSERT_EQUAL(gpu_expect(&gpu, 2, &error), 0);
    CU_ASSERT_EQUAL(gpu_expect(&gpu, 0, &error), 0);
    end();
}

/* ---- Through a device process ---- */

static struct device_kernel plus_device_kernel(const char *script, const struct launch *launch, uint32_t set)
{
    struct device_kernel kernel = test_device_kernel(script, launch);
    kernel.lowered_names = "twice_plus";
    kernel.set = set;
    return kernel;
}

/* Opens a device whose first set is that of plus = 0, and defines others with these references. */
static struct device *open_device(const char *const references[], size_t count, size_t room_bytes)
{
    struct error error = {0};
    struct device *device = NULL;
    struct space space;
    struct buffer buffers[TEST_BUFFERS];
    struct launch launch = plus_launch(0);
    struct device_setup setup = test_setup(&space, buffers, &launch);
    fake_reset();
    fake.device_room = room_bytes ? room_bytes : fake.device_room;
    setup.first.reference = plus_device_kernel("fake: letter=r", &launch, 0);
    CU_ASSERT_EQUAL_FATAL(device_open(&device, "0", &error), 0);
    CU_ASSERT_EQUAL_FATAL(device_setup(device, &setup, &error), 0);
    CU_ASSERT(device_expects(device, 0));
    for (uint32_t set = 1; set <= count; set++) {
        struct launch own = plus_launch((int)set);
        const struct device_expected expected = {.reference_name = "the reference kernel at STEPS=2",
                                                 .reference = plus_device_kernel(references[set - 1], &own, 0)};
        CU_ASSERT(!device_expects(device, set));
        CU_ASSERT_EQUAL_FATAL(device_expect(device, set, &expected, &error), 0);
        CU_ASSERT(device_expects(device, set));
    }
    return device;
}

static struct measurement measure(struct device *device, const char *script, int plus, uint32_t set)
{
    struct measurement measurements[DEVICE_KERNELS_MAX] = {{.status = STATUS_COUNT}};
    struct error error = {0};
    struct launch launch = plus_launch(plus);
    struct device_kernel kernel = plus_device_kernel(script, &launch, set);
    struct device_job job = {.kernels = &kernel, .kernel_count = 1, .incumbent_ns = INFINITY, .timeout_ns = 5000000000};
    uint64_t id;
    CU_ASSERT_EQUAL(device_submit(device, &job, &error), 0);
    CU_ASSERT_EQUAL(test_wait(device, &id, measurements, &error), 1);
    return measurements[0];
}

static void jobs(void)
{
    static const char *const references[] = {"fake: letter=r id=1", "fake: letter=r id=2"};
    struct device *device = open_device(references, COUNT(references), 0);
    CU_ASSERT_EQUAL(measure(device, "fake: time_ns=5000", 0, 0).status, STATUS_OK);
    CU_ASSERT_EQUAL(fake_launches(references[0]), 0);
    CU_ASSERT_EQUAL(measure(device, "fake: time_ns=5000", 1, 1).status, STATUS_OK);
    CU_ASSERT_EQUAL(measure(device, "fake: time_ns=5000", 1, 1).status, STATUS_OK);
    CU_ASSERT_EQUAL(fake_launches(references[0]), 2);
    CU_ASSERT_EQUAL(measure(device, "fake: time_ns=5000", 1, 2).status, STATUS_WRONG_RESULT);
    /* another process computes the sets that it needs */
    CU_ASSERT_EQUAL(measure(device, "fake: sticky=1", 1, 1).status, STATUS_CRASHED);
    CU_ASSERT_EQUAL(measure(device, "fake: time_ns=5000", 1, 1).status, STATUS_OK);
    CU_ASSERT_EQUAL(fake_launches(references[0]), 4);
    CU_ASSERT_EQUAL(fake_launches(references[1]), 2);
    device_close(device);
}

/* With room for one set, each is computed again, within its own time limit. A reference that ends the process then is
 * not the kernel's fault. */
static void replaced(void)
{
    static const char *const references[] = {"fake: kill=5"}; /* the third time */
    struct device *device = open_device(references, 1, 100 << 10);
    for (int times = 0; times < 2; times++) {
        CU_ASSERT_EQUAL(measure(device, "fake: time_ns=5000", 1, 1).status, STATUS_OK);
        CU_ASSERT_EQUAL(measure(device, "fake: time_ns=5000", 0, 0).status, STATUS_OK);
        CU_ASSERT_EQUAL(measure(device, "fake: time_ns=5000", 0, 0).status, STATUS_OK);
    }
    CU_ASSERT_EQUAL(fake_launches(references[0]), 4);
    CU_ASSERT_EQUAL(fake_launches("fake: letter=r"), 6);
    struct measurement measured = measure(device, "fake: time_ns=5000", 1, 1);
    CU_ASSERT_EQUAL(measured.status, STATUS_CRASHED);
    expect_text(measured.message, "no expected results: the reference ends the device process");
    device_close(device);
}

/* A play-off of kernels with different sets. A further process computes none of them, or all that it needs if a
 * kernel's results are wrong. */
static void playoff(void)
{
    static const char *const references[] = {"fake: letter=r id=1", "fake: letter=r id=2"};
    struct device *device = open_device(references, COUNT(references), 0);
    struct measurement finals[DEVICE_KERNELS_MAX];
    struct error error = {0};
    struct launch launches[3];
    struct device_kernel kernels[3];
    for (uint32_t k = 0; k < COUNT(kernels); k++) {
        static const char *const times[] = {"fake: time_ns=50000", "fake: time_ns=70000", "fake: time_ns=60000"};
        launches[k] = plus_launch((int)k);
        kernels[k] = plus_device_kernel(times[k], &launches[k], k);
    }
    struct device_job job = {.playoff = true,
                             .kernels = kernels,
                             .kernel_count = COUNT(kernels),
                             .incumbent_ns = INFINITY,
                             .timeout_ns = 5000000000};
    uint64_t id;
    CU_ASSERT_EQUAL(device_submit(device, &job, &error), 0);
    CU_ASSERT_EQUAL(test_wait(device, &id, finals, &error), 1);
    for (size_t k = 0; k < COUNT(kernels); k++)
        CU_ASSERT_EQUAL(finals[k].status, STATUS_OK);
    expect_number("time", finals[1].value, 70000);
    for (int wrong = 0; wrong < 2; wrong++) {
        if (wrong)
            kernels[1] = plus_device_kernel("fake: unwritten=1", &launches[1], 1);
        for (size_t k = 0; k < COUNT(kernels); k++)
            kernels[k].results_checksum = finals[k].results_checksum;
        device_rest(device);
        CU_ASSERT_EQUAL(device_submit(device, &job, &error), 0);
        CU_ASSERT_EQUAL(test_wait(device, &id, finals, &error), 1);
        for (size_t k = 0; k < COUNT(kernels); k++)
            CU_ASSERT_EQUAL(finals[k].status, wrong && k == 1 ? STATUS_WRONG_RESULT : STATUS_OK);
        for (size_t s = 0; s < COUNT(references); s++)
            CU_ASSERT_EQUAL(fake_launches(references[s]), wrong ? 4 : 2);
    }
    device_close(device);
}

/* A reference that fails affects only the configurations of its own set. */
static void failures(void)
{
    static const struct {
        const char *reference;
        enum status status;
        const char *message;
        unsigned lives;
    } rows[] = {
        {"fake: nan=1", STATUS_WRONG_RESULT,
         "no expected results: the output out of the reference kernel at STEPS=2 is NaN in 1 of 1000 values", 2},
        {"fake: refuse=1", STATUS_WRONG_RESULT,
         "no expected results: launching the reference kernel at STEPS=2: too many resources", 2},
        {"fake: sticky=1", STATUS_WRONG_RESULT,
         "no expected results: running the reference kernel at STEPS=2: an illegal memory access was encountered", 2},
        {"fake: kill=1", STATUS_CRASHED, "no expected results: the reference ends the device process", 3},
        {"fake: kill=1/0", STATUS_OK, "", 2}, /* someone may have killed it */
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct device *device = open_device(&rows[i].reference, 1, 0);
        struct measurement measured = measure(device, "fake: time_ns=5000", 1, 1);
        CU_ASSERT_EQUAL(measured.status, rows[i].status);
        expect_start(measured.message, rows[i].message);
        const struct measurement *refusal = device_refusal(device, 1);
        CU_ASSERT_EQUAL(refusal != NULL, rows[i].status != STATUS_OK);
        if (refusal)
            expect_text(refusal->message, measured.message);
        CU_ASSERT_EQUAL(measure(device, "fake: time_ns=5000", 0, 0).status, STATUS_OK);
        CU_ASSERT_EQUAL(test_lives(rows[i].lives), rows[i].lives);
        CU_ASSERT_PTR_NULL(device_refusal(device, 0));
        device_close(device);
    }
}

CU_TestInfo tests_expected[] = {{"kept", kept},       {"refused", refused},   {"jobs", jobs},   {"replaced", replaced},
                                {"playoff", playoff}, {"failures", failures}, CU_TEST_INFO_NULL};
