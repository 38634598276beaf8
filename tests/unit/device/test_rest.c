/* A power cap that comes with load and goes with rest: measured without it, at it, and in one state. */
#include "base/stop_rules.h"
#include "device/clock.h"
#include "device/launch.h"
#include "device/measure.h"
#include "device/playoff.h"
#include "device/rest.h"
#include "fake_gpu.h"

static struct gpu gpu; /* large */
static const int64_t ms = 1000000, s = 1000000000;

enum { LOAD_MS = 20, REST_MS = 10, NEVER_MS = 1000000, CAP_MHZ = 800, SETTLED_MHZ = 1000 };

/* Opens a device whose cap is there after LOAD_MS of load and gone after REST_MS. */
static void open_capped(bool sustained)
{
    struct error error = {0};
    test_gpu_open(&gpu, FILL_NONE);
    fake.nvml = true;
    CU_ASSERT_EQUAL_FATAL(gpu_open_clock(&gpu, &error), 0);
    CU_ASSERT_EQUAL_FATAL(gpu_settle(&gpu, &error), 0);
    gpu.sampling.sustained = sustained;
    fake.cap_mhz = CAP_MHZ;
    fake.cap_load_ns = LOAD_MS * ms;
    fake.cap_rest_ns = REST_MS * ms;
    fake.now_ns += 60 * ms; /* beyond the interval of queries */
}

static void load_device(void)
{
    struct gpu_kernel kernel = test_kernel("fake: time_ns=50000000 letter=w");
    CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
    CU_ASSERT_EQUAL(gpu_launch(&gpu, &kernel), cudaSuccess);
    CU_ASSERT_EQUAL(cudaStreamSynchronize(gpu.stream), cudaSuccess);
    gpu_unload(&kernel);
}

/* A rest ends with the cap, and is bounded by the work that follows, a limit and a point in time. The device is idle
 * then, except for a look each millisecond. */
static void rests(void)
{
    static const struct {
        bool sustained, known, loaded;
        int64_t cap_ms; /* time until the cap is gone */
        int64_t part_ns, until_ns, least_ns, most_ns;
    } rows[] = {
        {false, true, true, REST_MS, 1000000, 1000000000, 9000000, 12000000},        /* until the cap is gone */
        {false, true, false, REST_MS, 1000000, 1000000000, 0, 100000},               /* it is gone */
        {false, false, true, REST_MS, 1000000, 1000000000, 0, 1000},                 /* it was never seen */
        {true, true, true, REST_MS, 1000000, 1000000000, 0, 1000},                   /* it is wanted */
        {false, true, true, NEVER_MS, 100000, 1000000000, 8000000, 10000000},        /* REST_LEAST_NS */
        {false, true, true, NEVER_MS, 1000000, 1000000000, 18000000, 20000000},      /* REST_PARTS times the part */
        {false, true, true, NEVER_MS, 1000000000, 1000000000, 198000000, 200000000}, /* REST_NS */
        {false, true, true, NEVER_MS, 1000000000, 5000000, 3000000, 5000000},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        open_capped(rows[i].sustained);
        if (rows[i].loaded)
            load_device();
        fake.cap_rest_ns = rows[i].cap_ms * ms;
        gpu.power.capped = rows[i].known;
        int64_t start_ns = clock_now_ns();
        const unsigned long before = fake.launches;
        CU_ASSERT_EQUAL(gpu_rest(&gpu, rows[i].part_ns, start_ns + rows[i].until_ns), cudaSuccess);
        int64_t took_ns = clock_now_ns() - start_ns;
        CU_ASSERT((int64_t)(fake.launches - before) <= 1 + took_ns / ms);
        if (took_ns < rows[i].least_ns || took_ns > rows[i].most_ns)
            fprintf(stderr, "\nrow %zu: %lld ns\n", i, (long long)took_ns);
        CU_ASSERT(took_ns >= rows[i].least_ns && took_ns <= rows[i].most_ns);
    }
    test_gpu_close(&gpu);
}

