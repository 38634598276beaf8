/* Distribution of configurations to devices, over the fake runtime. */
#include "base/samples_text.h"
#include "base/statistics.h"
#include "evaluate/gpu_evaluator.h"
#include "evaluate/kept_samples.h"
#include "world.h"

/* A configuration certainly slower than the incumbent is stopped early, unless its exact time is needed. */
static void stopped_early(void)
{
    struct world world;
    fake_reset();
    open_world(&world, NULL);
    CU_ASSERT_EQUAL(evaluate_one(&world, "TIME=5000", false).status, STATUS_OK);
    world.evaluator.ops->incumbent(world.evaluator.state, EVALUATOR_ANY_DEVICE, 5000);
    CU_ASSERT_EQUAL(evaluate_one(&world, "TIME=20000", false).status, STATUS_SLOWER);
    struct measurement exact = evaluate_one(&world, "TIME=6000", true);
    CU_ASSERT_EQUAL(exact.status, STATUS_OK);
    CU_ASSERT_EQUAL(exact.value, 6000);
    close_world(&world);
}

/* The samples behind the median of each timed configuration, if the run keeps them. */
static void samples_are_kept(void)
{
    static const struct {
        const char *config;
        bool kept;
        uint32_t count;
    } rows[] = {{"TIME=5000", true, 7}, {"FAULT=wrong", true, 0}, {"TIME=20000", true, 2}, {"TIME=6000", false, 0}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct world world;
        struct kept_samples kept = {0};
        struct text samples = {0};
        double samples_ns[SERIES_SAMPLES_MAX];
        size_t count = 0;
        fake_reset();
        fake.event_ns = 900;
        fake.tick_ns = 32;
        open_world(&world, NULL);
        evaluator_close(&world.evaluator);
        world.setup.sampling.samples = 7;
        world.setup.sampling.kept = rows[i].kept;
        world.setup.kept = rows[i].kept ? &kept : NULL;
        expect_done("evaluator", evaluator_open_gpu(&world.evaluator, &world.setup, NULL), NULL);
        world.evaluator.ops->incumbent(world.evaluator.state, EVALUATOR_ANY_DEVICE, 5000);
        struct measurement measured = evaluate_one(&world, rows[i].config, false);
        uint64_t index = kept.count ? kept.items[0].index : 0;
        CU_ASSERT_EQUAL(kept.count, rows[i].count > 0);
        kept_samples_take(&kept, index, 0, &samples);
        CU_ASSERT_EQUAL(samples_text_parse(text_string(&samples), samples_ns, &count, NULL), 0);
        CU_ASSERT_EQUAL(count, rows[i].count);
        CU_ASSERT(!count || measured.samples == count);
        CU_ASSERT(!count || statistics_mean(samples_ns, count) == measured.mean_ns);
        text_free(&samples);
        kept_samples_free(&kept);
        close_world(&world);
    }
}

/* Incumbents and outcomes are per unit of work; the device gets times. */
static void time_per_work(void)
{
    struct world world;
    fake_reset();
    open_world(&world, WORLD_WORK);
    world.evaluator.ops->incumbent(world.evaluator.state, EVALUATOR_ANY_DEVICE, 3000);
    struct measurement m = evaluate_one(&world, "TIME=5000", false);
    CU_ASSERT(m.status == STATUS_SLOWER && m.value == 5000 && m.run_ns == 5000);
    m = evaluate_one(&world, "TIME=20000", false);
    CU_ASSERT(m.status == STATUS_OK && m.value == 1250 && m.high == 1250 && m.run_ns == 20000);
    CU_ASSERT(m.work == 16 && m.bytes == 8000 && isnan(m.flops));
    CU_ASSERT_PTR_EQUAL(measurement_objective(&m), &objective_row_time_per_work);
    m = evaluate_one(&world, "FAULT=wrong", false);
    CU_ASSERT(m.status == STATUS_WRONG_RESULT && isnan(m.work) && isnan(m.run_ns));
    CU_ASSERT_PTR_EQUAL(measurement_objective(&m), &objective_row_time_per_work);
    close_world(&world);
}

