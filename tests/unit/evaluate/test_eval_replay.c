#include "evaluate/eval_replay.h"

#include "synthetic.h"

/* Compile and measure times in ns: 1 compiles long, 3 never reaches the device. */
static const char recorded[] =
    "# cutune journal 1\n# copy_ceiling = 5000\n# parameters = 1\n"
    "A,status,time_ns,compile_ns,measure_ns\n1,ok,10,1000,100\n2,ok,20,200,300\n3,compile_error,,400,\n"
    "4,ok,40,100,100\n";

struct world {
    struct space *space;
    struct valid_set *set;
    struct journal *journal;
    struct evaluator_setup setup;
    struct evaluator evaluator;
};

static void open_world(struct world *world, const char *text, size_t jobs)
{
    struct error error = {0};
    *world = (struct world){.space = synthetic_space("param A = 1..5\n")};
    CU_ASSERT_EQUAL_FATAL(valid_set_build(&world->set, world->space, VALID_SET_DEFAULT_BYTES, &error), 0);
    CU_ASSERT_EQUAL_FATAL(journal_parse(&world->journal, "j.csv", text, strlen(text), &error), 0);
    world->setup =
        (struct evaluator_setup){.space = world->space, .set = world->set, .journal = world->journal, .jobs = jobs};
    CU_ASSERT_EQUAL_FATAL(evaluator_open_replay(&world->evaluator, &world->setup, &error), 0);
}

static void close_world(struct world *world)
{
    evaluator_close(&world->evaluator);
    journal_close(world->journal, NULL);
    valid_set_free(world->set);
    space_free(world->space);
}

/* The end of each of the four configurations. One compiler works in order. With several, the first one compiled is
 * measured first, on one device. */
static void time_goes_on(void)
{
    static const struct {
        size_t jobs;
        struct {
            uint64_t index;
            int64_t now_ns;
        } ends[4];
    } rows[] = {{0, {{0, 1100}, {1, 1600}, {2, 2000}, {3, 2200}}}, {4, {{3, 200}, {2, 400}, {1, 500}, {0, 1100}}}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct world world;
        struct error error = {0};
        uint64_t next = 0;
        open_world(&world, recorded, rows[r].jobs);
        const struct evaluator_ops *ops = world.evaluator.ops;
        for (size_t i = 0; i < 4; i++) {
            struct evaluation done;
            size_t count = 0;
            while (next < 4 && ops->room(world.evaluator.state, false))
                CU_ASSERT_EQUAL(ops->submit(world.evaluator.state, next++, false, EVALUATOR_ANY_DEVICE, &error), 0);
            CU_ASSERT_EQUAL(ops->wait(world.evaluator.state, 0, &done, 1, &count, &error), 0);
            CU_ASSERT_EQUAL_FATAL(count, 1);
            CU_ASSERT_EQUAL(done.index, rows[r].ends[i].index);
            CU_ASSERT_EQUAL(ops->now(world.evaluator.state), rows[r].ends[i].now_ns);
            CU_ASSERT_EQUAL(done.measurement.status, done.index == 2 ? STATUS_COMPILE_ERROR : STATUS_OK);
        }
        close_world(&world);
    }
}

static void refusals(void)
{
    struct world world;
    struct error error = {0};
    open_world(&world, recorded, 0);
    const struct evaluator_ops *ops = world.evaluator.ops;
    CU_ASSERT_EQUAL(ops->submit(world.evaluator.state, 4, false, EVALUATOR_ANY_DEVICE, &error),
                    ERROR_NOT_FOUND); /* no row */
    error_clear(&error);
    CU_ASSERT_EQUAL(ops->submit(world.evaluator.state, 0, false, EVALUATOR_ANY_DEVICE, &error), 0);
    CU_ASSERT_EQUAL(ops->room(world.evaluator.state, false), 0);
    CU_ASSERT_EQUAL(ops->submit(world.evaluator.state, 1, false, EVALUATOR_ANY_DEVICE, &error), ERROR_BUSY);
    close_world(&world);
}

