/* Play-offs over the fake runtime. */
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>

#include "evaluate/gpu_evaluator.h"
#include "evaluate/process_medians.h"
#include "world.h"

static void playoffs(void)
{
    enum { FINALS = 3 };
    static const struct {
        const char *configurations[FINALS];
        bool played;
        struct {
            enum status status;
            enum playoff playoff;
            double time_ns;
        } finals[FINALS];
    } rows[] = {
        {{"TIME=6000", "TIME=5000", "TIME=20000"},
         true,
         {{STATUS_OK, PLAYOFF_LOST, 6000}, {STATUS_OK, PLAYOFF_LEADER, 5000}, {STATUS_OK, PLAYOFF_LOST, 20000}}},
        /* duplicates play separately */
        {{"TIME=5000", "TIME=5000 ASIDE=1", "TIME=6000"},
         true,
         {{STATUS_OK, PLAYOFF_LEADER, 5000}, {STATUS_OK, PLAYOFF_TIED, 5000}, {STATUS_OK, PLAYOFF_LOST, 6000}}},
        {{"FAULT=broken", "TIME=5000", "FAULT=wrong"},
         true,
         {{STATUS_COMPILE_ERROR, PLAYOFF_NONE, NAN},
          {STATUS_OK, PLAYOFF_LEADER, 5000},
          {STATUS_WRONG_RESULT, PLAYOFF_NONE, NAN}}},
        {{"TIME=5000", "TIME=6000", "FAULT=kill"},
         false,
         {{STATUS_CRASHED, PLAYOFF_NONE, NAN},
          {STATUS_CRASHED, PLAYOFF_NONE, NAN},
          {STATUS_CRASHED, PLAYOFF_NONE, NAN}}},
        /* one that plays alone is to blame */
        {{"FAULT=broken", "FAULT=kill", "FAULT=bounded"},
         true,
         {{STATUS_COMPILE_ERROR, PLAYOFF_NONE, NAN},
          {STATUS_CRASHED, PLAYOFF_NONE, NAN},
          {STATUS_PRUNED_LIMIT, PLAYOFF_NONE, NAN}}},
        {{"FAULT=broken", "FAULT=bounded", "FAULT=broken FROM=2"},
         false,
         {{STATUS_COMPILE_ERROR, PLAYOFF_NONE, NAN},
          {STATUS_PRUNED_LIMIT, PLAYOFF_NONE, NAN},
          {STATUS_COMPILE_ERROR, PLAYOFF_NONE, NAN}}},
    };
    struct world world;
    fake_reset();
    open_world(&world, NULL);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct measurement finals[FINALS];
        struct error error = {0};
        uint64_t indices[FINALS];
        bool played = !rows[i].played;
        for (size_t k = 0; k < FINALS; k++)
            indices[k] = index_of(&world, rows[i].configurations[k]);
        expect_done("play-off",
                    world.evaluator.ops->playoff(world.evaluator.state, indices, FINALS, finals, &played, &error),
                    &error);
        CU_ASSERT_EQUAL(played, rows[i].played);
        for (size_t k = 0; k < FINALS; k++) {
            CU_ASSERT_EQUAL(finals[k].status, rows[i].finals[k].status);
            CU_ASSERT_EQUAL(finals[k].playoff, rows[i].finals[k].playoff);
            CU_ASSERT(isnan(rows[i].finals[k].time_ns) ? isnan(finals[k].value)
                                                       : finals[k].value == rows[i].finals[k].time_ns);
        }
        CU_ASSERT(world.evaluator.ops->room(world.evaluator.state, false) > 0); /* no slot stays occupied */
    }
    close_world(&world);
}

/* The leader has the least time per unit of work, not the least time. */
static void play_off_per_work(void)
{
    struct world world;
    struct measurement finals[2];
    struct error error = {0};
    bool played = false;
    fake_reset();
    open_world(&world, WORLD_WORK);
    const uint64_t indices[] = {index_of(&world, "TIME=5000"), index_of(&world, "TIME=6000")};
    expect_done("play-off", world.evaluator.ops->playoff(world.evaluator.state, indices, 2, finals, &played, &error),
                &error);
    CU_ASSERT_TRUE(played);
    CU_ASSERT(finals[0].playoff == PLAYOFF_LOST && finals[0].value == 5000 && finals[0].run_ns == 5000);
    CU_ASSERT(finals[1].playoff == PLAYOFF_LEADER && finals[1].value == 3000 && finals[1].run_ns == 6000);
    close_world(&world);
}