/* The state of the incumbent is that of the best value measured on the device, unless a better one is from elsewhere.
 */
static void incumbent_states(void)
{
    static const struct {
        struct {
            double value;
            enum status status;
            const char *states;
        } measured[3];
        double incumbent;
        enum power_state state;
        bool capped;
    } rows[] = {
        {{{0}}, 5, POWER_UNKNOWN, false},
        {{{5, STATUS_OK, "7x1980:0:45"}}, 5.1, POWER_BURST, false},
        {{{5, STATUS_OK, "7x1604:4:61"}}, 5.1, POWER_CAP, true},
        {{{5, STATUS_OK, ""}}, 5.1, POWER_UNKNOWN, false},
        {{{5, STATUS_OK, "7x1980:0:45"}}, 4.9, POWER_UNKNOWN, false},
        {{{5, STATUS_OK, "7x1980:0:45"}, {6, STATUS_OK, "7x1604:4:61"}}, 5.1, POWER_BURST, true},
        {{{6, STATUS_OK, "7x1604:4:61"}, {5, STATUS_OK, "7x1980:0:45"}}, 5.1, POWER_BURST, true},
        {{{6, STATUS_OK, "7x1980:0:45"}, {5, STATUS_SLOWER, "2x1604:4:61"}}, 6.1, POWER_BURST, true},
        {{{6, STATUS_OK, "7x1980:0:45"}, {NAN, STATUS_WRONG_RESULT, "2x1604:4:61"}}, 6.1, POWER_BURST, true},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct gpu_member member = {.incumbent = rows[i].incumbent, .best = INFINITY};
        for (size_t m = 0; m < COUNT(rows[i].measured) && rows[i].measured[m].states; m++) {
            struct measurement measurement = measurement_unknown(rows[i].measured[m].status);
            measurement.value = rows[i].measured[m].value;
            snprintf(measurement.states, sizeof measurement.states, "%s", rows[i].measured[m].states);
            gpu_measure_note_power(&member, &measurement);
        }
        CU_ASSERT_EQUAL(gpu_measure_incumbent_state(&member), rows[i].state);
        CU_ASSERT_EQUAL(member.capped, rows[i].capped);
    }
}

/* Returns the process of a device, which changes at a restart. */
static pid_t process_of(const struct world *world, size_t device)
{
    return device_worker(world->devices[device])->pid;
}

/* Two devices share the configurations: while one is busy until its time limit, the other measures the rest. */
static void devices_share_the_work(void)
{
    static const char *const configurations[] = {
        "FAULT=spin", "TIME=5000", "TIME=6000", "TIME=20000", "TIME=5000 SHARED=100000", "FAULT=wrong"};
    enum { COUNTED = COUNT(configurations) };
    struct world world;
    struct error error = {0};
    struct evaluation done[COUNTED];
    size_t ended = 0, got;
    uint64_t spinning = 0;
    fake_reset();
    fake.devices = 2;
    open_world_on(&world, 2, NULL);
    world.setup.timeout_ns = 6000000000; /* the reference must also compile within it */
    const struct evaluator_ops *ops = world.evaluator.ops;
    CU_ASSERT_EQUAL(ops->room(world.evaluator.state, false), 2 * world.setup.jobs + 2 * 4);
    for (size_t i = 0; i < COUNTED; i++) {
        uint64_t index = index_of(&world, configurations[i]);
        spinning = i == 0 ? index : spinning;
        expect_done("submitting", ops->submit(world.evaluator.state, index, false, EVALUATOR_ANY_DEVICE, &error),
                    &error);
    }
    pid_t processes[] = {process_of(&world, 0), process_of(&world, 1)};
    while (ended < COUNTED) {
        expect_done("waiting", ops->wait(world.evaluator.state, INT64_MAX, done, COUNTED, &got, &error), &error);
        for (size_t i = 0; i < got; i++, ended++) {
            bool spins = done[i].index == spinning;
            CU_ASSERT_EQUAL(spins, ended == COUNTED - 1); /* submitted first, ended last */
            CU_ASSERT_EQUAL(done[i].measurement.status == STATUS_TIMEOUT, spins);
        }
    }
    /* Only that device's process was replaced, and both devices take configurations again. */
    CU_ASSERT_EQUAL((process_of(&world, 0) != processes[0]) + (process_of(&world, 1) != processes[1]), 1);
    CU_ASSERT_EQUAL(evaluate_one(&world, "TIME=6000 SHARED=100000", true).status, STATUS_OK);
    close_world(&world);
}

