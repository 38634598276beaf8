/* The profiler's process: its failures, and their reports to the coordinator. */
#include "device/profile.h"

#include "device_kit.h"

/* Counts `twice` with a script and a grid; returns the error's code. */
static int count(struct profiler *profiler, const char *script, uint32_t grid, int64_t timeout_ns,
                 struct evidence *evidence, struct error *error)
{
    struct launch launch = test_launch();
    struct device_kernel kernel = test_device_kernel(script, &launch);
    launch.steps[0].grid[0] = grid;
    *evidence = evidence_unknown();
    *error = (struct error){0};
    return profiler_count(profiler, &kernel, timeout_ns, evidence, error);
}

/* The device's own process rests meanwhile, which frees its memory, and continues afterwards. */
static void counts(void)
{
    struct profiler *profiler;
    struct evidence evidence;
    struct error error = {0};
    fake_reset();
    fake.cupti = true;
    struct device *device = test_device_open(&test_sampling);
    CU_ASSERT_EQUAL(test_measure(device, "fake: time_ns=5000", INFINITY, test_patience_ns).value, 5000);
    CU_ASSERT_EQUAL_FATAL(profiler_open(&profiler, device, NULL, &error), 0);
    CU_ASSERT_EQUAL(count(profiler, "fake:", 2, test_patience_ns, &evidence, &error), 0);
    CU_ASSERT_EQUAL(evidence.cycles, 2000);
    CU_ASSERT_EQUAL(count(profiler, "fake: id=2", 3, test_patience_ns, &evidence, &error), 0);
    CU_ASSERT_EQUAL(evidence.cycles, 3000);
    CU_ASSERT_EQUAL(test_lives(2), 2);
    CU_ASSERT_EQUAL(device_worker(device)->pid, 0);
    profiler_close(profiler);
    CU_ASSERT_EQUAL(test_measure(device, "fake: time_ns=6000", INFINITY, test_patience_ns).value, 6000);
    CU_ASSERT_EQUAL(test_lives(3), 3);
    device_close(device);
}

/* A failure of one kernel does not affect the next. A failure of all kernels is not tried again. */
static void failures(void)
{
    static const struct {
        bool here;
        int result, start;
        const char *script;
        int64_t timeout_ns;
        enum error_code code;
        const char *message;
        bool lasts; /* the next kernel has no counters either, and no process starts for it */
    } rows[] = {
        {false, 0, 0, "fake:", 5000000000, ERROR_NOT_FOUND, "CUPTI, which reads performance counters, is not", true},
        {true, 35, 0, "fake:", 5000000000, ERROR_DEVICE, "the driver lets administrators alone read", true},
        {true, 0, 0, "fake: refuse=1", 5000000000, ERROR_DEVICE, "running under the profiler: too many", false},
        {true, 0, 0, "fake: sticky=1", 5000000000, ERROR_DEVICE, "running under the profiler: an illegal", false},
        {true, 0, 0, "fake: kill=1", 5000000000, ERROR_WORKER,
         "the profiler was killed by signal 11 (Segmentation fault)", false},
        {true, 0, 0, "fake: spin=1", 300000000, ERROR_WORKER, "the profiler has not finished after 0.3 s", false},
        {true, 0, FAKE_CUPTI_CRASHES, "fake:", 5000000000, ERROR_WORKER, "the profiler was killed by signal 11", true},
        {true, 0, FAKE_CUPTI_HANGS, "fake:", 300000000, ERROR_WORKER, "the profiler has not finished after 0.3 s",
         true},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct profiler *profiler;
        struct evidence evidence;
        struct error error = {0};
        fake_reset();
        fake.cupti = rows[i].here;
        fake.cupti_result = rows[i].result;
        struct device *device = test_device_open(&test_sampling);
        fake.cupti_start = rows[i].start;
        CU_ASSERT_EQUAL_FATAL(profiler_open(&profiler, device, NULL, &error), 0);
        CU_ASSERT_EQUAL(count(profiler, rows[i].script, 1, rows[i].timeout_ns, &evidence, &error), (int)rows[i].code);
        expect_start(error.message, rows[i].message);
        CU_ASSERT(isnan(evidence.cycles));
        int code =
            count(profiler, "fake: id=next", 1, rows[i].start ? rows[i].timeout_ns : 5000000000, &evidence, &error);
        CU_ASSERT_EQUAL(code, rows[i].lasts ? (int)rows[i].code : 0);
        unsigned lives = test_lives(rows[i].lasts && !rows[i].start ? 2 : 3);
        CU_ASSERT_EQUAL(count(profiler, "fake: id=third", 1, 5000000000, &evidence, &error), code);
        CU_ASSERT_EQUAL(fake_lives(), lives);
        CU_ASSERT_EQUAL(test_measure(device, "fake:", INFINITY, test_patience_ns).status, STATUS_OK);
        profiler_close(profiler);
        device_close(device);
    }
}

static void stops(void)
{
    volatile sig_atomic_t stop = 2;
    struct profiler *profiler;
    struct evidence evidence;
    struct error error = {0};
    fake_reset();
    fake.cupti = true;
    struct device *device = test_device_open(&test_sampling);
    CU_ASSERT_EQUAL_FATAL(profiler_open(&profiler, device, &stop, &error), 0);
    CU_ASSERT_EQUAL(count(profiler, "fake:", 1, test_patience_ns, &evidence, &error), ERROR_INTERRUPTED);
    profiler_close(profiler);
    profiler_close(NULL);
    device_close(device);
}

CU_TestInfo tests_profile[] = {{"counts", counts}, {"failures", failures}, {"stops", stops}, CU_TEST_INFO_NULL};