/* The leader and its ties play in further processes, where times depend on the places in memory. Processes that die are
 * left out. */
static void processes(void)
{
    enum { FINALS = 3 };
    static const struct {
        size_t processes;
        bool extends;
        double target; /* interval; 0: that of the world */
        unsigned dies; /* as in struct fake_cuda */
        unsigned lives;
        uint32_t played; /* processes behind the leader's time */
        const char *message;
    } rows[] = {
        {0, false, 0, 0, 1, 1, ""},
        {1, false, 0, 0, 1, 1, ""},
        {1, true, 0, 0, 1, 1, ""},
        {2, false, 0, 0, 2, 2, ""},
        {6, false, 0, 0, 6, 6, ""},
        {6, true, 0.1, 0, 6, 6, ""}, /* narrow */
        {6, true, 0.04, 0, 9, 9, ""},
        {6, false, 0, 4, 9, 3,
         ""}, /* each is tried twice; on a busy machine, one may die while it starts, and is replaced */
        {3, false, 0, 2, 5, 1,
         "the play-off has the times of one process, because no further one had any: the device process was killed by "
         "signal 11"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct world world;
        struct measurement finals[FINALS];
        struct error error = {0};
        bool played = false;
        fake_reset();
        fake.device_room = (size_t)1 << 30;
        fake.places = 50;
        fake.nvml = true;
        fake.virtual_time = rows[i].extends; /* the time that the play-off announces does not pass */
        fake.dies = rows[i].dies;
        open_world(&world, NULL);
        world.setup.playoff_processes = rows[i].processes;
        world.setup.playoff_extends = rows[i].extends;
        if (rows[i].target > 0)
            world.setup.sampling.target_interval = rows[i].target;
        const uint64_t indices[FINALS] = {index_of(&world, "TIME=6000"), index_of(&world, "TIME=5000"),
                                          index_of(&world, "TIME=5000 ASIDE=1")};
        expect_done("play-off",
                    world.evaluator.ops->playoff(world.evaluator.state, indices, FINALS, finals, &played, &error),
                    &error);
        CU_ASSERT_TRUE(played);
        CU_ASSERT(finals[0].playoff == PLAYOFF_LOST && finals[0].processes == 1);
        for (size_t k = 1; k < FINALS; k++) {
            CU_ASSERT_EQUAL(finals[k].playoff, k == 1 ? PLAYOFF_LEADER : PLAYOFF_TIED);
            CU_ASSERT_EQUAL(finals[k].processes, rows[i].played);
            CU_ASSERT_EQUAL(finals[k].verified, VERIFIED_TIMED);
            CU_ASSERT(finals[k].samples >= 7 * rows[i].played);
            CU_ASSERT(finals[k].measure_ns > 0);
            /* readings of the power state in all of them: one per batch */
            CU_ASSERT(20 * strtoull(finals[k].states, NULL, 10) > finals[k].samples);
            CU_ASSERT(finals[k].low <= finals[k].value && finals[k].value <= finals[k].high);
            /* the spread between processes, which one does not show */
            CU_ASSERT_EQUAL(finals[k].high > 1.005 * finals[k].low, rows[i].played > 1);
            CU_ASSERT(*rows[i].message ? begins(finals[k].message, rows[i].message) : !*finals[k].message);
        }
        CU_ASSERT(rows[i].dies ? fake_lives() >= rows[i].lives : fake_lives() == rows[i].lives);
        close_world(&world);
    }
}

/* Events add another time in each process, and none of it is in the results. */
static void events_of_each_process(void)
{
    enum { FINALS = 2 };
    struct world world;
    struct measurement finals[FINALS];
    struct error error = {0};
    bool played = false;
    fake_reset();
    fake.event_ns = 2000;
    fake.event_more_ns = 500;
    open_world(&world, NULL);
    world.setup.playoff_processes = 3;
    const uint64_t indices[FINALS] = {index_of(&world, "TIME=6000"), index_of(&world, "TIME=5000")};
    expect_done("play-off",
                world.evaluator.ops->playoff(world.evaluator.state, indices, FINALS, finals, &played, &error), &error);
    CU_ASSERT_TRUE(played);
    CU_ASSERT_EQUAL(finals[1].processes, 3);
    CU_ASSERT(finals[1].low > 4800 && finals[1].high < 5200);
    close_world(&world);
}

/* A play-off that never becomes precise ends in the time that it announces. */
static void extension_ends(void)
{
    enum { FINALS = 2, START_MS = 200 };
    struct world world;
    struct measurement finals[FINALS];
    struct error error = {0};
    bool played = false;
    fake_reset();
    fake.device_room = (size_t)1 << 30;
    fake.places = 50;
    fake.start_ms = START_MS; /* so that a fast machine has no time for many */
    open_world(&world, NULL);
    world.setup.playoff_processes = 2;
    world.setup.playoff_extends = true;
    world.setup.sampling.target_interval = 1e-6;
    const uint64_t indices[FINALS] = {index_of(&world, "TIME=6000"), index_of(&world, "TIME=5000")};
    expect_done("play-off",
                world.evaluator.ops->playoff(world.evaluator.state, indices, FINALS, finals, &played, &error), &error);
    const double most = process_medians_seconds(FINALS, 2, false) / (START_MS * 1e-3);
    CU_ASSERT_TRUE(played);
    CU_ASSERT(finals[1].processes >= 2 && (double)finals[1].processes <= 1 + most);
    close_world(&world);
}

/* A finalist that fails in a further process has failed. Without the leader, the others have no result, and play again.
 */
static void failures_in_further_processes(void)
{
    enum { FINALS = 2 };
    static const struct {
        const char *configurations[FINALS];
        struct {
            enum status status;
            enum playoff playoff;
            bool timed;
        } finals[FINALS];
    } rows[] = {
        {{"TIME=5000 FAULT=wrong", "TIME=6000"},
         {{STATUS_WRONG_RESULT, PLAYOFF_NONE, false}, {STATUS_OK, PLAYOFF_NONE, false}}},
        {{"TIME=6000", "TIME=6000 FAULT=wrong"},
         {{STATUS_OK, PLAYOFF_LEADER, true}, {STATUS_WRONG_RESULT, PLAYOFF_NONE, false}}},
        {{"TIME=6000", "TIME=6000 FAULT=refuse"},
         {{STATUS_OK, PLAYOFF_LEADER, true}, {STATUS_LAUNCH_ERROR, PLAYOFF_NONE, false}}},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct world world;
        struct measurement finals[FINALS];
        struct error error = {0};
        uint64_t indices[FINALS];
        bool played = false;
        fake_reset();
        fake.faults_from = 3;
        open_world(&world, NULL);
        world.setup.playoff_processes = 4;
        for (size_t k = 0; k < FINALS; k++)
            indices[k] = index_of(&world, rows[i].configurations[k]);
        expect_done("play-off",
                    world.evaluator.ops->playoff(world.evaluator.state, indices, FINALS, finals, &played, &error),
                    &error);
        CU_ASSERT_TRUE(played);
        for (size_t k = 0; k < FINALS; k++) {
            CU_ASSERT_EQUAL(finals[k].status, rows[i].finals[k].status);
            CU_ASSERT_EQUAL(finals[k].playoff, rows[i].finals[k].playoff);
            CU_ASSERT_EQUAL(!isnan(finals[k].value), rows[i].finals[k].timed);
            CU_ASSERT_EQUAL(finals[k].processes, rows[i].finals[k].timed ? 4 : finals[k].processes);
        }
        close_world(&world);
    }
}

/* Further processes compute the expected results only for finalists whose results vary. Once they did, each of the
 * following processes computes them at once. */
static void expected_results(void)
{
    static const char reference[] = "fake: time_ns=20000 none=1 id=0";
    static const struct {
        const char *configuration;
        unsigned faults_from;     /* as in struct fake_cuda */
        unsigned lives, computed; /* processes, and of these with expected results */
    } rows[] = {
        {"TIME=5000", 2, 4, 1},
        {"TIME=5000 FAULT=wrong", 2, 5, 4},
        {"TIME=5000 FAULT=wrong FROM=2", 0, 4, 4}, /* known from the first process */
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct world world;
        struct measurement finals[2];
        struct error error = {0};
        bool played = false;
        fake_reset();
        fake.faults_from = rows[i].faults_from;
        open_world(&world, "TIME=20000 FAULT=none FROM=1 ASIDE=0 SHARED=0\ntolerance rel 0 abs 1");
        world.setup.playoff_processes = 4;
        const uint64_t indices[] = {index_of(&world, rows[i].configuration),
                                    index_of(&world, "TIME=5000 SHARED=100000")};
        expect_done(
            "play-off",
            world.evaluator.ops->playoff(world.evaluator.state, indices, COUNT(finals), finals, &played, &error),
            &error);
        for (size_t k = 0; k < COUNT(finals); k++) {
            CU_ASSERT(finals[k].playoff == PLAYOFF_LEADER || finals[k].playoff == PLAYOFF_TIED);
            CU_ASSERT_EQUAL(finals[k].processes, 4);
            CU_ASSERT_EQUAL(finals[k].verified, VERIFIED_TIMED);
        }
        CU_ASSERT_EQUAL(fake_lives(), rows[i].lives);
        CU_ASSERT_EQUAL(fake_launches(reference), 2 * rows[i].computed);
        close_world(&world);
    }
}

/* A device that reached its power cap in a play-off is known to have one. */
static void notes_the_cap(void)
{
    static const unsigned cap_mhz[] = {0, 800};
    for (size_t i = 0; i < COUNT(cap_mhz); i++) {
        struct world world;
        struct measurement final;
        struct error error = {0};
        bool played = false;
        fake_reset();
        fake.nvml = true;
        fake.cap_mhz = cap_mhz[i];
        fake.cap_load_ns = 20000000;
        fake.cap_rest_ns = 10000000;
        open_world(&world, NULL);
        world.setup.sampling.sustained = true;
        const uint64_t index = index_of(&world, "TIME=6000");
        expect_done("play-off", world.evaluator.ops->playoff(world.evaluator.state, &index, 1, &final, &played, &error),
                    &error);
        CU_ASSERT_EQUAL(power_of(final.states).state, cap_mhz[i] ? POWER_CAP : POWER_BURST);
        CU_ASSERT_EQUAL(((struct gpu_evaluator *)world.evaluator.state)->members[0].capped, cap_mhz[i] > 0);
        close_world(&world);
    }
}

/* Asks for an immediate end once a third device process lives. */
static volatile sig_atomic_t *stop_third;

static void stop_in_third(int signal)
{
    (void)signal;
    if (fake_lives() >= 3)
        *stop_third = 2;
}

/* A play-off that is stopped in a further process has the times of those before. */
static void stopped_in_a_further_process(void)
{
    enum { FINALS = 2 };
    static const struct itimerval each = {{0, 20000}, {0, 20000}}, never;
    struct sigaction looks = {.sa_handler = stop_in_third, .sa_flags = SA_RESTART}, before;
    struct world world;
    struct measurement finals[FINALS];
    struct error error = {0};
    bool played = false;
    fake_reset();
    fake.faults_from = 3;
    open_world(&world, NULL);
    world.setup.playoff_processes = 4;
    const uint64_t indices[FINALS] = {index_of(&world, "TIME=5000 FAULT=spin"), index_of(&world, "TIME=6000")};
    stop_third = &world.stop;
    CU_ASSERT_EQUAL_FATAL(sigaction(SIGALRM, &looks, &before), 0);
    setitimer(ITIMER_REAL, &each, NULL);
    int code = world.evaluator.ops->playoff(world.evaluator.state, indices, FINALS, finals, &played, &error);
    setitimer(ITIMER_REAL, &never, NULL);
    sigaction(SIGALRM, &before, NULL);
    expect_done("play-off", code, &error);
    CU_ASSERT_TRUE(played);
    CU_ASSERT_EQUAL(fake_lives(), 3);
    CU_ASSERT(finals[0].playoff == PLAYOFF_LEADER && finals[0].value == 5000 && finals[0].processes == 2);
    CU_ASSERT(finals[1].playoff == PLAYOFF_LOST && finals[1].value == 6000);
    CU_ASSERT(2 * finals[0].samples < 5 * finals[1].samples); /* of two processes and of one */
    close_world(&world);
}

CU_TestInfo tests_gpu_playoff[] = {{"playoffs", playoffs},
                                   {"per unit of work", play_off_per_work},
                                   {"processes", processes},
                                   {"events of each process", events_of_each_process},
                                   {"extension ends", extension_ends},
                                   {"failures in further processes", failures_in_further_processes},
                                   {"expected results", expected_results},
                                   {"notes the cap", notes_the_cap},
                                   {"stopped in a further process", stopped_in_a_further_process},
                                   CU_TEST_INFO_NULL};