/* Both devices have the same set-up, and a kernel that breaks one does not affect the other. */
static void each_device_has_its_faults(void)
{
    static const struct {
        const char *configuration;
        enum status status;
        double time_ns;
    } rows[] = {{"FAULT=sticky", STATUS_CRASHED, NAN},      {"TIME=5000", STATUS_OK, 5000},
                {"FAULT=kill", STATUS_CRASHED, NAN},        {"TIME=20000", STATUS_OK, 20000},
                {"FAULT=beside", STATUS_WRONG_RESULT, NAN}, {"TIME=6000", STATUS_OK, 6000},
                {"FAULT=refuse", STATUS_LAUNCH_ERROR, NAN}, {"FAULT=kill FROM=2", STATUS_CRASHED, NAN},
                {"FAULT=wrong", STATUS_WRONG_RESULT, NAN},  {"TIME=5000 SHARED=100000", STATUS_OK, 5000}};
    struct world world;
    struct evaluation outcomes[COUNT(rows)];
    uint64_t indices[COUNT(rows)];
    struct error error = {0};
    fake_reset();
    fake.devices = 2;
    open_world_on(&world, 2, NULL);
    for (size_t i = 0; i < COUNT(rows); i++)
        indices[i] = index_of(&world, rows[i].configuration);
    expect_done("evaluating", evaluate(&world, indices, COUNT(rows), false, outcomes, &error), &error);
    for (size_t i = 0; i < COUNT(rows); i++) {
        CU_ASSERT_EQUAL(outcomes[i].measurement.status, rows[i].status);
        CU_ASSERT(isnan(rows[i].time_ns) || outcomes[i].measurement.value == rows[i].time_ns);
    }
    /* Both know the best time, so either stops the slow configuration early. */
    world.evaluator.ops->incumbent(world.evaluator.state, EVALUATOR_ANY_DEVICE, 5000);
    uint64_t slow[] = {index_of(&world, "TIME=20000 SHARED=100000"), index_of(&world, "TIME=6000 SHARED=100000")};
    expect_done("evaluating", evaluate(&world, slow, 2, false, outcomes, &error), &error);
    for (size_t i = 0; i < 2; i++)
        CU_ASSERT_EQUAL(outcomes[i].measurement.status, STATUS_SLOWER);
    /* The play-off uses the first device only. */
    struct measurement finals[2];
    pid_t processes[] = {process_of(&world, 0), process_of(&world, 1)};
    bool played = true;
    const uint64_t finalists[] = {index_of(&world, "TIME=5000"), index_of(&world, "FAULT=kill")};
    expect_done("play-off", world.evaluator.ops->playoff(world.evaluator.state, finalists, 2, finals, &played, &error),
                &error);
    CU_ASSERT_FALSE(played);
    CU_ASSERT_NOT_EQUAL(process_of(&world, 0), processes[0]);
    CU_ASSERT_EQUAL(process_of(&world, 1), processes[1]);
    close_world(&world);
}

/* Submits a configuration for a certain device and waits for its outcome. */
static struct evaluation measured_by(struct world *world, const char *configuration, size_t device)
{
    const struct evaluator_ops *ops = world->evaluator.ops;
    struct evaluation done = {.device = EVALUATOR_ANY_DEVICE};
    struct error error = {0};
    size_t got = 0;
    expect_done("submitting",
                ops->submit(world->evaluator.state, index_of(world, configuration), false, device, &error), &error);
    while (!got)
        expect_done("waiting", ops->wait(world->evaluator.state, INT64_MAX, &done, 1, &got, &error), &error);
    return done;
}

