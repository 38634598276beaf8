/* Timing in virtual time: preparation of samples, stop rules, and throttled devices. */
#include "device/clock.h"
#include "device/launch.h"
#include "device/measure.h"
#include "fake_gpu.h"

static struct gpu gpu; /* large */
static const int64_t ms = 1000000, s = 1000000000;

static void load(struct gpu_kernel *kernel)
{
    CU_ASSERT_EQUAL_FATAL(gpu_load(kernel), cudaSuccess);
    fake_trace_clear();
}

/* Each sample starts from the same data and, with a cold cache, from a flushed cache. Only the kernel is timed. */
static void order(void)
{
    static const struct {
        enum buffer_fill fill;
        bool warm;
        const char *trace;
    } rows[] = {
        {FILL_NONE, false, "FEkEFEkEc"}, {FILL_ZERO, false, "sFEkEsFEkEc"},  {FILL_IOTA, false, "CFEkECFEkEc"},
        {FILL_NONE, true, "khEkEEkEtc"}, {FILL_ZERO, true, "skhsEkEsEkEtc"}, {FILL_RANDOM, true, "CkhCEkECEkEtc"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct gpu_kernel kernel = test_kernel("fake:");
        struct measurement measurement = measurement_unknown(STATUS_OK);
        double samples_ns[2];
        test_gpu_open(&gpu, rows[i].fill);
        gpu.sampling.warm = rows[i].warm;
        load(&kernel);
        const struct gpu_timed timed = gpu_timed_kernel(&gpu, &kernel);
        CU_ASSERT_EQUAL(gpu_run_batch(&gpu, &timed, 2, INT64_MAX, samples_ns, &measurement), cudaSuccess);
        expect_text(fake_trace(), rows[i].trace);
        expect_number("first", samples_ns[0], 10000);
        expect_number("second", samples_ns[1], 10000);
        gpu_unload(&kernel);
    }
    test_gpu_close(&gpu);
}

/* Kernels, and the samples that suffice for them. */
static void samples(void)
{
    static const struct {
        const char *script;
        bool warm;
        uint32_t most;
        double incumbent_ns;
        int64_t timeout_ns;
        enum status status;
        uint32_t samples;
        double time_ns, low_ns, high_ns;
    } rows[] = {
        /* no noise: one more than an interval needs */
        {"fake: time_ns=5000", false, 40, INFINITY, 10 * s, STATUS_OK, 7, 5000, 5000, 5000},
        {"fake: time_ns=5000 cold_ns=300", false, 40, INFINITY, 10 * s, STATUS_OK, 7, 5300, 5300, 5300},
        {"fake: time_ns=5000 cold_ns=300", true, 40, INFINITY, 10 * s, STATUS_OK, 7, 5000, 5000, 5000},
        {"fake: time_ns=5000 first_ns=900", true, 40, INFINITY, 10 * s, STATUS_OK, 7, 5000, 5000, 5000},
        /* the first launch after loading is a sample; more are needed until the interval excludes it */
        {"fake: time_ns=5000 first_ns=900", false, 40, INFINITY, 10 * s, STATUS_OK, 23, 5000, 5000, 5000},
        /* slower than the incumbent, as the interval shows, or at once two much longer samples */
        {"fake: time_ns=5000", false, 40, 4999, 10 * s, STATUS_SLOWER, 7, 5000, 5000, 5000},
        {"fake: time_ns=5000", false, 40, 5000, 10 * s, STATUS_OK, 7, 5000, 5000, 5000},
        {"fake: time_ns=5000", false, 40, 4000, 10 * s, STATUS_SLOWER, 7, 5000, 5000, 5000},
        {"fake: time_ns=5000", false, 40, 3999, 10 * s, STATUS_SLOWER, 2, 5000, 5000, 5000},
        {"fake: time_ns=5000 first_ns=9000", false, 40, 4999, 10 * s, STATUS_SLOWER, 7, 5000, 5000, 14000},
        /* as many as allowed */
        {"fake: time_ns=5000 drift=0.01", false, 24, INFINITY, 10 * s, STATUS_OK, 24, 5575, 5300, 5850},
        {"fake: time_ns=5000 drift=0.01", false, 17, INFINITY, 10 * s, STATUS_OK, 17, 5400, 5200, 5600},
        /* a second is the limit beyond the samples of an interval; the time limit holds for those, too */
        {"fake: time_ns=300000000", false, 40, INFINITY, 10 * s, STATUS_OK, 6, 300000000, 300000000, 300000000},
        {"fake: time_ns=300000000", false, 40, INFINITY, 1200 * ms, STATUS_OK, 4, 300000000, 300000000, 300000000},
        /* a slow kernel is timed one sample at a time, so that it ends early */
        {"fake: time_ns=300000000", false, 40, INFINITY, 800 * ms, STATUS_OK, 3, 300000000, 300000000, 300000000},
        {"fake: time_ns=300000000", false, 40, INFINITY, 1 * ms, STATUS_OK, 2, 300000000, 300000000, 300000000},
        {"fake: time_ns=40000000", false, 40, INFINITY, 10 * s, STATUS_OK, 7, 40000000, 40000000, 40000000},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct gpu_kernel kernel = test_kernel(rows[i].script);
        struct measurement measurement = measurement_unknown(STATUS_OK);
        test_gpu_open(&gpu, FILL_NONE);
        gpu.sampling.warm = rows[i].warm;
        gpu.sampling.samples = rows[i].most;
        load(&kernel);
        gpu_measure(&gpu, &kernel, (struct gpu_incumbent){rows[i].incumbent_ns, POWER_UNKNOWN}, rows[i].timeout_ns,
                    &measurement);
        CU_ASSERT_EQUAL(measurement.status, rows[i].status);
        expect_number(rows[i].script, measurement.samples, rows[i].samples);
        expect_number(rows[i].script, measurement.value, rows[i].time_ns);
        expect_number(rows[i].script, measurement.low, rows[i].low_ns);
        expect_number(rows[i].script, measurement.high, rows[i].high_ns);
        expect_number(rows[i].script, (double)measurement.clock_mhz, 1000);
        gpu_unload(&kernel);
    }
    test_gpu_close(&gpu);
}

/* Stable noise ends sampling before the limit. */
static void stable_noise(void)
{
    struct gpu_kernel kernel = test_kernel("fake: time_ns=100000 noise=0.1");
    struct measurement measurement = measurement_unknown(STATUS_OK);
    test_gpu_open(&gpu, FILL_NONE);
    gpu.sampling.samples = SERIES_SAMPLES_MAX;
    gpu.sampling.target_interval = 1e-6;
    load(&kernel);
    gpu_measure(&gpu, &kernel, gpu_no_incumbent, 10 * s, &measurement);
    CU_ASSERT_EQUAL(measurement.status, STATUS_OK);
    CU_ASSERT(measurement.samples > 50 && measurement.samples < 500);
    CU_ASSERT(measurement.low < measurement.value && measurement.value < measurement.high);
    CU_ASSERT_DOUBLE_EQUAL(measurement.value, 100000, 2000);
    gpu_unload(&kernel);
    test_gpu_close(&gpu);
}

/* Samples of a throttled device are discarded and repeated after a pause, while time is left. */
static void throttled(void)
{
    static const struct {
        bool nvml;
        uint64_t reasons, slow_reasons;
        double slow_mhz;
        int64_t slow_ns; /* duration */
        double time_ns;
        int64_t clock_mhz, throttle_reasons;
        uint32_t discarded;
    } rows[] = {
        {false, 0, 0, 0, 0, 5000, 1000, -1, 0},
        {true, 0, 0, 0, 0, 5000, 1000, 0, 0},
        {true, 4, 0, 0, 0, 5000, 1000, 4, 0},            /* a power cap matters only through the clock */
        {false, 0, 0, 760, s, 6579, 760, -1, 0},         /* above three quarters of the settled clock */
        {false, 0, 0, 740, 40 * ms, 5000, 1000, -1, 2},  /* ends during the first pause */
        {false, 0, 0, 740, 120 * ms, 5000, 1000, -1, 4}, /* ends during the second pause, which is twice as long */
        {true, 0, 0x8, 0, 120 * ms, 5000, 1000, 0, 4},   /* NVML reports a reason, regardless of the clock */
        {true, 0, 0x20, 0, 120 * ms, 5000, 1000, 0, 4},  /* thermal, by software */
        {true, 0, 0x40, 0, 120 * ms, 5000, 1000, 0, 4},  /* thermal, by hardware */
        {true, 0, 0x80, 0, 120 * ms, 5000, 1000, 0, 4},  /* power brake */
        {true, 0, 0x1, 0, 120 * ms, 5000, 1000, 1, 0},   /* idle */
        {false, 0, 0, 500, 100 * s, 10000, 500, -1, 18}, /* permanent: measured anyway */
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct gpu_kernel kernel = test_kernel("fake: time_ns=5000");
        struct measurement measurement = measurement_unknown(STATUS_OK);
        struct error error = {0};
        test_gpu_open(&gpu, FILL_NONE);
        fake.nvml = rows[i].nvml;
        fake.reasons = rows[i].reasons;
        CU_ASSERT_EQUAL(gpu_open_clock(&gpu, &error), 0); /* as if NVML were present from the start */
        CU_ASSERT_EQUAL(gpu_settle(&gpu, &error), 0);
        fake.now_ns += 60 * ms; /* beyond the minimum interval of queries */
        fake.slow_reasons = rows[i].slow_reasons;
        fake.slow_mhz = rows[i].slow_mhz;
        fake.slow_from_ns = fake.now_ns;
        fake.slow_until_ns = fake.now_ns + rows[i].slow_ns;
        load(&kernel);
        gpu_measure(&gpu, &kernel, gpu_no_incumbent, 10 * s, &measurement);
        CU_ASSERT_EQUAL(measurement.status, STATUS_OK);
        expect_number("time", measurement.value, rows[i].time_ns);
        expect_number("clock", (double)measurement.clock_mhz, (double)rows[i].clock_mhz);
        expect_number("reasons", (double)measurement.throttle_reasons, (double)rows[i].throttle_reasons);
        expect_number("discarded", measurement.discarded, rows[i].discarded);
        gpu_unload(&kernel);
    }
    test_gpu_close(&gpu);
}

/* A host that queues a run more slowly than its flush takes, 65 ns, would lengthen the time. The batch is then timed
 * again, with the stream held. */
static void slow_host(void)
{
    static const struct {
        const char *script;
        bool warm, holdable;
        int64_t launch_ns;
        double time_ns;
        bool held;
    } rows[] = {
        {"fake: time_ns=5000", false, true, 0, 5000, false},
        {"fake: time_ns=5000", false, true, 50, 5000, false},  /* hidden by the flush */
        {"fake: time_ns=5000", false, true, 100, 5035, false}, /* late by less than a hundredth of the time */
        {"fake: time_ns=5000", false, true, 130, 5000, true},
        {"fake: time_ns=5000", false, true, 3000, 5000, true},
        {"fake: time_ns=500000", false, true, 3000, 502935, false}, /* late by a small part of the time */
        {"fake: time_ns=5000", false, false, 3000, 7935, false},
        {"fake: time_ns=5000", true, true, 3000, 5000, true}, /* always held */
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct gpu_kernel kernel = test_kernel(rows[i].script);
        struct measurement measurement = measurement_unknown(STATUS_OK);
        double samples_ns[2];
        test_gpu_open(&gpu, FILL_NONE);
        gpu.sampling.warm = rows[i].warm;
        load(&kernel);
        fake.launch_ns = rows[i].launch_ns;
        struct gpu_timed timed = gpu_timed_kernel(&gpu, &kernel);
        timed.holdable = rows[i].holdable ? timed.holdable : 0;
        CU_ASSERT_EQUAL(gpu_run_batch(&gpu, &timed, 2, INT64_MAX, samples_ns, &measurement), cudaSuccess);
        expect_number(rows[i].script, samples_ns[0], rows[i].time_ns);
        CU_ASSERT_EQUAL(strchr(fake_trace(), 'h') != NULL, rows[i].held);
        expect_number("discarded", measurement.discarded, 0); /* the device was not throttled */
        gpu_unload(&kernel);
    }
    test_gpu_close(&gpu);
}

/* A few late samples do not change a median. Only the first of a batch is late, because the others are queued while it
 * runs. */
static void seldom_late(void)
{
    static const struct {
        size_t batch;
        bool held;
    } rows[] = {{16, false}, {8, false}, {7, true}, {2, true}, {1, true}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct gpu_kernel kernel = test_kernel("fake: time_ns=5000");
        struct measurement measurement = measurement_unknown(STATUS_OK);
        double samples_ns[GPU_BATCH_MAX];
        test_gpu_open(&gpu, FILL_NONE);
        load(&kernel);
        fake.launch_ns = 3000;
        const struct gpu_timed timed = gpu_timed_kernel(&gpu, &kernel);
        CU_ASSERT_EQUAL(gpu_run_batch(&gpu, &timed, rows[i].batch, INT64_MAX, samples_ns, &measurement), cudaSuccess);
        CU_ASSERT_EQUAL(strchr(fake_trace(), 'h') != NULL, rows[i].held);
        for (size_t n = 1; n < rows[i].batch; n++)
            expect_number("sample", samples_ns[n], 5000);
        gpu_unload(&kernel);
    }
    test_gpu_close(&gpu);
}

/* A kernel that fails during timing gets its status. */
static void failures(void)
{
    static const struct {
        const char *script;
        enum status status;
        const char *message;
        bool spoiled;
    } rows[] = {
        {"fake: sticky=3", STATUS_CRASHED,
         "correct at first, then failed when repeated: an illegal memory access was encountered", true},
        {"fake: nomemory=4", STATUS_LAUNCH_ERROR, "correct at first, then failed when repeated: out of memory", false},
        {"fake: refuse=4", STATUS_LAUNCH_ERROR,
         "correct at first, then failed when repeated: too many resources requested for launch", false},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct gpu_kernel kernel = test_kernel(rows[i].script);
        struct measurement measurement = measurement_unknown(STATUS_OK);
        test_gpu_open(&gpu, FILL_NONE);
        load(&kernel);
        gpu_measure(&gpu, &kernel, gpu_no_incumbent, 10 * s, &measurement);
        CU_ASSERT_EQUAL(measurement.status, rows[i].status);
        expect_text(measurement.message, rows[i].message);
        CU_ASSERT(gpu.spoiled || cudaGetLastError() == cudaSuccess); /* no error is left for later calls */
        CU_ASSERT_EQUAL(gpu.spoiled, rows[i].spoiled);
        gpu_unload(&kernel);
    }
    test_gpu_close(&gpu);
}

CU_TestInfo tests_measure[] = {{"order", order},         {"samples", samples},     {"stable noise", stable_noise},
                               {"throttled", throttled}, {"slow host", slow_host}, {"seldom late", seldom_late},
                               {"failures", failures},   CU_TEST_INFO_NULL};
