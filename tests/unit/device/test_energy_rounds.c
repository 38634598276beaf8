/* Energy in virtual time: agreement, order, ties, restores, throttling and copies. */
#include "device/energy.h"
#include "device/energy_window.h"
#include "device/launch.h"
#include "device/verify.h"
#include "fake_gpu.h"

enum { KERNELS = 3 };
static struct gpu gpu; /* large */

struct outcome {
    struct measurement measurements[KERNELS];
    struct energy energies[KERNELS];
};

/* Opens the fake GPU, whose idle board draws 100 W. */
static void open_gpu(enum buffer_fill fill)
{
    test_gpu_open(&gpu, fill);
    fake.nvml = true;
    fake.watts = 100;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(gpu_open_clock(&gpu, &error), 0);
    CU_ASSERT_EQUAL_FATAL(gpu_settle(&gpu, &error), 0);
    CU_ASSERT_EQUAL_FATAL(gpu_counter_state(&gpu), 0);
}

static void measure(const char *const scripts[KERNELS], struct outcome *outcome)
{
    struct gpu_kernel kernels[KERNELS];
    struct error error = {0};
    size_t count = 0;
    for (; count < KERNELS && scripts[count]; count++) {
        kernels[count] = test_kernel(scripts[count]);
        outcome->measurements[count] = measurement_unknown(STATUS_OK);
        CU_ASSERT_EQUAL_FATAL(gpu_load(&kernels[count]), cudaSuccess);
        CU_ASSERT_EQUAL(gpu_verify(&gpu, &kernels[count], &outcome->measurements[count], &error), 0);
    }
    CU_ASSERT_EQUAL(gpu_measure_energies(&gpu, kernels, outcome->measurements, outcome->energies, count, &error), 0);
    for (size_t k = 0; k < count; k++)
        gpu_unload(&kernels[k]);
}

static void expect_near(const char *what, double actual, double expected, double within)
{
    if (!(fabs(actual - expected) <= within * expected))
        fprintf(stderr, "\n%s: %.9g, expected %.9g\n", what, actual, expected);
    CU_ASSERT(fabs(actual - expected) <= within * expected);
}

static double joules_of(const struct energy *energy)
{
    return energy_value(energy, &objective_row_energy, 0.95).value;
}

/* Energy is power times time, of short and long runs; the idle power is known. */
static void power_times_time(void)
{
    static const struct {
        const char *script;
        double time_ns, watts;
    } rows[] = {{"fake: time_ns=100000 watts=300", 1e5, 400},
                {"fake: time_ns=2000000 watts=100", 2e6, 200},
                {"fake: time_ns=300000000 watts=500", 3e8, 600}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *const scripts[KERNELS] = {rows[i].script};
        struct outcome outcome;
        open_gpu(FILL_NONE);
        measure(scripts, &outcome);
        const struct energy *energy = &outcome.energies[0];
        CU_ASSERT_EQUAL(outcome.measurements[0].status, STATUS_OK);
        CU_ASSERT_EQUAL(energy->round_count, ENERGY_ROUNDS_LEAST);
        expect_near("time", outcome.measurements[0].value, rows[i].time_ns, 1e-6);
        expect_near("energy", joules_of(energy), rows[i].watts * rows[i].time_ns * 1e-9, 0.01);
        expect_near("idle power", energy->idle_w, 100, 0.01);
        expect_near("above idle", energy_above_idle(energy), (rows[i].watts - 100) * rows[i].time_ns * 1e-9, 0.02);
        expect_number("power limit", energy->cap_w, 700);
        expect_text(outcome.measurements[0].message, "");
    }
    test_gpu_close(&gpu);
}

/* Questions for the counter take milliseconds, some of them many. Neither do runs wait for them, nor does the power
 * depend on when they are answered. */
static void slow_counter(void)
{
    static const struct {
        const char *script;
        double time_ns;
        unsigned question_ns; /* one in seven takes four times as long */
    } rows[] = {{"fake: time_ns=100000 watts=300", 1e5, 4000000},
                {"fake: time_ns=2000000 watts=300", 2e6, 4000000},
                {"fake: time_ns=10000 watts=300", 1e4, 4000000}, /* the queue holds less than a question takes */
                {"fake: time_ns=100000 watts=300", 1e5, 15000000}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *const scripts[KERNELS] = {rows[i].script};
        struct outcome outcome;
        open_gpu(FILL_NONE);
        fake.energy_ns = rows[i].question_ns;
        measure(scripts, &outcome);
        expect_near("time", outcome.measurements[0].value, rows[i].time_ns, 0.001);
        expect_near("energy", joules_of(&outcome.energies[0]), 400 * rows[i].time_ns * 1e-9, 0.002);
        expect_near("idle power", outcome.energies[0].idle_w, 100, 0.002);
        CU_ASSERT_EQUAL(outcome.energies[0].round_count, ENERGY_ROUNDS_LEAST);
    }
    test_gpu_close(&gpu);
}