/* A certain device measures even if another is idle or a duplicate is known, and has its own best time. An excluded
 * device measures nothing, not even configurations that require it. */
static void a_certain_device(void)
{
    static const struct {
        const char *configuration;
        size_t device, by;
        double time_ns;
    } rows[] = {{"TIME=5000", 1, 1, 5500},
                {"TIME=5000", 0, 0, 5000},
                {"TIME=5000 ASIDE=1", 1, 1, 5500},
                {"TIME=6000", 1, 1, 6600},
                {"TIME=6000", EVALUATOR_ANY_DEVICE, 1, 6600}, /* known outcome */
                {"FAULT=invalid", 1, 1, NAN}};
    struct world world;
    fake_reset();
    fake.slower = 100;
    open_world_on(&world, 2, NULL);
    const struct evaluator_ops *ops = world.evaluator.ops;
    CU_ASSERT_EQUAL(ops->devices(world.evaluator.state), 2);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct evaluation done = measured_by(&world, rows[i].configuration, rows[i].device);
        CU_ASSERT_EQUAL(done.device, rows[i].by);
        CU_ASSERT(isnan(rows[i].time_ns) ? isnan(done.measurement.value)
                                         : fabs(done.measurement.value - rows[i].time_ns) < 1);
        CU_ASSERT_STRING_EQUAL(done.measurement.uuid, device_limits(world.devices[rows[i].by])->uuid);
    }
    ops->incumbent(world.evaluator.state, 0, 5000);
    CU_ASSERT_EQUAL(measured_by(&world, "TIME=20000", 1).measurement.status, STATUS_OK);
    CU_ASSERT_EQUAL(measured_by(&world, "TIME=20000", 0).measurement.status, STATUS_SLOWER);
    ops->leave_out(world.evaluator.state, 1);
    CU_ASSERT_EQUAL(measured_by(&world, "TIME=6000", 1).device, 0);
    CU_ASSERT_EQUAL(ops->room(world.evaluator.state, false), 2 * world.setup.jobs + 4);
    fake.slower = 0;
    close_world(&world);
}

/* Runs that copy from and to the host share its memory, so that one device at a time measures them. */
static void host_memory(void)
{
    static const char *const faults[] = {"TIME=5000", "TIME=6000", "TIME=20000", "TIME=5000 SHARED=100000"};
    struct world world;
    struct error error = {0};
    struct evaluation done[COUNT(faults)];
    size_t got, both = 0;
    fake_reset();
    open_world_on(&world, 2, "TIME=6000 FAULT=none FROM=1 ASIDE=0 SHARED=0\npipeline copy_in in copy_out out");
    const struct evaluator_ops *ops = world.evaluator.ops;
    for (size_t i = 0; i < COUNT(faults); i++)
        expect_done("submitting",
                    ops->submit(world.evaluator.state, index_of(&world, faults[i]), true, EVALUATOR_ANY_DEVICE, &error),
                    &error);
    for (size_t ended = 0; ended < COUNT(faults); ended += got) {
        expect_done("waiting", ops->wait(world.evaluator.state, INT64_MAX, done, COUNT(faults), &got, &error), &error);
        both += !device_idle(world.devices[0]) && !device_idle(world.devices[1]);
        for (size_t i = 0; i < got; i++)
            CU_ASSERT_EQUAL(done[i].measurement.status, STATUS_OK);
    }
    CU_ASSERT_EQUAL(both, 0);
    close_world(&world);
}

CU_TestInfo tests_gpu_measure[] = {{"stopped early", stopped_early},
                                   {"samples are kept", samples_are_kept},
                                   {"time per work", time_per_work},
                                   {"states of incumbents", incumbent_states},
                                   {"devices share the work", devices_share_the_work},
                                   {"each device has its faults", each_device_has_its_faults},
                                   {"a certain device", a_certain_device},
                                   {"host memory", host_memory},
                                   CU_TEST_INFO_NULL};
