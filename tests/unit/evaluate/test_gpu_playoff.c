/* Play-offs over the fake runtime. */
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

CU_TestInfo tests_gpu_playoff[] = {{"playoffs", playoffs}, {"per unit of work", play_off_per_work}, CU_TEST_INFO_NULL};