static cudaError_t keep_host(struct gpu *opened, void *context)
{
    (void)opened, (void)context;
    fake.now_ns += 40000000;
    return cudaSuccess;
}

/* Between the windows of a search, nobody sees the advances of minutes; and some runs keep the host from looking. */
static void long_pauses(void)
{
    const struct gpu_series series = {
        .queue = keep_host, .run_ns = 40000000, .lead_ns = 100000000, .for_ns = 450000000};
    open_gpu(FILL_NONE);
    fake.energy_ns = 12000000;
    for (int i = 0; i < 5; i++) {
        struct gpu_window window;
        CU_ASSERT_EQUAL(gpu_run_window(&gpu, &series, &window), cudaSuccess);
        expect_near("power", window.watts, 100, 0.005);
        fake.now_ns += 1190000000000 + i * 31000000;
    }
    test_gpu_close(&gpu);
}

/* Ten measurements of one kernel on a noisy board agree within a hundredth. */
static void repetitions(void)
{
    static const char *const scripts[KERNELS] = {"fake: time_ns=1000000 watts=300 noise=0.02"};
    double least = INFINITY, most = 0;
    for (unsigned i = 0; i < 10; i++) {
        struct outcome outcome;
        open_gpu(FILL_NONE);
        fake.watts_noise = 10;
        fake.watts_seed = i;
        measure(scripts, &outcome);
        double joules = joules_of(&outcome.energies[0]);
        least = fmin(least, joules);
        most = fmax(most, joules);
    }
    CU_ASSERT(most <= 1.01 * least);
    test_gpu_close(&gpu);
}

/* Kernels of equal time are ordered by their power; the one that is dominated plays no further rounds. */
static void order(void)
{
    static const char *const scripts[KERNELS] = {"fake: time_ns=1000000 watts=300", "fake: time_ns=1000000 watts=200"};
    struct outcome outcome;
    open_gpu(FILL_NONE);
    fake.watts_noise = 3;
    measure(scripts, &outcome);
    CU_ASSERT(energy_dominates(&outcome.energies[1], &outcome.energies[0], 0.95));
    CU_ASSERT(!energy_dominates(&outcome.energies[0], &outcome.energies[1], 0.95));
    CU_ASSERT_EQUAL(outcome.energies[0].round_count, ENERGY_ROUNDS_LEAST);
    test_gpu_close(&gpu);
}

/* Noise makes ties, which play further rounds. */
static void ties(void)
{
    static const char *const scripts[KERNELS] = {"fake: time_ns=1000000 watts=300 id=a",
                                                 "fake: time_ns=1000000 watts=301 id=b"};
    struct outcome outcome;
    open_gpu(FILL_NONE);
    fake.watts_noise = 100;
    measure(scripts, &outcome);
    CU_ASSERT(!energy_dominates(&outcome.energies[0], &outcome.energies[1], 0.95));
    CU_ASSERT(!energy_dominates(&outcome.energies[1], &outcome.energies[0], 0.95));
    CU_ASSERT(outcome.energies[0].round_count > ENERGY_ROUNDS_LEAST);
    CU_ASSERT(outcome.energies[1].round_count > ENERGY_ROUNDS_LEAST);
    test_gpu_close(&gpu);
}

/* Kernels take turns: forward, then backward. */
static void turns(void)
{
    static const char *const scripts[KERNELS] = {"fake: time_ns=100000000 letter=a watts=100",
                                                 "fake: time_ns=100000000 letter=b watts=300"};
    struct outcome outcome;
    char order_of[16] = "";
    size_t length = 0;
    open_gpu(FILL_NONE);
    fake_trace_clear();
    measure(scripts, &outcome);
    for (const char *at = fake_trace(); *at && length < sizeof order_of - 1; at++)
        if ((*at == 'a' || *at == 'b') && (length == 0 || order_of[length - 1] != *at))
            order_of[length++] = *at;
    expect_text(order_of, "abab" /* verified, and tried */
                          "abab" /* a b, b a, a b: successive windows of a kernel look like one */
                          "ab"); /* verified again */
    test_gpu_close(&gpu);
}

