/* The life of a device process over the fake runtime: faults of kernels, and the coordinator's reaction. Times of
 * kernels are virtual, time limits are real. */
#include "device/device.h"

#include "fake_gpu.h"

static const int64_t patience_ns = 5000000000;

/* Measures one configuration; status STATUS_COUNT if the device is lost. */
static struct measurement measure(struct device *device, const char *script, double incumbent_ns, int64_t timeout_ns)
{
    struct launch launch = test_launch();
    struct device_kernel kernel = test_device_kernel(script, &launch);
    struct device_job job = {
        .id = 7, .kernels = &kernel, .kernel_count = 1, .incumbent_ns = incumbent_ns, .timeout_ns = timeout_ns};
    struct measurement measurements[DEVICE_KERNELS_MAX] = {{.status = STATUS_COUNT}};
    struct error error = {0};
    uint64_t id = 0;
    CU_ASSERT_EQUAL(device_submit(device, &job, &error), 0);
    CU_ASSERT_FALSE(device_idle(device));
    CU_ASSERT_NOT_EQUAL(device_submit(device, &job, &error), 0); /* one job at a time */
    error = (struct error){0};
    int got = test_wait(device, &id, measurements, &error);
    CU_ASSERT_EQUAL(id, 7);
    CU_ASSERT(device_idle(device) || got < 0);
    if (got < 0) {
        measurements[0].status = STATUS_COUNT;
        measurement_explain(&measurements[0], "%s", error.message);
    }
    return measurements[0];
}

/* Every fault has its status, message and number of attempts, and does not affect later jobs. */
static void outcomes(void)
{
    static const struct {
        const char *script;
        double incumbent_ns;
        enum status status;
        const char *message;
        double time_ns;
        unsigned lives; /* processes needed, including for the next job */
    } rows[] = {
        {"fake: time_ns=5000", INFINITY, STATUS_OK, "", 5000, 1},
        {"fake: time_ns=5001 first_ns=9000", INFINITY, STATUS_OK, "", 5001, 1},
        {"fake: time_ns=5002", 4000, STATUS_SLOWER, "", 5002, 1},
        {"fake: wrong=1", INFINITY, STATUS_WRONG_RESULT,
         "out: 1 of 1000 values differ from the reference, the first at 0", NAN, 1},
        {"fake: nan=1", INFINITY, STATUS_WRONG_RESULT,
         "out: 1 of 1000 values differ from the reference, all of them NaN, the first at 0", NAN, 1},
        {"fake: unwritten=1", INFINITY, STATUS_WRONG_RESULT, "out: 1000 of 1000 values differ from the reference", NAN,
         1},
        {"fake: wrong=2", INFINITY, STATUS_WRONG_RESULT, "correct at first, then wrong when repeated: out: 1 of 1000",
         NAN, 1},
        {"fake: beside=1", INFINITY, STATUS_WRONG_RESULT, "writes outside a buffer: 4 bytes beside out", NAN, 2},
        {"fake: input=1", INFINITY, STATUS_WRONG_RESULT, "writes to in, which is not an output", NAN, 2},
        {"fake: beside=3/0", INFINITY, STATUS_WRONG_RESULT,
         "correct at first, then wrong when repeated: writes outside a buffer", NAN, 2},
        {"fake: refuse=1", INFINITY, STATUS_LAUNCH_ERROR, "too many resources requested for launch", NAN, 1},
        {"fake: invalid=1", INFINITY, STATUS_LAUNCH_ERROR, "loading: device kernel image is invalid", NAN, 1},
        {"fake: sticky=1", INFINITY, STATUS_CRASHED, "an illegal memory access was encountered", NAN, 2},
        {"fake: sticky=4", INFINITY, STATUS_CRASHED, "correct at first, then failed when repeated: an illegal memory",
         NAN, 2},
        {"fake: kill=1", INFINITY, STATUS_CRASHED, "the device process was killed by signal 11 (Segmentation fault)",
         NAN, 3},
        {"fake: kill=3/0 time_ns=6000", INFINITY, STATUS_OK, "", 6000, 2}, /* someone may have killed it */
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        fake_reset();
        struct device *device = test_device_open(&test_sampling);
        struct measurement got = measure(device, rows[i].script, rows[i].incumbent_ns, patience_ns);
        CU_ASSERT_EQUAL(got.status, rows[i].status);
        expect_start(got.message, rows[i].message);
        expect_number(rows[i].script, got.value, rows[i].time_ns);
        struct measurement next = measure(device, "fake: time_ns=7000 local=8", 1e9, patience_ns);
        CU_ASSERT_EQUAL(next.status, STATUS_OK);
        CU_ASSERT_EQUAL(next.value, 7000);
        CU_ASSERT_EQUAL(next.low, 7000);
        CU_ASSERT_EQUAL(next.high, 7000);
        CU_ASSERT_EQUAL(next.local_bytes, 8);
        CU_ASSERT_EQUAL(next.clock_mhz, 1000);
        CU_ASSERT_EQUAL(test_lives(rows[i].lives), rows[i].lives);
        device_close(device);
    }
}

