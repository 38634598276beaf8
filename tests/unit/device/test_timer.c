/* The calibration of the timer: what events add to a time, and their resolution. */
#include "device/timer.h"

#include <string.h>

#include "device/launch.h"
#include "device/measure.h"
#include "device/playoff.h"
#include "fake_gpu.h"

static struct gpu gpu; /* large */

static bool within(double got, double expected, double part, double ns)
{
    return fabs(got - expected) <= part * expected + ns;
}

/* Times are those of the kernel, whatever the events add. */
static void overheads(void)
{
    static const struct {
        unsigned event_ns, tick_ns;
        bool warm;
    } rows[] = {{0, 0, false},   {2800, 0, false}, {2800, 32, false}, {2800, 32, true},
                {500, 16, true}, {500, 16, false}, {9000, 512, false}};
    static const char *const scripts[] = {"fake: time_ns=2000", "fake: time_ns=5000", "fake: time_ns=10000",
                                          "fake: time_ns=1000000"};
    static const double times_ns[] = {2000, 5000, 10000, 1000000};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct error error = {0};
        test_gpu_open(&gpu, FILL_NONE);
        fake.event_ns = rows[i].event_ns;
        fake.tick_ns = rows[i].tick_ns;
        memset(gpu.timers, 0, sizeof gpu.timers);
        gpu.sampling.warm = rows[i].warm;
        CU_ASSERT_EQUAL(gpu_calibrate_timer(&gpu, &error), 0);
        const struct event_timer *timer = &gpu.calibration.timer;
        CU_ASSERT(within(timer->overhead_ns, rows[i].event_ns, 0.05, 2 * rows[i].tick_ns));
        CU_ASSERT(rows[i].tick_ns ? timer->tick_ns == rows[i].tick_ns : isnan(timer->tick_ns));
        CU_ASSERT_EQUAL(gpu_timer_tick(timer), rows[i].tick_ns);
        CU_ASSERT_EQUAL(fake.graphs, 0);
        for (size_t k = 0; k < COUNT(scripts); k++) {
            struct gpu_kernel kernel = test_kernel(scripts[k]);
            struct measurement measurement = measurement_unknown(STATUS_OK);
            CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
            gpu_measure(&gpu, &kernel, gpu_no_incumbent, 1000000000, &measurement);
            CU_ASSERT(within(measurement.value, times_ns[k], 0.01, 0.06 * rows[i].event_ns + 2 * rows[i].tick_ns));
            gpu_unload(&kernel);
        }
    }
    test_gpu_close(&gpu);
}

static void reads(void)
{
    static const struct {
        struct event_timer timer;
        float elapsed_ms;
        double expected_ns;
    } rows[] = {{{NAN, NAN}, 0.004768f, 4768},  {{NAN, 32}, 0.004768f, 4768}, {{2800, 32}, 0.004768f, 1968},
                {{2800, NAN}, 0.004768f, 1968}, {{2800, 32}, 0.002816f, 32}, /* no run takes less than a tick */
                {{2800, 32}, 0.0f, 32},         {{2800, 32}, 1.5f, 1497200}};
    for (size_t i = 0; i < COUNT(rows); i++)
        expect_number("time", gpu_timer_read(&rows[i].timer, rows[i].elapsed_ms), rows[i].expected_ns);
}

/* A process calibrates its timer once for each cache, whatever another one has found. */
static void once(void)
{
    static const struct {
        bool warm, again;
    } rows[] = {{false, true}, {false, false}, {true, true}, {false, false}, {true, false}};
    test_gpu_open(&gpu, FILL_NONE);
    memset(gpu.timers, 0, sizeof gpu.timers);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct error error = {0};
        fake.event_ns = 100;
        fake.graph_launches = 0;
        gpu.calibration.timer = (struct event_timer){2800, 32}; /* of the process before */
        gpu.sampling.warm = rows[i].warm;
        CU_ASSERT_EQUAL(gpu_calibrate_timer(&gpu, &error), 0);
        CU_ASSERT(within(gpu.calibration.timer.overhead_ns, 100, 0.05, 0));
        CU_ASSERT_EQUAL(fake.graph_launches > 0, rows[i].again);
    }
    test_gpu_close(&gpu);
}

/* A calibration that fails is an error of the set-up. */
static void failure(void)
{
    struct error error = {0};
    test_gpu_open(&gpu, FILL_NONE);
    fake.graph_error = cudaErrorNotSupported;
    memset(gpu.timers, 0, sizeof gpu.timers);
    CU_ASSERT_EQUAL(gpu_calibrate_timer(&gpu, &error), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "calibrating the timer"));
    CU_ASSERT(isnan(gpu.calibration.timer.overhead_ns));
    test_gpu_close(&gpu);
}

/* A kernel that is slower by less than a tick is tied. */
static void ties(void)
{
    static const char *const scripts[] = {"fake: time_ns=2000", "fake: time_ns=2030", "fake: time_ns=2100"};
    enum { KERNELS = COUNT(scripts) };
    static const struct {
        double tick_ns;
        enum playoff places[KERNELS];
    } rows[] = {{NAN, {PLAYOFF_LEADER, PLAYOFF_LOST, PLAYOFF_LOST}},
                {20, {PLAYOFF_LEADER, PLAYOFF_LOST, PLAYOFF_LOST}},
                {40, {PLAYOFF_LEADER, PLAYOFF_TIED, PLAYOFF_LOST}},
                {120, {PLAYOFF_LEADER, PLAYOFF_TIED, PLAYOFF_TIED}}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct gpu_kernel kernels[KERNELS];
        struct measurement finals[KERNELS];
        struct error error = {0};
        test_gpu_open(&gpu, FILL_NONE);
        gpu.calibration.timer = (struct event_timer){0, rows[i].tick_ns};
        for (size_t k = 0; k < KERNELS; k++) {
            kernels[k] = test_kernel(scripts[k]);
            finals[k] = measurement_unknown(STATUS_OK);
            CU_ASSERT_EQUAL_FATAL(gpu_load(&kernels[k]), cudaSuccess);
        }
        CU_ASSERT_EQUAL(gpu_play_off(&gpu, kernels, finals, KERNELS, false, 1000000000, &error), 0);
        for (size_t k = 0; k < KERNELS; k++) {
            CU_ASSERT_EQUAL(finals[k].playoff, rows[i].places[k]);
            gpu_unload(&kernels[k]);
        }
    }
    test_gpu_close(&gpu);
}

CU_TestInfo tests_timer[] = {
    {"overheads", overheads},        {"readings", reads}, {"once", once},
    {"failed calibration", failure}, {"ties", ties},      CU_TEST_INFO_NULL,
};
