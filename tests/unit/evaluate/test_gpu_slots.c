/* Slots over the fake runtime: configurations with the same machine code and launch share a measurement. */
#include "evaluate/gpu_evaluator.h"
#include "world.h"

/* The same machine code and launch are measured once, even if the other configuration is in progress or has failed. */
static void same_code(void)
{
    static const char *const configurations[] = {"TIME=5000 ASIDE=0",   "TIME=5000 ASIDE=1",  "FAULT=wrong ASIDE=0",
                                                 "FAULT=wrong ASIDE=1", "TIME=20000 ASIDE=0", "FAULT=kill ASIDE=1",
                                                 "FAULT=kill ASIDE=0"};
    struct world world;
    struct evaluation outcomes[COUNT(configurations)];
    uint64_t indices[COUNT(configurations)];
    struct error error = {0};
    fake_reset();
    open_world(&world, NULL);
    for (size_t i = 0; i < COUNT(configurations); i++)
        indices[i] = index_of(&world, configurations[i]);
    expect_done("evaluating", evaluate(&world, indices, COUNT(indices), false, outcomes, &error), &error);
    unsigned launches = fake_launches("fake: time_ns=5000 none=1 id=0");
    CU_ASSERT(launches > 0);
    for (size_t pair = 0; pair < COUNT(configurations); pair += pair == 2 ? 3 : 2) {
        const struct measurement *a = &outcomes[pair].measurement, *b = &outcomes[pair + 1].measurement;
        bool second = strstr(b->message, "the same machine code and launch as") != NULL;
        const struct measurement *first = second ? a : b, *duplicate = second ? b : a;
        CU_ASSERT_EQUAL(outcomes[pair + second].original, outcomes[pair + !second].index);
        CU_ASSERT_EQUAL(outcomes[pair + !second].original, OUTCOME_NO_DUPLICATE);
        CU_ASSERT(begins(duplicate->message, "the same machine code and launch as TIME="));
        CU_ASSERT_EQUAL(duplicate->status, first->status == STATUS_OK ? STATUS_DUPLICATE : first->status);
        CU_ASSERT(duplicate->value == first->value || isnan(first->value));
        CU_ASSERT_EQUAL(duplicate->measure_ns, 0);
        CU_ASSERT(duplicate->compile_ns >= 0);
        CU_ASSERT_PTR_NOT_NULL(strstr(duplicate->message, first->message));
    }
    CU_ASSERT_EQUAL(outcomes[4].measurement.status, STATUS_OK);
    struct measurement later = evaluate_one(&world, "TIME=20000 ASIDE=1", false);
    CU_ASSERT_EQUAL(later.status, STATUS_DUPLICATE);
    CU_ASSERT_EQUAL(later.value, 20000);
    CU_ASSERT_EQUAL(fake_launches("fake: time_ns=5000 none=1 id=0"), launches);
    close_world(&world);
}

/* Twins with different work are not duplicates. */
static void same_code_other_work(void)
{
    struct world world;
    fake_reset();
    open_world(&world, WORLD_WORK);
    struct measurement first = evaluate_one(&world, "TIME=5000 ASIDE=0", false),
                       second = evaluate_one(&world, "TIME=5000 ASIDE=1", false);
    CU_ASSERT(first.status == STATUS_OK && first.value == 5000);
    CU_ASSERT(second.status == STATUS_OK && second.value == 2500);
    close_world(&world);
}