/* A cap that no rest takes away ends the rests, and is then one only if NVML says so. */
static void useless(void)
{
    const struct gpu_condition unknown = {.mhz = CAP_MHZ, .reasons = -1}, silent = {.mhz = CAP_MHZ},
                               said = {.mhz = CAP_MHZ, .reasons = POWER_CAP_REASON};
    open_capped(false);
    fake.cap_rest_ns = NEVER_MS * ms;
    load_device();
    gpu.power.capped = true;
    for (int i = 0; i < 8; i++) {
        CU_ASSERT(gpu_rests(&gpu) && gpu_at_cap(&gpu, &silent));
        CU_ASSERT_EQUAL(gpu_rest(&gpu, ms, INT64_MAX), cudaSuccess);
    }
    CU_ASSERT_FALSE(gpu_rests(&gpu));
    CU_ASSERT_FALSE(gpu_at_cap(&gpu, &silent) || gpu_at_cap(&gpu, &unknown));
    CU_ASSERT(gpu_at_cap(&gpu, &said));
    test_gpu_close(&gpu);
}

/* Samples, the verdict and the time to beat belong to one state, whether NVML knows of the cap or not. The kernel takes
 * 6.25 ms at the cap. */
static void series(void)
{
    static const struct {
        bool sustained;
        struct gpu_incumbent incumbent;
        enum status status;
        double time_ns;
        enum power_state state;
    } rows[] = {
        {false, {INFINITY, POWER_UNKNOWN}, STATUS_OK, 5e6, POWER_BURST}, /* taken again after rests */
        {true, {INFINITY, POWER_UNKNOWN}, STATUS_OK, 6.25e6, POWER_CAP},
        {false, {5.5e6, POWER_BURST}, STATUS_OK, 5e6, POWER_BURST}, /* slower only at the cap */
        {true, {5.5e6, POWER_BURST}, STATUS_OK, 6.25e6, POWER_CAP}, /* no verdict */
        {false, {5.5e6, POWER_CAP}, STATUS_SLOWER, 6.25e6, POWER_CAP},
        {false, {5.5e6, POWER_UNKNOWN}, STATUS_SLOWER, 6.25e6, POWER_CAP},
        {false, {4.5e6, POWER_BURST}, STATUS_SLOWER, 6.25e6, POWER_CAP}, /* slower at any clock */
    };
    for (size_t j = 0; j < 2 * COUNT(rows); j++) {
        const size_t i = j / 2;
        struct gpu_kernel kernel = test_kernel("fake: time_ns=5000000");
        struct measurement measurement = measurement_unknown(STATUS_OK);
        open_capped(rows[i].sustained);
        fake.cap_silent = j % 2;
        load_device();
        CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
        gpu_measure(&gpu, &kernel, rows[i].incumbent, 10 * s, &measurement);
        struct power power = power_of(measurement.states);
        CU_ASSERT_EQUAL(measurement.status, rows[i].status);
        expect_number("time", measurement.value, rows[i].time_ns);
        expect_number("state", power.state, rows[i].state);
        expect_number("clock", power.mhz, power.state == POWER_CAP ? CAP_MHZ : SETTLED_MHZ);
        CU_ASSERT_PTR_NOT_NULL(strstr(measurement.states, ":40"));
        gpu_unload(&kernel);
    }
    test_gpu_close(&gpu);
}

/* All rounds of a play-off are of one state, whatever the device did before and NVML knows. */
static void playoff(void)
{
    static const struct {
        bool sustained, known, loaded;
        unsigned cap_mhz;
        double time_ns;
        enum power_state state;
    } rows[] = {
        {false, true, true, CAP_MHZ, 5e6, POWER_BURST},   {false, false, true, CAP_MHZ, 5e6, POWER_BURST},
        {false, false, false, CAP_MHZ, 5e6, POWER_BURST}, {true, true, true, CAP_MHZ, 6.25e6, POWER_CAP},
        {true, false, false, CAP_MHZ, 6.25e6, POWER_CAP}, {false, false, true, 0, 5e6, POWER_BURST},
        {true, false, false, 0, 5e6, POWER_BURST},
    };
    for (size_t j = 0; j < 2 * COUNT(rows); j++) {
        const size_t i = j / 2;
        struct gpu_kernel kernels[] = {test_kernel("fake: time_ns=5000000"), test_kernel("fake: time_ns=5500000 id=b")};
        struct measurement finals[COUNT(kernels)];
        struct error error = {0};
        open_capped(rows[i].sustained);
        fake.cap_mhz = rows[i].cap_mhz;
        fake.cap_silent = j % 2;
        gpu.power.capped = rows[i].known;
        if (rows[i].loaded)
            load_device();
        for (size_t k = 0; k < COUNT(kernels); k++) {
            finals[k] = measurement_unknown(STATUS_OK);
            CU_ASSERT_EQUAL_FATAL(gpu_load(&kernels[k]), cudaSuccess);
        }
        CU_ASSERT_EQUAL(gpu_play_off(&gpu, kernels, finals, COUNT(kernels), false, 100 * s, &error), 0);
        CU_ASSERT_EQUAL(finals[0].playoff, PLAYOFF_LEADER);
        CU_ASSERT_EQUAL(finals[1].playoff, PLAYOFF_LOST);
        expect_number("time", finals[0].value, rows[i].time_ns);
        for (size_t k = 0; k < COUNT(kernels); k++) {
            expect_number("state", power_of(finals[k].states).state, rows[i].state);
            gpu_unload(&kernels[k]);
        }
    }
    test_gpu_close(&gpu);
}