/* The energy of restoring is subtracted, and too much of it gives no number. */
static void restores(void)
{
    static const char *const cheap[KERNELS] = {"fake: time_ns=1000000 watts=300"};
    static const char *const dear[KERNELS] = {"fake: time_ns=1000000 watts=50"};
    struct outcome outcome;
    open_gpu(FILL_RANDOM);
    fake.copy_ns = 100000;
    measure(cheap, &outcome);
    CU_ASSERT(outcome.energies[0].restored > 0 && outcome.energies[0].restored < 0.1);
    expect_near("energy", joules_of(&outcome.energies[0]), 0.4, 0.01);
    expect_near("time", outcome.measurements[0].value, 1e6, 0.001);
    open_gpu(FILL_RANDOM);
    fake.copy_ns = 1000000;
    measure(dear, &outcome);
    CU_ASSERT_EQUAL(outcome.energies[0].round_count, 0);
    expect_start(outcome.measurements[0].message, "restoring its buffers takes ");
    CU_ASSERT_EQUAL(outcome.measurements[0].status, STATUS_OK);
    test_gpu_close(&gpu);
}

/* A round of a throttled device has no number, is counted, and another one takes its place. */
static void throttled(void)
{
    static const char *const scripts[KERNELS] = {"fake: time_ns=1000000 watts=300"};
    struct outcome outcome;
    open_gpu(FILL_NONE);
    fake.slow_from_ns = fake.now_ns + 3500000000; /* after idling and one round */
    fake.slow_until_ns = fake.slow_from_ns + 600000000;
    fake.slow_reasons = 0x40;
    measure(scripts, &outcome);
    const struct energy *energy = &outcome.energies[0];
    CU_ASSERT(energy->throttled > 0);
    CU_ASSERT_EQUAL(energy->round_count, ENERGY_ROUNDS_LEAST + (unsigned)energy->throttled);
    expect_near("energy", joules_of(energy), 0.4, 0.01);
    CU_ASSERT(outcome.measurements[0].throttle_reasons & 0x40);
    CU_ASSERT_PTR_NOT_NULL(strstr(energy->states, ":64:40"));
    test_gpu_close(&gpu);
}

/* A cold run finds nothing of its data in the L2, without flushes, as long as there is memory for copies. */
static void copies(void)
{
    static const char *const scripts[KERNELS] = {"fake: time_ns=1000000 watts=300"};
    static const struct {
        bool warm;
        size_t room; /* free memory; 0: enough */
        double copies;
        const char *message;
    } rows[] = {{false, 0, 10, ""},
                {true, 0, 1, ""},
                {false, 4096, 1,
                 "its energy is that of runs that find the data of the one before in the L2: there is no memory"}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct outcome outcome;
        open_gpu(FILL_NONE);
        gpu.sampling.warm = rows[i].warm;
        if (rows[i].room)
            fake.device_room = fake.device_used + rows[i].room;
        const size_t used = fake.device_used;
        fake_trace_clear();
        measure(scripts, &outcome);
        expect_number("copies", outcome.energies[0].copies, rows[i].copies);
        expect_start(outcome.measurements[0].message, rows[i].message);
        CU_ASSERT_PTR_NULL(strchr(fake_trace(), 'F'));
        CU_ASSERT_EQUAL(fake.device_used, used);
    }
    test_gpu_close(&gpu);
}

/* A kernel that fails when repeated blames itself, and has no number. */
static void failures(void)
{
    static const char *const scripts[KERNELS] = {"fake: time_ns=1000000 watts=300",
                                                 "fake: time_ns=1000000 watts=300 refuse=9"};
    struct outcome outcome;
    open_gpu(FILL_NONE);
    measure(scripts, &outcome);
    CU_ASSERT_EQUAL(outcome.measurements[0].status, STATUS_OK);
    CU_ASSERT_EQUAL(outcome.measurements[1].status, STATUS_LAUNCH_ERROR);
    test_gpu_close(&gpu);
}

CU_TestInfo tests_energy_rounds[] = {{"power times time", power_times_time},
                                     {"slow counter", slow_counter},
                                     {"long pauses", long_pauses},
                                     {"repetitions", repetitions},
                                     {"order", order},
                                     {"ties", ties},
                                     {"turns", turns},
                                     {"restores", restores},
                                     {"throttled rounds", throttled},
                                     {"copies", copies},
                                     {"failures", failures},
                                     CU_TEST_INFO_NULL};