/* A play-off returns the recorded result, if any. */
static void playoffs(void)
{
    static const char played[] =
        "# cutune journal 1\n# parameters = 1\nA,status,time_ns,measure_ns,playoff\n1,ok,10,100,\n"
        "2,ok,20,100,\n1,ok,11,500,leader\n2,ok,12,700,lost\n";
    static const struct {
        const char *text;
        bool played;
        double times[2];
        int64_t now_ns;
    } rows[] = {{played, true, {11, 12}, 1200}, {recorded, false, {10, 20}, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct world world;
        struct measurement finals[2];
        struct error error = {0};
        bool was_played = !rows[i].played;
        open_world(&world, rows[i].text, 1);
        const struct evaluator_ops *ops = world.evaluator.ops;
        CU_ASSERT_EQUAL(ops->playoff(world.evaluator.state, (uint64_t[]){0, 1}, 2, finals, &was_played, &error), 0);
        CU_ASSERT_EQUAL(was_played, rows[i].played);
        CU_ASSERT(finals[0].value == rows[i].times[0] && finals[1].value == rows[i].times[1]);
        CU_ASSERT_EQUAL(ops->now(world.evaluator.state), rows[i].now_ns);
        close_world(&world);
    }
}

/* The clock stops at the limit. Then "-0" is a configuration that comes back without an outcome. */
static void withdrawn(void)
{
    static const struct {
        size_t jobs;
        int64_t limit_ns;
        enum evaluation_stage stage;
        const char *done;
        int64_t now_ns;
    } rows[] = {{4, 50, STAGE_UNMEASURED, "-0 -1 -2 -3 ", 50},    {4, 150, STAGE_UNMEASURED, "-0 -1 -2 3 ", 200},
                {4, 200, STAGE_UNMEASURED, "3 -0 -1 -2 ", 200}, /* the next measurement would begin at the limit */
                {4, 450, STAGE_UNMEASURED, "3 2 -0 1 ", 500},     {4, 1050, STAGE_UNMEASURED, "3 2 1 0 ", 1100},
                {4, 50, STAGE_WAITING, "3 2 1 0 ", 1100},         {1, 1050, STAGE_WAITING, "-2 -3 0 1 ", 1500},
                {1, 1050, STAGE_UNMEASURED, "-1 -2 -3 0 ", 1100}, {1, INT64_MAX, STAGE_UNMEASURED, "0 1 2 3 ", 1800}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct world world;
        struct error error = {0};
        struct text text = {0};
        bool over = false;
        open_world(&world, recorded, rows[r].jobs);
        const struct evaluator_ops *ops = world.evaluator.ops;
        ops->limit(world.evaluator.state, rows[r].limit_ns);
        for (uint64_t i = 0; i < 4; i++)
            CU_ASSERT_EQUAL(ops->submit(world.evaluator.state, i, false, EVALUATOR_ANY_DEVICE, &error), 0);
        for (size_t ended = 0; ended < 4;) {
            struct evaluation done;
            size_t count = 0;
            if (!over && ops->now(world.evaluator.state) >= rows[r].limit_ns) {
                over = true;
                CU_ASSERT_EQUAL(ops->withdraw(world.evaluator.state, rows[r].stage, &error), 0);
            }
            CU_ASSERT_EQUAL(ops->wait(world.evaluator.state, 0, &done, 1, &count, &error), 0);
            CU_ASSERT_FATAL(count || (!over && ops->now(world.evaluator.state) == rows[r].limit_ns));
            ended += count;
            if (count)
                text_printf(&text, "%s%d ", done.withdrawn ? "-" : "", (int)done.index);
        }
        CU_ASSERT_STRING_EQUAL(text_string(&text), rows[r].done);
        CU_ASSERT_EQUAL(ops->now(world.evaluator.state), rows[r].now_ns);
        text_free(&text);
        close_world(&world);
    }
}

/* The compilers of withdrawn configurations are free at once. */
static void compilers_are_freed(void)
{
    struct world world;
    struct error error = {0};
    struct evaluation done;
    size_t count = 0;
    open_world(&world, recorded, 1);
    const struct evaluator_ops *ops = world.evaluator.ops;
    for (uint64_t i = 0; i < 3; i++)
        CU_ASSERT_EQUAL(ops->submit(world.evaluator.state, i, false, EVALUATOR_ANY_DEVICE, &error), 0);
    CU_ASSERT_EQUAL(ops->withdraw(world.evaluator.state, STAGE_UNMEASURED, &error), 0);
    CU_ASSERT_EQUAL(ops->submit(world.evaluator.state, 3, false, EVALUATOR_ANY_DEVICE, &error), 0);
    do {
        CU_ASSERT_EQUAL(ops->wait(world.evaluator.state, 0, &done, 1, &count, &error), 0);
    } while (count && done.withdrawn);
    CU_ASSERT(count == 1 && done.index == 3);
    CU_ASSERT_EQUAL(ops->now(world.evaluator.state), 200);
    close_world(&world);
}

CU_TestInfo tests_eval_replay[] = {{"time goes on", time_goes_on},
                                   {"refusals", refusals},
                                   {"play-offs", playoffs},
                                   {"withdrawn", withdrawn},
                                   {"compilers are freed", compilers_are_freed},
                                   CU_TEST_INFO_NULL};