/* Rests lengthen no play-off, however many rounds an undecided one would like. */
static void in_time(void)
{
    for (int further = 0; further < 2; further++) {
        struct gpu_kernel kernel = test_kernel("fake: time_ns=100000 noise=0.2");
        struct measurement final = measurement_unknown(STATUS_OK);
        struct error error = {0};
        open_capped(false);
        fake.cap_load_ns = ms / 2;
        gpu.power.capped = true;
        CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
        const int64_t start_ns = clock_now_ns(), time_ns = further ? FURTHER_NS : KERNEL_NS;
        CU_ASSERT_EQUAL(gpu_play_off(&gpu, &kernel, &final, 1, further, 100 * s, &error), 0);
        const int64_t took_ns = clock_now_ns() - start_ns;
        CU_ASSERT(took_ns >= time_ns && took_ns < time_ns + 50 * ms);
        CU_ASSERT(final.samples * (ms / 10) < took_ns / 2); /* the rests */
        gpu_unload(&kernel);
    }
    test_gpu_close(&gpu);
}

/* The load before a sustained play-off takes none of the time of its rounds. */
static void loaded(void)
{
    struct gpu_kernel kernel = test_kernel("fake: time_ns=100000");
    struct measurement final = measurement_unknown(STATUS_OK);
    struct error error = {0};
    open_capped(true);
    CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
    const int64_t start_ns = clock_now_ns();
    CU_ASSERT_EQUAL(gpu_play_off(&gpu, &kernel, &final, 1, false, 100 * s, &error), 0);
    const int64_t took_ns = clock_now_ns() - start_ns;
    CU_ASSERT(took_ns >= s / 2 + PLACES_NS && took_ns < s / 2 + 2 * PLACES_NS);
    gpu_unload(&kernel);
    test_gpu_close(&gpu);
}

/* Kernels that never see the cap are measured as on a device without one. */
static void ordinary(void)
{
    char traces[2][4096];
    for (int capped = 0; capped < 2; capped++) {
        struct gpu_kernel kernel = test_kernel("fake: time_ns=5000000 power=0.1");
        struct measurement measurement = measurement_unknown(STATUS_OK);
        open_capped(false);
        if (!capped)
            fake.cap_mhz = 0;
        CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
        fake_trace_clear();
        gpu_measure(&gpu, &kernel, gpu_no_incumbent, 10 * s, &measurement);
        snprintf(traces[capped], sizeof *traces, "%s", fake_trace());
        expect_number("time", measurement.value, 5e6);
        expect_number("state", power_of(measurement.states).state, POWER_BURST);
        gpu_unload(&kernel);
    }
    CU_ASSERT_STRING_EQUAL(traces[0], traces[1]);
    test_gpu_close(&gpu);
}

/* NVML reports a cap that does not lower the clock: its time is that of a burst, and nothing rests. */
static void without_effect(void)
{
    struct gpu_kernel kernel = test_kernel("fake: time_ns=5000000");
    struct measurement measurement = measurement_unknown(STATUS_OK);
    open_capped(false);
    fake.cap_mhz = 0;
    fake.reasons = POWER_CAP_REASON;
    CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
    gpu_measure(&gpu, &kernel, gpu_no_incumbent, 10 * s, &measurement);
    expect_number("state", power_of(measurement.states).state, POWER_BURST);
    expect_number("reasons", (double)measurement.throttle_reasons, POWER_CAP_REASON);
    CU_ASSERT_FALSE(gpu_rests(&gpu));
    gpu_unload(&kernel);
    test_gpu_close(&gpu);
}

CU_TestInfo tests_rest[] = {
    {"a cap without effect", without_effect},
    {"rests", rests},
    {"useless rests", useless},
    {"samples", series},
    {"play-off", playoff},
    {"in time", in_time},
    {"loaded", loaded},
    {"without the cap", ordinary},
    CU_TEST_INFO_NULL,
};