/* Slots are withdrawn up to the stage; those of a play-off never are. */
static void stages(void)
{
    static const struct {
        enum slot_state state;
        bool apart;
        bool withdrawn[2]; /* by stage */
    } rows[] = {{SLOT_FREE, false, {false, false}},     {SLOT_WAITING, false, {true, true}},
                {SLOT_COMPILING, false, {false, true}}, {SLOT_COMPILED, false, {false, true}},
                {SLOT_DUPLICATE, false, {false, true}}, {SLOT_MEASURING, false, {false, false}},
                {SLOT_DONE, false, {false, false}},     {SLOT_WAITING, true, {false, false}},
                {SLOT_COMPILED, true, {false, false}}};
    struct world world;
    struct error error = {0};
    fake_reset();
    open_world(&world, NULL);
    struct gpu_evaluator *gpu = world.evaluator.state;
    for (size_t i = 0; i < COUNT(rows); i++)
        for (enum evaluation_stage stage = STAGE_WAITING; stage <= STAGE_UNMEASURED; stage++) {
            struct slot *slot = NULL;
            expect_done("submitting", gpu_slots_submit(gpu, 0, false, rows[i].apart, &slot, &error), &error);
            slot->state = rows[i].state;
            expect_done("withdrawing", world.evaluator.ops->withdraw(gpu, stage, &error), &error);
            CU_ASSERT_EQUAL(slot->withdrawn, rows[i].withdrawn[stage]);
            CU_ASSERT_EQUAL(slot->state, rows[i].withdrawn[stage] ? SLOT_DONE : rows[i].state);
            slot->state = SLOT_FREE;
        }
    close_world(&world);
}

/* Waits once and returns the number of withdrawn configurations. All that come are withdrawn. */
static size_t withdrawn_now(const struct world *world)
{
    struct evaluation done[8];
    struct error error = {0};
    size_t count = 0;
    expect_done("waiting", world->evaluator.ops->wait(world->evaluator.state, 0, done, COUNT(done), &count, &error),
                &error);
    for (size_t i = 0; i < count; i++)
        CU_ASSERT(done[i].withdrawn && !done[i].log);
    return count;
}

/* Two compilers work on two of three. Their compilations are cancelled, and later submissions are evaluated. */
static void withdrawn(void)
{
    struct world world;
    struct error error = {0};
    struct evaluation got[3];
    struct evaluator_usage usage;
    fake_reset();
    open_world(&world, NULL);
    const uint64_t indices[] = {index_of(&world, "TIME=5000"), index_of(&world, "TIME=6000"),
                                index_of(&world, "TIME=20000")};
    const struct evaluator_ops *ops = world.evaluator.ops;
    struct gpu_evaluator *gpu = world.evaluator.state;
    expect_done("withdrawing nothing", ops->withdraw(gpu, STAGE_UNMEASURED, &error), &error);
    for (size_t i = 0; i < COUNT(indices); i++)
        expect_done("submitting", ops->submit(gpu, indices[i], false, EVALUATOR_ANY_DEVICE, &error), &error);
    expect_done("compiling", gpu_compile_start(gpu, &error), &error);
    CU_ASSERT_EQUAL(compile_pool_idle(gpu->pool), 0);
    expect_done("withdrawing", ops->withdraw(gpu, STAGE_WAITING, &error), &error);
    CU_ASSERT_EQUAL(gpu_slots_used(gpu), 3);
    expect_done("withdrawing", ops->withdraw(gpu, STAGE_UNMEASURED, &error), &error);
    CU_ASSERT_EQUAL(compile_pool_idle(gpu->pool), 2);
    CU_ASSERT_EQUAL(withdrawn_now(&world), 3);
    CU_ASSERT_EQUAL(gpu_slots_used(gpu), 0);
    ops->usage(gpu, &usage);
    CU_ASSERT_EQUAL(usage.compiled, 0);
    expect_done("evaluating", evaluate(&world, indices, COUNT(indices), true, got, &error), &error);
    for (size_t i = 0; i < COUNT(indices); i++)
        CU_ASSERT(!got[i].withdrawn && got[i].measurement.status == STATUS_OK);
    close_world(&world);
}

CU_TestInfo tests_gpu_slots[] = {{"same code", same_code},
                                 {"same code, other work", same_code_other_work},
                                 {"stages of withdrawing", stages},
                                 {"withdrawn", withdrawn},
                                 CU_TEST_INFO_NULL};