static void time_limit(void)
{
    fake_reset();
    struct device *device = test_device_open(&test_sampling);
    struct measurement got = measure(device, "fake: spin=1", INFINITY, 300000000);
    CU_ASSERT_EQUAL(got.status, STATUS_TIMEOUT);
    CU_ASSERT_STRING_EQUAL(got.message, "not finished after 0.3 s");
    CU_ASSERT_EQUAL(measure(device, "fake:", INFINITY, patience_ns).status, STATUS_OK);
    CU_ASSERT_EQUAL(test_lives(2), 2); /* it exceeded its own limit: not tried again */
    device_close(device);
}

/* A set-up may begin before the process has answered; nothing waits but the caller. */
static void in_steps(void)
{
    struct measurement measurements[DEVICE_KERNELS_MAX];
    struct error error = {0};
    struct device *device = NULL;
    struct space space;
    struct buffer buffers[TEST_BUFFERS];
    struct launch launch = test_launch();
    struct device_setup setup = test_setup(&space, buffers, &launch);
    uint64_t id;
    int64_t start_ns = clock_now_ns();
    fake_reset();
    fake.start_ms = 500;
    CU_ASSERT_EQUAL_FATAL(device_start(&device, 0, &error), 0);
    CU_ASSERT_FALSE(device_answered(device));
    CU_ASSERT_EQUAL(device_begin_setup(device, &setup, &error), 0);
    CU_ASSERT_FALSE(device_is_set_up(device));
    CU_ASSERT(clock_now_ns() - start_ns < 500000000);
    while (!device_is_set_up(device)) {
        worker_wait((struct worker *[]){device_worker(device)}, 1, INT64_MAX);
        CU_ASSERT_EQUAL_FATAL(device_next(device, &id, measurements, &error), 0);
    }
    CU_ASSERT(device_answered(device));
    CU_ASSERT(clock_now_ns() - start_ns >= 500000000);
    CU_ASSERT_EQUAL(device_await(device, &error), 0); /* it need not */
    CU_ASSERT_EQUAL(measure(device, "fake: time_ns=5000", INFINITY, patience_ns).value, 5000);
    device_close(device);
}

static bool is_alive(pid_t pid)
{
    return kill(pid, 0) == 0; /* or not yet waited for */
}

/* An idle process is left to end by itself, a busy one is not; the next start waits for what was left. */
static void left_alone(void)
{
    struct error error = {0};
    fake_reset();
    struct device *device = test_device_open(&test_sampling), *next = NULL;
    pid_t pid = device_worker(device)->pid;
    device_leave(device);
    CU_ASSERT_EQUAL(device_worker(device)->pid, 0);
    device_close(device);
    CU_ASSERT(is_alive(pid));
    CU_ASSERT_EQUAL_FATAL(device_start(&next, 0, &error), 0);
    CU_ASSERT_FALSE(is_alive(pid));
    device_close(next);
    device = test_device_open(&test_sampling);
    pid = device_worker(device)->pid;
    struct launch launch = test_launch();
    struct device_kernel spin = test_device_kernel("fake: spin=1", &launch);
    CU_ASSERT_EQUAL(
        device_submit(device,
                      &(struct device_job){
                          .kernels = &spin, .kernel_count = 1, .incumbent_ns = INFINITY, .timeout_ns = patience_ns},
                      &error),
        0);
    device_leave(device);
    CU_ASSERT_EQUAL(device_worker(device)->pid, pid);
    device_close(device);
    CU_ASSERT_FALSE(is_alive(pid));
    device_leave(NULL);
}

CU_TestInfo tests_device[] = {{"outcomes", outcomes},
                              {"time limit", time_limit},
                              {"in steps", in_steps},
                              {"left alone", left_alone},
                              CU_TEST_INFO_NULL};
