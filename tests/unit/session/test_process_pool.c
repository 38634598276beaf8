/* Sessions that borrow a process pool, one after the other at other sizes, over the fake runtime. */
#include "session/process_pool.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "session_world.h"

#define WORKS  "TIME=5000 FAULT=none FROM=1 ASIDE=0 SHARED=0"
#define FAULTY "TIME=6000 FAULT=%s FROM=1 ASIDE=0 SHARED=0"

/* SHORT_S ends endless loops and, on a busy machine, feasible configurations, too; LONG_S ends nothing. */
enum { SIZES = 3, CONFIGURATIONS = 3, FAULTED = 1, SHORT_S = 1, LONG_S = 60 };

struct outcome_table {
    struct measurement of[SIZES][CONFIGURATIONS];
};

/* Number of device processes; the runtime counts those that have begun. */
static unsigned lives_after(unsigned expected)
{
    for (int tries = 0; tries < 500 && fake_lives() < expected; tries++)
        worker_wait(NULL, 0, clock_now_ns() + 10000000);
    return fake_lives();
}

/* Measures a feasible configuration, one with a fault, and another feasible one, at each size. */
static void measure_all(struct session_world *world, struct process_pool *process_pool, const char *fault,
                        double timeout_s, struct outcome_table *outcomes)
{
    static const char *const sizes[SIZES] = {"N=1000", "N=300", "N=2000"};
    char faulty[128];
    const char *const configurations[CONFIGURATIONS] = {WORKS, faulty, "TIME=20000 FAULT=none FROM=1 ASIDE=0 SHARED=0"};
    snprintf(faulty, sizeof faulty, FAULTY, fault);
    world->request.process_pool = process_pool;
    world->request.conditions.timeout_s = timeout_s;
    world->request.jobs = 1; /* for their order */
    for (size_t i = 0; i < SIZES; i++) {
        bool done[CONFIGURATIONS] = {false};
        const struct session_list list = {
            .work = {configurations, CONFIGURATIONS, outcomes->of[i], done, PROPOSER_FIT}};
        world->request.list = &list;
        world->request.defines = &sizes[i];
        world->request.define_count = 1;
        CU_ASSERT_EQUAL(session_world_run(world), 0);
        for (size_t c = 0; c < CONFIGURATIONS; c++)
            CU_ASSERT(done[c]);
    }
    world->request.list = NULL;
}

/* Outcomes equal those of sessions with their own processes, whatever the configurations before did. */
static void as_alone(void)
{
    static const struct {
        const char *fault;
        unsigned lives, alone; /* processes that begin */
        bool by_clock; /* a time limit ends it: on a busy machine, the order and the message depend on the load */
    } rows[] = {{"wrong", 1, 3, false},  {"refuse", 1, 3, false}, {"beside", 4, 6, false},
                {"sticky", 4, 6, false}, {"kill", 7, 9, false},   {"spin", 4, 6, true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct outcome_table outcomes[2];
        for (int borrows = 0; borrows < 2; borrows++) {
            struct session_world world;
            struct process_pool process_pool = {0};
            session_world_open_device(&world, NULL, 0);
            measure_all(&world, borrows ? &process_pool : NULL, rows[i].fault, rows[i].by_clock ? SHORT_S : LONG_S,
                        &outcomes[borrows]);
            unsigned expected = borrows ? rows[i].lives : rows[i].alone, lives = lives_after(expected);
            bool right = rows[i].by_clock ? lives > 0 && lives <= expected : lives == expected;
            if (!right)
                fprintf(stderr, "\n%s: %u processes instead of %u\n", rows[i].fault, lives, expected);
            CU_ASSERT(right);
            CU_ASSERT_EQUAL(process_pool.device_count, (size_t)borrows);
            process_pool_leave(&process_pool);
            process_pool_close(&process_pool);
            CU_ASSERT_EQUAL(process_pool.device_count, 0);
            session_world_close(&world);
        }
        for (size_t n = 0; n < SIZES; n++)
            for (size_t c = 0; c < CONFIGURATIONS; c++) {
                const struct measurement *alone = &outcomes[0].of[n][c], *there = &outcomes[1].of[n][c];
                bool late = alone->status == STATUS_TIMEOUT || there->status == STATUS_TIMEOUT;
                if (rows[i].by_clock && c != FAULTED && late)
                    continue;
                CU_ASSERT_EQUAL(there->status, alone->status);
                CU_ASSERT(rows[i].by_clock || strcmp(there->message, alone->message) == 0);
                CU_ASSERT(there->value == alone->value || (isnan(there->value) && isnan(alone->value)));
                CU_ASSERT_EQUAL(there->samples, alone->samples);
            }
    }
}

/* Several devices, and the compilers, serve all sessions: searches, lists, a stopped one, one without a valid
 * configuration. */
static void serves_all(void)
{
    static const char *const sets[] = {"FAULT=none,wrong", "ASIDE=0", "SHARED=0"}, *const small[] = {"N=64"},
                             *const none[] = {"TIME=6000", "FAULT=none", "FROM=2"};
    struct session_world world;
    struct process_pool process_pool = {0};
    struct outcome_table outcomes;
    session_world_open_device(&world, sets, 3);
    fake.devices = 2;
    world.request.device = "0,1";
    measure_all(&world, &process_pool, "wrong", LONG_S, &outcomes);
    const struct compile_pool *pool = process_pool.pool;
    pid_t pids[] = {device_worker(process_pool.devices[0])->pid, device_worker(process_pool.devices[1])->pid};
    CU_ASSERT_PTR_NOT_NULL(pool);
    CU_ASSERT(process_pool.knows_compiler);
    world.heard.stop_at = 'E';
    CU_ASSERT_EQUAL(session_world_run(&world), ERROR_INTERRUPTED);
    world.heard.stop_at = 0;
    world.request.sets = none;
    CU_ASSERT_EQUAL(session_world_run(&world), ERROR_NOTHING_VALID);
    world.request.sets = sets;
    world.request.finalists = 2;
    world.request.defines = small;
    world.request.define_count = 1;
    CU_ASSERT_EQUAL(session_world_run(&world), 0);
    CU_ASSERT_STRING_EQUAL(world.heard.configuration, WORKS);
    CU_ASSERT_PTR_EQUAL(process_pool.pool, pool);
    CU_ASSERT_EQUAL(device_worker(process_pool.devices[0])->pid, pids[0]);
    CU_ASSERT_EQUAL(device_worker(process_pool.devices[1])->pid, pids[1]);
    CU_ASSERT_EQUAL(fake_lives(), 2);
    process_pool_close(&process_pool);
    session_world_close(&world);
}

CU_TestInfo tests_process_pool[] = {{"as alone", as_alone}, {"serves all", serves_all}, CU_TEST_INFO_NULL};
